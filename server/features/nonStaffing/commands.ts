import { deleteItemWithEntries } from '../../../domain/budget/items/decideItems.ts'
import { notFound } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import { itemKindTitles, loadItems } from '../../streams/budget/items.ts'
import { loadBudget } from '../../streams/budget/queries.ts'
import { commitEvents } from '../../streams/budget/stream.ts'

/**
 * Deletes calculations or predictions with the entries they created, all or none.
 * @returns the versions to undo
 * @throws DomainError 404 if one does not exist
 */
export async function runDeleteSources(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  kind: 'calculation' | 'prediction',
  ids: readonly string[],
): Promise<number[]> {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  const items = await loadItems(call, kind, ids)
  if (items.length < new Set(ids).size) throw notFound(itemKindTitles[kind])
  const events = deleteItemWithEntries(row.head, items, await loadItems(call, 'entry'))
  return (await commitEvents(call, row, { events })).map((event) => event.version)
}
