import Big from 'big.js'
import { assertDefined } from '../values/assertDefined.ts'
import type { Percent, Pounds } from '../values/units.ts'

/**
 * Exact arithmetic between two rounding points (rules.md §0) at nearly the speed of doubles. Each number is a double with a proven bound of
 * its error, plus the operation that produced it. Rounding uses the double only if no number within the bound rounds to another penny.
 * Otherwise, above all at exact halves, the operation is repeated in fractions of big integers.
 */
type Fraction = readonly [numerator: bigint, denominator: bigint]

/** Twice the rounding error of one double operation; the factor covers the rounding of the error bounds themselves. */
const unit = 2 ** -51

/** An exact number: a double with its error bound, and the operation and operands that produced it. */
export interface Exact {
  /** The value, correct to within `error`. */
  readonly near: number
  readonly error: number
  readonly operation: '+' | '×' | '÷' | null
  readonly left: Exact | null
  readonly right: Exact | null
  /** The exact value, calculated when it is first needed; for a literal, the function that parses it. */
  fraction: Fraction | (() => Fraction) | null
}

function createExact(near: number, error: number, fraction: () => Fraction): Exact {
  return { near, error, operation: null, left: null, right: null, fraction }
}

function toFraction(x: Exact): Fraction {
  if (typeof x.fraction === 'function') x.fraction = x.fraction()
  else if (x.fraction === null)
    x.fraction = reduceFraction(
      calculateFraction(assertDefined(x.operation), toFraction(assertDefined(x.left)), toFraction(assertDefined(x.right))),
    )
  return x.fraction
}

function calculateFraction(operation: '+' | '×' | '÷', [n, d]: Fraction, [m, e]: Fraction): Fraction {
  if (operation === '×') return [n * m, d * e]
  if (operation === '+') return d === e ? [n + m, d] : [n * e + m * d, d * e]
  if (m === 0n) throw new RangeError('division by zero')
  return m < 0n ? [-n * e, d * -m] : [n * e, d * m]
}

export function fromInteger(value: number): Exact {
  return createExact(value, 0, () => [BigInt(value), 1n])
}

export const exactZero = fromInteger(0)
export const exactOne = fromInteger(1)
const hundred = fromInteger(100)
const minusOne = fromInteger(-1)

const decimalPattern = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/

/**
 * Reads a decimal string or number exactly as written.
 * @throws RangeError for anything that is not a plain decimal
 */
export function parseDecimal(value: string | number): Exact {
  const written = String(value).trim()
  // JavaScript writes 0.0000001 in exponent notation.
  const text = typeof value === 'number' && written.includes('e') ? new Big(value).toFixed() : written
  if (!decimalPattern.test(text)) throw new RangeError(`${value} is not a decimal number`)
  const near = Number(text)
  return createExact(near, Math.abs(near) * unit, () => {
    const [before, after = ''] = text.split('.')
    return [BigInt(`${before === '-' ? '-0' : before}${after}`), 10n ** BigInt(after.length)]
  })
}

const fractionPattern = /^(-?\d{1,200})\/([1-9]\d{0,199})$/

/** Whether `parseExact` can read a text: a plain decimal, or a fraction of whole numbers. */
export function isExact(text: string): boolean {
  return decimalPattern.test(text) || fractionPattern.test(text)
}

/**
 * Reads what `formatExact` writes: a decimal, or a fraction `n/d` if no decimal is exact.
 * @throws RangeError for any other text
 */
export function parseExact(value: string | number): Exact {
  const parts = typeof value === 'string' ? fractionPattern.exec(value) : null
  if (!parts) return parseDecimal(value)
  const [numerator, denominator] = [BigInt(assertDefined(parts[1])), BigInt(assertDefined(parts[2]))]
  return createExact(Number(numerator) / Number(denominator), Number.POSITIVE_INFINITY, () => [numerator, denominator])
}

/** Writes the number as text without loss: a whole number, or a fraction in lowest terms. */
export function formatExact(x: Exact): string {
  const [n, d] = reduceFraction(toFraction(x))
  return d === 1n ? String(n) : `${n}/${d}`
}

/** Rounds to at most `places` decimals, halves away from zero, for display or JSON. */
export function toDecimals(x: Exact, places: number): number {
  return Number(new Big(round(times(x, fromInteger(10 ** places)))).div(10 ** places).toFixed())
}

/** The number of decimals of the rounded number that is stored with an exact value. */
const shownPlaces = 6

/** Splits a number into what is stored: the value rounded to six decimals, and the exact text if rounding changed it (otherwise null). */
export function toStoredExact(x: Exact): { value: number; exact: string | null } {
  const value = toDecimals(x, shownPlaces)
  return { value, exact: isEqual(parseDecimal(value), x) ? null : formatExact(x) }
}

