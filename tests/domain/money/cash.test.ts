import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CodeCashFlow, findLowestCash, forecastCash, type LocationCash, sumCashForecasts } from '../../../domain/monitoring/cash.ts'
import { toMonthIndex } from '../../../domain/monitoring/monitoring.ts'

const start = toMonthIndex({ year: 2026, month: 9 })
const twelve = (value: number): number[] => Array<number>(12).fill(value)
const none = Array<number>(24).fill(0)

function code(more: Partial<CodeCashFlow> & { codeId: number }): CodeCashFlow {
  const values = more.values ?? twelve(0)
  return { isIncome: false, contributions: none, rest: values, missing: none, ...more, values }
}
const place = (codes: CodeCashFlow[], more: Partial<LocationCash> = {}): LocationCash => ({
  start,
  known: 12,
  opening: 100_000,
  codes,
  ...more,
})
const closings = (one: LocationCash, lags: [number, number][] = [], count = 12) =>
  forecastCash(one, new Map(lags), count).map((month) => month.closing)

describe('a cash forecast', () => {
  it('ends a month with the opening cash, plus receipts, less payments', () => {
    const months = forecastCash(
      place([code({ codeId: 1, isIncome: true, values: twelve(5_000) }), code({ codeId: 2, values: twelve(7_000) })]),
      new Map(),
      12,
    )
    expect(months[0]).toEqual({ year: 2026, month: 9, opening: 100_000, receipts: 5_000, payments: 7_000, closing: 98_000, missing: 0 })
    expect(months.at(-1)).toMatchObject({ year: 2027, month: 8, opening: 78_000, closing: 76_000 })
  })
  it('moves a line by the lag of its code, and treats the months before the year like its first', () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    const paid = (lag: number) => forecastCash(place([code({ codeId: 1, values })]), new Map([[1, lag]]), 12).map((one) => one.payments)
    expect(paid(0)).toEqual(values)
    expect(paid(1)).toEqual([1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(paid(3)).toEqual([1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
  it('pays employer NI and pension a month later unless a lag is chosen for the code', () => {
    const values = [130, 130, ...Array<number>(10).fill(260)]
    const salary = code({
      codeId: 1,
      values,
      rest: values.map((value) => (value * 10) / 13),
      contributions: values.map((value) => (value * 3) / 13),
    })
    const paid = (lags: [number, number][]) => forecastCash(place([salary]), new Map(lags), 12).map((one) => one.payments)
    // 100 of pay and 30 of contributions; from November 200 and 60, of which the 60 are paid in December.
    expect(paid([]).slice(0, 5)).toEqual([130, 130, 230, 260, 260])
    expect(paid([[1, 0]]).slice(0, 4)).toEqual([130, 130, 260, 260])
    expect(paid([[1, 2]]).slice(0, 5)).toEqual([130, 130, 130, 130, 260])
  })
  it('splits an actual in the proportions of the month’s budget line, to the penny', () => {
    const one = code({ codeId: 1, values: [101, ...Array<number>(11).fill(0)], rest: twelve(2), contributions: twelve(1) })
    const months = forecastCash(place([one]), new Map(), 12)
    // A third of the actual is contributions, paid a month later. September has no previous month, so its own contributions are used.
    expect(months.slice(0, 3).map((month) => month.payments)).toEqual([101, 34, 0])
  })
  it('is unknown without opening cash, and in months that no budget has', () => {
    const codes = [code({ codeId: 1, values: twelve(10) })]
    expect(closings(place(codes, { opening: null }))).toEqual(Array(12).fill(null))
    const longer = forecastCash(place(codes), new Map(), 14)
    expect(longer.slice(11).map(({ payments, closing }) => [payments, closing])).toEqual([
      [10, 99_880],
      [null, null],
      [null, null],
    ])
  })
  it('counts the figures that could not be calculated from their month on', () => {
    const missing = [0, 0, 1, ...Array<number>(9).fill(0)]
    const months = forecastCash(place([code({ codeId: 1, values: twelve(10), missing })]), new Map(), 12)
    expect(months.slice(0, 5).map((month) => month.missing)).toEqual([0, 0, 1, 1, 1])
  })
  it('names the first of several lowest months', () => {
    const values = [50_000, 60_000, -60_000, 60_000, ...Array<number>(8).fill(0)]
    const months = forecastCash(place([code({ codeId: 1, values })]), new Map(), 12)
    expect(findLowestCash(months)).toEqual({ year: 2026, month: 10, closing: -10_000 })
    // From a month on, what is past does not count.
    expect(findLowestCash(months, { year: 2026, month: 11 })).toEqual({ year: 2026, month: 12, closing: -10_000 })
    expect(findLowestCash(forecastCash(place([], { opening: null }), new Map(), 12))).toBeNull()
  })
})

const pennies = fc.integer({ min: -1_000_000, max: 5_000_000 })
const years = fc.array(pennies, { minLength: 24, maxLength: 24 })
const anyPlace = fc
  .record({
    opening: pennies,
    codes: fc.array(
      fc.record({
        isIncome: fc.boolean(),
        values: years,
        rest: fc.array(fc.nat(1000), { minLength: 24, maxLength: 24 }),
        contributions: fc.array(fc.nat(1000), { minLength: 24, maxLength: 24 }),
      }),
      { maxLength: 5 },
    ),
  })
  .map(
    ({ opening, codes }): LocationCash => ({
      start,
      known: 24,
      opening,
      codes: codes.map((one, codeId) => ({ ...one, codeId, missing: none })),
    }),
  )
const anyLags = fc.array(fc.tuple(fc.nat(4), fc.nat(3)), { maxLength: 5 }).map((pairs) => new Map(pairs))

describe('the cash of any locations', () => {
  it('is never lost between two months, and ends at the opening cash plus all movements', () => {
    fc.assert(
      fc.property(anyPlace, anyLags, fc.integer({ min: 12, max: 24 }), (one, lags, count) => {
        const months = forecastCash(one, lags, count)
        expect(months).toHaveLength(count)
        months.slice(1).forEach((month, index) => expect(month.opening).toBe(months[index]!.closing))
        const moved = months.reduce((sum, month) => sum + month.receipts! - month.payments!, 0)
        expect(months.at(-1)!.closing).toBe(one.opening! + moved)
        for (const month of months) expect(Number.isInteger(month.closing)).toBe(true)
      }),
    )
  })
  it('of a trust is the sum of its schools', () => {
    fc.assert(
      fc.property(fc.array(anyPlace, { minLength: 1, maxLength: 4 }), anyLags, (all, lags) => {
        const each = all.map((one) => forecastCash(one, lags, 18))
        sumCashForecasts(each).forEach((month, index) =>
          expect(month.closing).toBe(each.reduce((sum, months) => sum + months[index]!.closing!, 0)),
        )
      }),
    )
  })
  it('without lags moves every line in its own month', () => {
    fc.assert(
      fc.property(anyPlace, (one) => {
        const still = new Map(one.codes.map((each) => [each.codeId, 0]))
        forecastCash(one, still, 24).forEach((month, index) => {
          const of = (isIncome: boolean): number =>
            one.codes.filter((each) => each.isIncome === isIncome).reduce((sum, each) => sum + each.values[index]!, 0)
          expect([month.receipts, month.payments]).toEqual([of(true), of(false)])
        })
      }),
    )
  })
  it('of locations whose years begin in different months covers their common months', () => {
    const school = forecastCash(place([]), new Map(), 12)
    const maintained = forecastCash(place([], { start: toMonthIndex({ year: 2026, month: 4 }) }), new Map(), 12)
    const months = sumCashForecasts([school, maintained])
    expect([months[0], months.at(-1)].map((one) => [one!.year, one!.month, one!.closing])).toEqual([
      [2026, 9, 200_000],
      [2027, 3, 200_000],
    ])
  })
})
