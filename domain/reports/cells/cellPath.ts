import type { BudgetGroupId, BudgetId } from '../../values/ids.ts'
import type { CommentableReport } from './cells.ts'

/**
 * Builds the request for the report that shows a figure. Columns of a month or location need their year, and rows of a scheme need the
 * scheme. This file must not import the reports, because the home page links to figures.
 */
export function buildCellFilters({ row, column, scheme }: { row: string; column: string; scheme: number }): {
  year: string | undefined
  scheme: number | undefined
} {
  return {
    year: /month=|location=/.test(column) ? /\d{4}\/\d{2}/.exec(column)?.[0] : undefined,
    scheme: row.startsWith('Description ') && scheme ? scheme : undefined,
  }
}

/** Builds the path to a figure with comments. It opens the report at that figure. */
export function buildCellPath(
  cell: { report: CommentableReport; groupId: BudgetGroupId | null; row: string; column: string; scheme: number },
  budgetId: BudgetId,
  commentId: string,
): string {
  const { year, scheme } = buildCellFilters(cell)
  const search = new URLSearchParams({
    report: cell.report,
    of: cell.groupId ? `group:${cell.groupId}` : `budget:${budgetId}`,
    ...(year && { years: year }),
    ...(scheme && { scheme: String(scheme) }),
    comment: commentId,
  })
  return `/console/reports?${search}`
}
