import { penniesOf } from '../../../domain/format.ts'

/** Pounds from the server as whole pennies; what is not calculated stays so. */
export function penniesOrNull(pounds: number | null): number | null {
  return pounds === null ? null : penniesOf(pounds)
}
