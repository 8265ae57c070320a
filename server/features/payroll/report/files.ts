import { buildSignatureTable, type PayrollReport } from '../../../../domain/payroll/report.ts'
import { buildExportFileName, toPounds } from '../../../../domain/values/format.ts'
import type { FileReply } from '../../../core/calls/reply.ts'
import { createWorkbook } from '../../../core/workbook.ts'

/** The report as a workbook, with a sheet for each table. */
export function buildReportWorkbook({ title, about, tables }: PayrollReport, now: Date): Promise<FileReply<Buffer>> {
  return createWorkbook(
    buildExportFileName(title, now).replace(/csv$/, 'xlsx'),
    [...tables, buildSignatureTable()].map((table) => ({
      name: table.title,
      about,
      columns: table.columns,
      rows: table.rows.map(({ cells, weight }) => ({
        cells: cells.map((cell) => (typeof cell === 'number' ? toPounds(cell) : cell)),
        ...(weight && { weight }),
      })),
    })),
  )
}
