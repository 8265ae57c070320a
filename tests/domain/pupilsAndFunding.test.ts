import { describe, expect, it } from 'vitest'
import { type FundingRow, predict } from '../../domain/calculation/funding.ts'
import { fundedPupils, type PupilRow, pupilsOf, rollUp } from '../../domain/calculation/pupils.ts'

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
  it('roll up: a year group that is not typed is the one below it in the year before', () => {
    const counted = rollUp(rows, 3)
    expect(counted.map((row) => row.counts.map((one) => one.count))).toEqual([
      [30, 32, 28, null],
      [29, 30, 32, 28],
      [31, 29, 40, 32],
    ])
    expect(counted[2]!.counts.map((one) => one.isTyped)).toEqual([true, false, true, false])
    expect(pupilsOf(counted, null)).toEqual([90, 91, 100, 60])
  })
  it('are counted by phase, and high-needs places are no pupils of a year group and stay as they were', () => {
    const counted = rollUp([group(8, 50, [52]), group(9, 60, [58]), places(10, [12])], 2)
    expect(pupilsOf(counted, [2])[1]).toBe(52)
    expect(pupilsOf(counted, [3])).toEqual([60, 58, 52])
    expect(pupilsOf(counted, null)[0]).toBe(110)
    expect(pupilsOf(counted, [6])).toEqual([10, 12, 12])
  })
  it('fund the year after their October; the first year’s own count stands in where the one before is not typed', () => {
    expect(fundedPupils(rollUp(rows, 3), null)).toEqual({ years: [90, 91, 100], stoodIn: false })
    expect(fundedPupils(rollUp([group(2, null, [32, 30])], 2), null)).toEqual({ years: [32, 32], stoodIn: true })
    expect(fundedPupils(rollUp([places(10, [12, 14])], 2), [6]).years).toEqual([12, 14])
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
const school = (pupils: number) => rollUp([group(5, pupils, [pupils])], 1)

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
    const { total, rows: worked } = predict({ rows, rates: national, pupils: school(420), years: 1, tableYear: 0 })
    expect(total).toEqual([209_059_000])
    expect(worked[12]!.years).toEqual([0])
  })
  it('tops a school up to the minimum per-pupil level, with what counts towards it', () => {
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
    const { rows: worked, total } = predict({ rows, rates: national, pupils: school(420), years: 1, tableYear: 0 })
    expect(worked[6]!.years).toEqual([16_686_000])
    expect(total).toEqual([208_110_000 + 2_000_000])
  })
  it('raises the rates of years after the table’s own, to the penny before they are multiplied', () => {
    const rows = [stream(1), stream(26), of('Inflation', [9, 2]), of('Total')]
    const pupils = rollUp([group(5, 420, [410, 410])], 2)
    const { rows: worked } = predict({ rows, rates: national, pupils, years: 2, tableYear: 0 })
    expect(worked[0]!.years).toEqual([161_574_000, 160_881_540])
    expect(worked[1]!.rates).toEqual([14_510_000, 14_800_200])
    // A table of the year before rises in the first year already.
    expect(predict({ rows, rates: national, pupils, years: 1, tableYear: -1 }).rows[1]!.rates).toEqual([15_815_900])
  })
  it('lets an inflation row of a group govern that group, and one outside all others', () => {
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
    const { rows: worked } = predict({ rows, rates: national, pupils: rollUp([group(5, 100, [100, 100])], 2), years: 2, tableYear: 0 })
    expect(worked[1]!.rates![1]).toBe(423_170)
    expect(worked[5]!.rates![1]).toBe(14_800_200)
    expect(worked[3]!.years).toEqual([38_470_000, 42_317_000])
    expect(worked[6]!.years).toEqual([14_510_000, 14_800_200])
    expect(worked[8]!.years).toEqual([52_980_000, 57_117_200])
  })
  it('keeps the share of the roll for numbers that are typed for one year, and leaves out streams without any', () => {
    const pupils = rollUp([group(5, 400, [200, 100])], 2)
    const { rows: worked, leftOut } = predict({ rows: [stream(4, [100]), stream(6)], rates: national, pupils, years: 2, tableYear: 0 })
    expect(worked[0]!.years).toEqual([4_950_000, 2_475_000])
    expect([worked[1]!.isLeftOut, leftOut]).toEqual([true, 1])
    const other = predict({ rows: [stream(40, [2], 10.5)], rates: national, pupils, years: 2, tableYear: 0 })
    expect(other.total).toEqual([2100, 2100])
  })
  it('is not calculated without pupils or without a rate, and says which', () => {
    const { rows, total } = predict({
      rows: [stream(1), stream(40, [5]), of('Total')],
      rates: national,
      pupils: [],
      years: 1,
      tableYear: 0,
    })
    expect([rows[0]!.years, rows[1]!.years, total]).toEqual([[null], [null], [null]])
    expect(rows[1]!.problem).toBe('The table has no rate for this category: type one.')
  })
  it('pays high-needs places of the year itself', () => {
    const { total } = predict({ rows: [stream(35)], rates: national, pupils: rollUp([places(10, [12, 14])], 2), years: 2, tableYear: 0 })
    expect(total).toEqual([12_000_000, 14_000_000])
  })
})
