import { normaliseLayoutRequest, type ReportLayout } from '../../domain/reports/layouts.ts'
import { canonicalJson } from '../../domain/values/canonicalJson.ts'
import { formatScope, type ReportParameters, type ReportScope, toReportRequest } from './reportParameters.ts'

/** Returns the part of the parameters that a layout saves; null if no report is open. */
export function toLayoutRequest(parameters: ReportParameters, isOverOpen: boolean) {
  const { report, beside, hasPence, budgetIds } = parameters
  return report && normaliseLayoutRequest({ ...toReportRequest(parameters), ...beside, report, budgetIds, pence: hasPence }, isOverOpen)
}

/** Whether the page differs from the layout with which it was opened. */
export function differsFromLayout(parameters: ReportParameters, layout: ReportLayout): boolean {
  return (
    canonicalJson(toLayoutRequest(parameters, layout.isOverOpen)) !==
    canonicalJson(normaliseLayoutRequest(layout.request, layout.isOverOpen))
  )
}

/**
 * Builds the URL of a layout's report.
 * @param open the selected budgets, for a layout that does not name budgets
 */
export function buildLayoutUrl(
  { id, isOverOpen, request }: Pick<ReportLayout, 'id' | 'isOverOpen' | 'request'>,
  open: ReportScope,
): string {
  const savedScope: ReportScope = request.budgetId
    ? { kind: 'budget', id: request.budgetId }
    : request.budgetGroupId
      ? { kind: 'group', id: request.budgetGroupId }
      : { kind: 'all' }
  const parts: Record<string, string | null> = {
    report: request.report,
    of: formatScope(isOverOpen || request.report === 'budgetComparison' ? open : savedScope),
    locations: request.locationIds?.join(',') ?? null,
    years: request.yearNames?.join(',') ?? null,
    compare: request.budgetIds?.join(',') ?? null,
    centres: request.costCentreIds.join(','),
    funds: request.fundCodeIds.join(','),
    tags: request.analysisTagIds.join(','),
    codes: request.budgetCodeIds.join(','),
    scheme: request.scheme ? String(request.scheme) : null,
    empty: request.includeEmpty ? '1' : null,
    pupil: request.perPupil ? '1' : null,
    share: request.ofIncome ? '1' : null,
    change: request.change ? '1' : null,
    pence: request.pence ? '1' : null,
    layout: String(id),
  }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parts)) if (value) search.set(name, value)
  return `?${search}`
}
