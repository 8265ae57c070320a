import { completionType } from '../../domain/lookups/lookupIds.ts'
import { lookups } from '../../domain/lookups/lookups.ts'
import { type CalendarMonth, formatIsoMonth } from '../../domain/monitoring/monitoring.ts'
import { type EmployeeComparison, listCandidates, workBackHours } from '../../domain/payroll/causes/candidates.ts'
import { type PayCause, payCauses } from '../../domain/payroll/causes/causes.ts'
import { calculatePayByRow, prepareBaseline, type RowKeyFinder } from '../../domain/payroll/causes/whatIfBaseline.ts'
import { type EmployeeRef, staffRef } from '../../domain/payroll/payroll.ts'
import { createCodeChooser, type ProviderCode, type ReconciledRow } from '../../domain/payroll/reconcile.ts'
import { resources } from '../../domain/resources/all.ts'
import { staffIdOf } from '../../domain/values/ids.ts'
import { must, onlyRow } from '../../domain/values/must.ts'
import type { Pennies } from '../../domain/values/units.ts'
import type { StaffMember } from '../core/budget/people.ts'
import { loadBudget, loadContracts } from '../core/budget/queries.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { rowsOf } from '../core/database/tables.ts'
import { inputsNow } from '../features/calculation/inputs/queries.ts'
import { leaveSetsOf } from '../features/payroll/causes/queries.ts'
import { type Changer, runCarryForward, runComplete, runImport, runNotes } from '../features/payroll/commands.ts'
import { peopleOf } from '../features/payroll/people/queries.ts'
import { providerCodes, type Reconciliation, reconciled } from '../features/payroll/queries.ts'
import type { BuiltTrust } from './trust.ts'

const september = { year: 2026, month: 9 }
const october = { year: 2026, month: 10 }

/** The schools whose provider pays the teachers' award of September in October, and the table that they are paid by until then. */
const late = ['Northgate', 'St Anne’s']
const oldTable = 'Teachers Sept 2025'
/** The school whose October differs, once for each cause. */
const storied = 'Northgate'

/** An amount that a payroll pays one employee under one code; whole pennies. */
interface Amount extends Pick<ReconciledRow, 'locationId' | 'employee' | 'payrollCodeId'> {
  pennies: Pennies
}
type Amounts = ReadonlyMap<string, Amount>

const keyOf = ({ locationId, employee, payrollCodeId }: Omit<Amount, 'pennies'>): string => `${locationId} ${employee} ${payrollCodeId}`

/** What a month comes to as it is calculated. What no code of the provider takes, it does not pay. */
function asCalculated({ rows }: Pick<Reconciliation, 'rows'>): Amounts {
  return new Map(
    rows
      .filter((row) => row.payrollCodeId !== null && row.calculated)
      .map((row) => [
        keyOf(row),
        { locationId: row.locationId, employee: row.employee, payrollCodeId: row.payrollCodeId, pennies: must(row.calculated) },
      ]),
  )
}

/** The sum of several by row; a row that comes to nothing is none. */
function added(...all: Amounts[]): Amounts {
  const sums = new Map<string, Amount>()
  for (const [key, amount] of all.flatMap((one) => [...one]))
    sums.set(key, { ...amount, pennies: (sums.get(key)?.pennies ?? 0) + amount.pennies })
  return new Map([...sums].filter(([, { pennies }]) => pennies !== 0))
}

const negative = (amounts: Amounts): Amounts => new Map([...amounts].map(([key, one]) => [key, { ...one, pennies: -one.pennies }]))
const only = (amounts: Amounts, isIn: (amount: Amount) => boolean): Amounts => new Map([...amounts].filter(([, one]) => isIn(one)))

/** Whose payroll is told, and what its rows are called in a file. */
interface Telling {
  who: Changer
  trust: BuiltTrust
  codes: readonly ProviderCode[]
  recIds: ReadonlyMap<number, string>
  numbers: ReadonlyMap<EmployeeRef, StaffMember>
}

async function tellingOf(tx: OrganisationTx, trust: BuiltTrust, actor: Actor): Promise<Telling> {
  const { organisationId } = trust
  const who: Changer = { organisationId, holder: { isAdministrator: true, permissions: [], locationIds: null }, actor }
  const places = await rowsOf(tx, resources.location, { column: 'organisationId', ids: [organisationId] })
  return {
    who,
    trust,
    codes: await providerCodes(tx, organisationId),
    recIds: new Map(places.map((place) => [place.id, must(place.payrollRecId)])),
    numbers: new Map([...(await peopleOf(tx, organisationId)).members].map(([id, member]) => [staffRef(id), member])),
  }
}

