import { assertDefined } from '../values/assertDefined.ts'
import type { Pennies } from '../values/units.ts'
/**
 * Splits whole pennies by weight (rules.md §0). Each share is rounded towards zero; the remaining pennies go to the largest remainders,
 * ties to the earlier item. The shares always add up to the total. If all weights are zero, the split is equal.
 * @param total whole pennies, of either sign
 * @param weights whole, not negative, on any one scale
 */
export function split(total: Pennies, weights: readonly number[]): Pennies[] {
  if (weights.length < 2) return weights.map(() => total)
  const given = weights.reduce((sum, weight) => sum + weight, 0)
  const equal = given === 0
  const sum = equal ? weights.length : given
  const amount = Math.abs(total)
  const safe = amount * sum <= Number.MAX_SAFE_INTEGER
  const parts = weights.map((weight, index) => ({ index, ...divideRoundingDown(amount, equal ? 1 : weight, sum, safe) }))
  const shares = parts.map((part) => part.share)
  let left = amount - shares.reduce((a, b) => a + b, 0)
  parts.sort((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (const { index } of parts) if (left-- > 0) shares[index] = assertDefined(shares[index]) + 1
  return total < 0 ? shares.map((share) => (share === 0 ? 0 : -share)) : shares
}

/** `amount × weight / sum` rounded down, with the remainder; big integers where the product is not a safe integer. */
function divideRoundingDown(amount: number, weight: number, sum: number, safe: boolean): { share: number; remainder: number } {
  if (safe) {
    const product = amount * weight
    const remainder = product % sum
    return { share: (product - remainder) / sum, remainder }
  }
  const product = BigInt(amount) * BigInt(weight)
  return { share: Number(product / BigInt(sum)), remainder: Number(product % BigInt(sum)) }
}

/**
 * Splits whole pennies by weight; every remaining penny goes to the largest share, the earlier of equal ones (rules.md §14).
 * @param total whole pennies, of either sign
 * @param weights whole, not negative, on any one scale; if all are zero, the split is equal
 */
export function splitToLargest(total: Pennies, weights: readonly number[]): Pennies[] {
  const given = weights.reduce((sum, weight) => sum + weight, 0)
  const sum = given || weights.length
  const amount = Math.abs(total)
  const safe = amount * sum <= Number.MAX_SAFE_INTEGER
  const shares = weights.map((weight) => divideRoundingDown(amount, given === 0 ? 1 : weight, sum, safe).share)
  shares[findIndexOfLargest(weights)] = assertDefined(shares[findIndexOfLargest(weights)]) + amount - shares.reduce((a, b) => a + b, 0)
  return total < 0 ? shares.map((share) => (share === 0 ? 0 : -share)) : shares
}

/** The index of the largest weight; if several are equal, of the earliest. */
export function findIndexOfLargest(weights: readonly number[]): number {
  return weights.indexOf(Math.max(...weights))
}
