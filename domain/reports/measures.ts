import { roundedQuotient } from '../monitoring/figures.ts'

/** A share in per cent with one decimal, halves away from zero; null where either is not known or there is nothing to be a share of. Whole pennies. */
export function shareIn(part: number | null, whole: number | null): number | null {
  return part === null || !whole ? null : roundedQuotient(part * 1000, Math.abs(whole)) / 10
}

/** Whole pennies for each pupil; null where either is not known or there are none. @param pupils with two decimals at most */
export function perPupil(value: number | null, pupils: number | null): number | null {
  return value === null || !pupils ? null : roundedQuotient(value * 100, Math.round(pupils * 100))
}
