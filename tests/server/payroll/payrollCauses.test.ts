import { and, asc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { StaffContract } from '../../../domain/budget/budget.ts'
import { type FrozenBudget, groupByEmployee, type SharedInputs } from '../../../domain/calculation/staffing/frozen.ts'
import type { CalendarMonth } from '../../../domain/monitoring/monitoring.ts'
import { calculatePay, type PayComponent, payComponents } from '../../../domain/payroll/calculatedPay.ts'
import { applyPayChange, type PayCause } from '../../../domain/payroll/causes/causes.ts'
import { explainPayDifference } from '../../../domain/payroll/causes/explain.ts'
import {
  type LeaveRuleSet,
  prepareWhatIfBaseline,
  type RowKeyFinder,
  type WhatIfBaseline,
} from '../../../domain/payroll/causes/whatIfBaseline.ts'
import { budgets } from '../../../drizzle/schema.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { createRandomSource, type RandomSource } from '../../../server/demo/random.ts'
import { readLeaveSets } from '../../../server/features/payroll/causes/queries.ts'
import { readCurrentInputs } from '../../../server/shared/costing/inputs/queries.ts'
import { loadBudget, loadContracts } from '../../../server/streams/budget/queries.ts'
import { createDatabase } from '../../support/product/database.ts'
import { testDataKey } from '../../support/product/dataKey.ts'

interface Place {
  frozen: FrozenBudget
  shared: SharedInputs
  employees: StaffContract[][]
  /** The rule sets that an employee’s leave may follow. */
  leaveSets: LeaveRuleSet[]
}

const places: Place[] = []
const grounds = new Map<string, WhatIfBaseline>()
const rowOf: RowKeyFinder = (_contract, share) => share.component

/** Loads the demo’s budgets with their employees. */
beforeAll(async () => {
  const store = openStore({ databaseUrl: await createDatabase(), dataKey: testDataKey }, 2)
  const all = await store.asPlatform((tx) =>
    tx
      .select({ id: budgets.id, organisationId: budgets.organisationId })
      .from(budgets)
      .where(and(eq(budgets.name, '2026/27 Working')))
      .orderBy(asc(budgets.locationId)),
  )
  for (const { id, organisationId } of all.slice(0, 8))
    await store.inOrganisation(organisationId, async (tx) => {
      const [{ head }, contracts] = [
        await loadBudget({ tx, organisationId }, id),
        await loadContracts({ tx, organisationId, budgetId: id }),
      ]
      const employees = [...groupByEmployee(contracts).values()].filter(([first]) => first!.staffId !== null && !first!.attritionContract)
      if (employees.length)
        places.push({
          ...(await readCurrentInputs({ tx, organisationId }, head, { contracts })),
          employees,
          leaveSets: await readLeaveSets(tx),
        })
    })
  await store.close()
})

/** An employee’s pay by component under changed contracts or leave; undefined if it cannot be calculated. */
function paid(
  contracts: readonly StaffContract[],
  frozen: FrozenBudget,
  shared: SharedInputs,
  month: CalendarMonth,
): Map<string, number> | undefined {
  const rows = new Map<string, number>()
  for (const { shares } of calculatePay(contracts, { frozen, shared, question: { ...month, useInflation: true } }))
    for (const { component, pennies } of shares) {
      if (pennies === null) return undefined
      rows.set(component, (rows.get(component) ?? 0) + pennies)
    }
  return rows
}

interface Drawn {
  contracts?: StaffContract[]
  frozen?: FrozenBudget
  shared?: SharedInputs
  arrears?: Map<string, number>
}

const months: CalendarMonth[] = [
  ...[9, 10, 11, 12].map((month) => ({ year: 2026, month })),
  ...[1, 2, 3].map((month) => ({ year: 2027, month })),
]
const text = ({ year, month }: CalendarMonth, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** For each cause, makes payroll pay something else, without the code under test; undefined if this employee cannot have the cause. */
const draws: Record<PayCause, (random: RandomSource, place: Place, own: StaffContract[], month: CalendarMonth) => Drawn | undefined> = {
  award: (_random, { frozen, shared }, [contract]) => {
    const kind = contract!.salary.at(-1)!.scalePoint?.kind === 'teacher' ? 'teacherPayScales' : 'supportPayScales'
    const sorted = frozen.budgetElements[kind].toSorted((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1))
    const inForce = sorted.filter((row) => row.effectiveDate <= '2026-09-01')
    const late = inForce.at(-1)
    const assumed = Object.values(shared.assumptions[frozen.staffAssumptionsId] ?? {}).flatMap((rates) => rates.inflation)
    const date = [...(inForce.length > 1 ? [late!.effectiveDate] : []), ...assumed.map((rate) => rate.effectiveDate)]
      .filter((one) => one > '2025-12-31' && one <= '2026-09-01')
      .sort()
      .at(-1)
    if (!date) return undefined
    const stays = (row: { effectiveDate: string }): boolean => row.effectiveDate !== date
    return {
      frozen: { ...frozen, budgetElements: { ...frozen.budgetElements, [kind]: frozen.budgetElements[kind].filter(stays) } },
      shared: {
        ...shared,
        assumptions: {
          ...shared.assumptions,
          [frozen.staffAssumptionsId]: Object.fromEntries(
            Object.entries(shared.assumptions[frozen.staffAssumptionsId]!).map(([type, rates]) => [
              type,
              { ...rates, inflation: rates.inflation.filter(stays) },
            ]),
          ),
        },
      },
    }
  },
  increment: (_random, _place, own) => {
    const [contract] = own
    const row = contract!.salary.at(-1)!
    if (!contract!.maximumScalePoint || !row.scalePoint || contract!.maximumScalePoint.increment <= row.scalePoint.increment)
      return undefined
    // Payroll left the employee on the scale point on which the row began.
    return { contracts: own.map((one) => (one === contract ? { ...one, maximumScalePoint: row.scalePoint } : one)) }
  },
  point: (random, _place, own) => {
    const point = own[0]!.salary.at(-1)!.scalePoint
    if (!point) return undefined
    const increment = point.increment + random.pick([-4, -3, 3, 4, 5])
    return {
      contracts: own.map((one, index) =>
        index
          ? one
          : { ...one, maximumScalePoint: null, salary: one.salary.map((row) => ({ ...row, scalePoint: { ...point, increment } })) },
      ),
    }
  },
  hours: (random, _place, own) => ({
    contracts: own.map((one, index) =>
      index
        ? one
        : {
            ...one,
            salary: one.salary.map((row) => ({
              ...row,
              fte: row.fte === null ? null : random.pick([0.3, 0.45, 0.55, 0.613, 0.7, 0.85]),
              hoursPerWeek: row.hoursPerWeek === null ? null : row.hoursPerWeek + random.pick([-2.5, -1.25, 1, 2.75]),
            })),
          },
    ),
  }),
  dates: (random, _place, own, month) => ({
    contracts: own.map((one, index) => (index ? one : { ...one, endDate: text(month, random.whole(2, 27)) })),
  }),
  allowance: (random, { shared }, own) => {
    const [contract] = own
    const row = contract!.salary.at(-1)!
    const other = Number(random.pick(Object.keys(shared.allowances)))
    const allowances = row.allowances.includes(other) ? row.allowances.filter((one) => one !== other) : [...row.allowances, other]
    return {
      contracts: own.map((one) => (one === contract ? { ...one, salary: one.salary.map((each) => ({ ...each, allowances })) } : one)),
    }
  },
  pension: (_random, _place, own) =>
    own[0]!.salary.at(-1)!.erPension
      ? {
          contracts: own.map((one, index) => (index ? one : { ...one, salary: one.salary.map((row) => ({ ...row, erPension: false })) })),
        }
      : undefined,
  niCategory: (_random, _place, own) => ({ contracts: own.map((one) => ({ ...one, apprentice: !one.apprentice })) }),
  arrears: (random) => {
    const gross = random.whole(4000, 30_000)
    return {
      arrears: new Map([
        ['basic', gross],
        ['ni', Math.round(gross * 0.15)],
        ['pension', Math.round(gross * 0.2)],
      ]),
    }
  },
  leave: (_random, { frozen }, own) => {
    const person = frozen.people[own[0]!.staffId!]
    return person?.leaves.length
      ? { frozen: { ...frozen, people: { ...frozen.people, [own[0]!.staffId!]: { ...person, leaves: [] } } } }
      : undefined
  },
}

function groundOf(place: Place, month: CalendarMonth): WhatIfBaseline {
  const key = `${places.indexOf(place)} ${text(month, 1)}`
  const known =
    grounds.get(key) ??
    prepareWhatIfBaseline(place.frozen, { shared: place.shared, question: { ...month, useInflation: true }, leaveSets: place.leaveSets })!
  grounds.set(key, known)
  return known
}

const differs = (a: Map<string, number>, b: Map<string, number>): boolean =>
  payComponents.some((component: PayComponent) => Math.abs((a.get(component) ?? 0) - (b.get(component) ?? 0)) > 5)

describe('the cause of a difference in pay', () => {
  it('is found first for nineteen of twenty differences that each have a single cause', { timeout: 120_000 }, () => {
    const random = createRandomSource(18)
    const causes = Object.keys(draws) as PayCause[]
    // Each search tries every cause for an employee, so twenty of each are enough.
    const each = 20
    const drawn = new Map<PayCause, number>(causes.map((cause) => [cause, 0]))
    const missed: { cause: PayCause; said: string }[] = []
    for (let turn = 0; turn < 20_000; turn++) {
      const cause = causes[turn % causes.length]!
      if (drawn.get(cause) === each) continue
      const place = random.pick(places)
      const month = random.pick(months)
      // Few employees are on leave, so they are drawn separately.
      const some =
        cause === 'leave' ? place.employees.filter(([first]) => place.frozen.people[first!.staffId!]?.leaves.length) : place.employees
      if (!some.length) continue
      const own = random.pick(some)
      const made = draws[cause](random, place, own, month)
      const before = made && paid(own, place.frozen, place.shared, month)
      const after = made && paid(made.contracts ?? own, made.frozen ?? place.frozen, made.shared ?? place.shared, month)
      if (!before?.size || !after) continue
      for (const [row, pennies] of made.arrears ?? []) after.set(row, (after.get(row) ?? 0) + pennies)
      if (!differs(before, after)) continue
      drawn.set(cause, drawn.get(cause)! + 1)
      const found = explainPayDifference(
        groundOf(place, month),
        { staffId: own[0]!.staffId!, contracts: own, actual: after, arrears: made.arrears ?? new Map() },
        rowOf,
      )
      if (found[0]?.cause !== cause) missed.push({ cause, said: found.map((one) => one.sentence).join(' | ') || 'nothing' })
      // Every proposed cause is correct: the contracts with its change give the pay that was paid.
      for (const { change } of found)
        if ('contractId' in change && change.kind === 'dates') {
          const changed = own.map((contract) => applyPayChange(contract, change))
          expect(differs(paid(changed, place.frozen, place.shared, month)!, after)).toBe(false)
        }
    }
    expect([...drawn.values()]).toEqual(causes.map(() => each))
    expect(missed.length).toBeLessThanOrEqual((each * causes.length) / 20)
    for (const cause of causes) expect(missed.filter((one) => one.cause === cause).length, cause).toBeLessThanOrEqual(each / 5)
  })
  it('is not given if no cause applies', { timeout: 120_000 }, () => {
    const random = createRandomSource(5)
    let asked = 0
    for (let turn = 0; asked < 100 && turn < 5000; turn++) {
      const place = random.pick(places)
      const month = random.pick(months)
      const own = random.pick(place.employees)
      const actual = paid(own, place.frozen, place.shared, month)
      if (!actual?.get('ni') || !actual.get('basic')) continue
      // Either one element differs, or all differ by unrelated amounts, as no cause would make them.
      const rows = ['basic', 'ni', 'pension'].filter((one) => actual.get(one))
      const off = random.pick([...rows.map((one) => [one]), rows])
      for (const one of off) actual.set(one, actual.get(one)! + random.pick([-1, 1]) * random.whole(700, 9700))
      asked++
      const found = explainPayDifference(
        groundOf(place, month),
        { staffId: own[0]!.staffId!, contracts: own, actual, arrears: new Map() },
        rowOf,
      )
      expect(found.map((one) => one.sentence)).toEqual([])
    }
    expect(asked).toBe(100)
  })
  it('is not searched for if the pay is as calculated', () => {
    const [place] = places
    for (const own of place!.employees.slice(0, 50)) {
      const actual = paid(own, place!.frozen, place!.shared, months[1]!)
      if (!actual) continue
      const found = explainPayDifference(
        groundOf(place!, months[1]!),
        { staffId: own[0]!.staffId!, contracts: own, actual, arrears: new Map() },
        rowOf,
      )
      expect(found).toEqual([])
    }
  })
})
