import type { CommentKind } from '../../../domain/budget/items/comment.ts'
import type { Permission } from '../../../domain/permissions.ts'

/** Where a comment is read with the thing that it is about, as far as the person may open that; null: nowhere but among all comments. */
export function placeOf(
  { kind, ref }: { kind: CommentKind; ref: string | null },
  may: (anyOf: readonly Permission[]) => boolean,
): string | null {
  if (kind === 'entry' && may(['BudgetingNonStaffingReadUpdate'])) return `/non-staffing/budget-entries/${ref}#comments`
  if (kind === 'contract') return `/staffing/staff-contracts/${ref}${may(['BudgetingStaffingReadUpdate']) ? '' : '/cost'}#comments`
  return null
}
