import { describe, expect, it } from 'vitest'
import { calculateFunding, type FundingRow } from '../../../domain/calculation/nonStaffing/funding.ts'
import { countPupils, type PupilRow, rollUpPupilCounts } from '../../../domain/calculation/nonStaffing/pupils.ts'

/** Pupil-led funding worked out by hand (rules.md §12 and §13): pupils first, then rates, then products, all in pennies. */
const group = (yearGroup: number, before: number | null, years: (number | null)[] = []): PupilRow => ({
  kind: 'Phase',
  phase: null,
  yearGroup,
  description: null,
  before,
  years,
})
const stream = (category: number, years: (number | null)[] = []): FundingRow => ({
  kind: 'Stream',
  category,
  description: null,
  years,
  rate: null,
})
const of = (kind: FundingRow['kind'], years: (number | null)[] = []): FundingRow => ({
  kind,
  category: null,
  description: null,
  years,
  rate: null,
})

describe('a primary school of three year groups over three years', () => {
  // Reception 30, then 28 and 31 typed; Year 1 of 29 and Year 2 of 27 roll up. October before: 30 + 29 + 27 = 86. First October: 28 + 30 +
  // 29 = 87. Second: 31 + 28 + 30 = 89. Each October funds the year that follows it.
  const pupils = rollUpPupilCounts(
    [group(2, 30, [28, 31]), group(3, 29), group(4, 27), { ...group(16, 2, [3, null, 4]), kind: 'HighNeeds' }],
    3,
  )
  // Rates rise by 2.25 % in the second year and 3 % in the third, compounded on the rate of the table: × 1.0225, then × 1.053175. The 9 %
  // of the first year has no effect, because the table’s rates are those of that year.
  const rates = new Map([
    [1, 3847.35],
    [4, 495.5],
    [26, 50_000],
    [31, 1000],
    [33, 4900],
    [35, 10_000],
    [38, 1515],
  ])
  const rows = [
    of('Type'),
    stream(1),
    stream(4, [12, null, 15]),
    stream(26, [1]),
    stream(33),
    of('SubTotal'),
    of('Type'),
    stream(31, [1]),
    stream(38, [20]),
    stream(35),
    of('SubTotal'),
    of('Inflation', [9, 2.25, 3]),
    of('Total'),
  ]
  const { rows: worked, total } = calculateFunding({ rows, rates, pupils, years: 3, tableYear: 0 })
  it('counts the roll of each October', () => {
    expect(countPupils(pupils, [2])).toEqual([86, 87, 89, null])
  })
  it('pays basic entitlement for the previous October', () => {
    // 86 × 3,847.35 = 330,872.10. The rate becomes 3,933.915375: 3,933.92; × 87 = 342,251.04. Then 4,051.932836…: 4,051.93; × 89 = 360,621.77.
    expect(worked[1]!.years).toEqual([33_087_210, 34_225_104, 36_062_177])
  })
  it('keeps the share of pupils entitled to free meals, unless a year is typed', () => {
    // 12 × 495.50 = 5,946.00. Then 12 × 87 ÷ 86, not rounded, × 506.65 = 6,150.4953…: 6,150.50. Typed 15 × 521.85 = 7,827.75.
    expect(worked[2]!.years).toEqual([594_600, 615_050, 782_775])
  })
  it('pays one lump sum, whatever the number of pupils', () => {
    // 50,000.00, × 1.0225 = 51,125.00, × 1.053175 = 52,658.75.
    expect(worked[3]!.years).toEqual([5_000_000, 5_112_500, 5_265_875])
  })
  it('tops up to the minimum level per pupil', () => {
    // 86 × 4,900 = 421,400.00 less 330,872.10 + 5,946.00 + 50,000.00 = 386,818.10: 34,581.90.
    // 87 × 5,010.25 = 435,891.75 less 342,251.04 + 6,150.50 + 51,125.00 = 399,526.54: 36,365.21.
    // 89 × 5,160.56 = 459,289.84 less 360,621.77 + 7,827.75 + 52,658.75 = 421,108.27: 38,181.57.
    expect(worked[4]!.years).toEqual([3_458_190, 3_636_521, 3_818_157])
    // So the group totals exactly the minimum.
    expect(worked[5]!.years).toEqual([42_140_000, 43_589_175, 45_928_984])
  })
  it('pays on top of the minimum what does not count towards it: rates, pupil premium and high-needs places', () => {
    // Business rates 1,000.00, 1,022.50, and 1,053.175, rounded half up to 1,053.18.
    expect(worked[7]!.years).toEqual([100_000, 102_250, 105_318])
    // Pupil premium 20 × 1,515 = 30,300.00; 20 × 87 ÷ 86 × 1,549.09 = 31,342.0534…; 20 × 89 ÷ 86 × 1,595.56 = 33,024.3813….
    expect(worked[8]!.years).toEqual([3_030_000, 3_134_205, 3_302_438])
    // Places are counted in the year itself: 3, still 3, then 4, at 10,000.00, 10,225.00 and 10,531.75.
    expect(worked[9]!.years).toEqual([3_000_000, 3_067_500, 4_212_700])
  })
  it('adds up to the total', () => {
    // 421,400.00 + 61,300.00; 435,891.75 + 63,039.55; 459,289.84 + 1,053.18 + 33,024.38 + 42,127.00.
    expect(worked[10]!.years).toEqual([6_130_000, 6_303_955, 7_620_456])
    expect(total).toEqual([48_270_000, 49_893_130, 53_549_440])
  })
})

