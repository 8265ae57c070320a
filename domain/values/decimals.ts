import Big from 'big.js'

/** Whether a number has at most so many decimals, also in exponent notation: 0.0000001 has seven. */
export function hasDecimals(value: number, places: number): boolean {
  return new Big(value).round(places).eq(value)
}

/** Adds in decimal, without binary rounding errors: 66.1 + 66.1 + 66 is 198.2. */
export function addDecimals(values: readonly number[]): number {
  return values.reduce((sum, value) => sum.plus(value), new Big(0)).toNumber()
}
