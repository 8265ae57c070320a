/**
 * Shares whole pennies by weight (calculation.md §0): each share is floored towards zero, the pennies left go to the largest remainders,
 * ties to the earlier item. The shares always add up to the total; weights that are all zero share equally.
 * @param total whole pennies, of either sign
 * @param weights whole, not negative, on any one scale
 */
export function split(total: number, weights: readonly number[]): number[] {
  if (weights.length === 0) return []
  let sum = 0n
  let big = weights.map((weight) => BigInt(weight))
  for (const weight of big) sum += weight
  if (sum === 0n) {
    big = weights.map(() => 1n)
    sum = BigInt(weights.length)
  }
  const sign = total < 0 ? -1 : 1
  const whole = BigInt(Math.abs(total))
  const shares = big.map((weight) => Number((whole * weight) / sum))
  let left = Math.abs(total) - shares.reduce((a, b) => a + b, 0)
  const byRemainder = big.map((weight, index) => ({ index, remainder: (whole * weight) % sum }))
  byRemainder.sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder) {
    if (left-- <= 0) break
    shares[index]! += 1
  }
  return shares.map((share) => (share === 0 ? 0 : sign * share))
}
