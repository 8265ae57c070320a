import readXlsxFile from 'read-excel-file/universal'
import { addExtraColumns } from '../../../domain/reports/extraColumns.ts'
import { type ReportName, reports } from '../../../domain/reports/registry.ts'
import type { Report } from '../../../domain/reports/report.ts'
import { toBudgetId } from '../../../domain/values/ids.ts'
import { createReportWorkbook, type ReportFileContext } from '../../../server/shared/reports/files.ts'
import { trustSchools } from '../stories/trustMoney.ts'
import { sampleReports } from './sampleReports.ts'

/** The reports that have a workbook. */
export const reportNames = [...sampleReports.keys()]
export const now = new Date('2026-11-05T09:30:00.000Z')
export const older = [{ location: 'Northgate', name: 'Budget 2026/27', locationId: trustSchools[0]!.id }]
export const olderNote = 'Costs are out of date and need recalculating: Northgate (Budget 2026/27).'
/** The budgets of two schools. */
export const scope = {
  budgets: trustSchools
    .slice(0, 2)
    .map((location, index) => ({ id: toBudgetId(String(index).repeat(24)), head: { name: `Budget of ${location.name}` }, location })),
  years: [2026, 2027],
  leftOut: [{ locationId: trustSchools[2]!.id, location: 'Trust office' }],
} as unknown as ReportFileContext['scope']
/** The heading of a file: who requested which report, and when. */
export const describeFile = (name: ReportName, more: Partial<ReportFileContext> = {}): ReportFileContext => ({
  name,
  organisation: 'Harbour Trust',
  scope,
  older: [],
  request: {},
  now,
  hasFormulas: false,
  ...more,
})
/** The bytes of a report’s workbook. @param each whether each school has its own tab after that of all schools */
export async function buildWorkbook(
  report: Report,
  of: ReportFileContext,
  each: Parameters<typeof createReportWorkbook>[1] = [],
): Promise<Uint8Array> {
  return new Uint8Array((await createReportWorkbook(report, each, of)).body)
}
/** Reads the tabs of a workbook. */
export const readTabs = (bytes: Uint8Array) => readXlsxFile(bytes.slice().buffer)

const beside = { perPupil: true, ofIncome: false, change: true }
/** The workbook of a report for all schools and for one, without and with formulas. */
export function buildWorkbooks(name: ReportName): Promise<[Uint8Array, Uint8Array]> {
  const report = addExtraColumns(sampleReports.get(name)!, beside)
  const each = reports[name].kind === 'money' && reports[name].spread === 'years' ? [...trustSchools.slice(0, 2)] : []
  const tabs = each.map((location) => ({ location, report }))
  return Promise.all([
    buildWorkbook(report, describeFile(name), tabs),
    buildWorkbook(report, describeFile(name, { hasFormulas: true }), tabs),
  ])
}