/** Amounts as rows of a file for all locations, by employee. */
function fileOf({ codes, recIds, numbers }: Telling, amounts: Amounts, month: CalendarMonth): Record<string, string>[] {
  const code = new Map(codes.map((one) => [one.id, one.code]))
  return [...amounts.values()]
    .map(({ locationId, employee, payrollCodeId, pennies }) => ({
      PayrollRecId: must(recIds.get(locationId)),
      EmployeeNumber: must(numbers.get(employee)).employeeNumber,
      PayrollCode: must(code.get(must(payrollCodeId))),
      Actual: (pennies / 100).toFixed(2),
      Month: formatIsoMonth(month),
    }))
    .sort((a, b) => (rowText(a) < rowText(b) ? -1 : 1))
}

const rowText = (row: Record<string, string>): string => `${row.PayrollRecId} ${row.EmployeeNumber} ${row.PayrollCode}`

/**
 * Two months of payroll and what is kept of them at the level of the trust's group. September is complete: two schools paid an award late, and
 * what they owed is carried forward. October is open: it pays what was owed, and differs once for each cause (rules.md §18).
 * @param by who brought the months in and completed the first, and when
 */
export async function payrollMonths(
  tx: OrganisationTx,
  trust: BuiltTrust,
  by: Record<'september' | 'completed' | 'october', Actor>,
): Promise<void> {
  const telling = await tellingOf(tx, trust, by.september)
  const { who, numbers } = telling
  const completing = { ...who, actor: by.completed }
  const { groupId } = trust
  const { paid, owed } = await lateAward(tx, telling)
  await runImport({ ...who, tx }, { ...september, rows: fileOf(telling, paid, september), locationId: null })
  const waiting = [...new Set([...owed.values()].map((one) => one.employee))]
  const stories = await storiesOf(tx, telling, owed)
  const numberOf = (employee: EmployeeRef): string => must(numbers.get(employee)).employeeNumber
  // The trust's group and the console keep notes and what is carried each for itself.
  for (const level of [
    { ...september, groupId },
    { ...september, groupId: null },
  ]) {
    await runNotes({ ...completing, tx }, level, {
      employeeNumbers: waiting.map((employee) => numberOf(employee)),
      notes: 'The award of 1 September is not paid yet. The provider of the primary schools pays it in October.',
    })
    // Of one no more than what the provider had promised: what comes beyond it is the arrears to explain in October.
    await runCarryForward({ ...completing, tx }, level, [{ employeeNumber: numberOf(stories.arrears), amount: -5000 }])
    await runComplete({ ...completing, tx }, level, completionType.carryForward)
  }
  await runImport({ tx, ...who, actor: by.october }, { ...october, rows: fileOf(telling, stories.paid, october), locationId: null })
}

/** September: what was paid, and what of the award was not. */
async function lateAward(tx: OrganisationTx, { who, trust }: Telling): Promise<{ paid: Amounts; owed: Amounts }> {
  const asked = { ...september, groupId: trust.groupId, useInflation: false }
  const table = onlyRow((await rowsOf(tx, resources.adminTable)).filter((one) => one.name === oldTable))
  const isLate = ({ locationId }: Amount): boolean => late.some((alias) => trust.locations.get(alias) === locationId)
  const whole = asCalculated(await reconciled({ ...who, tx }, asked))
  const old = asCalculated(await reconciled({ ...who, tx }, { ...asked, payScaleTableIds: [table.id] }))
  const owed = only(added(whole, negative(old)), isLate)
  return { paid: added(whole, negative(owed)), owed }
}

/** Which of the ways in which a cause may show is told: the words of its sentence. Without any the first. */
const ways: Partial<Record<PayCause, RegExp>> = {
  dates: /^Paid to 16 October/,
  allowance: /^Paid with First aid/,
  leave: /^Paid as on Green Book maternity from 12 October/,
}
/** Those that are told of support staff, whose pay has no award of September in it. */
const ofSupport = payCauses.map(({ id }) => id).filter((id) => id !== 'award' && id !== 'arrears')

