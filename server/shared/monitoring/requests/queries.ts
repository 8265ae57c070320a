import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { BudgetHead } from '../../../../domain/budget/budget.ts'
import { findBudgetOfRecord, locateMonth } from '../../../../domain/budget/budgetOfRecord.ts'
import { type CalendarMonth, formatMonth } from '../../../../domain/monitoring/monitoring.ts'
import { resources } from '../../../../domain/resources/all.ts'
import type { BudgetGroupId, BudgetId, LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import { invalid, notFound } from '../../../../domain/words/errors.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { readVisibleGroup } from '../../budgetGroups/queries.ts'

/** The caller, with the locations they are limited to. */
export interface LimitedCaller {
  organisationId: OrganisationId
  holder: { locationIds: LocationId[] | null }
}

/** The request of a monitoring page. */
export interface MonitoringRequest extends CalendarMonth {
  budgetId?: BudgetId | null
  budgetGroupId?: BudgetGroupId | null
  locationIds?: LocationId[] | null
  /** How codes are grouped: 0 for the budget codes themselves, 1 to 4 from the list `financialCodeTypes`, 5 for categories. */
  scheme?: number | null
  /** Whether actuals are year to date; the organisation's setting applies if this is empty. */
  cumulativeActuals?: boolean | null
  /** A budget of the same location as `budgetId` that replaces it in the open months. */
  forecastBudgetId?: BudgetId | null
}

export interface MonitoredBudget {
  id: BudgetId
  locationId: LocationId
  head: BudgetHead
  /** The index of the budget year; the first is 0. */
  yearIndex: number
  /** The selected month as a period of the budget year, 1 to 12. */
  period: number
}

export type LocatedBudgetHead = Pick<MonitoredBudget, 'id' | 'locationId' | 'head'>

export async function readBudgetHeads(
  { tx, organisationId, holder }: Call & LimitedCaller,
  condition: SQL | undefined,
): Promise<LocatedBudgetHead[]> {
  const { locationIds } = holder
  return tx
    .select({ id: budgets.id, locationId: budgets.locationId, head: budgets.head })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), locationIds ? inArray(budgets.locationId, locationIds) : undefined, condition))
}

/** A location without a budget of record in the year. */
export interface LocationWithoutBudget {
  locationId: LocationId
  location: string
}

/**
 * The budgets that a request covers.
 * @throws DomainError 404 for a budget, group or location that the caller may not see; 400 for a month outside every
 * requested budget
 */
export async function findRequestedBudgets(
  call: Call & LimitedCaller,
  request: MonitoringRequest,
): Promise<{ requested: MonitoredBudget[]; leftOut: LocationWithoutBudget[] }> {
  const { tx } = call
  const placed = (heads: readonly LocatedBudgetHead[]): MonitoredBudget[] =>
    heads.flatMap((head) => {
      const monthPosition = locateMonth(head.head, request)
      return monthPosition ? [{ ...head, ...monthPosition }] : []
    })
  const outside = (of: string) =>
    invalid([{ field: 'month', message: `${formatMonth(request)} is not in any year of ${of}. Choose another month.` }])
  if (request.budgetId) {
    const heads = await readBudgetHeads(call, eq(budgets.id, request.budgetId))
    if (!heads.length) throw notFound('Budget')
    const found = placed(heads)
    if (!found.length) throw outside('this budget')
    return { requested: found, leftOut: [] }
  }
  const among = (locationId: LocationId): boolean => !request.locationIds?.length || request.locationIds.includes(locationId)
  if (request.budgetGroupId) {
    const ids = (await readVisibleGroup(call, request.budgetGroupId)).items.map((item) => item.budgetId)
    const found = placed(ids.length ? await readBudgetHeads(call, inArray(budgets.id, ids)) : []).filter((one) => among(one.locationId))
    if (!found.length) throw outside('the budgets of this group')
    return { requested: found, leftOut: [] }
  }
  const { locationIds } = call.holder
  const locations = (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [call.organisationId] })).filter(
    ({ id }) => (!locationIds || locationIds.includes(id)) && among(id),
  )
  if (request.locationIds?.some((id) => !locations.some((location) => location.id === id))) throw notFound('Location')
  const all = placed(await readBudgetHeads(call, undefined))
  const found = locations.map((location) => ({
    location,
    budget: findBudgetOfRecord(all.filter((one) => one.locationId === location.id)),
  }))
  return {
    requested: found.flatMap(({ budget }) => budget ?? []),
    leftOut: found.flatMap(({ location, budget }) =>
      budget || location.archive ? [] : [{ locationId: location.id, location: location.name }],
    ),
  }
}
