import type { BudgetGroupId, BudgetId } from '../../values/ids.ts'
import type { CommentableReport } from './cells.ts'

/**
 * The request that makes a report show a figure: columns of a month or location need their year, and rows of a scheme need the scheme. The
 * home page links to figures, so this file must not load the reports.
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

/** The address of a commented figure. It opens the report at the figure. */
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
