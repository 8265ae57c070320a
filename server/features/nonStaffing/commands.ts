import { deleteWithEntries } from '../../../domain/budget/items/decideItems.ts'
import { notFound } from '../../../domain/errors.ts'
import { commit } from '../../core/budget/commit.ts'
import { type Change, itemNames, loadItems } from '../../core/budget/items.ts'
import { loadBudget } from '../../core/budget/queries.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** Deletes calculations or predictions with the entries they made, all or none. @throws DomainError 404 when one is not there */
export async function runDeleteSources(
  tx: OrganisationTx,
  { organisationId, budgetId, actor }: Change,
  kind: 'calculation' | 'prediction',
  ids: readonly string[],
): Promise<number> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const items = await loadItems(tx, organisationId, budgetId, kind, ids)
  if (items.length < new Set(ids).size) throw notFound(itemNames[kind])
  await commit(tx, row, deleteWithEntries(row.head, items, await loadItems(tx, organisationId, budgetId, 'entry')), actor)
  return items.length
}
