import { describe, expect, it } from 'vitest'
import type { BudgetHead } from '../../../domain/budget/budget.ts'
import { findFundingYear } from '../../../domain/budget/fundingYear.ts'
import { calculateFunding, type FundingRow } from '../../../domain/calculation/nonStaffing/funding.ts'
import { countFundedPupils, countPupils, type PupilRow, rollUpPupilCounts } from '../../../domain/calculation/nonStaffing/pupils.ts'

const group = (yearGroup: number, before: number | null, years: (number | null)[] = []): PupilRow => ({
  kind: 'Phase',
  phase: null,
  yearGroup,
  description: null,
  before,
  years,
})
const places = (before: number | null, years: (number | null)[]): PupilRow => ({ ...group(16, before, years), kind: 'HighNeeds' })

describe('pupil numbers', () => {
  const rows = [group(2, 30, [32, 28, null]), group(3, 29), group(4, 31, [null, 40])]
  it('roll up: a year group that is not typed has the number of the one below it in the year before', () => {
    const counted = rollUpPupilCounts(rows, 3)
    expect(counted.map((row) => row.counts.map((one) => one.count))).toEqual([
      [30, 32, 28, null],
      [29, 30, 32, 28],
      [31, 29, 40, 32],
    ])
    expect(counted[2]!.counts.map((one) => one.isTyped)).toEqual([true, false, true, false])
    // The reception of the third October is unknown, and so is that roll: two known year groups are not the whole.
    expect(countPupils(counted, null)).toEqual([90, 91, 100, null])
  })
  it('are counted by phase; high-needs places belong to no year group and stay constant', () => {
    const counted = rollUpPupilCounts([group(8, 50, [52]), group(9, 60, [58]), places(10, [12])], 2)
    expect(countPupils(counted, [2])[1]).toBe(52)
    expect(countPupils(counted, [3])).toEqual([60, 58, 52])
    expect(countPupils(counted, null)[0]).toBe(110)
    expect(countPupils(counted, [6])).toEqual([10, 12, 12])
  })
  it('fund the year after their October; the first year’s own count is used if the one before is not typed', () => {
    expect(countFundedPupils(rollUpPupilCounts(rows, 3), null)).toEqual({ years: [90, 91, 100], stoodIn: false })
    expect(countFundedPupils(rollUpPupilCounts([group(2, null, [32, 30])], 2), null)).toEqual({ years: [32, 32], stoodIn: true })
    expect(countFundedPupils(rollUpPupilCounts([places(10, [12, 14])], 2), [6]).years).toEqual([12, 14])
  })
})

describe('the year that a funding table belongs to', () => {
  const head = (startMonth: number, dates: [number, string][] = []) => ({
    firstYear: 2026,
    startMonth,
    elements: {
      localAuthorityFundingRates: dates.map(([adminTableId, effectiveDate]) => ({ adminTableId, effectiveDate })),
    } as BudgetHead['elements'],
  })
  it('is that of the date on which the budget uses it, or else of its own date, whatever its name', () => {
    expect(findFundingYear(head(9, [[7, '2025-09-01']]), 7, '2027-09-01')).toBe(-1)
    expect(findFundingYear(head(9), 7, '2026-09-01')).toBe(0)
    // September 2026 is in the year that begins in April 2026. August 2026 is still in the academies’ previous year.
    expect([findFundingYear(head(4), 7, '2026-09-01'), findFundingYear(head(9), 7, '2026-08-31')]).toEqual([0, -1])
    expect(findFundingYear(head(9), 7, null)).toBe(0)
  })
  it('makes a table of the year before rise in the first year already', () => {
    const rows = [stream(40, [1], 1000), of('Inflation', [10, 20, 30, 40, 50])]
    const tableYear = findFundingYear(head(9, [[7, '2025-09-01']]), 7, null)
    expect(calculateFunding({ rows, rates: national, pupils: [], years: 5, tableYear }).total).toEqual([
      110_000, 132_000, 171_600, 240_240, 360_360,
    ])
  })
})

const stream = (category: number, years: (number | null)[] = [], rate: number | null = null): FundingRow => ({
  kind: 'Stream',
  category,
  description: null,
  years,
  rate,
})
const of = (kind: FundingRow['kind'], years: (number | null)[] = []): FundingRow => ({
  kind,
  category: null,
  description: null,
  years,
  rate: null,
})
/** The national values of 2025/26. */
const national = new Map([
  [1, 3847],
  [2, 5422],
  [3, 6113],
  [4, 495],
  [6, 1060],
  [8, 685],
  [10, 520],
  [12, 490],
  [14, 445],
  [16, 285],
  [18, 235],
  [20, 1175],
  [22, 595],
  [26, 145_100],
  [33, 4955],
  [34, 6465],
  [35, 10_000],
])
const school = (pupils: number) => rollUpPupilCounts([group(5, pupils, [pupils])], 1)

