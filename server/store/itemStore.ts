import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { BudgetHead } from '../../domain/budget/budget.ts'
import type { BudgetEvent } from '../../domain/budget/events.ts'
import type { BudgetState } from '../../domain/budget/evolve.ts'
import { linesOfEntry } from '../../domain/budget/items/budgetEntry.ts'
import { type ItemKind, isItemDeleted, isItemSaved, type StoredItem } from '../../domain/budget/items/item.ts'
import type { Transfer } from '../../domain/calculation/transfers.ts'
import { budgetItems } from '../../drizzle/costTables.ts'
import type { OrganisationTx } from './database.ts'
import { dropLines, writeLines } from './lineStore.ts'

/** The items of a budget of one kind, or some of them, in the order in which they were made. */
export async function loadItems<K extends ItemKind>(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  kind: K,
  ids?: readonly string[],
): Promise<StoredItem<K>[]> {
  return (await rowsWhere(tx, organisationId, budgetId, kind, ids)) as unknown as StoredItem<K>[]
}

/** Items of any kind by their ids. */
export async function itemsById(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  ids: readonly string[],
): Promise<StoredItem[]> {
  return ids.length ? rowsWhere(tx, organisationId, budgetId, undefined, ids) : []
}

async function rowsWhere(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  kind: ItemKind | undefined,
  ids: readonly string[] | undefined,
): Promise<StoredItem[]> {
  const rows = await tx
    .select()
    .from(budgetItems)
    .where(
      and(
        eq(budgetItems.organisationId, organisationId),
        eq(budgetItems.budgetId, budgetId),
        kind && eq(budgetItems.kind, kind),
        ids && inArray(budgetItems.id, ids.length ? [...ids] : ['']),
      ),
    )
    .orderBy(asc(budgetItems.created), asc(budgetItems.id))
  return rows.map(
    (row) =>
      ({
        kind: row.kind,
        id: row.id,
        version: row.version,
        savedAt: new Date(row.savedAt).toISOString(),
        created: new Date(row.created).toISOString(),
        item: row.item,
      }) as StoredItem,
  )
}

/** The items that some events are about. */
export function itemsTouched(events: readonly BudgetEvent[]): string[] {
  return events.flatMap((event) => {
    if (isItemSaved(event) || isItemDeleted(event)) return [event.data.id]
    return event.type === 'BudgetEntriesRebased' ? event.data.bases.map((basis) => basis.id) : []
  })
}

/** Writes what events have changed of the items of a budget, and posts its entries anew. */
export async function projectItems(
  tx: OrganisationTx,
  organisationId: number,
  head: BudgetHead,
  state: Pick<BudgetState, 'items'>,
  touched: ReadonlySet<string>,
): Promise<void> {
  if (!touched.size) return
  const gone = [...touched].filter((id) => !state.items.has(id))
  if (gone.length) {
    await tx
      .delete(budgetItems)
      .where(and(eq(budgetItems.organisationId, organisationId), eq(budgetItems.budgetId, head.id), inArray(budgetItems.id, gone)))
    await dropLines(tx, organisationId, head.id, 'entry', gone)
  }
  const items = [...touched].flatMap((id) => state.items.get(id) ?? [])
  for (let start = 0; start < items.length; start += 500)
    await tx
      .insert(budgetItems)
      .values(items.slice(start, start + 500).map((item) => ({ organisationId, budgetId: head.id, ...item })))
      .onConflictDoUpdate({
        target: [budgetItems.organisationId, budgetItems.budgetId, budgetItems.id],
        set: { version: sql`excluded.version`, savedAt: sql`excluded.saved_at`, item: sql`excluded.item` },
      })
  await postEntries(
    tx,
    organisationId,
    head,
    items.filter((item) => item.kind === 'entry'),
    false,
  )
}

/** Posts entries to lines, some or all of a budget (calculation.md §9 and §10). */
export async function postEntries(
  tx: OrganisationTx,
  organisationId: number,
  head: BudgetHead,
  entries: readonly StoredItem<'entry'>[],
  isAll: boolean,
): Promise<void> {
  if (!entries.length && !isAll) return
  const posted = entries.map(({ id, item }) => ({ sourceId: id, lines: linesOfEntry(item, head.numberOfYears) }))
  await writeLines(tx, organisationId, head.id, 'entry', posted, isAll)
}

/** The id that lines of a transfer carry: its table, and who is on the other side. */
export function transferSource({ tableId, counterpartId }: Pick<Transfer, 'tableId' | 'counterpartId'>): string {
  return `${tableId.toString(16).padStart(12, '0')}${(counterpartId ?? 0).toString(16).padStart(12, '0')}`
}

/** Posts the sides of pools and top slices that a budget was given, in place of all it had. */
export async function postTransfers(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  transfers: readonly Transfer[],
): Promise<void> {
  const posted = transfers.map((transfer) => ({
    sourceId: transferSource(transfer),
    lines: [
      {
        component: transfer.kind,
        year: transfer.year,
        budgetCodeId: transfer.budgetCodeId,
        costCentreId: null,
        fundCodeId: null,
        amounts: transfer.amounts,
      },
    ],
  }))
  await writeLines(tx, organisationId, budgetId, 'transfer', posted, true)
}
