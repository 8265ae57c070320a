import { sql } from 'drizzle-orm'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import { createItemSavedEvent } from '../../../domain/budget/items/item.ts'
import { replaceInItem } from '../../../domain/budget/replace.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { conflict } from '../../../domain/words/errors.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { loadItemsById } from '../../streams/budget/items.ts'
import { buildItemUsesCondition } from '../../streams/budget/usePaths.ts'
import { getHooks } from '../hooks/all.ts'

/**
 * The events that replace a record with another in a budget's entries, calculations and predictions.
 * @throws DomainError 409 if one of them may not use the other record
 */
export async function buildItemReplacementEvents(
  tx: OrganisationTx,
  row: BudgetRow,
  { resource, old, other }: { resource: AnyResource; old: AnyRecord; other: AnyRecord },
): Promise<BudgetEvent[]> {
  const using = buildItemUsesCondition(resource, [old.id])
  if (!using) return []
  const ids = await tx
    .select({ id: budgetItems.id })
    .from(budgetItems)
    .where(sql`${budgetItems.organisationId} = ${row.organisationId} and ${budgetItems.budgetId} = ${row.id} and ${using}`)
  const items = await loadItemsById(
    { tx, organisationId: row.organisationId, budgetId: row.id },
    ids.map((one) => one.id),
  )
  const isElsewhere = Array.isArray(other.locations) && other.locations.length > 0 && !other.locations.includes(row.locationId)
  const misfit = getHooks(resource).explainItemMisfit?.(old, other) ?? (isElsewhere ? 'it is not for that location' : null)
  if (items.length && misfit)
    throw conflict(
      'unfit',
      `${displayCount(items.length, 'line')} of ${row.name} cannot use the new record: ${misfit}. Nothing was replaced.`,
    )
  return items.flatMap((stored): BudgetEvent[] => {
    const after = replaceInItem(stored, { resource: resource.name, from: old.id, to: other.id })
    return after === stored ? [] : [createItemSavedEvent(after.kind, { id: after.id, item: after.item })]
  })
}
