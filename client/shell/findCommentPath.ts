import type { Permission } from '../../domain/people/permissions.ts'
import { buildCellPath } from '../../domain/reports/cells/cellPath.ts'
import type { BudgetId } from '../../domain/values/ids.ts'
import type { RouterOutputs } from './api.ts'

/**
 * Finds the path of the screen that shows a comment with its subject, if the user can open it; null if the comment is shown only in the
 * list of all comments.
 */
export function findCommentPath(
  { id, about: { kind, ref, cell } }: Pick<RouterOutputs['approval']['comments'][number], 'id' | 'about'>,
  budgetId: BudgetId,
  may: (anyOf: readonly Permission[]) => boolean,
): string | null {
  if (cell) return buildCellPath(cell, budgetId, id)
  if (kind === 'entry' && may(['BudgetingNonStaffingReadUpdate'])) return `/non-staffing/budget-entries/${ref}#comments`
  if (kind === 'code' && may(['BudgetingOverviewRead', 'BudgetingOverviewReadUpdate'])) return `/overview/summary?code=${ref}`
  if (kind === 'contract') return `/staffing/staff-contracts/${ref}${may(['BudgetingStaffingReadUpdate']) ? '' : '/cost'}#comments`
  return null
}
