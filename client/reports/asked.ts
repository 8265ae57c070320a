import type { ExtraColumns } from '../../domain/reports/extraColumns.ts'
import type { ReportName } from '../../domain/reports/registry.ts'
import { reports } from '../../domain/reports/registry.ts'
import { type BudgetId, budgetGroupIdOf, budgetIdOf, type LocationId, locationIdOf } from '../../domain/values/ids.ts'
import { isKeyOf } from '../../domain/values/keysOf.ts'

/** Whose budgets a report is of: one budget, those of a group, or the budget of record of every location. */
export type Of = { kind: 'budget' | 'group'; id: string } | { kind: 'all' }

/** Everything that an address says of a report: the same address shows the same report again. */
export interface Asked {
  report: ReportName | null
  of: Of
  locationIds: LocationId[]
  yearNames: string[]
  costCentreIds: number[]
  fundCodeIds: number[]
  analysisTagIds: number[]
  budgetCodeIds: number[]
  scheme: number
  includeEmpty: boolean
  /** Budgets that are compared. */
  budgetIds: BudgetId[]
  beside: ExtraColumns
  hasPence: boolean
  /** The saved layout that it was opened with. */
  layoutId: number | null
  /** What was said of one of its figures, which it opens with. */
  commentId: string | null
}

const numbers = (text: string | null): number[] =>
  (text ?? '')
    .split(',')
    .filter((one) => /^\d{1,9}$/.test(one))
    .map(Number)
const words = (text: string | null, form: RegExp): string[] => (text ?? '').split(',').filter((one) => form.test(one))

const mongoId = /^[0-9a-f]{24}$/

/** Whose budgets an address names, `budget:…`, `group:…` or `all`. */
function readOf(text: string | null): Of | undefined {
  if (text === 'all') return { kind: 'all' }
  const [kind, id = ''] = (text ?? '').split(':')
  return (kind === 'budget' || kind === 'group') && mongoId.test(id) ? { kind, id } : undefined
}

export function ofText(of: Of): string {
  return of.kind === 'all' ? 'all' : `${of.kind}:${of.id}`
}

/** @param fallback whose budgets are shown where the address does not say */
export function readAsked(search: URLSearchParams, fallback: Of): Asked {
  const name = search.get('report')
  return {
    report: isKeyOf(reports, name) ? name : null,
    of: readOf(search.get('of')) ?? fallback,
    locationIds: numbers(search.get('locations')).map(locationIdOf),
    yearNames: words(search.get('years'), /^\d{4}\/\d{2}$/),
    costCentreIds: numbers(search.get('centres')),
    fundCodeIds: numbers(search.get('funds')),
    analysisTagIds: numbers(search.get('tags')),
    budgetCodeIds: numbers(search.get('codes')),
    scheme: Math.min(4, numbers(search.get('scheme'))[0] ?? 0),
    includeEmpty: search.get('empty') === '1',
    budgetIds: words(search.get('compare'), mongoId).slice(0, 4).map(budgetIdOf),
    beside: { perPupil: search.get('pupil') === '1', ofIncome: search.get('share') === '1', change: search.get('change') === '1' },
    hasPence: search.get('pence') === '1',
    layoutId: numbers(search.get('layout'))[0] ?? null,
    commentId: words(search.get('comment'), mongoId)[0] ?? null,
  }
}

/** The address of another report, or of all, over what this one is over and with its columns. */
export function searchOf(search: URLSearchParams, { of }: Asked, report: ReportName | null): string {
  const next = new URLSearchParams(search)
  next.set('of', ofText(of))
  // Another report is not the layout any more.
  next.delete('layout')
  next.delete('comment')
  if (report) next.set('report', report)
  else next.delete('report')
  return `?${next}`
}

/** Whose comments a report has: those of one budget or a group, whole. What is part of it, or several side by side, has figures of its own. */
export function talkOf({ of, locationIds, costCentreIds, fundCodeIds, analysisTagIds, budgetCodeIds }: Asked) {
  const isPart = [of.kind === 'budget' ? [] : locationIds, costCentreIds, fundCodeIds, analysisTagIds, budgetCodeIds].some(
    (ids) => ids.length,
  )
  if (of.kind === 'all' || isPart) return null
  return of.kind === 'budget' ? { budgetId: budgetIdOf(of.id) } : { budgetGroupId: budgetGroupIdOf(of.id) }
}

/** What the server is asked for. */
export function requestOf({ of, ...asked }: Asked) {
  return {
    budgetId: of.kind === 'budget' ? budgetIdOf(of.id) : null,
    budgetGroupId: of.kind === 'group' ? budgetGroupIdOf(of.id) : null,
    // One budget is of one location.
    locationIds: of.kind !== 'budget' && asked.locationIds.length ? asked.locationIds : null,
    yearNames: asked.yearNames.length ? asked.yearNames : null,
    costCentreIds: asked.costCentreIds,
    fundCodeIds: asked.fundCodeIds,
    analysisTagIds: asked.analysisTagIds,
    budgetCodeIds: asked.budgetCodeIds,
    scheme: asked.scheme,
    includeEmpty: asked.includeEmpty,
  }
}
