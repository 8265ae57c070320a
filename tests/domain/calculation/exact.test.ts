import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  div,
  type Exact,
  fromInteger,
  isGreater,
  minus,
  multiplyByFraction,
  parseDecimal,
  plus,
  round,
  roundNI,
  times,
} from '../../../domain/calculation/exact.ts'

type Plain = readonly [numerator: bigint, denominator: bigint]

/** The same arithmetic in fractions of big integers throughout. */
const plain = {
  decimal: (text: string): Plain => {
    const [before, after = ''] = text.split('.')
    return [BigInt(before! + after), 10n ** BigInt(after.length)]
  },
  plus: ([a, b]: Plain, [c, d]: Plain): Plain => [a * d + c * b, b * d],
  times: ([a, b]: Plain, [c, d]: Plain): Plain => [a * c, b * d],
  over: ([a, b]: Plain, [c, d]: Plain): Plain => (c < 0n ? [-a * d, b * -c] : [a * d, b * c]),
  round: ([n, d]: Plain): number => Number(n < 0n ? -((-2n * n + d) / (2n * d)) : (2n * n + d) / (2n * d)),
}

const amount = fc.tuple(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 0, max: 6 })).map(([digits, places]) => {
  const text = String(digits).padStart(places + 1, '0')
  return places ? `${text.slice(0, -places)}.${text.slice(-places)}` : text
})

describe('numbers between two rounding points', () => {
  it('are rounded as exact fractions are, after any additions, multiplications and divisions', () => {
    const step = fc.tuple(fc.constantFrom('plus' as const, 'times' as const, 'over' as const), amount)
    fc.assert(
      fc.property(amount, fc.array(step, { maxLength: 7 }), (start, steps) => {
        let near: Exact = parseDecimal(start)
        let exact: Plain = plain.decimal(start)
        for (const [operation, text] of steps) {
          fc.pre(operation !== 'over' || Number(text) !== 0)
          near = { plus, times, over: div }[operation](near, parseDecimal(text))
          exact = plain[operation](exact, plain.decimal(text))
        }
        fc.pre(Math.abs(near.near) < 1e15)
        expect(round(near)).toBe(plain.round(exact))
      }),
      { numRuns: 3000 },
    )
  })
  it('round exact halves correctly, which doubles cannot: pay away from zero, contributions down', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400_000_000 }), (pennies) => {
        expect(round(multiplyByFraction(fromInteger(2 * pennies + 1), 6, 12))).toBe(pennies + 1)
        expect(round(div(fromInteger(2 * pennies + 1), fromInteger(2)))).toBe(pennies + 1)
        expect(round(div(fromInteger(-2 * pennies - 1), fromInteger(2)))).toBe(-pennies - 1)
        expect(roundNI(div(fromInteger(2 * pennies + 1), fromInteger(2)))).toBe(pennies)
      }),
    )
  })
  it('stay exact where doubles fail: three thirds are one, and ten tenths are one', () => {
    const third = div(fromInteger(1), fromInteger(3))
    expect(isGreater(times(third, fromInteger(3)), fromInteger(1))).toBe(false)
    expect(isGreater(fromInteger(1), times(third, fromInteger(3)))).toBe(false)
    let sum = parseDecimal('0')
    for (let index = 0; index < 10; index++) sum = plus(sum, parseDecimal('0.1'))
    expect(isGreater(sum, fromInteger(1)) || isGreater(fromInteger(1), sum)).toBe(false)
    expect(round(times(minus(sum, fromInteger(1)), parseDecimal('1000000000000')))).toBe(0)
  })
  it('refuse invalid decimals, and a division by zero', () => {
    for (const text of ['', 'abc', '1e5', '1,000', '--1', '.']) expect(() => parseDecimal(text)).toThrow(RangeError)
    expect(() => div(fromInteger(1), minus(parseDecimal('0.1'), parseDecimal('0.1')))).toThrow('division by zero')
  })
})
