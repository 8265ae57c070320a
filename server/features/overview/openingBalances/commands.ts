import { deleteItems } from '../../../../domain/budget/items/decideEntry.ts'
import { saveOpeningBalance } from '../../../../domain/budget/items/decideItems.ts'
import type { OpeningBalanceInput } from '../../../../domain/budget/items/openingBalance.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import { createEntryId } from '../../../shared/nonStaffing/entries/commands.ts'
import { itemKindTitles, loadItems, refuseStaleItem } from '../../../streams/budget/items.ts'
import { loadBudget } from '../../../streams/budget/queries.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'

export async function runSaveBalance(call: Call<'organisationId' | 'budgetId' | 'actor'>, input: OpeningBalanceInput): Promise<string> {
  const { tx, organisationId, budgetId, actor } = call
  const row = await loadBudget({ tx, organisationId }, budgetId, true)
  const all = await loadItems({ tx, organisationId, budgetId }, 'balance')
  refuseStaleItem(
    all.find((one) => one.id === input.id),
    input.version,
  )
  const id = input.id ?? createEntryId()
  await commitEvents({ tx, actor }, row, { events: saveOpeningBalance(row.head, { all, id, input }) })
  return id
}

export async function runDeleteBalances(call: Call<'organisationId' | 'budgetId' | 'actor'>, ids: readonly string[]): Promise<number[]> {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  const items = await loadItems(call, 'balance', ids)
  if (items.length < new Set(ids).size) throw notFound(itemKindTitles.balance)
  return (await commitEvents(call, row, { events: deleteItems(row.head, items) })).map((event) => event.version)
}
