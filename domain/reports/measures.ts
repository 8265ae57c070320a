import { roundedQuotient } from '../monitoring/figures.ts'

/** A share in per cent with one decimal, halves away from zero; null where either is not known or there is nothing to be a share of. Whole pennies. */
export function shareIn(part: number | null, whole: number | null): number | null {
  return part === null || !whole ? null : roundedQuotient(part * 1000, Math.abs(whole)) / 10
}

/** Whole pennies for each pupil; null where either is not known or there are none. @param pupils with two decimals at most */
export function perPupil(value: number | null, pupils: number | null): number | null {
  return value === null || !pupils ? null : roundedQuotient(value * 100, Math.round(pupils * 100))
}

/**
 * A quotient with some decimals, halves away from zero; null where either is not known or nothing is divided by.
 * @param by any number of six decimals at most
 */
export function ratioOf(part: number | null, by: number | null, decimals: number): number | null {
  if (part === null || !by) return null
  return roundedQuotient(Math.round(part * 10 ** decimals) * 1_000_000, Math.round(by * 1_000_000)) / 10 ** decimals
}
