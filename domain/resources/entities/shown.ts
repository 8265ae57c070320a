import type { FieldProblem } from '../../errors.ts'

/** What is shown for a while ends after it begins (behaviour B-252). */
export function endsAfterStart({ active, expires }: Record<string, unknown>): FieldProblem[] {
  return active && expires && String(expires) <= String(active) ? [{ field: 'expires', message: 'Expires must be after Active.' }] : []
}
