import type { z } from 'zod'
import { lookups } from '../../../../domain/lookups/lookups.ts'
import { canSeeStaff, hasAnyPermission } from '../../../../domain/people/permissions.ts'
import { addExtraColumns } from '../../../../domain/reports/extraColumns.ts'
import { describeOutdatedCosts } from '../../../../domain/reports/outdatedCosts.ts'
import { reports } from '../../../../domain/reports/registry.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../../domain/values/calendar.ts'
import { buildExportFileName, displayCount, displayDateTime } from '../../../../domain/values/format.ts'
import type { LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import { forbidden } from '../../../../domain/words/errors.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import type { DocumentReader, DocumentSource, RequestedDocument } from '../../../core/paper/request.ts'
import { describeGrouping, describeLeftOutItems } from '../files.ts'
import type { printableRequest } from '../inputs.ts'
import { type BuiltReport, buildReport } from '../queries.ts'
import { toReportTable } from '../rows.ts'
import { type LineFilters, type ReportBudget, type ReportedScope, readOrganisationName } from '../scopes/queries.ts'

export type PrintableReportRequest = z.infer<typeof printableRequest>

/**
 * A report for printing, limited to what the reader may see when it is printed (field.md, on paper).
 * @throws DomainError 403 for a reader who may no longer read reports; otherwise as `buildReport`
 */
export async function buildReportPaper(
  { tx, now }: DocumentSource,
  reader: DocumentReader,
  request: PrintableReportRequest,
): Promise<RequestedDocument> {
  const { organisationId, holder } = reader
  if (!holder.isAdministrator && !hasAnyPermission(holder, ['BudgetingReportsRead'])) throw forbidden()
  const isNamed = canSeeStaff(holder)
  const built = await buildReport({ ...reader, tx }, request.report, { request, isNamed })
  const beside = { perPupil: !!request.perPupil, ofIncome: !!request.ofIncome, change: !!request.change }
  const report = addExtraColumns(built.report, beside)
  const organisation = await readOrganisationName(tx, organisationId)
  const locations = await readLocationsOnPaper(tx, organisationId, built.scope)
  const [only] = locations.length === 1 ? locations : []
  const asAt = `As at ${displayDateTime(now)}`
  const { budgets } = built.scope
  const of = only?.name ?? displayCount(locations.length, 'location')
  const table = toReportTable(report)
  return {
    fileName: buildExportFileName(report.title, now).replace(/\.csv$/, ''),
    locationIds: locations.map(({ id }) => id),
    namesStaff: isNamed && request.report === 'staffing',
    paper: {
      title: report.title,
      subtitle: `${of} · ${periodOf(yearsOn(built.scope, request.report))}`,
      author: reader.name,
      head: [organisation, ...(only ? [only.name, ...(only.dfeNumber ? [`DfE number ${only.dfeNumber}`] : [])] : [of])].join(' · '),
      foot: [budgets.length === 1 ? describeBudgetDetails(assertDefined(budgets[0])) : displayCount(budgets.length, 'budget'), asAt].join(
        ' · ',
      ),
      blocks: [
        {
          kind: 'facts',
          facts: await buildPaperFacts(tx, { ...built, organisation, organisationId, report, request, places: locations, asAt }),
        },
        {
          kind: 'table',
          table: {
            ...table,
            columns: table.columns.map((one) => (one.kind === 'money' ? { ...one, title: `${one.title} £` } : one)),
            hasPence: Boolean(request.pence),
          },
        },
        ...(request.pence
          ? []
          : [
              {
                kind: 'text' as const,
                text:
                  request.report === 'budgetForecastReturn'
                    ? 'Columns in £000 are rounded line by line, and their totals add the rounded lines. All other figures are shown in whole pounds.'
                    : 'Figures are shown in whole pounds. Totals are the exact sums, rounded once.',
              },
            ]),
        {
          kind: 'signatures',
          roles: [
            { role: 'Prepared by', name: reader.name },
            { role: 'Approved by', name: only?.reportSignatory || null },
          ],
        },
      ],
    },
  }
}

interface LocationOnPaper {
  id: LocationId
  name: string
  dfeNumber: string | null
  reportSignatory: string | null
}

async function readLocationsOnPaper(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { budgets }: ReportedScope,
): Promise<LocationOnPaper[]> {
  const ids = new Set(budgets.map(({ location }) => location.id))
  return (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] }))
    .filter(({ id }) => ids.has(id))
    .map(({ id, name, dfeNumber, reportSignatory }) => ({
      id,
      name,
      dfeNumber: dfeNumber || null,
      reportSignatory: reportSignatory || null,
    }))
}

