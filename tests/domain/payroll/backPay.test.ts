import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculateBackPayAccrual, settleDifferences } from '../../../domain/payroll/backPay.ts'

const september = { year: 2026, month: 9 }
const october = { year: 2026, month: 10 }
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

describe('the back-pay ledger', () => {
  it('matches the example: an award due in September is paid with October', () => {
    // Calculated 3,911.67 a month; paid 3,779.33 and then 4,044.01.
    const months = [
      { ...september, difference: 377_933 - 391_167, cause: 'Award not paid yet' },
      { ...october, difference: 404_401 - 391_167, cause: null },
    ]
    expect(settleDifferences(months, september)).toEqual([{ ...months[0], settled: [], open: -13_234 }])
    expect(calculateBackPayAccrual(settleDifferences(months, september))).toBe(13_234)
    expect(settleDifferences(months, october)).toEqual([{ ...months[0], settled: [{ ...october, amount: -13_234 }], open: 0 }])
    expect(calculateBackPayAccrual(settleDifferences(months, october))).toBe(0)
  })
  it('pays the oldest amount first, and shows an excess as a separate difference', () => {
    const month = (number: number, difference: number) => ({ year: 2026, month: number, difference, cause: null })
    const ledger = settleDifferences([month(11, 250), month(9, -100), month(10, -80)], { year: 2026, month: 12 })
    expect(ledger.map(({ month: number, settled, open }) => [number, settled.map((part) => part.amount), open])).toEqual([
      [9, [-100], 0],
      [10, [-80], 0],
      [11, [], 70],
    ])
  })
  it('leaves open the total difference of all months, in whatever order they are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50_000, max: 50_000 }), { maxLength: 12 }), (differences) => {
        const months = differences.map((difference, index) => ({ year: 2026, month: index + 1, difference, cause: null }))
        const at = { year: 2026, month: 12 }
        const ledger = settleDifferences(months, at)
        expect(calculateBackPayAccrual(ledger)).toBe(sum(differences) === 0 ? 0 : -sum(differences))
        expect(settleDifferences([...months].reverse(), at)).toEqual(ledger)
        for (const entry of ledger) expect(entry.open + sum(entry.settled.map((part) => part.amount))).toBe(entry.difference)
      }),
    )
  })
})
