import type { ExtraColumns } from '../../domain/reports/extraColumns.ts'
import type { ReportName } from '../../domain/reports/registry.ts'
import { reports } from '../../domain/reports/registry.ts'
import { type BudgetId, type LocationId, toBudgetGroupId, toBudgetId, toLocationId } from '../../domain/values/ids.ts'
import { isKeyOf } from '../../domain/values/keysOf.ts'

/** Which budgets a report covers: one budget, the budgets of a group, or the budget of record of every location. */
export type ReportScope = { kind: 'budget' | 'group'; id: string } | { kind: 'all' }

/** The parameters of a report. All of them are in its URL, so that the same URL always shows the same report. */
export interface ReportParameters {
  report: ReportName | null
  of: ReportScope
  locationIds: LocationId[]
  yearNames: string[]
  costCentreIds: number[]
  fundCodeIds: number[]
  analysisTagIds: number[]
  budgetCodeIds: number[]
  scheme: number
  includeEmpty: boolean
  /** The budgets that are compared. */
  budgetIds: BudgetId[]
  beside: ExtraColumns
  hasPence: boolean
  /** The saved layout with which the report was opened. */
  layoutId: number | null
  /** The comment that is shown when the report opens. */
  commentId: string | null
}

const splitNumbers = (text: string | null): number[] =>
  (text ?? '')
    .split(',')
    .filter((one) => /^\d{1,9}$/.test(one))
    .map(Number)
const splitList = (text: string | null, form: RegExp): string[] => (text ?? '').split(',').filter((one) => form.test(one))

const mongoId = /^[0-9a-f]{24}$/

/** Parses the budgets in a URL: `budget:…`, `group:…` or `all`. */
function parseScope(text: string | null): ReportScope | undefined {
  if (text === 'all') return { kind: 'all' }
  const [kind, id = ''] = (text ?? '').split(':')
  return (kind === 'budget' || kind === 'group') && mongoId.test(id) ? { kind, id } : undefined
}

export function formatScope(of: ReportScope): string {
  return of.kind === 'all' ? 'all' : `${of.kind}:${of.id}`
}

/**
 * Parses the parameters in the URL of a report.
 * @param fallback the budgets to use if the URL names no budgets
 */
export function parseReportParameters(search: URLSearchParams, fallback: ReportScope): ReportParameters {
  const name = search.get('report')
  return {
    report: isKeyOf(reports, name) ? name : null,
    of: parseScope(search.get('of')) ?? fallback,
    locationIds: splitNumbers(search.get('locations')).map(toLocationId),
    yearNames: splitList(search.get('years'), /^\d{4}\/\d{2}$/),
    costCentreIds: splitNumbers(search.get('centres')),
    fundCodeIds: splitNumbers(search.get('funds')),
    analysisTagIds: splitNumbers(search.get('tags')),
    budgetCodeIds: splitNumbers(search.get('codes')),
    scheme: Math.min(4, splitNumbers(search.get('scheme'))[0] ?? 0),
    includeEmpty: search.get('empty') === '1',
    budgetIds: splitList(search.get('compare'), mongoId).slice(0, 4).map(toBudgetId),
    beside: { perPupil: search.get('pupil') === '1', ofIncome: search.get('share') === '1', change: search.get('change') === '1' },
    hasPence: search.get('pence') === '1',
    layoutId: splitNumbers(search.get('layout'))[0] ?? null,
    commentId: splitList(search.get('comment'), mongoId)[0] ?? null,
  }
}

/** Builds the search string of another report, or of the list of reports, with the same budgets and columns. */
export function buildReportSearch(search: URLSearchParams, { of }: ReportParameters, report: ReportName | null): string {
  const next = new URLSearchParams(search)
  next.set('of', formatScope(of))
  // The layout does not fit another report.
  next.delete('layout')
  next.delete('comment')
  if (report) next.set('report', report)
  else next.delete('report')
  return `?${next}`
}

/**
 * Returns the budget or group whose comments a report shows. A report that is filtered, or that compares budgets, has other figures and
 * therefore no comments.
 */
export function getCommentScope({ of, locationIds, costCentreIds, fundCodeIds, analysisTagIds, budgetCodeIds }: ReportParameters) {
  const isPart = [of.kind === 'budget' ? [] : locationIds, costCentreIds, fundCodeIds, analysisTagIds, budgetCodeIds].some(
    (ids) => ids.length,
  )
  if (of.kind === 'all' || isPart) return null
  return of.kind === 'budget' ? { budgetId: toBudgetId(of.id) } : { budgetGroupId: toBudgetGroupId(of.id) }
}

/** Builds the request for the server. */
export function toReportRequest({ of, ...request }: ReportParameters) {
  return {
    budgetId: of.kind === 'budget' ? toBudgetId(of.id) : null,
    budgetGroupId: of.kind === 'group' ? toBudgetGroupId(of.id) : null,
    // A single budget has only one location.
    locationIds: of.kind !== 'budget' && request.locationIds.length ? request.locationIds : null,
    yearNames: request.yearNames.length ? request.yearNames : null,
    costCentreIds: request.costCentreIds,
    fundCodeIds: request.fundCodeIds,
    analysisTagIds: request.analysisTagIds,
    budgetCodeIds: request.budgetCodeIds,
    scheme: request.scheme,
    includeEmpty: request.includeEmpty,
  }
}