/** Restores the exact number from storage. If the rounded number no longer matches it, someone entered a new number, which then applies. */
export function restoreExact(value: number, exact: string | null | undefined): Exact {
  const exactValue = exact ? parseExact(exact) : null
  return exactValue && toDecimals(exactValue, shownPlaces) === value ? exactValue : parseDecimal(value)
}

export function isEqual(a: Exact, b: Exact): boolean {
  return formatExact(a) === formatExact(b)
}

/** Parses pounds, written as a decimal, as a number of pennies. */
export function parsePounds(value: string | Pounds): Exact {
  return times(parseDecimal(value), hundred)
}

/** Parses a percentage as a factor: 28.68 becomes 0.2868. */
export function parsePercent(value: string | Percent): Exact {
  return div(parseDecimal(value), hundred)
}

export function plus(left: Exact, right: Exact): Exact {
  const near = left.near + right.near
  return { near, error: left.error + right.error + Math.abs(near) * unit, operation: '+', left, right, fraction: null }
}

export function minus(a: Exact, b: Exact): Exact {
  return plus(a, times(b, minusOne))
}

export function times(left: Exact, right: Exact): Exact {
  const near = left.near * right.near
  const error = Math.abs(left.near) * right.error + Math.abs(right.near) * left.error + left.error * right.error + Math.abs(near) * unit
  return { near, error: error * (1 + unit), operation: '×', left, right, fraction: null }
}

/** Divides two exact numbers. @throws RangeError when the divisor is zero */
export function div(left: Exact, right: Exact): Exact {
  const least = Math.abs(right.near) - right.error
  if (least <= 0) {
    const value = calculateFraction('÷', toFraction(left), toFraction(right))
    return createExact(Number(value[0]) / Number(value[1]), Number.POSITIVE_INFINITY, () => value)
  }
  const near = left.near / right.near
  const error = (left.error + Math.abs(near) * right.error) / least + Math.abs(near) * unit
  return { near, error: error * (1 + unit), operation: '÷', left, right, fraction: null }
}

const parts = new Map<number, Exact>()

/** `x × n / d`, for example for the days of a month. `n` and `d` are whole numbers below 10,000. */
export function multiplyByFraction(x: Exact, n: number, d: number): Exact {
  const key = n * 10_000 + d
  let share = parts.get(key)
  if (!share) parts.set(key, (share = div(fromInteger(n), fromInteger(d))))
  return times(x, share)
}

export function isGreater(a: Exact, b: Exact): boolean {
  const difference = a.near - b.near
  const error = a.error + b.error + Math.abs(difference) * unit
  if (Math.abs(difference) > error) return difference > 0
  const [[n, d], [m, e]] = [toFraction(a), toFraction(b)]
  return n * e > m * d
}

/** `round(x)` of rules.md §0: to the nearest whole number, halves away from zero. */
export function round(x: Exact): number {
  const settled = roundByDouble(x)
  if (settled !== undefined) return settled
  const [n, d] = toFraction(x)
  return Number(n < 0n ? -((-2n * n + d) / (2n * d)) : (2n * n + d) / (2n * d))
}

/** `roundNI(x)` of rules.md §0: to the nearest whole number, exact halves down; below zero is zero. */
export function roundNI(x: Exact): number {
  const settled = roundByDouble(x)
  if (settled !== undefined) return Math.max(0, settled)
  const [n, d] = toFraction(x)
  return n <= 0n ? 0 : Number((2n * n + d - 1n) / (2n * d))
}

/** The nearest whole number, if the double is further from a half than its error bound; otherwise undefined. */
function roundByDouble({ near, error }: Exact): number | undefined {
  const floor = Math.floor(near)
  const above = near - floor
  // `above` is exact except for the last bit of `near`, which the bound covers many times over.
  if (Math.abs(above - 0.5) <= error + Math.abs(near) * unit || !(error < 0.25)) return undefined
  return (above > 0.5 ? floor + 1 : floor) || 0
}

/** Reduces a fraction to lowest terms, so that the terms of long sums do not grow. */
function reduceFraction([n, d]: Fraction): Fraction {
  let [a, b] = [n < 0n ? -n : n, d]
  while (b) [a, b] = [b, a % b]
  return a > 1n ? [n / a, d / a] : [n, d]
}

/**
 * Formats a number for a derivation, with at most four decimals. A `scale` of 100 shows pennies as pounds. The text is rounded, so never
 * calculate with it.
 */
export function formatForDerivation(x: Exact | number, scale = 1): string {
  const value = (typeof x === 'number' ? x : x.near) / scale
  const text = value.toFixed(4).replace(/(\.\d\d\d*?)0+$/, '$1')
  return text.replace(/\B(?=(\d{3})+(?=\.))/g, ',')
}
