import { describeOutdatedCosts } from '../../../domain/reports/outdatedCosts.ts'
import { describeEmptyCell, getCellType, type Report, type ReportRow } from '../../../domain/reports/report.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { toPounds } from '../../../domain/values/format.ts'
import type { BudgetId, LocationId } from '../../../domain/values/ids.ts'
import type { WorkbookRow, WorkbookSheet } from '../../core/workbook.ts'
import type { LocationWithoutBudget } from '../monitoring/requests/queries.ts'
import type { BuiltReport } from './queries.ts'

/** A report as the API shows it, in pounds (endpoints.json Report), with its budgets. */
export interface ShownReport extends Report {
  budgets: { budgetId: BudgetId; name: string; locationId: LocationId; location: string }[]
  leftOut: LocationWithoutBudget[]
  /** A sentence on budgets with outdated costs; null if there are none. */
  olderCosts: string | null
}

/** The values of a row with money in pounds. */
export function toPoundsRow({ columns }: Pick<Report, 'columns'>, row: ReportRow): ReportRow['values'] {
  return row.values.map((value, index) =>
    getCellType(row, assertDefined(columns[index])) === 'money' && typeof value === 'number' ? toPounds(value) : value,
  )
}

export function presentReport({ report, scope: { budgets, leftOut }, older }: BuiltReport): ShownReport {
  return {
    ...report,
    rows: report.rows.map(({ adds: _adds, ...row }) => ({ ...row, values: toPoundsRow(report, row) })),
    bases: report.bases.map(({ income, pupils }) => ({ income: income === null ? null : toPounds(income), pupils })),
    budgets: budgets.map(({ id, head, location }) => ({ budgetId: id, name: head.name, locationId: location.id, location: location.name })),
    leftOut,
    olderCosts: describeOutdatedCosts(older),
  }
}

const isSum = (row: ReportRow): boolean => row.kind === 'SectionFooter' || row.kind === 'Total'

/** The cells of a row. A figure that could not be calculated is shown as such; one that does not apply is empty. */
export function formatCells(report: Report, row: ReportRow): (string | number | null)[] {
  return toPoundsRow(report, row).map((value, index) => value ?? describeEmptyCell(report, row, index))
}

/** The rows of a report as a table for workbooks and printed pages; money in pounds. */
export function toReportTable(report: Report): { columns: WorkbookSheet['columns']; rows: WorkbookRow[] } {
  return {
    columns: [
      { title: report.title, kind: 'text' },
      ...report.columns.map(({ key, title, type }) => ({
        title,
        kind: type,
        ...(type === 'text' ? { width: key === 'reason' ? 50 : 20 } : {}),
      })),
    ],
    rows: report.rows.map(
      (row): WorkbookRow => ({
        cells: [`${'   '.repeat(row.level)}${row.label}`, ...formatCells(report, row)],
        ...(row.type && { kind: row.type }),
        ...(row.kind === 'SectionHeader' || row.kind === 'Description' ? { weight: 'heading' } : isSum(row) ? { weight: 'total' } : {}),
      }),
    ),
  }
}
