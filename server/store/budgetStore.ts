import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { BudgetHead, StoredContract } from '../../domain/budget/budget.ts'
import { recalculatingSentence } from '../../domain/budget/decide.ts'
import type { BudgetEvent, StoredEvent } from '../../domain/budget/events.ts'
import { type BudgetState, emptyBudget, evolve } from '../../domain/budget/evolve.ts'
import type { FrozenBudget, SharedInputs } from '../../domain/calculation/frozen.ts'
import { conflict, notFound } from '../../domain/errors.ts'
import { budgetItems, budgetLines, presences, quickCalculations, staffCosts } from '../../drizzle/costTables.ts'
import { budgetGroups, budgets, recalculations, staffContracts } from '../../drizzle/schema.ts'
import { dropItems, refuseWhileMaking } from './budgetJobs.ts'
import type { OrganisationTx } from './database.ts'
import { type Actor, append, newStream } from './eventLog.ts'
import { itemsById, itemsTouched, loadItems, postEntries, postTransfers, projectItems } from './itemStore.ts'
import { dropLines } from './lineStore.ts'
import { loadQuick, projectQuick } from './quickStore.ts'
import { frozenBudget, sharedInputs } from './snapshot.ts'

export type BudgetRow = typeof budgets.$inferSelect

/** @throws DomainError 404 for a budget that is not there or is somebody else's */
export async function loadBudget(tx: OrganisationTx, organisationId: number, id: string, lock = false): Promise<BudgetRow> {
  const query = tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, id)))
  const [row] = await (lock ? query.for('update') : query)
  if (!row) throw notFound('Budget')
  return row
}

export async function loadContracts(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  ids?: readonly string[],
): Promise<StoredContract[]> {
  const rows = await tx
    .select()
    .from(staffContracts)
    .where(
      and(
        eq(staffContracts.organisationId, organisationId),
        eq(staffContracts.budgetId, budgetId),
        ids ? inArray(staffContracts.id, ids.length ? [...ids] : ['']) : undefined,
      ),
    )
    .orderBy(asc(staffContracts.id))
  return rows.map((row) => ({
    ...row.contract,
    version: row.version,
    savedAt: new Date(row.savedAt).toISOString(),
    created: new Date(row.created).toISOString(),
  }))
}

/** @throws DomainError 409 while a group with the budget is being recalculated (behaviour B-196), or the budget is still being made */
export async function refuseWhileBusy(tx: OrganisationTx, organisationId: number, budgetId: string): Promise<void> {
  const [running] = await tx
    .select({ id: recalculations.id })
    .from(recalculations)
    .innerJoin(
      budgetGroups,
      and(eq(budgetGroups.organisationId, recalculations.organisationId), eq(budgetGroups.id, recalculations.groupId)),
    )
    .where(
      and(
        eq(recalculations.organisationId, organisationId),
        sql`${recalculations.finishedAt} is null`,
        sql`${budgetId} = any(${budgetGroups.budgetIds})`,
      ),
    )
    .limit(1)
  if (running) throw conflict('recalculating', recalculatingSentence)
  await refuseWhileMaking(tx, organisationId, budgetId)
}

