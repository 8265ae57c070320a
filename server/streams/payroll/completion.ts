import { and, eq, inArray, sql } from 'drizzle-orm'
import { payrollMonthState } from '../../../domain/lookups/lookupIds.ts'
import { type CalendarMonth, type DoneBy, monthIndex } from '../../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type BudgetId, type LocationId, organisationWideLocationId } from '../../../domain/values/ids.ts'
import { payrollItems } from '../../../drizzle/payrollTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { groupsWith } from '../budget/groupMembers.ts'

/** What payroll says of a month at a location. */
export interface PayrollStanding {
  /** Its payroll of the month, or of the month before, was imported: this one's is reconciled here, not elsewhere. */
  isUsed: boolean
  /** Who completed the month, and when; null while it is open. */
  completed: DoneBy | null
}

/**
 * How far payroll is in a month at some locations: complete for a level that takes the location in, the whole organisation or a group with its
 * budget.
 * @param budgets the budget of record of each location
 */
export async function payrollStandings(
  { tx, organisationId }: Call<'organisationId'>,
  budgets: ReadonlyMap<LocationId, BudgetId | null>,
  { year, month }: CalendarMonth,
): Promise<Map<LocationId, PayrollStanding>> {
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
        sql`year * 12 + month - 1 between ${monthIndex({ year, month }) - 1} and ${monthIndex({ year, month })}`,
      ),
    )
  if (!used.length) return new Map(locationIds.map((id) => [id, { isUsed: false, completed: null }]))
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
  const groups = complete.size ? await groupsWith(tx, organisationId) : []
  const uses = new Set(used.map((row) => row.locationId))
  return new Map(
    locationIds.map((id) => {
      const budgetId = budgets.get(id) ?? null
      const group = groups.find((one) => complete.has(one.id) && budgetId !== null && one.budgetIds.includes(budgetId))
      return [id, { isUsed: uses.has(id), completed: complete.get(null) ?? (group ? assertDefined(complete.get(group.id)) : null) }]
    }),
  )
}
