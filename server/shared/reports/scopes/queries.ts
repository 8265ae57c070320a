import { eq, inArray, sql } from 'drizzle-orm'
import { findBudgetOfRecord } from '../../../../domain/budget/budgetOfRecord.ts'
import { compareValues } from '../../../../domain/lists/lists.ts'
import type { PermissionHolder } from '../../../../domain/people/permissions.ts'
import { findBudgetsWithoutCommonYear, findCommonYears } from '../../../../domain/reports/budgetYears.ts'
import type { BudgetWithOutdatedCosts } from '../../../../domain/reports/outdatedCosts.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../../domain/values/calendar.ts'
import type { BudgetGroupId, BudgetId, LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import { DomainError, invalid, notFound } from '../../../../domain/words/errors.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { readVisibleGroup } from '../../budgetGroups/queries.ts'
import {
  type LimitedCaller,
  type LocatedBudgetHead,
  type LocationWithoutBudget,
  readBudgetHeads,
} from '../../monitoring/requests/queries.ts'
import { readCostStates } from '../../recalculation/queries.ts'

/** The reader of a report, with their permissions. */
export interface ReportReader extends LimitedCaller {
  holder: LimitedCaller['holder'] & PermissionHolder
}

/** The request of a report (endpoints.json ReportRequest). */
export interface ReportRequest {
  budgetGroupId?: BudgetGroupId | null
  budgetId?: BudgetId | null
  locationIds?: LocationId[] | null
  yearNames?: string[] | null
  costCentreIds?: number[] | null
  fundCodeIds?: number[] | null
  analysisTagIds?: number[] | null
  budgetCodeIds?: number[] | null
  /** How codes are grouped: 0 for the budget codes themselves, 1 to 4 from the list `financialCodeTypes`. */
  scheme?: number | null
  includeEmpty?: boolean | null
}

/** A budget of a report, with its location. */
export interface ReportBudget extends LocatedBudgetHead {
  location: { id: LocationId; name: string; isCentral: boolean }
}

/** The budgets and years that a report covers. */
export interface ReportedScope {
  budgets: ReportBudget[]
  /** The calendar years in which the shown budget years start; every budget has all these years. */
  years: number[]
  /** Locations without a budget for those years. */
  leftOut: LocationWithoutBudget[]
}

/** The calendar year in which a budget year named `2026/27` starts. */
const yearOf = (name: string): number => Number(name.slice(0, 4))

export const createNoBudgetError = (): DomainError =>
  new DomainError('notFound', 'noBudget', 'There is no budget to report on. Create one, or choose other locations.')

type RequestedScope = Pick<ReportRequest, 'budgetGroupId' | 'budgetId' | 'locationIds' | 'yearNames'>

/**
 * The budgets of a request, without duplicates: the one budget, those of the group, or otherwise the budget of record of each location that
 * the caller may see (rules.md §17 and §19).
 * @throws DomainError 404 for a budget, group or location that the caller may not see; 400 for a year that one of the budgets does not have
 */
export async function readScope(call: Call & LimitedCaller, wanted: RequestedScope): Promise<ReportedScope> {
  const { budgets: found, years, leftOut } = await findReportBudgets(call, wanted)
  if (wanted.yearNames?.length) {
    const named = [...new Set(wanted.yearNames.map(yearOf))].sort((a, b) => a - b)
    const unknown = found.length ? named.find((year) => !years.includes(year)) : undefined
    if (unknown !== undefined)
      throw invalid([
        { field: 'yearNames', message: `${formatBudgetYear(unknown, 0)} is not covered by every budget requested. Choose another year.` },
      ])
    return { budgets: found, years: named, leftOut }
  }
  if (found.length && !years.length) throw noYearInCommon('budgetGroupId', found)
  return { budgets: found, years, leftOut }
}

/** The most budgets that a sentence names. */
const mostNamed = 3

/** An error that names the budgets without a common year, and the years that they have. */
function noYearInCommon(field: string, found: readonly ReportBudget[]): DomainError {
  const others = findBudgetsWithoutCommonYear(found.map((one) => ({ ...one.head, budget: one })))
  const named = others.slice(0, mostNamed).map(({ budget, firstYear, numberOfYears }) => {
    const [first, last] = [formatBudgetYear(firstYear, 0), formatBudgetYear(firstYear, numberOfYears - 1)]
    return `${budget.location.name} (${budget.head.name}, ${first === last ? first : `${first} to ${last}`})`
  })
  const more = others.length - named.length
  return invalid([
    {
      field,
      message: `These budgets have no year in common. Not matching: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Leave ${
        others.length === 1 ? 'it' : 'them'
      } out, or choose other budgets.`,
    },
  ])
}

/**
 * The budgets of a request that also filters lines.
 * @throws DomainError as `readScope`; 404 for a budget code, cost centre, fund or tag of another organisation
 */
export async function findFilteredScope(call: Call & LimitedCaller, request: ReportRequest): Promise<ReportedScope> {
  const { tx } = call
  await checkLineFilters(tx, call.organisationId, request)
  return readScope(call, request)
}

/** The budget of record of each location that the caller may see. Budgets that share no year with the other budgets are left out. */
export async function findScopeOfBudgetsOfRecord(call: Call & LimitedCaller): Promise<ReportedScope> {
  const scope = await findReportBudgets(call, {})
  const away = new Set(findBudgetsWithoutCommonYear(scope.budgets.map(({ id, head }) => ({ ...head, id }))).map((one) => one.id))
  if (!away.size) return scope
  const budgets = scope.budgets.filter((one) => !away.has(one.id))
  const others = scope.budgets.filter((one) => away.has(one.id))
  return {
    budgets,
    years: findCommonYears(budgets.map((one) => one.head)),
    leftOut: [...scope.leftOut, ...others.map(({ location }) => ({ locationId: location.id, location: location.name }))],
  }
}

/** The years that the budgets of a request share, and their start month (behaviour B-243). */
export async function findSharedYears(
  call: Call & LimitedCaller,
  wanted: RequestedScope,
): Promise<{ years: number[]; startMonth: number }> {
  const { budgets: found, years } = await findReportBudgets(call, wanted)
  return { years, startMonth: found[0]?.head.startMonth ?? 9 }
}

async function findReportBudgets(call: Call & LimitedCaller, wanted: RequestedScope): Promise<ReportedScope> {
  const locationsById = await readReportLocations(call, wanted.locationIds ?? [])
  const withPlace = (heads: readonly LocatedBudgetHead[]): ReportBudget[] =>
    heads
      .flatMap((head) => {
        const location = locationsById.get(head.locationId)
        return location ? [{ ...head, location }] : []
      })
      .sort(
        (a, b) => compareValues(a.location.name, b.location.name) || compareValues(a.head.name, b.head.name) || compareValues(a.id, b.id),
      )
  const common = (reportBudgets: readonly ReportBudget[]): number[] => findCommonYears(reportBudgets.map((one) => one.head))
  if (wanted.budgetId) {
    const found = withPlace(await readBudgetHeads(call, eq(budgets.id, wanted.budgetId)))
    if (!found.length) throw notFound('Budget')
    return { budgets: found, years: common(found), leftOut: [] }
  }
  if (wanted.budgetGroupId) {
    const ids = [...new Set((await readVisibleGroup(call, wanted.budgetGroupId)).items.map((item) => item.budgetId))]
    const found = withPlace(ids.length ? await readBudgetHeads(call, inArray(budgets.id, ids)) : [])
    return { budgets: found, years: common(found), leftOut: [] }
  }
  const named = (wanted.yearNames ?? []).map(yearOf)
  const has = ({ head }: LocatedBudgetHead, year: number): boolean => year >= head.firstYear && year < head.firstYear + head.numberOfYears
  const all = (await readBudgetHeads(call, undefined)).filter((head) => named.every((year) => has(head, year)))
  // Archived locations do not restrict the years of other locations, unless the request names them.
  const wantedLocations = [...locationsById.values()].filter(
    (location) => !location.isArchived || wanted.locationIds?.includes(location.id),
  )
  const records = wantedLocations.map((location) => ({
    location,
    record: findBudgetOfRecord(all.filter((one) => one.locationId === location.id)),
  }))
  const found = withPlace(records.flatMap(({ record }) => record ?? []))
  return {
    budgets: found,
    years: common(found),
    leftOut: records.flatMap(({ location, record }) =>
      record || location.isArchived ? [] : [{ locationId: location.id, location: location.name }],
    ),
  }
}

type ReportLocation = ReportBudget['location'] & { isArchived: boolean }

/**
 * The requested locations, or all that the caller may see.
 * @throws DomainError 404 for a location that the caller may not see
 */
async function readReportLocations(
  { tx, organisationId, holder }: Call & LimitedCaller,
  chosen: readonly LocationId[],
): Promise<Map<LocationId, ReportLocation>> {
  const seen = (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })).filter(
    ({ id }) => !holder.locationIds || holder.locationIds.includes(id),
  )
  if (chosen.some((id) => !seen.some((location) => location.id === id))) throw notFound('Location')
  return new Map(
    seen
      .filter(({ id }) => !chosen.length || chosen.includes(id))
      .map(({ id, name, central, archive }) => [id, { id, name, isCentral: Boolean(central), isArchived: Boolean(archive) }]),
  )
}

