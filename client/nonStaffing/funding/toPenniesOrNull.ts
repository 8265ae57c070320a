import { toPennies } from '../../../domain/values/format.ts'
import type { Pennies, Pounds } from '../../../domain/values/units.ts'

/** Converts the server's pounds to whole pennies; null stays null. */
export function toPenniesOrNull(pounds: Pounds | null): Pennies | null {
  return pounds === null ? null : toPennies(pounds)
}
