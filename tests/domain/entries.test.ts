import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryYears, postEntry, wholeWeights } from '../../domain/calculation/entries.ts'

const blank = { amount: null, periods: null, rate: null }
const plan = (years: object[], more: object = {}) => ({
  firstYear: 0,
  years: Array.from({ length: 5 }, (_unused, year) => ({ ...blank, ...years[year] })),
  rates: null,
  weights: null,
  ...more,
})
const amounts = (...args: Parameters<typeof entryYears>): (number | null)[] => entryYears(...args).map((year) => year.amount)

describe('a budget entry', () => {
  it('follows its first amount by the rates of the budget code, each year rounded once from the first', () => {
    const rates = [9, 2.5, 3, 0, -1]
    // 1,000.01 × 1.025 = 1,025.01025; × 1.03 = 1,055.7605575; then the same; × 0.99 = 1,045.2029519
    expect(amounts(plan([{ amount: 100_001 }], { rates }), 5)).toEqual([100_001, 102_501, 105_576, 105_576, 104_520])
  })
  it('stays as it is without rates, and is nothing before it begins', () => {
    expect(amounts(plan([{}, { amount: 500 }], { firstYear: 1 }), 4)).toEqual([0, 500, 500, 500])
  })
  it('starts anew from an amount that is typed for a later year, and a rate that is typed stands in for the code’s', () => {
    const rates = [0, 10, 10, 10, 10]
    expect(amounts(plan([{ amount: 10_000 }, { rate: 1 }, { amount: 20_000 }], { rates }), 5)).toEqual([
      10_000, 10_100, 20_000, 22_000, 24_200,
    ])
    expect(amounts(plan([{ amount: 10_000 }, { amount: 0 }], { rates }), 3)).toEqual([10_000, 0, 0])
  })
  it('rounds halves of a penny away from zero, of a refund too', () => {
    expect(amounts(plan([{ amount: 1 }], { rates: [0, 50, 0, 0, 0] }), 2)).toEqual([1, 2])
    expect(amounts(plan([{ amount: -1 }], { rates: [0, 50, 0, 0, 0] }), 2)).toEqual([-1, -2])
  })
  it('spreads an amount equally, by its profile, or later by the twelve values that were typed', () => {
    expect(entryYears(plan([{ amount: 100 }]), 1)[0]!.periods).toEqual([9, 9, 9, 9, 8, 8, 8, 8, 8, 8, 8, 8])
    const weights = [0, 0, 1, 0, 0, 0, 0, 0, 3, 0, 0, 0]
    expect(entryYears(plan([{ amount: 100 }], { weights }), 1)[0]!.periods).toEqual([0, 0, 25, 0, 0, 0, 0, 0, 75, 0, 0, 0])
    const periods = [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30]
    const years = entryYears(plan([{ amount: 40, periods }], { rates: [0, 100, 0, 0, 0], weights }), 2)
    expect(years[0]!.periods).toEqual(periods)
    expect(years[1]!.periods).toEqual([20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60])
  })
  it('keeps decimal weights exact', () => {
    expect(wholeWeights([0.1, '0.2', 1])).toEqual([100_000, 200_000, 1_000_000])
  })
  it('adds up: periods to the year, and fund codes to the period, whatever the amounts', () => {
    const amount = fc.integer({ min: -2_000_000_000, max: 2_000_000_000 })
    const weight = fc.integer({ min: 0, max: 1_000_000 })
    const rate = fc.integer({ min: -10_000, max: 50_000 }).map((one) => one / 1000)
    fc.assert(
      fc.property(
        amount,
        fc.option(fc.array(weight, { minLength: 12, maxLength: 12 })),
        fc.array(rate, { minLength: 5, maxLength: 5 }),
        fc.integer({ min: 0, max: 100 }),
        (first, weights, rates, share) => {
          const years = entryYears(plan([{ amount: first }], { rates, weights }), 5)
          for (const year of years) expect(year.periods.reduce<number>((sum, one) => sum + one!, 0)).toBe(year.amount)
          const funds = [
            { fundCodeId: 1, percentage: share },
            { fundCodeId: 2, percentage: 100 - share },
          ]
          const lines = postEntry(years, { budgetCodeId: 1, costCentreId: null }, funds)
          for (const [index, year] of years.entries())
            for (let period = 0; period < 12; period++) {
              const parts = lines.filter((line) => line.year === index).map((line) => line.amounts[period]!)
              expect(parts.reduce((sum, one) => sum + one, 0)).toBe(year.periods[period])
            }
        },
      ),
    )
  })
})