/**
 * Two to four budgets to compare, in the requested order.
 * @throws DomainError as `readScope`
 */
export async function findComparedScope(
  call: Call & LimitedCaller,
  budgetIds: readonly BudgetId[],
  yearNames: string[] | null | undefined,
): Promise<ReportedScope> {
  const scopes: ReportedScope[] = []
  for (const budgetId of new Set(budgetIds)) scopes.push(await readScope(call, { budgetId, yearNames }))
  const found = scopes.flatMap((scope) => scope.budgets)
  const years = yearNames?.length ? assertDefined(scopes[0]).years : findCommonYears(found.map((one) => one.head))
  if (!years.length) throw noYearInCommon('budgetIds', found)
  return { budgets: found, years, leftOut: [] }
}

/** The budget codes, cost centres, funds and tags by which a request filters lines. */
export type LineFilters = Pick<ReportRequest, 'costCentreIds' | 'fundCodeIds' | 'analysisTagIds' | 'budgetCodeIds'>

export function hasLineFilters({ costCentreIds, fundCodeIds, analysisTagIds, budgetCodeIds }: LineFilters): boolean {
  return [costCentreIds, fundCodeIds, analysisTagIds, budgetCodeIds].some((ids) => ids?.length)
}

/** @throws DomainError 400 if a caller who may not see staff filters a report on staff */
export function checkStaffFilters(narrowed: LineFilters, isNamed: boolean): void {
  const by = narrowing.find(([field]) => narrowed[field]?.length)
  if (by && !isNamed)
    throw invalid([
      {
        field: by[0],
        message: 'Figures for part of the staff are shown only to people who can view staff. Choose all codes, centres, funds and tags.',
      },
    ])
}

