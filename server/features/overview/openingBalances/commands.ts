import { deleteItems } from '../../../../domain/budget/items/decideEntry.ts'
import { saveOpeningBalance } from '../../../../domain/budget/items/decideItems.ts'
import type { OpeningBalanceInput } from '../../../../domain/budget/items/openingBalance.ts'
import { notFound } from '../../../../domain/errors.ts'
import { commit } from '../../../core/budget/commit.ts'
import { type Change, itemNames, loadItems, refuseStale } from '../../../core/budget/items.ts'
import { loadBudget } from '../../../core/budget/queries.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { newId } from '../../nonStaffing/entries/commands.ts'

export async function runSaveBalance(tx: OrganisationTx, change: Change, input: OpeningBalanceInput): Promise<string> {
  const { organisationId, budgetId, actor } = change
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const all = await loadItems(tx, organisationId, budgetId, 'balance')
  refuseStale(
    all.find((one) => one.id === input.id),
    input.version,
  )
  const id = input.id ?? newId()
  await commit(tx, row, saveOpeningBalance(row.head, all, id, input), actor)
  return id
}

export async function runDeleteBalances(
  tx: OrganisationTx,
  { organisationId, budgetId, actor }: Change,
  ids: readonly string[],
): Promise<number> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const items = await loadItems(tx, organisationId, budgetId, 'balance', ids)
  if (items.length < new Set(ids).size) throw notFound(itemNames.balance)
  await commit(tx, row, deleteItems(row.head, items), actor)
  return items.length
}
