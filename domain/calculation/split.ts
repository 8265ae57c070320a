import { assertDefined } from '../values/assertDefined.ts'
import type { Pennies } from '../values/units.ts'
/**
 * Shares whole pennies by weight (rules.md §0): each share is floored towards zero, the pennies left go to the largest remainders,
 * ties to the earlier item. The shares always add up to the total; weights that are all zero share equally.
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
  const parts = weights.map((weight, index) => ({ index, ...floored(amount, equal ? 1 : weight, sum, safe) }))
  const shares = parts.map((part) => part.share)
  let left = amount - shares.reduce((a, b) => a + b, 0)
  parts.sort((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (const { index } of parts) if (left-- > 0) shares[index] = assertDefined(shares[index]) + 1
  return total < 0 ? shares.map((share) => (share === 0 ? 0 : -share)) : shares
}

/** `amount × weight / sum` rounded down, and what is left over; in big integers where a product would not be safe. */
function floored(amount: number, weight: number, sum: number, safe: boolean): { share: number; remainder: number } {
  if (safe) {
    const product = amount * weight
    const remainder = product % sum
    return { share: (product - remainder) / sum, remainder }
  }
  const product = BigInt(amount) * BigInt(weight)
  return { share: Number(product / BigInt(sum)), remainder: Number(product % BigInt(sum)) }
}

/**
 * Shares whole pennies by weight, with every penny that is left going to the largest share, the earlier of equal ones (rules.md §14).
 * @param total whole pennies, of either sign
 * @param weights whole, not negative, on any one scale; all zero share equally
 */
export function splitToLargest(total: Pennies, weights: readonly number[]): Pennies[] {
  const given = weights.reduce((sum, weight) => sum + weight, 0)
  const sum = given || weights.length
  const amount = Math.abs(total)
  const safe = amount * sum <= Number.MAX_SAFE_INTEGER
  const shares = weights.map((weight) => floored(amount, given === 0 ? 1 : weight, sum, safe).share)
  shares[largestOf(weights)] = assertDefined(shares[largestOf(weights)]) + amount - shares.reduce((a, b) => a + b, 0)
  return total < 0 ? shares.map((share) => (share === 0 ? 0 : -share)) : shares
}

/** The place of the largest weight, the earlier of equal ones. */
export function largestOf(weights: readonly number[]): number {
  return weights.indexOf(Math.max(...weights))
}
