import { describe, expect, it } from 'vitest'
import { type CalculatorRow, calculateRows, calculatorRowKind, isCalculating } from '../../../domain/calculation/nonStaffing/calculator.ts'

const row = (kind: number, part: Partial<CalculatorRow> = {}): CalculatorRow => ({
  kind,
  description: null,
  value: null,
  years: [],
  periods: [],
  ...part,
})
const { criteria, amount, inflation, fixedInput, subtotal, total, period, description } = calculatorRowKind

describe('an income and expenditure calculation', () => {
  it('multiplies an amount by the criteria above it and by inflation since the first year, rounded once', () => {
    const { total: sums } = calculateRows(
      [row(criteria, { years: [200, 205, 210] }), row(amount, { value: 2.455 }), row(inflation, { years: [7, 3, 2.5] })],
      3,
    )
    // 491.00; 205 × 2.455 × 1.03 = 518.37325; 210 × 2.455 × 1.03 × 1.025 = 544.28975…
    expect(sums).toEqual([49_100, 51_837, 54_429])
  })
  it('multiplies adjacent criteria, and starts again after another row', () => {
    const { rows } = calculateRows(
      [
        row(criteria, { value: 100 }),
        row(criteria, { value: 190 }),
        row(amount, { value: 2.5 }),
        row(criteria, { value: 3 }),
        row(amount, { value: 10 }),
        row(amount, { value: 20 }),
      ],
      1,
    )
    expect(rows.map((one) => one.years?.[0] ?? null)).toEqual([null, null, 4_750_000, null, 3000, 6000])
  })
  it('B-170 sums since the last subtotal, and everything in a total; fixed inputs do not rise', () => {
    const { rows, total: sums } = calculateRows(
      [
        row(description),
        row(criteria, { value: 10 }),
        row(amount, { value: 1 }),
        row(subtotal),
        row(fixedInput, { value: 5.55 }),
        row(fixedInput, { years: [1, 2] }),
        row(inflation, { years: [0, 50] }),
        row(subtotal),
        row(total),
      ],
      2,
    )
    expect(rows[3]!.years).toEqual([1000, 1000])
    expect(rows[7]!.years).toEqual([655, 755])
    expect(rows[8]!.years).toEqual([1655, 1755])
    expect(sums).toEqual([1655, 1755])
  })
  it('inflates an amount by the first inflation row below it, or else by the last above', () => {
    const pair = [row(criteria, { value: 1 }), row(amount, { value: 100 })]
    const leading = [row(inflation, { years: [0, 10] }), ...pair, row(inflation, { years: [0, 20] }), ...pair]
    expect(calculateRows(leading, 2).rows.flatMap((one) => one.years?.[1] ?? [])).toEqual([12_000, 12_000])
    const below = [...pair, row(inflation, { years: [0, 10] }), ...pair, row(inflation, { years: [0, 20] })]
    expect(calculateRows(below, 2).rows.flatMap((one) => one.years?.[1] ?? [])).toEqual([11_000, 12_000])
    expect(calculateRows([...pair, ...pair, row(inflation, { years: [0, 10] })], 2).total[1]).toBe(22_000)
    const apart = [...pair, row(subtotal), row(inflation, { years: [0, 10] }), ...pair]
    expect(calculateRows(apart, 2).rows.flatMap((one) => one.years?.[1] ?? [])).toEqual([10_000, 10_000, 11_000])
  })
  it('is not calculated, never zero, while something is missing, and says what to do', () => {
    const worked = calculateRows([row(amount, { value: 5 }), row(total)], 2)
    expect(worked.total).toEqual([null, null])
    expect(worked.rows[0]!.problem).toBe('Add a criteria row above this amount.')
    const half = calculateRows([row(criteria, { years: [10] }), row(amount, { value: 5 })], 2)
    expect(half.total).toEqual([5000, null])
  })
  it('is not calculated with criteria that no amount follows: they are a problem, not zero', () => {
    const { rows, total: sums } = calculateRows([row(criteria, { value: 3 }), row(total)], 1)
    expect([rows[0]!.problem, sums]).toEqual(['Add an amount below these criteria.', [null]])
    const cut = calculateRows([row(criteria, { value: 3 }), row(subtotal), row(criteria, { value: 2 }), row(amount, { value: 1 })], 1)
    expect(cut.rows.map((one) => one.problem)).toEqual(['Add an amount below these criteria.', null, null, null])
  })
  it('spreads by its period row, and an entry takes its amounts from calculating rows', () => {
    const weights = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]
    expect(calculateRows([row(period, { periods: weights })], 1).weights).toEqual(weights)
    expect([isCalculating([row(description), row(criteria)]), isCalculating([row(fixedInput)])]).toEqual([false, true])
  })
})
