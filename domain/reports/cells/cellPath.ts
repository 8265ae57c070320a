import type { BudgetGroupId, BudgetId } from '../../values/ids.ts'
import type { CommentableReport } from './cells.ts'

/**
 * Builds the options with which a report shows a figure: the year for the column of a month or location, and the scheme for the row of a
 * scheme code. This file must not import the reports, because the home page links to figures.
 */
export function buildReportOptionsForCell({ row, column, scheme }: { row: string; column: string; scheme: number }): {
  year: string | undefined
  scheme: number | undefined
} {
  return {
    year: /month=|location=/.test(column) ? /\d{4}\/\d{2}/.exec(column)?.[0] : undefined,
    scheme: row.startsWith('Description ') && scheme ? scheme : undefined,
  }
}

/** Builds the URL path that opens a report at a figure with comments. */
export function buildCellPath(
  cell: { report: CommentableReport; groupId: BudgetGroupId | null; row: string; column: string; scheme: number },
  budgetId: BudgetId,
  commentId: string,
): string {
  const { year, scheme } = buildReportOptionsForCell(cell)
  const search = new URLSearchParams({
    report: cell.report,
    of: cell.groupId ? `group:${cell.groupId}` : `budget:${budgetId}`,
    ...(year && { years: year }),
    ...(scheme && { scheme: String(scheme) }),
    comment: commentId,
  })
  return `/console/reports?${search}`
}
