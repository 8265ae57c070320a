import type { StoredItem } from '../../../../domain/budget/items/item.ts'
import { dayInLondon, toPounds } from '../../../../domain/values/format.ts'
import type { BudgetCall } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { loadItems } from '../../../streams/budget/items.ts'

/** An opening balance as the API shows it (entities.json OpeningBalance), in pounds. */
export function shown({ id, version, created, item }: StoredItem<'balance'>) {
  return { ...item, id, version, created: dayInLondon(created), value: toPounds(item.value) }
}

export const all = async (tx: OrganisationTx, { organisationId, budgetId }: BudgetCall) =>
  (await loadItems({ tx, organisationId, budgetId }, 'balance')).map(shown)