describe('the funding predictor', () => {
  it('comes to the published worked example of a primary school of 420', () => {
    const typed: [number, number][] = [
      [4, 84],
      [6, 105],
      [18, 40],
      [16, 30],
      [14, 20],
      [12, 10],
      [10, 5],
      [8, 2],
      [20, 110],
      [22, 20],
    ]
    const rows = [stream(1), ...typed.map(([category, number]) => stream(category, [number])), stream(26), stream(33), of('Total')]
    const { total, rows: worked } = calculateFunding({ rows, rates: national, pupils: school(420), years: 1, tableYear: 0 })
    expect(total).toEqual([209_059_000])
    expect(worked[12]!.years).toEqual([0])
  })
  it('tops a school up to the minimum per-pupil level, counting what belongs to it', () => {
    const rows = [
      stream(1),
      stream(4, [20]),
      stream(6, [30]),
      stream(20, [90]),
      stream(22, [10]),
      stream(26),
      stream(33),
      stream(31, [1], 20_000),
      of('Total'),
    ]
    const { rows: worked, total } = calculateFunding({ rows, rates: national, pupils: school(420), years: 1, tableYear: 0 })
    expect(worked[6]!.years).toEqual([16_686_000])
    expect(total).toEqual([208_110_000 + 2_000_000])
  })
  it('raises the rates of years after the table’s own, rounded to the penny before they are multiplied', () => {
    const rows = [stream(1), stream(26), of('Inflation', [9, 2]), of('Total')]
    const pupils = rollUpPupilCounts([group(5, 420, [410, 410])], 2)
    const { rows: worked } = calculateFunding({ rows, rates: national, pupils, years: 2, tableYear: 0 })
    expect(worked[0]!.years).toEqual([161_574_000, 160_881_540])
    expect(worked[1]!.rates).toEqual([14_510_000, 14_800_200])
    // Rates from the previous year’s table rise in the first year already.
    expect(calculateFunding({ rows, rates: national, pupils, years: 1, tableYear: -1 }).rows[1]!.rates).toEqual([15_815_900])
  })
  it('applies the last inflation row to all streams, wherever it is', () => {
    const rows = [
      of('Type'),
      stream(1),
      of('Inflation', [0, 10]),
      of('SubTotal'),
      of('Type'),
      stream(26),
      of('SubTotal'),
      of('Inflation', [0, 2]),
      of('Total'),
    ]
    const { rows: worked } = calculateFunding({
      rows,
      rates: national,
      pupils: rollUpPupilCounts([group(5, 100, [100, 100])], 2),
      years: 2,
      tableYear: 0,
    })
    expect(worked[1]!.rates![1]).toBe(392_394)
    expect(worked[5]!.rates![1]).toBe(14_800_200)
    expect(worked[3]!.years).toEqual([38_470_000, 39_239_400])
    expect(worked[6]!.years).toEqual([14_510_000, 14_800_200])
    expect(worked[8]!.years).toEqual([52_980_000, 54_039_600])
  })
  it('keeps the share of pupils for numbers typed in one year, and leaves out streams without any', () => {
    const pupils = rollUpPupilCounts([group(5, 400, [200, 100])], 2)
    const { rows: worked, leftOut } = calculateFunding({
      rows: [stream(4, [100]), stream(6)],
      rates: national,
      pupils,
      years: 2,
      tableYear: 0,
    })
    expect(worked[0]!.years).toEqual([4_950_000, 2_475_000])
    expect([worked[1]!.isLeftOut, leftOut]).toEqual([true, 1])
    const other = calculateFunding({ rows: [stream(40, [2], 10.5)], rates: national, pupils, years: 2, tableYear: 0 })
    expect(other.total).toEqual([2100, 2100])
  })
  it('is not calculated for years with unknown pupils, rather than only for the known ones', () => {
    const rows = [group(2, 30, [30, 30]), group(3, 30, [30]), group(4, 30, [30])]
    const counted = rollUpPupilCounts(rows, 5)
    expect(countPupils(counted, [2])).toEqual([90, 90, 90, null, null, null])
    const { total, rows: worked } = calculateFunding({
      rows: [stream(1, [], 4000), of('Total')],
      rates: national,
      pupils: counted,
      years: 5,
      tableYear: 0,
    })
    expect(total).toEqual([36_000_000, 36_000_000, 36_000_000, null, null])
    expect(worked[0]!.problem).toBe('The number of pupils is not known: enter it under pupil numbers, or here.')
    // A number that follows the roll is unknown where the roll is.
    const { total: needs } = calculateFunding({ rows: [stream(4, [10])], rates: national, pupils: counted, years: 4, tableYear: 0 })
    expect(needs).toEqual([495_000, 495_000, 495_000, null])
  })
  it('uses the lagged October for basic entitlement in years that are not typed, and scales other numbers from the first year', () => {
    const pupils = rollUpPupilCounts([group(5, 100, [110, 120, 130])], 3)
    const { rows: worked } = calculateFunding({
      rows: [stream(1, [90]), stream(4, [10, 20]), stream(37, [])],
      rates: new Map([...national, [37, 1]]),
      pupils,
      years: 3,
      tableYear: 0,
    })
    expect(worked[0]!.numbers).toEqual([90, 110, 120])
    expect(worked[1]!.numbers).toEqual([10, 20, 12])
  })
  it('adds pupils as decimals, not as binary fractions', () => {
    expect(countPupils(rollUpPupilCounts([group(2, 66.1), group(3, 66.1), group(4, 66)], 1), null)[0]).toBe(198.2)
  })
  it('is not calculated without pupils or without a rate, and says which', () => {
    const { rows, total } = calculateFunding({
      rows: [stream(1), stream(40, [5]), of('Total')],
      rates: national,
      pupils: [],
      years: 1,
      tableYear: 0,
    })
    expect([rows[0]!.years, rows[1]!.years, total]).toEqual([[null], [null], [null]])
    expect(rows[1]!.problem).toBe('The table has no rate for this category: enter one.')
  })
  it('pays high-needs places of the same year', () => {
    const { total } = calculateFunding({
      rows: [stream(35)],
      rates: national,
      pupils: rollUpPupilCounts([places(10, [12, 14])], 2),
      years: 2,
      tableYear: 0,
    })
    expect(total).toEqual([12_000_000, 14_000_000])
  })
})