/** Appends events to a budget and folds them into its projections, in the caller's transaction. */
export async function commit(
  tx: OrganisationTx,
  row: BudgetRow | { organisationId: number; id: string; version: 0 },
  events: readonly BudgetEvent[],
  actor: Actor,
): Promise<StoredEvent[]> {
  const { organisationId } = row
  const stream =
    'head' in row ? { organisationId, budgetId: row.id, version: row.version, lastHash: row.lastHash } : newStream(organisationId, row.id)
  const stored = await append(tx, stream, events, actor)
  const last = stored.at(-1)
  if (!last) return []
  const touched = new Set(
    stored.flatMap((event) => (event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted' ? [event.data.id] : [])),
  )
  const state: BudgetState = emptyBudget()
  if ('head' in row) {
    state.head = row.head
    state.recalculated = row.recalculated ?? undefined
    state.levyShares = row.levyShares ?? undefined
    state.transfers = row.transfers ?? undefined
    for (const contract of await loadContracts(tx, organisationId, row.id, [...touched])) state.contracts.set(contract.id, contract)
  }
  const quick = stored.flatMap((event) =>
    event.type === 'QuickCalculationSaved' ? [event.data.calculation.id] : event.type === 'QuickCalculationDeleted' ? [event.data.id] : [],
  )
  for (const calculation of quick.length ? await loadQuick(tx, organisationId, row.id, quick) : [])
    state.quickCalculations.set(calculation.id, calculation)
  const items = new Set(itemsTouched(stored))
  for (const item of await itemsById(tx, organisationId, row.id, [...items])) state.items.set(item.id, item)
  for (const event of stored) evolve(state, event)
  if (!state.head) {
    await removeProjections(tx, organisationId, row.id)
    return stored
  }
  await projectItems(tx, organisationId, state.head, state, items)
  // Entries are lines of the years that the budget has, whether anybody saves them again or not.
  if ('head' in row && row.head.numberOfYears !== state.head.numberOfYears)
    await postEntries(tx, organisationId, state.head, await loadItems(tx, organisationId, row.id, 'entry'), true)
  if (stored.some((event) => event.type === 'TransfersPosted'))
    await postTransfers(tx, organisationId, row.id, state.transfers?.transfers ?? [])
  await projectQuick(tx, organisationId, row.id, state, new Set(quick))
  await project(tx, organisationId, state, touched, last, actor)
  return stored
}

/** Takes a deleted budget out of every table that screens read; its log stays. */
async function removeProjections(tx: OrganisationTx, organisationId: number, budgetId: string): Promise<void> {
  for (const table of [staffContracts, staffCosts, budgetLines, budgetItems, quickCalculations, presences])
    await tx.delete(table).where(and(eq(table.organisationId, organisationId), eq(table.budgetId, budgetId)))
  await dropItems(tx, organisationId, [budgetId])
  await tx.delete(budgets).where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, budgetId)))
}

async function project(
  tx: OrganisationTx,
  organisationId: number,
  { head, contracts, recalculated, levyShares, transfers, version }: BudgetState,
  touched: ReadonlySet<string>,
  last: StoredEvent,
  actor: Actor,
): Promise<void> {
  const budgetId = head!.id
  const at = last.occurredAt
  const set = {
    locationId: head!.locationId,
    name: head!.name,
    version,
    head: head!,
    recalculated: recalculated ?? null,
    levyShares: levyShares ?? null,
    transfers: transfers ?? null,
    savedAt: at,
    savedById: actor.userId,
    lastHash: last.hash,
  }
  await tx
    .insert(budgets)
    .values({ organisationId, id: budgetId, created: at, ...set })
    .onConflictDoUpdate({ target: [budgets.organisationId, budgets.id], set })
  const gone = [...touched].filter((id) => !contracts.has(id))
  if (gone.length) {
    const own = (table: typeof staffContracts | typeof staffCosts) =>
      and(eq(table.organisationId, organisationId), eq(table.budgetId, budgetId))
    await tx.delete(staffContracts).where(and(own(staffContracts), inArray(staffContracts.id, gone)))
    await tx.delete(staffCosts).where(and(own(staffCosts), inArray(staffCosts.contractId, gone)))
    await dropLines(tx, organisationId, budgetId, 'contract', gone)
  }
  const rows = [...touched].flatMap((id) => {
    const contract = contracts.get(id)
    if (!contract) return []
    const { version: saved, savedAt, created, ...plain } = contract
    return [{ organisationId, budgetId, id, created, staffId: contract.staffId, version: saved, savedAt, contract: plain }]
  })
  for (let start = 0; start < rows.length; start += 500)
    await tx
      .insert(staffContracts)
      .values(rows.slice(start, start + 500))
      .onConflictDoUpdate({
        target: [staffContracts.organisationId, staffContracts.budgetId, staffContracts.id],
        set: {
          staffId: sql`excluded.staff_id`,
          version: sql`excluded.version`,
          savedAt: sql`excluded.saved_at`,
          contract: sql`excluded.contract`,
        },
      })
}

/** The inputs of one budget as they stand now, for some of its contracts. */
export async function inputsNow(
  tx: OrganisationTx,
  organisationId: number,
  head: BudgetHead,
  contracts: readonly StoredContract[],
): Promise<{ shared: SharedInputs; frozen: FrozenBudget }> {
  const shared = await sharedInputs(tx, [head])
  return { shared, frozen: await frozenBudget(tx, organisationId, head, contracts, shared) }
}

/** Names of the other budgets of a location. */
export async function budgetNames(tx: OrganisationTx, organisationId: number, locationId: number, except?: string): Promise<string[]> {
  const rows = await tx
    .select({ name: budgets.name })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.locationId, locationId), except ? ne(budgets.id, except) : undefined))
  return rows.map((row) => row.name)
}
