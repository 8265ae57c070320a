import type { BudgetGroupId, BudgetId } from '../../values/ids.ts'
import type { SpokenReport } from './cells.ts'

/**
 * What is to be asked of a report for a figure to stand in it: columns of a month or a location are those of one year, and rows of a scheme are
 * there where it is chosen. The home page leads to figures, so nothing here loads the reports themselves.
 */
export function shownBy({ row, column, scheme }: { row: string; column: string; scheme: number }): {
  year: string | undefined
  scheme: number | undefined
} {
  return {
    year: /month=|location=/.test(column) ? /\d{4}\/\d{2}/.exec(column)?.[0] : undefined,
    scheme: row.startsWith('Description ') && scheme ? scheme : undefined,
  }
}

/** The address of a figure of which something was said: the report opens with it. */
export function cellPath(
  cell: { report: SpokenReport; groupId: BudgetGroupId | null; row: string; column: string; scheme: number },
  budgetId: BudgetId,
  commentId: string,
): string {
  const { year, scheme } = shownBy(cell)
  const search = new URLSearchParams({
    report: cell.report,
    of: cell.groupId ? `group:${cell.groupId}` : `budget:${budgetId}`,
    ...(year && { years: year }),
    ...(scheme && { scheme: String(scheme) }),
    comment: commentId,
  })
  return `/console/reports?${search}`
}
