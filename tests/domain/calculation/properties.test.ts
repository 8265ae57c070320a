import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { split } from '../../../domain/calculation/split.ts'
import { type CostCase, costCase } from '../../../domain/calculation/staffing/case.ts'
import { buildBandTable, calculateContribution } from '../../../domain/calculation/staffing/nationalInsurance.ts'
import { listBudgetPeriods, toIsoDate } from '../../../domain/values/calendar.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'

const folder = join(import.meta.dirname, '../golden')
const given = (name: string): CostCase => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
const all = readdirSync(folder).map((file) => given(file.replace('.json', '')))

const sum = (figures: readonly (number | null)[]): number => figures.reduce<number>((total, figure) => total + (figure ?? 0), 0)

/** The total cost of a case over all contracts and years, in whole pennies. */
function total(inputs: CostCase): number {
  return sum(
    costCase(inputs).contracts.flatMap((contract) =>
      contract.years.flatMap((year) => [...year.gross, ...year.ni, ...year.pension, ...year.leaveRecovery]),
    ),
  )
}

describe('sharing an amount', () => {
  it('the shares add up to the penny, and none is more than a penny off', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10_000_000, max: 10_000_000 }),
        fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 12 }),
        (amount, weights) => {
          fc.pre(weights.some((weight) => weight > 0))
          const shares = split(amount, weights)
          expect(sum(shares)).toBe(amount)
          const whole = sum(weights)
          shares.forEach((share, index) => expect(Math.abs(share - (amount * weights[index]!) / whole)).toBeLessThanOrEqual(1))
        },
      ),
    )
  })
})

describe('national insurance', () => {
  it('is never below zero and never falls when pay rises', () => {
    const row = {
      name: '15 %',
      bandStart: '5000',
      bandEnd: null,
      rate: '15',
      rebate: '0',
      base: '0',
      minAge: 0,
      maxAge: null,
      apprentice: false,
      pension: null,
    }
    const [band] = buildBandTable('2026/27', [row]).rows
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5_000_000 }), fc.integer({ min: 0, max: 100_000 }), (gross, more) => {
        const due = calculateContribution(band!, gross)
        expect(due).toBeGreaterThanOrEqual(0)
        expect(calculateContribution(band!, gross + more)).toBeGreaterThanOrEqual(due)
      }),
    )
  })
})

describe('the cost of an employee', () => {
  it('does not depend on the order in which rows, tables and rates are given', () => {
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.infiniteStream(fc.nat()), (inputs, numbers) => {
        const shuffled = <T>(list: readonly T[]): T[] =>
          [...list]
            .map((one) => ({ one, at: numbers.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ one }) => one)
        const mixed: CostCase = structuredClone(inputs)
        for (const contract of mixed.employee.contracts) contract.rows = shuffled(contract.rows)
        for (const name of Object.keys(mixed.budgetElements) as (keyof CostCase['budgetElements'])[])
          mixed.budgetElements[name] = shuffled(mixed.budgetElements[name])
        for (const rates of Object.values(mixed.assumptions)) {
          rates.erPension = shuffled(rates.erPension)
          rates.inflation = shuffled(rates.inflation)
        }
        for (const table of Object.values(mixed.tables.payScales)) table.points = shuffled(table.points)
        expect(costCase(mixed).contracts.map((contract) => contract.years)).toEqual(
          costCase(inputs).contracts.map((contract) => contract.years),
        )
      }),
      { numRuns: 120 },
    )
  })
  it('is the same to within its rounding when a contract is split in two at any day', () => {
    const inputs = given('teacher-m6-full-time')
    const { firstYear, years, startMonth } = inputs.budget
    const periods = listBudgetPeriods(firstYear, years, startMonth)
    fc.assert(
      fc.property(fc.integer({ min: periods[0]!.first + 1, max: periods.at(-1)!.last }), (day) => {
        const parts = structuredClone(inputs)
        const [contract] = parts.employee.contracts
        const second = {
          ...structuredClone(contract!),
          name: 'second',
          startDate: toIsoDate(day),
          rows: contract!.rows.map((row) => ({ ...row })),
        }
        // The second contract continues the first: increments run from the same rows.
        contract!.endDate = toIsoDate(day - 1)
        parts.employee.contracts = [contract!, second]
        // Each contract has at most five rounded figures a month.
        expect(Math.abs(total(parts) - total(inputs))).toBeLessThanOrEqual(years * 12 * 5)
      }),
      { numRuns: 60 },
    )
  })
  it('of an attrition contract is exactly the negative of the same contract', () => {
    for (const inputs of all.filter(
      (one) => one.employee.contracts.length === 1 && !one.employee.contracts[0]!.attritionContract && !one.employee.leaves.length,
    )) {
      const negative = structuredClone(inputs)
      negative.employee.contracts[0]!.attritionContract = true
      expect(total(negative)).toBe(-total(inputs) + 0)
    }
  })
})

describe('canonical JSON', () => {
  it('is the same text for the same value, whatever the order of its keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse())
        expect(canonicalJson(reversed)).toBe(canonicalJson(value))
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})
