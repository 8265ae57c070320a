import { toPennies, toPounds } from '../values/format.ts'
import type { Months, Pennies, Pounds } from '../values/units.ts'

/** A sum of lines: pounds of what could be calculated, and how many monthly figures could not. */
export interface Sum {
  total: Pounds
  missing: Months
}

/** Sums of sums; the gaps of one are gaps of all. */
export function addUp(all: readonly Sum[]): Sum {
  return {
    total: toPounds(all.reduce((pennies, { total }) => pennies + toPennies(total), 0)),
    missing: all.reduce((months, { missing }) => months + missing, 0),
  }
}

/** Whole pennies of what could be calculated; null where nothing could, so that a gap is never shown as a zero (rules.md §8 Problems). */
export function known({ total, missing }: Sum): Pennies | null {
  return total === 0 && missing > 0 ? null : toPennies(total)
}
