import { and, asc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { bulkSelection } from '../../../../domain/lists/lists.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import { invalid, notFound } from '../../../../domain/words/errors.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { resolveSelectedBudgets } from '../../../shared/budgets/queries.ts'
import { lockBudgets } from '../../../streams/budget/queries.ts'

export interface BudgetsCaller {
  organisationId: OrganisationId
  holder: { locationIds: LocationId[] | null }
}

/**
 * The budgets that a bulk action applies to.
 * @throws DomainError 404 if the caller may not see a selected budget
 */
export async function findChosenBudgets(call: Call & BudgetsCaller, selection: z.infer<typeof bulkSelection>): Promise<BudgetRow[]> {
  const { tx } = call
  const ids = await resolveSelectedBudgets(tx, { ...call, locationIds: call.holder.locationIds }, selection)
  if (!ids) throw notFound('Budget')
  if (!ids.length) throw invalid([{ field: 'state', message: 'Choose at least one budget.' }])
  return loadAndLockBudgets(tx, call.organisationId, ids)
}

/** Loads and locks budgets in order of name, so that concurrent calls cannot deadlock. */
export async function loadAndLockBudgets(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  ids: readonly BudgetId[],
): Promise<BudgetRow[]> {
  const rows = await lockBudgets(tx, organisationId, ids)
  return rows.sort((a, b) => a.name.localeCompare(b.name, 'en-GB'))
}

/** The names of the budgets that a budget was rolled forward to. */
export async function listRolledForwardNames(tx: OrganisationTx, organisationId: OrganisationId, sourceId: string): Promise<string[]> {
  const source = JSON.stringify({ source: { budgetId: sourceId, how: 'rollForward' } })
  const rows = await tx
    .select({ name: budgets.name })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), sql`${budgets.head} @> ${source}::jsonb`))
    .orderBy(asc(budgets.name))
  return rows.map((row) => row.name)
}
