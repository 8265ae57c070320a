import { and, eq, inArray } from 'drizzle-orm'
import type { BudgetId, LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'

/** The ids of the budgets at some locations. */
export async function readBudgetIdsAtLocations(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  locationIds: readonly LocationId[],
): Promise<BudgetId[]> {
  if (!locationIds.length) return []
  const rows = await tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.locationId, [...locationIds])))
  return rows.map(({ id }) => id)
}
