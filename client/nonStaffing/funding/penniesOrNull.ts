import { toPennies } from '../../../domain/values/format.ts'
import type { Pennies, Pounds } from '../../../domain/values/units.ts'

/** Pounds from the server as whole pennies; what is not calculated stays so. */
export function penniesOrNull(pounds: Pounds | null): Pennies | null {
  return pounds === null ? null : toPennies(pounds)
}
