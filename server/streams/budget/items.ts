import { and, asc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { BudgetHead } from '../../../domain/budget/budget.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import type { BudgetState } from '../../../domain/budget/evolve.ts'
import { calculateEntryYears } from '../../../domain/budget/items/budgetEntry.ts'
import { type ItemByKind, type ItemKind, isItemDeleted, isItemSaved, type StoredItem } from '../../../domain/budget/items/item.ts'
import type { Figure } from '../../../domain/calculation/inputs.ts'
import { postEntry } from '../../../domain/calculation/nonStaffing/entries.ts'
import type { Transfer } from '../../../domain/calculation/nonStaffing/transfers.ts'
import { joinYears } from '../../../domain/calculation/staffing/posting.ts'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { notFound, staleRecord } from '../../../domain/words/errors.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { executePipelined, type OrganisationTx } from '../../core/database/database.ts'
import { deleteLines, replaceSourceLines, type SourceLines } from './lines.ts'

/** Loads the items of one kind in a budget, all or those with the given ids, oldest first. */
export async function loadItems<K extends ItemKind>(
  call: Call<'organisationId' | 'budgetId'>,
  kind: K,
  ids?: readonly string[],
): Promise<StoredItem<K>[]> {
  return readItems(call, kind, ids && hasIdIn(ids))
}

/** Loads the items of some kinds in a budget with one statement, oldest first. */
export function loadItemsOfKinds(call: Call<'organisationId' | 'budgetId'>, kinds: readonly ItemKind[]): Promise<StoredItem[]> {
  return readItems(call, undefined, inArray(budgetItems.kind, [...kinds]))
}

/** Loads the entries that calculations and predictions created, but not the entries that users entered, which may be thousands. */
export async function loadLinkedEntries(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<StoredItem<'entry'>[]> {
  return readItems({ tx, organisationId, budgetId }, 'entry', isNotNull(budgetItems.sourceKind))
}

/**
 * Narrows an item to its kind.
 * @param _kind the kind by which the rows were selected
 */
export function asItemOfKind<K extends ItemKind>(_kind: K, item: ItemByKind[ItemKind]): ItemByKind[K] {
  // The `kind` column always matches the item.
  return item as ItemByKind[K]
}

/** Loads items of any kind by their ids. */
export async function loadItemsById(call: Call<'organisationId' | 'budgetId'>, ids: readonly string[]): Promise<StoredItem[]> {
  return ids.length ? readItems(call, undefined, hasIdIn(ids)) : []
}

const hasIdIn = (ids: readonly string[]): SQL => inArray(budgetItems.id, ids.length ? [...ids] : [''])

async function readItems<K extends ItemKind>(
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
      // The `kind` column always matches the item, and the query selected this kind.
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

/** Lists the ids of the items that the events change. */
export function listChangedItemIds(events: readonly BudgetEvent[]): string[] {
  return events.flatMap((event) => {
    if (isItemSaved(event) || isItemDeleted(event)) return [event.data.id]
    return event.type === 'BudgetEntriesRebased' ? event.data.bases.map((basis) => basis.id) : []
  })
}

/** Writes changed items to their table, deletes removed ones, and rewrites the posted lines of changed entries. */
export async function projectItems(
  call: Call<'organisationId'>,
  head: BudgetHead,
  { state, touched }: { state: Pick<BudgetState, 'items'>; touched: ReadonlySet<string> },
): Promise<void> {
  const { tx, organisationId } = call
  if (!touched.size) return
  const deletedIds = [...touched].filter((id) => !state.items.has(id))
  if (deletedIds.length) {
    await tx
      .delete(budgetItems)
      .where(and(eq(budgetItems.organisationId, organisationId), eq(budgetItems.budgetId, head.id), inArray(budgetItems.id, deletedIds)))
    await deleteLines({ tx, organisationId, budgetId: head.id }, 'entry', deletedIds)
  }
  const items = [...touched].flatMap((id) => state.items.get(id) ?? [])
  const worked = calculateEntries(
    head,
    items.filter((item) => item.kind === 'entry'),
  )
  const amounts = new Map(worked.map((entry) => [entry.id, entry.amounts]))
  for (let start = 0; start < items.length; start += 500)
    await tx
      .insert(budgetItems)
      .values(
        items
          .slice(start, start + 500)
          .map((item) => ({ organisationId, budgetId: head.id, ...item, amounts: amounts.get(item.id) ?? null })),
      )
      .onConflictDoUpdate({
        target: [budgetItems.organisationId, budgetItems.budgetId, budgetItems.id],
        set: {
          version: sql`excluded.version`,
          savedAt: sql`excluded.saved_at`,
          item: sql`excluded.item`,
          amounts: sql`excluded.amounts`,
        },
      })
  await writeEntryLines(call, head, { worked, isAll: false })
}

/** An entry with its yearly amounts (rules.md §9) and the lines that it posts (rules.md §10). */
interface WorkedEntry extends SourceLines {
  id: string
  amounts: Figure[]
}

function calculateEntries(head: BudgetHead, entries: readonly StoredItem<'entry'>[]): WorkedEntry[] {
  return entries.map(({ id, item }) => {
    const years = calculateEntryYears(item, head.numberOfYears)
    return { id, sourceId: id, amounts: years.map((year) => year.amount), lines: joinYears(postEntry(years, item, item.fundCodes)) }
  })
}

async function writeEntryLines(
  { tx, organisationId }: Call<'organisationId'>,
  head: BudgetHead,
  { worked, isAll }: { worked: readonly WorkedEntry[]; isAll: boolean },
): Promise<void> {
  if (worked.length || isAll)
    await replaceSourceLines({ tx, organisationId, budgetId: head.id }, 'entry', { posted: worked, replacesAll: isAll })
}

/** Writes the posted lines of all entries of a budget again, and the yearly amounts of each (rules.md §9 and §10). */
export async function postAllEntries(
  call: Call<'organisationId'>,
  head: BudgetHead,
  entries: readonly StoredItem<'entry'>[],
): Promise<void> {
  const { tx, organisationId } = call
  const worked = calculateEntries(head, entries)
  const amounts = worked.map((entry) => ({ id: entry.id, amounts: entry.amounts }))
  const updateAmounts = sql`
    update budget_items set amounts = worked.amounts
    from json_to_recordset(${JSON.stringify(amounts)}::json) as worked(id char(24), amounts bigint[])
    where organisation_id = ${organisationId} and budget_id = ${head.id} and budget_items.id = worked.id and budget_items.amounts is distinct from worked.amounts`
  await Promise.all([executePipelined(tx, [updateAmounts]), writeEntryLines(call, head, { worked, isAll: true })])
}

/** Builds the source id of a transfer's posted lines from its table and the organisation on the other side. */
export function buildTransferSourceId({ tableId, counterpartId }: Pick<Transfer, 'tableId' | 'counterpartId'>): string {
  return `${tableId.toString(16).padStart(12, '0')}${(counterpartId ?? 0).toString(16).padStart(12, '0')}`
}

/** Replaces the lines of all pools and top slices in a budget. */
export async function postTransfers(call: Call<'organisationId' | 'budgetId'>, transfers: readonly Transfer[]): Promise<void> {
  const posted = transfers.map((transfer) => ({
    sourceId: buildTransferSourceId(transfer),
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
  await replaceSourceLines(call, 'transfer', { posted, replacesAll: true })
}

export const itemKindTitles: Record<ItemKind, string> = {
  entry: 'Budget entry',
  calculation: 'Income and expenditure calculation',
  prediction: 'Funding prediction',
  pupils: 'Pupil numbers',
  balance: 'Opening balance',
  comment: 'Comment',
  scenario: 'Scenario',
}

/** @throws DomainError 409 if the item was saved since the caller read it */
export function refuseStaleItem(before: StoredItem | undefined, version: number | null | undefined): void {
  if (before && version != null && version !== before.version) throw staleRecord({ version: before.version, id: before.id })
}

/**
 * Loads one item.
 * @throws DomainError 404 if it does not exist
 */
export async function loadItem<K extends ItemKind>(call: Call<'organisationId' | 'budgetId'>, kind: K, id: string): Promise<StoredItem<K>> {
  const [item] = await loadItems(call, kind, [id])
  if (!item) throw notFound(itemKindTitles[kind])
  return item
}

/** Names one side of a pool or top slice for users. */
export function nameTransfer(part: 'contribution' | 'share' | 'charge' | 'receipt', counterpart: string): string {
  if (part === 'contribution') return 'GAG pool: paid in'
  if (part === 'share') return 'GAG pool: shared back'
  return part === 'charge' ? `Top slice to ${counterpart}` : `Top slice from ${counterpart}`
}
