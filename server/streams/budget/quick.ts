import { and, asc, eq, inArray } from 'drizzle-orm'
import type { BudgetState } from '../../../domain/budget/evolve.ts'
import type { StoredQuickCalculation } from '../../../domain/budget/quickCalculation.ts'
import { quickCalculations } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'

/** Loads the quick calculations of a budget, all or those with the given ids. */
export async function loadQuickCalculations(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  ids?: readonly string[],
): Promise<StoredQuickCalculation[]> {
  const rows = await tx
    .select()
    .from(quickCalculations)
    .where(
      and(
        eq(quickCalculations.organisationId, organisationId),
        eq(quickCalculations.budgetId, budgetId),
        ids ? inArray(quickCalculations.id, ids.length ? [...ids] : ['']) : undefined,
      ),
    )
    .orderBy(asc(quickCalculations.id))
  return rows.map((row) => ({ ...row.calculation, version: row.version, created: new Date(row.created).toISOString() }))
}

/** Writes changed quick calculations to their table and deletes removed ones. */
export async function projectQuickCalculations(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  state: BudgetState,
  touched: ReadonlySet<string>,
): Promise<void> {
  for (const id of touched) {
    const calculated = state.quickCalculations.get(id)
    if (!calculated) {
      await tx
        .delete(quickCalculations)
        .where(
          and(eq(quickCalculations.organisationId, organisationId), eq(quickCalculations.budgetId, budgetId), eq(quickCalculations.id, id)),
        )
      continue
    }
    const { version, created, ...calculation } = calculated
    await tx
      .insert(quickCalculations)
      .values({ organisationId, budgetId, id, version, created, calculation })
      .onConflictDoUpdate({
        target: [quickCalculations.organisationId, quickCalculations.budgetId, quickCalculations.id],
        set: { version, calculation },
      })
  }
}
