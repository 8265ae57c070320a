import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { staffContractInput } from '../../../domain/budget/budget.ts'
import { div, formatExact, fromInteger, isEqual, parseDecimal, parseExact, plus, round, times } from '../../../domain/calculation/exact.ts'
import { addDecimals, hasDecimals } from '../../../domain/values/decimals.ts'

describe('decimals', () => {
  it('are exact, however small: an FTE of 0.0000001 is refused', () => {
    const fte = (value: number) =>
      staffContractInput.shape.salary.safeParse([{ effectiveDate: '2026-09-01', fte: value }]).error?.issues[0]?.message
    expect(fte(0.000_000_1)).toBe('FTE can have at most 6 decimal places.')
    expect(fte(0.000_001)).toBeUndefined()
    expect([hasDecimals(1e21, 0), hasDecimals(-0.12, 2), hasDecimals(0.123, 2)]).toEqual([true, true, false])
    expect(round(times(parseDecimal(0.000_000_1), fromInteger(10_000_000)))).toBe(1)
  })
  it('add up exactly as they are written', () => {
    expect(addDecimals([66.1, 66.1, 66])).toBe(198.2)
    const hundredths = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { maxLength: 30 })
    fc.assert(
      fc.property(hundredths, (counts) => {
        const sum = counts.reduce((all, one) => all + one, 0)
        expect(addDecimals(counts.map((one) => Number(`${Math.floor(one / 100)}.${String(one % 100).padStart(2, '0')}`)))).toBe(
          Number(`${Math.floor(sum / 100)}.${String(sum % 100).padStart(2, '0')}`),
        )
      }),
    )
  })
  it('and fractions are stored as text without loss', () => {
    const number = fc.tuple(fc.integer(), fc.integer({ min: 1 }))
    fc.assert(
      fc.property(number, number, ([a, b], [c, d]) => {
        const sum = plus(div(fromInteger(a), fromInteger(b)), div(fromInteger(c), fromInteger(d)))
        expect(isEqual(parseExact(formatExact(sum)), sum)).toBe(true)
      }),
    )
    expect([formatExact(parseDecimal('-2.50')), formatExact(parseDecimal(7))]).toEqual(['-5/2', '7'])
    expect(() => parseExact('1/0')).toThrow(RangeError)
  })
})