const narrowing = [
  ['costCentreIds', 'costCentre', 'Cost centre'],
  ['fundCodeIds', 'fundCode', 'Fund code'],
  ['analysisTagIds', 'analysisTag', 'Analysis tag'],
  ['budgetCodeIds', 'budgetCode', 'Budget code'],
] as const

/** @throws DomainError 404 for a budget code, cost centre, fund or tag that does not exist or belongs to another organisation */
export async function checkLineFilters(tx: OrganisationTx, organisationId: OrganisationId, narrowed: LineFilters): Promise<void> {
  for (const [field, name, words] of narrowing) {
    const ids = [...new Set(narrowed[field] ?? [])]
    if (!ids.length) continue
    const found = await readResourceRecords(tx, resources[name], { column: 'id', ids })
    if (found.filter((one) => one.organisationId === organisationId).length < ids.length) throw notFound(words)
  }
}

const idArray = (chosen: readonly number[]) => sql`${sql.param(`{${chosen.join(',')}}`)}::integer[]`

/** The SQL condition for rows of `posted_lines`, or of their years, that match a request's codes, cost centres, funds and tags. */
export function buildLineFilterCondition({ costCentreIds, fundCodeIds, analysisTagIds, budgetCodeIds }: LineFilters) {
  const tagged = (
    table: 'staff_contracts' | 'budget_items',
    document: 'contract' | 'item',
  ) => sql`exists (select from ${sql.raw(table)} source,
    jsonb_array_elements_text(source.${sql.raw(document)} -> 'analysisTags') tag
    where source.organisation_id = line.organisation_id and source.budget_id = line.budget_id and source.id = line.source_id
      and tag::integer = any(${idArray(assertDefined(analysisTagIds))}))`
  const conditions = [
    ...(costCentreIds?.length ? [sql`line.cost_centre_id = any(${idArray(costCentreIds)})`] : []),
    ...(fundCodeIds?.length ? [sql`line.fund_code_id = any(${idArray(fundCodeIds)})`] : []),
    ...(budgetCodeIds?.length ? [sql`line.budget_code_id = any(${idArray(budgetCodeIds)})`] : []),
    ...(analysisTagIds?.length
      ? [
          sql`case line.source_kind when 'contract' then ${tagged('staff_contracts', 'contract')} when 'entry' then ${tagged('budget_items', 'item')} else false end`,
        ]
      : []),
  ]
  return conditions.length ? sql`and ${sql.join(conditions, sql` and `)}` : sql``
}

/** @throws DomainError 409 if a report would have to read too much */
export function refuseLargeReport(budgetYears: number): void {
  if (budgetYears > mostBudgetYears)
    throw new DomainError('conflict', 'tooMuch', 'This report covers too many budgets. Choose fewer locations or years.')
}
/** The most budgets times years in one report. */
const mostBudgetYears = 5000

/** The budgets whose costs are older than their inputs. A locked budget keeps its costs (rules.md §16). */
export async function findOutdatedCosts(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgets: readonly ReportBudget[],
): Promise<(BudgetWithOutdatedCosts & { locationId: LocationId })[]> {
  const states = await readCostStates(tx, organisationId)
  return budgets
    .filter(({ id, head }) => !head.locked && states.has(id))
    .map(({ head, location }) => ({ location: location.name, name: head.name, locationId: location.id }))
}

/** The name of an organisation, as files state it. */
export async function readOrganisationName(tx: OrganisationTx, organisationId: OrganisationId): Promise<string> {
  const [row] = await readResourceRecords(tx, resources.organisation, { column: 'id', ids: [organisationId] })
  return row?.name ?? ''
}