/** The years that a report shows: only the first if its columns are months or locations. */
function yearsOn({ years }: ReportedScope, report: PrintableReportRequest['report']): number[] {
  const { spread } = reports[report]
  return spread === 'months' || spread === 'locations' ? years.slice(0, 1) : years
}

const periodOf = (years: readonly number[]): string =>
  years.length > 1
    ? `${formatBudgetYear(assertDefined(years[0]), 0)} to ${formatBudgetYear(assertDefined(years.at(-1)), 0)}`
    : years.map((year) => formatBudgetYear(year, 0)).join('')

/** A budget's name and details in words. */
export function describeBudgetDetails({ head }: Pick<ReportBudget, 'head'>): string {
  const type = lookups.budgetVersionTypes.find(({ id }) => id === head.versionType)?.name ?? ''
  const { approval } = head
  const approved = approval?.state === 'approved' ? `approved ${displayDateTime(approval.at)}` : 'not approved'
  return [
    head.name,
    ...(head.name.toLowerCase().includes(type.toLowerCase()) ? [] : [type]),
    approved,
    ...(head.locked ? ['locked'] : []),
  ].join(', ')
}

interface ReportToPrint extends BuiltReport {
  organisation: string
  organisationId: OrganisationId
  request: PrintableReportRequest
  places: LocationOnPaper[]
  asAt: string
}

/** The most items that are named; the rest are counted. */
const mostNamed = 12

async function buildPaperFacts(
  tx: OrganisationTx,
  { organisation, organisationId, report, request, places: locations, scope, older, asAt }: ReportToPrint,
): Promise<[string, string][]> {
  const named = locations.map(({ name, dfeNumber }) => (dfeNumber ? `${name} (DfE number ${dfeNumber})` : name))
  const budgets = scope.budgets.map((one) =>
    locations.length > 1 ? `${one.location.name}: ${describeBudgetDetails(one)}` : describeBudgetDetails(one),
  )
  const listed = (all: readonly string[], thing: string): string =>
    all.length > mostNamed
      ? `${all.slice(0, mostNamed).join('; ')} and ${displayCount(all.length - mostNamed, `other ${thing}`)}`
      : all.join('; ')
  const by = describeGrouping(request.report, request)
  const note = describeOutdatedCosts(older)
  return [
    ['Organisation', organisation],
    [locations.length === 1 ? 'School' : 'Schools', listed(named, 'school')],
    [scope.budgets.length === 1 ? 'Budget' : 'Budgets', listed(budgets, 'budget')],
    ['Period', periodOf(yearsOn(scope, request.report))],
    ...(by ? [['Group by', by] satisfies [string, string]] : []),
    ['Filters', await filterWords(tx, organisationId, request)],
    ['Date and time', asAt],
    ...(report.notCalculated ? [['Not calculated', describeLeftOutItems(report.notCalculated)] satisfies [string, string]] : []),
    ...(note ? [['Costs', note] satisfies [string, string]] : []),
    ...(scope.leftOut.length
      ? [
          [
            'Left out',
            `${listed(
              scope.leftOut.map(({ location }) => location),
              'school',
            )}: no budget for these years`,
          ] satisfies [string, string],
        ]
      : []),
  ]
}

const filters = [
  ['costCentreIds', 'costCentre', 'Cost centres'],
  ['fundCodeIds', 'fundCode', 'Fund codes'],
  ['analysisTagIds', 'analysisTag', 'Analysis tags'],
  ['budgetCodeIds', 'budgetCode', 'Budget codes'],
] as const

/** The filters of a request in words, with the codes that they name. */
async function filterWords(tx: OrganisationTx, organisationId: OrganisationId, narrowed: LineFilters): Promise<string> {
  const words: string[] = []
  for (const [field, name, title] of filters) {
    const ids = narrowed[field] ?? []
    if (!ids.length) continue
    const found = await readResourceRecords(tx, resources[name], { column: 'organisationId', ids: [organisationId] })
    const codes = found.filter(({ id }) => ids.includes(id)).map((one) => ('code' in one ? one.code : one.name) ?? '')
    words.push(`${title} ${codes.length > mostNamed ? displayCount(codes.length, 'chosen', 'chosen') : codes.join(', ')}`)
  }
  return words.join(' · ') || 'None: every code, cost centre, fund and tag'
}
