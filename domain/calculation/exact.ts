/**
 * Exact arithmetic between two rounding points (calculation.md §0): fractions of big integers. They stay small because a fraction lives
 * only from a decimal string to the next rounding.
 */
export type Fraction = readonly [numerator: bigint, denominator: bigint]

export const zero: Fraction = [0n, 1n]
export const one: Fraction = [1n, 1n]

const decimalPattern = /^(-?)(\d*)(?:\.(\d*))?$/

/** A decimal string or number as an exact fraction. @throws RangeError for anything that is not a plain decimal */
export function decimal(value: string | number): Fraction {
  const match = decimalPattern.exec(String(value).trim())
  if (!match || (!match[2] && !match[3])) throw new RangeError(`${value} is not a decimal number`)
  const fraction = match[3] ?? ''
  const digits = BigInt(`${match[2] || '0'}${fraction}`)
  return [match[1] ? -digits : digits, 10n ** BigInt(fraction.length)]
}

/** Pounds as a decimal string, in pennies. */
export function pounds(value: string | number): Fraction {
  return times(decimal(value), [100n, 1n])
}

/** A percentage as a factor: 28.68 is 0.2868. */
export function percent(value: string | number): Fraction {
  const [n, d] = decimal(value)
  return [n, d * 100n]
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return a[1] === b[1] ? [a[0] + b[0], a[1]] : [a[0] * b[1] + b[0] * a[1], a[1] * b[1]]
}

export function times(a: Fraction, b: Fraction): Fraction {
  return [a[0] * b[0], a[1] * b[1]]
}

/** @throws RangeError when the divisor is zero */
export function over(a: Fraction, b: Fraction): Fraction {
  if (b[0] === 0n) throw new RangeError('division by zero')
  return b[0] < 0n ? [-a[0] * b[1], a[1] * -b[0]] : [a[0] * b[1], a[1] * b[0]]
}

/** Part of a whole: `x × n / d` with plain integers, as in days of a month. */
export function part(x: Fraction, n: number, d: number): Fraction {
  return [x[0] * BigInt(n), x[1] * BigInt(d)]
}

export function isGreater(a: Fraction, b: Fraction): boolean {
  return a[0] * b[1] > b[0] * a[1]
}

/** `round(x)` of calculation.md §0: to the nearest whole number, halves away from zero. */
export function round([n, d]: Fraction): number {
  const half = n < 0n ? -((-2n * n + d) / (2n * d)) : (2n * n + d) / (2n * d)
  return Number(half)
}

/** The smallest fraction equal to this one, so that long sums do not grow. */
export function reduce([n, d]: Fraction): Fraction {
  let [a, b] = [n < 0n ? -n : n, d]
  while (b) [a, b] = [b, a % b]
  return a > 1n ? [n / a, d / a] : [n, d]
}

/** A fraction as text for a derivation, in pounds when it is pennies: at most four decimals, never used to calculate. */
export function show(x: Fraction, scale = 1): string {
  const value = Number(x[0]) / Number(x[1]) / scale
  const text = value.toFixed(4).replace(/(\.\d\d\d*?)0+$/, '$1')
  return text.replace(/\B(?=(\d{3})+(?=\.))/g, ',')
}
