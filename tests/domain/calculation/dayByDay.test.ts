import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CostCase, costCase } from '../../../domain/calculation/staffing/case.ts'
import { calculateDayByDay } from '../../support/samples/dayByDay.ts'

const folder = join(import.meta.dirname, '../golden')
const golden: CostCase[] = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
const withLeave = golden.filter((one) => one.employee.leaves.length)

/** The engine’s result in the form of the slow day-by-day calculation. */
function engine(given: CostCase) {
  return costCase(given).contracts.map((contract) =>
    contract.years.flatMap((year) =>
      year.gross.map((gross, month) => ({
        gross,
        leavePay: year.leavePay[month],
        recovery: year.leaveRecovery[month],
        pension: year.pension[month],
        ni: year.ni[month],
      })),
    ),
  )
}

const date = fc
  .tuple(fc.integer({ min: 2025, max: 2029 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([year, month, day]) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })

/** Variations of a worked case: dates within months, unusual FTEs, awards, missing tables, leave, other contracts. */
const change = fc.record({
  base: fc.nat({ max: golden.length - 1 }),
  start: maybe(date),
  end: maybe(date),
  row: maybe(date),
  cease: maybe(date),
  fte: maybe(fc.constantFrom('1', '0.5', '0.333333', '0.6', '0.05', '0')),
  hours: maybe(fc.constantFrom('32.5', '37', '10', '0.25')),
  spot: maybe(fc.constantFrom('1234.56', '60000', '33.33', '-250.01')),
  awards: fc.array(fc.tuple(date, fc.constantFrom('2.8', '3', '1.25', '0.333', '-1')), { maxLength: 3 }),
  born: maybe(fc.constantFrom(null, '2005-10-15', '2001-03-31', '2004-02-29', '1970-01-01')),
  second: fc.boolean(),
  apprentice: fc.boolean(),
  attrition: fc.boolean(),
  forget: maybe(
    fc.constantFrom('nationalInsurance' as const, 'extendedLeave' as const, 'teacherPayScales' as const, 'supportPayScales' as const),
  ),
  leave: maybe(fc.record({ from: fc.nat({ max: withLeave.length - 1 }), start: date, days: fc.integer({ min: 0, max: 420 }) })),
  rule: maybe(
    fc.record({
      payPercentage: fc.constantFrom('0', '50', '90', '100'),
      payInclusive: fc.boolean(),
      useAWE: fc.boolean(),
      rateCapPercentage: fc.constantFrom(null, '90', '80'),
      erPensionCalculation: fc.constantFrom(0 as const, 1 as const, 2 as const),
    }),
  ),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function changed(from: Change): CostCase {
  const given = structuredClone(golden[from.base]!)
  const [contract] = given.employee.contracts
  const row = contract!.rows[0]!
  given.budget.years = 2
  if (from.start) contract!.startDate = from.start
  if (from.end) contract!.endDate = from.end
  if (from.row && !contract!.rows.some((one) => one.effectiveDate === from.row)) row.effectiveDate = from.row
  if (from.cease) row.calculationCeaseDate = from.cease
  if (from.fte) row.fte = from.fte
  if (from.hours) row.hoursPerWeek = from.hours
  if (from.spot) row.spotAdjustment = from.spot
  if (from.born !== undefined) given.employee.dateOfBirth = from.born
  if (from.apprentice) contract!.apprentice = true
  const rates = given.assumptions[contract!.contractType]
  for (const [effectiveDate, rate] of from.awards)
    if (rates && !rates.inflation.some((one) => one.effectiveDate === effectiveDate)) rates.inflation.push({ effectiveDate, rate })
  if (from.second)
    given.employee.contracts.push({
      ...structuredClone(contract!),
      name: 'second',
      startDate: '2026-10-15',
      apprentice: false,
      attritionContract: from.attrition,
    })
  if (from.forget) given.budgetElements[from.forget] = []
  if (from.leave) {
    const source = withLeave[from.leave.from]!
    const { leaves } = source.employee
    Object.assign(given.leaveRulesets, structuredClone(source.leaveRulesets))
    Object.assign(given.tables.extendedLeave, source.tables.extendedLeave)
    if (from.forget !== 'extendedLeave') given.budgetElements.extendedLeave = source.budgetElements.extendedLeave
    const start = Date.parse(from.leave.start)
    const endDate = new Date(start + from.leave.days * 86_400_000).toISOString().slice(0, 10)
    given.employee.leaves = [{ ...leaves[0]!, startDate: from.leave.start, endDate }]
  }
  if (from.rule) for (const rules of Object.values(given.leaveRulesets)) Object.assign(rules[0]!, from.rule)
  return given
}

describe('the engine and a day-by-day calculation from the rules', () => {
  it('agree to the penny on every worked case', () => {
    for (const given of golden) expect(engine(given)).toEqual(calculateDayByDay(given))
  })
  it('agree to the penny on every variation: part months, leave, awards, missing tables, several contracts', () => {
    fc.assert(
      fc.property(change, (from) => {
        const given = changed(from)
        expect(engine(given)).toEqual(calculateDayByDay(given))
      }),
      { numRuns: 300 },
    )
  }, 60_000)
})