/** October: the arrears of September, and one employee for each cause who was paid otherwise. */
async function storiesOf(tx: OrganisationTx, telling: Telling, owed: Amounts): Promise<{ paid: Amounts; arrears: EmployeeRef }> {
  const { who, trust } = telling
  const { organisationId, groupId } = trust
  const locationId = must(trust.locations.get(storied))
  const found = await reconciled({ ...who, tx }, { ...october, groupId, useInflation: false })
  const budget = must(found.level.budgets.find((one) => one.locationId === locationId))
  const contracts = await loadContracts({ tx, organisationId, budgetId: budget.id })
  const { head } = await loadBudget({ tx, organisationId }, budget.id)
  const { frozen, shared } = await inputsNow({ tx, organisationId }, head, { contracts })
  const ground = must(prepareBaseline(frozen, { shared, question: { ...october, useInflation: false }, leaveSets: await leaveSetsOf(tx) }))
  const choose = createCodeChooser(telling.codes, () => false)
  const rowOf: RowKeyFinder = (contract, { serviceTermId, component }) =>
    String(
      choose({ locationId, employee: staffRef(must(contract.staffId)), contractId: contract.id, serviceTermId, component, pennies: null }),
    )
  const isOwed = (employee: EmployeeRef): boolean =>
    [...owed.values()].some((one) => one.employee === employee && one.locationId === locationId)
  const own = new Map<EmployeeRef, EmployeeComparison>()
  for (const contract of contracts) {
    const employee = staffRef(contract.staffId ?? staffIdOf(0))
    const base = {
      prepared: ground.prepared,
      person: frozen.people[contract.staffId ?? 0] ?? { ages: null, leaves: [] },
      contracts: [contract],
    }
    const calculated = calculatePayByRow(ground, base, rowOf)
    const isOnly = contracts.filter((one) => one.staffId === contract.staffId).length === 1
    // Nine tenths of the basic pay: the hours that somebody was paid for are worked back from it.
    if (contract.staffId && isOnly && calculated)
      own.set(employee, { ground, base, calculated, actual: nineTenths(calculated), arrears: new Map(), rowOf })
  }
  const told = new Map<EmployeeRef, ReadonlyMap<string, number>>()
  const women = must(lookups.genders.find((item) => item.name === 'Female')).id
  for (const cause of [...ofSupport, 'award' as const]) {
    const isHere = ([employee]: [EmployeeRef, EmployeeComparison]): boolean =>
      !told.has(employee) &&
      isOwed(employee) === (cause === 'award') &&
      (cause !== 'leave' || must(telling.numbers.get(employee)).gender === women)
    for (const [employee, paid] of [...own].filter(isHere)) {
      const rows = paidBy(paid, cause)
      if (!rows) continue
      told.set(employee, rows)
      break
    }
  }
  const arrears = must([...own.keys()].find((employee) => isOwed(employee) && !told.has(employee)))
  const isTold = ({ employee }: Amount): boolean => told.has(employee)
  const others = only(added(asCalculated(found), owed), (amount) => !isTold(amount))
  const otherwise = new Map(
    [...told].flatMap(([employee, rows]) =>
      [...rows].map(([code, pennies]) => {
        const amount = { locationId, employee, payrollCodeId: Number(code), pennies }
        return [keyOf(amount), amount] as const
      }),
    ),
  )
  return { paid: added(others, otherwise), arrears }
}

function nineTenths(rows: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...rows].map(([row, pennies]) => [row, Math.round(pennies * 0.9)]))
}

/** What somebody is paid by a cause, where it shows in pounds. That it is what explains them first, a test looks at. */
function paidBy(paid: EmployeeComparison, cause: PayCause): ReadonlyMap<string, number> | undefined {
  const { ground, base, rowOf, calculated } = paid
  for (const { cause: own, says, apply } of [...listCandidates(paid), ...workBackHours(paid)]) {
    if (own !== cause || !(ways[cause] ?? /./).test(says)) continue
    const rows = calculatePayByRow(ground, apply(base), rowOf)
    if (rows && !isAlike(rows, calculated)) return rows
  }
  return undefined
}

/** The same to the pound. */
function isAlike(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return [...new Set([...a.keys(), ...b.keys()])].every((row) => Math.abs((a.get(row) ?? 0) - (b.get(row) ?? 0)) < 100)
}
