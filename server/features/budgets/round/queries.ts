import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { type bulkSelection, chosenOf } from '../../../../domain/lists/lists.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import { invalid, notFound } from '../../../../domain/words/errors.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { budgetRows } from '../../../shared/budgets/queries.ts'
import { lockBudgets } from '../../../streams/budget/queries.ts'

export interface Who {
  organisationId: OrganisationId
  holder: { locationIds: LocationId[] | null }
}

/** The budgets that a bulk action takes, of those the caller may see. @throws DomainError 404 when one that is named is not among them */
export async function chosen(call: Call & Who, selection: z.infer<typeof bulkSelection>): Promise<BudgetRow[]> {
  const { tx } = call
  const all = (await budgetRows(tx, call.organisationId, call.holder.locationIds)).map((row) => ({ ...row, id: row.mongoId }))
  const rows = chosenOf(all, selection, ['name'])
  if (!rows) throw notFound('Budget')
  if (!rows.length) throw invalid([{ field: 'state', message: 'Choose at least one budget.' }])
  return loaded(
    tx,
    call.organisationId,
    rows.map((row) => row.id),
  )
}

/** Budgets that are locked, by name. */
export async function loaded(tx: OrganisationTx, organisationId: OrganisationId, ids: readonly BudgetId[]): Promise<BudgetRow[]> {
  const rows = await lockBudgets(tx, organisationId, ids)
  return rows.sort((a, b) => a.name.localeCompare(b.name, 'en-GB'))
}

export async function rolledBefore(tx: OrganisationTx, organisationId: OrganisationId, sourceId: string): Promise<Set<string>> {
  const rows = await tx.select({ id: budgets.id, head: budgets.head }).from(budgets).where(eq(budgets.organisationId, organisationId))
  return new Set(rows.filter(({ head }) => head.source?.budgetId === sourceId && head.source.how === 'rollForward').map((row) => row.id))
}
