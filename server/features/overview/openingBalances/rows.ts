import type { StoredItem } from '../../../../domain/budget/items/item.ts'
import { dayInLondon, toPounds } from '../../../../domain/values/format.ts'

/** An opening balance as the API shows it (entities.json OpeningBalance), in pounds. */
export function presentBalance({ id, version, created, item }: StoredItem<'balance'>) {
  return { ...item, id, version, created: dayInLondon(created), value: toPounds(item.value) }
}