describe('a secondary school of two year groups', () => {
  it('counts key stages separately for basic entitlement and together for the rest', () => {
    // Year 9 of 40, then 44; Year 10 of 60, then the 40 of Year 9. October before: 40 and 60. First October: 44 and 40.
    const pupils = rollUpPupilCounts([group(11, 40, [44]), group(12, 60)], 2)
    const rates = new Map([
      [2, 5424.5],
      [3, 6113.15],
      [5, 707.07],
      [34, 6465],
    ])
    const rows = [of('Type'), stream(2), stream(3), stream(5, [33]), stream(34), of('SubTotal'), of('Total')]
    const { rows: worked, total } = calculateFunding({ rows, rates, pupils, years: 2, tableYear: 0 })
    // Key stage 3: 40 × 5,424.50 = 216,980.00, then 44 × 5,424.50 = 238,678.00.
    expect(worked[1]!.years).toEqual([21_698_000, 23_867_800])
    // Key stage 4: 60 × 6,113.15 = 366,789.00, then 40 × 6,113.15 = 244,526.00.
    expect(worked[2]!.years).toEqual([36_678_900, 24_452_600])
    // Free meals: 33 × 707.07 = 23,333.31, then 33 × 84 ÷ 100 = 27.72 × 707.07 = 19,599.9804.
    expect(worked[3]!.years).toEqual([2_333_331, 1_959_998])
    // Minimum: 100 × 6,465 = 646,500.00 less 607,102.31; then 84 × 6,465 = 543,060.00 less 502,803.98.
    expect(worked[4]!.years).toEqual([3_939_769, 4_025_602])
    expect(total).toEqual([64_650_000, 54_306_000])
  })
})

describe('a funding table of another year than the first', () => {
  it('rises from the year after its own: from the first year already if it is a year older, from the third if it is that of the second', () => {
    // £100.00 with 10 %, 20 % and 5 %. Own year before the first: 110.00, 132.00, 138.60. First year: 100.00, 120.00, 126.00.
    // Second year: 100.00, 100.00, 105.00.
    const rows = [stream(40, [1]), of('Inflation', [10, 20, 5])]
    const totals = [-1, 0, 1].map(
      (tableYear) => calculateFunding({ rows, rates: new Map([[40, 100]]), pupils: [], years: 3, tableYear }).total,
    )
    expect(totals).toEqual([
      [11_000, 13_200, 13_860],
      [10_000, 12_000, 12_600],
      [10_000, 10_000, 10_500],
    ])
  })
})
