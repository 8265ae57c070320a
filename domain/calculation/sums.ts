import { toPennies, toPounds } from '../values/format.ts'
import type { Months, Pennies, Pounds } from '../values/units.ts'

/** A sum of lines in pounds. `missing` counts the monthly figures that could not be calculated, which the sum does not include. */
export interface Sum {
  total: Pounds
  missing: Months
}

/** Adds sums and their numbers of missing figures. */
export function addSums(all: readonly Sum[]): Sum {
  return {
    total: toPounds(all.reduce((pennies, { total }) => pennies + toPennies(total), 0)),
    missing: all.reduce((months, { missing }) => months + missing, 0),
  }
}

/** Whole pennies of a sum. Null if the sum is zero and figures are missing, so that a gap is never shown as zero (rules.md §8 Problems). */
export function toKnownTotal({ total, missing }: Sum): Pennies | null {
  return total === 0 && missing > 0 ? null : toPennies(total)
}
