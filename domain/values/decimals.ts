import Big from 'big.js'

/** Whether a number has at most the given number of decimals. Exponent notation counts too: 1e-7 has seven. */
export function hasDecimals(value: number, places: number): boolean {
  return new Big(value).round(places).eq(value)
}

/** Adds numbers as decimals, without binary rounding errors: 66.1 + 66.1 + 66 is 198.2. */
export function addDecimals(values: readonly number[]): number {
  return values.reduce((sum, value) => sum.plus(value), new Big(0)).toNumber()
}
