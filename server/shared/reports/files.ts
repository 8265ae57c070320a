import { strToU8, zipSync } from 'fflate'
import { lookups } from '../../../domain/lookups/lookups.ts'
import { type BudgetWithOutdatedCosts, describeOutdatedCosts } from '../../../domain/reports/outdatedCosts.ts'
import { type ReportDeclaration, type ReportMapping, type ReportName, reports } from '../../../domain/reports/registry.ts'
import { getCellType, type Report } from '../../../domain/reports/report.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import { buildExportFileName, displayCount, displayDateTime } from '../../../domain/values/format.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import type { FileReply } from '../../core/calls/reply.ts'
import { createWorkbook, type WorkbookSheet } from '../../core/workbook.ts'
import { writeCsvFile } from '../../resources/files.ts'
import { addFormulas } from './formulas.ts'
import { formatCells, toReportTable } from './rows.ts'
import type { ReportedScope, ReportRequest } from './scopes/queries.ts'

/** What a file contains in addition to the figures. */
export interface ReportFileContext {
  name: ReportName
  organisation: string
  scope: ReportedScope
  older: readonly BudgetWithOutdatedCosts[]
  request: ReportRequest
  now: Date
  /** Whether workbook totals are formulas. */
  hasFormulas: boolean
}

export const describeLeftOutItems = (count: number): string =>
  count ? `Excludes ${displayCount(count, 'item')} that could not be calculated.` : 'Nothing is left out.'

const mappings = { bfr: 'BFR', cfr: 'CFR', acoa: 'ACOA' } satisfies Record<ReportMapping, string>

/** A sentence on how the rows of a report are grouped; a return always uses its own scheme. Null if its rows are not codes. */
export function describeGrouping(name: ReportName, { scheme }: Pick<ReportRequest, 'scheme'>): string | null {
  const declared: ReportDeclaration = reports[name]
  if (declared.kind !== 'money') return null
  if (declared.mapping) return mappings[declared.mapping]
  return lookups.financialCodeTypes.find((one) => one.id === scheme)?.name ?? 'Budget codes'
}

/** A report as a CSV file with money to two decimals, and a note on outdated costs at the end. */
export function createReportCsv(report: Report, older: readonly BudgetWithOutdatedCosts[], now: Date): FileReply {
  const note = describeOutdatedCosts(older)
  const written = (value: string | number | null, type: Report['columns'][number]['type']): string =>
    typeof value === 'number' && type === 'money' ? value.toFixed(2) : String(value ?? '')
  return writeCsvFile(
    buildExportFileName(report.title, now),
    ['Row', report.title, ...report.columns.map((column) => column.title)],
    [
      ...report.rows.map((row) => [
        row.kind,
        row.label,
        ...formatCells(report, row).map((value, index) => written(value, getCellType(row, assertDefined(report.columns[index])))),
      ]),
      ...(note ? [['Empty', note, ...report.columns.map(() => '')]] : []),
    ],
  )
}

function buildSheet(
  name: string,
  { report, about: { organisation, now, hasFormulas }, of }: { report: Report; about: ReportFileContext; of: string },
): WorkbookSheet {
  const about = [
    `${report.title} · ${of}`,
    `${organisation} · as at ${displayDateTime(now)} · pounds · ${describeLeftOutItems(report.notCalculated)}`,
  ]
  const table = toReportTable(report)
  // The rows start below the introductory lines and the headings.
  return { name, about, ...table, rows: hasFormulas ? addFormulas(report, table.rows, about.length + 2) : table.rows }
}

/** A sheet with the parameters of the report, so that anybody can run it again. */
function buildParameterSheet(report: Report, { name, organisation, scope, older, request, now }: ReportFileContext): WorkbookSheet {
  const count = (chosen: readonly number[] | null | undefined): string => (chosen?.length ? displayCount(chosen.length, 'choice') : 'all')
  const by = describeGrouping(name, request)
  const facts: [string, string][] = [
    ['Report', report.title],
    ['Organisation', organisation],
    ['As at', displayDateTime(now)],
    ['Years', scope.years.map((year) => formatBudgetYear(year, 0)).join(', ')],
    ...(by ? [['Group by', by] satisfies [string, string]] : []),
    ['Cost centres', count(request.costCentreIds)],
    ['Fund codes', count(request.fundCodeIds)],
    ['Analysis tags', count(request.analysisTagIds)],
    ['Budget codes', count(request.budgetCodeIds)],
    ['Not calculated', describeLeftOutItems(report.notCalculated)],
    ['Costs', describeOutdatedCosts(older) ?? 'Up to date.'],
    ...scope.leftOut.map((one): [string, string] => ['Left out: no budget for those years', one.location]),
    ...scope.budgets.map(({ location, head }): [string, string] => [`Budget of ${location.name}`, head.name]),
  ]
  return {
    name: 'Parameters',
    about: ['Parameters'],
    columns: [
      { title: 'Setting', kind: 'text' },
      { title: 'Choice', kind: 'text', width: 60 },
    ],
    rows: facts.map((cells) => ({ cells })),
  }
}

/**
 * A workbook: the combined report first, then a sheet for each location if there are several, and the parameters last.
 */
export function createReportWorkbook(
  report: Report,
  each: readonly { location: { name: string }; report: Report }[],
  about: ReportFileContext,
): Promise<FileReply<Buffer>> {
  const several = each.length > 1
  const places = [...new Set(about.scope.budgets.map(({ location }) => location.name))]
  const of = places.length === 1 ? assertDefined(places[0]) : displayCount(places.length, 'location')
  return createWorkbook(buildExportFileName(report.title, about.now).replace(/csv$/, 'xlsx'), [
    buildSheet(places.length === 1 ? of : 'All', { report, about, of }),
    ...(several ? each.map((one) => buildSheet(one.location.name, { report: one.report, about, of: one.location.name })) : []),
    buildParameterSheet(report, about),
  ])
}

/** The profile as files for other systems: one file or, for several locations, an archive with a file for each (behaviour B-238). */
export function writeProfileFiles(
  each: readonly { location: { id: LocationId; name: string }; report: Report }[],
  older: readonly (BudgetWithOutdatedCosts & { locationId: LocationId })[],
  now: Date,
): FileReply<Buffer> {
  const files = each.map(({ location, report }) => ({
    location,
    file: createReportCsv(
      report,
      older.filter((one) => one.locationId === location.id),
      now,
    ),
  }))
  const [first] = files
  if (files.length === 1 && first) return { ...first.file, body: Buffer.from(first.file.body, 'utf8') }
  const taken = new Set<string>()
  const named = files.map(({ location, file }) => {
    const plain = location.name.replace(/[\\/:*?"<>|]/g, '-')
    const name = taken.has(plain.toLowerCase()) ? `${plain} (${location.id})` : plain
    taken.add(plain.toLowerCase())
    return [`${name}.csv`, strToU8(file.body)] as const
  })
  return {
    fileName: buildExportFileName('Profiled budget analysis', now).replace(/csv$/, 'zip'),
    contentType: 'application/zip',
    body: Buffer.from(zipSync(Object.fromEntries(named), { mtime: now })),
  }
}
