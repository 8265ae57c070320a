import { and, eq, inArray, sql } from 'drizzle-orm'
import { payrollMonthState } from '../../../domain/lookups/lookupIds.ts'
import { type CalendarMonth, type DoneBy, toMonthIndex } from '../../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type BudgetId, type LocationId, organisationWideLocationId } from '../../../domain/values/ids.ts'
import { payrollItems } from '../../../drizzle/payrollTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { selectGroups } from '../budget/groupMembers.ts'

/** Whether a location's payroll is reconciled in Bursar, and who completed the month. */
export interface PayrollCompletion {
  /** Whether the location's payroll is reconciled in Bursar: this month's or last month's payroll was imported. */
  isReconciledHere: boolean
  /** Who completed the month, and when; null if it is open. */
  completed: DoneBy | null
}

/**
 * Reads the payroll completion of a month for some locations. A month counts as complete if it was completed for the
 * whole organisation, for a group that contains the location's budget, or for the location.
 * @param budgets the budget of record of each location
 */
export async function readPayrollCompletion(
  { tx, organisationId }: Call<'organisationId'>,
  budgets: ReadonlyMap<LocationId, BudgetId | null>,
  { year, month }: CalendarMonth,
): Promise<Map<LocationId, PayrollCompletion>> {
  const locationIds = [...budgets.keys()]
  if (!locationIds.length) return new Map()
  const isOwn = eq(payrollItems.organisationId, organisationId)
  const used = await tx
    .selectDistinct({ locationId: payrollItems.locationId })
    .from(payrollItems)
    .where(
      and(
        isOwn,
        inArray(payrollItems.locationId, locationIds),
        eq(payrollItems.kind, 'actuals'),
        sql`year * 12 + month - 1 between ${toMonthIndex({ year, month }) - 1} and ${toMonthIndex({ year, month })}`,
      ),
    )
  if (!used.length) return new Map(locationIds.map((id) => [id, { isReconciledHere: false, completed: null }]))
  const months = await tx
    .select({ item: payrollItems.item })
    .from(payrollItems)
    .where(
      and(
        isOwn,
        eq(payrollItems.locationId, organisationWideLocationId),
        eq(payrollItems.kind, 'month'),
        eq(payrollItems.year, year),
        eq(payrollItems.month, month),
      ),
    )
  const complete = new Map(
    months.flatMap(({ item }) =>
      item.kind === 'month' && item.state === payrollMonthState.complete && item.completed ? [[item.groupId, item.completed] as const] : [],
    ),
  )
  const groups = complete.size ? await selectGroups(tx, organisationId) : []
  const uses = new Set(used.map((row) => row.locationId))
  return new Map(
    locationIds.map((id) => {
      const budgetId = budgets.get(id) ?? null
      const group = groups.find((one) => complete.has(one.id) && budgetId !== null && one.budgetIds.includes(budgetId))
      return [
        id,
        { isReconciledHere: uses.has(id), completed: complete.get(null) ?? (group ? assertDefined(complete.get(group.id)) : null) },
      ]
    }),
  )
}
