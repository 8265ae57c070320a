import { and, asc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { BudgetHead } from '../../../domain/budget/budget.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import type { BudgetState } from '../../../domain/budget/evolve.ts'
import { calculateEntryYears } from '../../../domain/budget/items/budgetEntry.ts'
import { type ItemByKind, type ItemKind, isItemDeleted, isItemSaved, type StoredItem } from '../../../domain/budget/items/item.ts'
import { postEntry } from '../../../domain/calculation/nonStaffing/entries.ts'
import type { Transfer } from '../../../domain/calculation/nonStaffing/transfers.ts'
import { joinYears } from '../../../domain/calculation/staffing/posting.ts'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { notFound, staleRecord } from '../../../domain/words/errors.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { executePipelined, type OrganisationTx } from '../../core/database/database.ts'
import { dropLines, writeLines } from './lines.ts'

/** The items of a budget of one kind, or some of them, in the order in which they were made. */
export async function loadItems<K extends ItemKind>(
  call: Call<'organisationId' | 'budgetId'>,
  kind: K,
  ids?: readonly string[],
): Promise<StoredItem<K>[]> {
  return rowsWhere(call, kind, ids && among(ids))
}

/** The entries of a budget that a calculation or prediction makes; the others, however many, are not read. */
export async function linkedEntries(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<StoredItem<'entry'>[]> {
  return rowsWhere({ tx, organisationId, budgetId }, 'entry', isNotNull(budgetItems.sourceKind))
}

/** The item of a row, of the kind that was asked for. @param kind that the rows were chosen by */
export function itemOfKind<K extends ItemKind>(_kind: K, item: ItemByKind[ItemKind]): ItemByKind[K] {
  // A row is written from an item with its kind.
  return item as ItemByKind[K]
}

/** Items of any kind by their ids. */
export async function itemsById(call: Call<'organisationId' | 'budgetId'>, ids: readonly string[]): Promise<StoredItem[]> {
  return ids.length ? rowsWhere(call, undefined, among(ids)) : []
}

const among = (ids: readonly string[]): SQL => inArray(budgetItems.id, ids.length ? [...ids] : [''])

async function rowsWhere<K extends ItemKind>(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  kind: K | undefined,
  which: SQL | undefined,
): Promise<StoredItem<K>[]> {
  const { kind: named, id, version, savedAt, created, item } = budgetItems
  const rows = await tx
    .select({ kind: named, id, version, savedAt, created, item })
    .from(budgetItems)
    .where(
      and(eq(budgetItems.organisationId, organisationId), eq(budgetItems.budgetId, budgetId), kind && eq(budgetItems.kind, kind), which),
    )
    .orderBy(asc(budgetItems.created), asc(budgetItems.id))
  return rows.map(
    (row) =>
      // A row is written from an item with its kind, and only those of the kind that is asked for were read.
      ({
        kind: row.kind,
        id: row.id,
        version: row.version,
        savedAt: new Date(row.savedAt).toISOString(),
        created: new Date(row.created).toISOString(),
        item: row.item,
      }) as StoredItem<K>,
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
  call: Call<'organisationId'>,
  head: BudgetHead,
  { state, touched }: { state: Pick<BudgetState, 'items'>; touched: ReadonlySet<string> },
): Promise<void> {
  const { tx, organisationId } = call
  if (!touched.size) return
  const gone = [...touched].filter((id) => !state.items.has(id))
  if (gone.length) {
    await tx
      .delete(budgetItems)
      .where(and(eq(budgetItems.organisationId, organisationId), eq(budgetItems.budgetId, head.id), inArray(budgetItems.id, gone)))
    await dropLines({ tx, organisationId, budgetId: head.id }, 'entry', gone)
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
  await postEntries(call, head, { entries: items.filter((item) => item.kind === 'entry'), isAll: false })
}

/** Posts entries to lines, some or all of a budget, and keeps what their years come to (rules.md §9 and §10). */
export async function postEntries(
  { tx, organisationId }: Call<'organisationId'>,
  head: BudgetHead,
  { entries, isAll }: { entries: readonly StoredItem<'entry'>[]; isAll: boolean },
): Promise<void> {
  if (!entries.length && !isAll) return
  const worked = entries.map(({ id, item }) => ({ id, item, years: calculateEntryYears(item, head.numberOfYears) }))
  const posted = worked.map(({ id, item, years }) => ({ sourceId: id, lines: joinYears(postEntry(years, item, item.fundCodes)) }))
  const amounts = worked.map(({ id, years }) => ({ id, amounts: years.map((year) => year.amount) }))
  const kept = sql`
    update budget_items set amounts = worked.amounts
    from json_to_recordset(${JSON.stringify(amounts)}::json) as worked(id char(24), amounts bigint[])
    where organisation_id = ${organisationId} and budget_id = ${head.id} and budget_items.id = worked.id and budget_items.amounts is distinct from worked.amounts`
  await Promise.all([
    executePipelined(tx, [kept]),
    writeLines({ tx, organisationId, budgetId: head.id }, 'entry', { posted, replacesAll: isAll }),
  ])
}

/** The id that lines of a transfer carry: its table, and who is on the other side. */
export function transferSource({ tableId, counterpartId }: Pick<Transfer, 'tableId' | 'counterpartId'>): string {
  return `${tableId.toString(16).padStart(12, '0')}${(counterpartId ?? 0).toString(16).padStart(12, '0')}`
}

/** Posts the sides of pools and top slices that a budget was given, in place of all it had. */
export async function postTransfers(call: Call<'organisationId' | 'budgetId'>, transfers: readonly Transfer[]): Promise<void> {
  const posted = transfers.map((transfer) => ({
    sourceId: transferSource(transfer),
    lines: [
      {
        component: transfer.kind,
        firstYear: transfer.year,
        budgetCodeId: transfer.budgetCodeId,
        costCentreId: null,
        fundCodeId: null,
        amounts: transfer.amounts,
      },
    ],
  }))
  await writeLines(call, 'transfer', { posted, replacesAll: true })
}

export const itemNames: Record<ItemKind, string> = {
  entry: 'Budget entry',
  calculation: 'Income and expenditure calculation',
  prediction: 'Funding prediction',
  pupils: 'Pupil numbers',
  balance: 'Opening balance',
  comment: 'Comment',
  scenario: 'Scenario',
}

/** @throws DomainError 409 when somebody has saved it since it was read */
export function refuseStale(before: StoredItem | undefined, version: number | null | undefined): void {
  if (before && version != null && version !== before.version) throw staleRecord({ version: before.version, id: before.id })
}

/** @throws DomainError 404 */
export async function itemOf<K extends ItemKind>(call: Call<'organisationId' | 'budgetId'>, kind: K, id: string): Promise<StoredItem<K>> {
  const [item] = await loadItems(call, kind, [id])
  if (!item) throw notFound(itemNames[kind])
  return item
}

/** A side of a pool or a slice in words. */
export function transferName(part: 'contribution' | 'share' | 'charge' | 'receipt', counterpart: string): string {
  if (part === 'contribution') return 'GAG pool: paid in'
  if (part === 'share') return 'GAG pool: shared back'
  return part === 'charge' ? `Top slice to ${counterpart}` : `Top slice from ${counterpart}`
}
