import { and, eq, isNull } from 'drizzle-orm'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { conflict, type DomainError } from '../../../domain/words/errors.ts'
import { budgetJobItems } from '../../../drizzle/costTables.ts'
import { budgets, locations } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../database/database.ts'

export type BudgetRow = typeof budgets.$inferSelect

/**
 * A budget of a location; null if the location has no such budget. While the budget is being filled, the result includes the error that
 * refuses changes.
 */
export async function findSelectedBudget(
  tx: OrganisationTx,
  { organisationId, locationId, budgetId }: { organisationId: OrganisationId; locationId: LocationId; budgetId: BudgetId },
): Promise<{ budget: BudgetRow; making: DomainError | null } | null> {
  const [row] = await tx
    .select({ budget: budgets, unfilled: budgetJobItems.budgetId, failure: budgetJobItems.failure })
    .from(budgets)
    .innerJoin(locations, eq(locations.id, budgets.locationId))
    .leftJoin(
      budgetJobItems,
      and(
        eq(budgetJobItems.organisationId, budgets.organisationId),
        eq(budgetJobItems.budgetId, budgets.id),
        isNull(budgetJobItems.doneAt),
      ),
    )
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, budgetId), eq(budgets.locationId, locationId)))
  return row ? { budget: row.budget, making: row.unfilled ? createUnfilledError(row.failure) : null } : null
}

/**
 * The error that refuses changes to a budget that is not yet filled.
 * @param failure the stored sentence if filling failed
 */
export function createUnfilledError(failure: string | null): DomainError {
  return failure
    ? conflict('notMade', `${failure} Try again in the list of budgets, or delete it.`)
    : conflict('making', 'This budget is still being created. Try again in a moment.')
}
