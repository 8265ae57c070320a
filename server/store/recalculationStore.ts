import { randomUUID } from 'node:crypto'
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { CostTotals } from '../../domain/budget/budget.ts'
import { recalculatingSentence } from '../../domain/budget/decide.ts'
import { costContracts, type FrozenBudget } from '../../domain/calculation/frozen.ts'
import { conflict } from '../../domain/errors.ts'
import { budgetGroups, budgets, recalculationBudgets, recalculations } from '../../drizzle/schema.ts'
import { loadBudget, loadContracts } from './budgetStore.ts'
import { storeCosts } from './costStore.ts'
import type { OrganisationTx } from './database.ts'
import { rebaseEntries } from './entryBasis.ts'
import type { Actor } from './eventLog.ts'
import { keepInputs, readInputs } from './frozenStore.ts'
import { groupRow, runningOf } from './groupStore.ts'
import { hashOf } from './hash.ts'
import { shareLevy } from './levyStore.ts'
import { frozenBudget, sharedInputs } from './snapshot.ts'
import { shareTransfers } from './transferStore.ts'

export type RecalculationRow = typeof recalculations.$inferSelect

/**
 * Begins the recalculation of a group: freezes the inputs and writes down what is to be done. The unfinished row is the lock; jobs only
 * say "look". Locked budgets keep their figures.
 * @throws DomainError 409 when the group is already running
 */
export async function beginRecalculation(
  tx: OrganisationTx,
  organisationId: number,
  groupId: string,
  actor: Actor,
): Promise<{ run: RecalculationRow; budgetIds: string[] }> {
  const group = await groupRow(tx, organisationId, groupId, true)
  if ((await runningOf(tx, organisationId, groupId)).length) throw conflict('recalculating', recalculatingSentence)
  const rows = group.budgetIds.length
    ? await tx
        .select()
        .from(budgets)
        .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, group.budgetIds)))
        .for('update')
    : []
  const open = rows.filter((row) => !row.head.locked)
  const shared = await sharedInputs(
    tx,
    open.map((row) => row.head),
  )
  const frozen: Record<string, FrozenBudget> = {}
  for (const row of open)
    frozen[row.id] = await frozenBudget(tx, organisationId, row.head, await loadContracts(tx, organisationId, row.id), shared)
  const inputs = await keepInputs(tx, organisationId, shared, frozen)
  const id = randomUUID()
  const [run] = await tx
    .insert(recalculations)
    .values({ organisationId, id, groupId, inputs, requestedById: actor.userId, startedAt: actor.now.toISOString() })
    .returning()
  const budgetIds = open.map((row) => row.id)
  if (budgetIds.length)
    await tx.insert(recalculationBudgets).values(budgetIds.map((budgetId) => ({ organisationId, recalculationId: id, budgetId })))
  // What changes from here on asks for another recalculation.
  await tx
    .update(budgetGroups)
    .set({ requiredSince: null, requiredReason: null })
    .where(and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, groupId)))
  return { run: run!, budgetIds }
}

export async function recalculationRow(tx: OrganisationTx, organisationId: number, id: string): Promise<RecalculationRow | undefined> {
  const [row] = await tx
    .select()
    .from(recalculations)
    .where(and(eq(recalculations.organisationId, organisationId), eq(recalculations.id, id)))
  return row
}

/** The last recalculation of an organisation. */
export async function lastRecalculation(tx: OrganisationTx, organisationId: number): Promise<RecalculationRow | undefined> {
  const [row] = await tx
    .select()
    .from(recalculations)
    .where(eq(recalculations.organisationId, organisationId))
    .orderBy(desc(recalculations.startedAt))
    .limit(1)
  return row
}

/** Recalculates one budget of a run, once: a doubled or late job finds it done and does nothing. @returns whether it was done now */
export async function recalculateBudget(
  tx: OrganisationTx,
  organisationId: number,
  recalculationId: string,
  budgetId: string,
  now: Date,
): Promise<boolean> {
  const key = and(
    eq(recalculationBudgets.organisationId, organisationId),
    eq(recalculationBudgets.recalculationId, recalculationId),
    eq(recalculationBudgets.budgetId, budgetId),
  )
  const [item] = await tx.select().from(recalculationBudgets).where(key).for('update')
  const run = await recalculationRow(tx, organisationId, recalculationId)
  if (!item || item.doneAt || !run || run.finishedAt) return false
  const row = await loadBudget(tx, organisationId, budgetId, true)
  let outcome: { totals: CostTotals; result: string } | null = null
  if (!row.head.locked) {
    const { frozen, shared } = await readInputs(tx, organisationId, run.inputs, budgetId)
    const contracts = await loadContracts(tx, organisationId, budgetId)
    const costs = costContracts(contracts, frozen, shared)
    outcome = await storeCosts(
      tx,
      row,
      contracts,
      { costs, shared, inputs: run.inputs, cause: 'group' },
      {
        userId: run.requestedById,
        requestId: `recalculation-${recalculationId}`,
        now,
      },
    )
    const actor = { userId: run.requestedById, requestId: `recalculation-${recalculationId}`, now }
    await rebaseEntries(tx, await loadBudget(tx, organisationId, budgetId, true), actor)
  }
  await tx
    .update(recalculationBudgets)
    .set({ doneAt: now.toISOString(), totals: outcome?.totals ?? null, resultHash: outcome?.result ?? null })
    .where(key)
  return true
}

/** Why a run ended that somebody stopped. */
export const cancelled = 'It was cancelled.'

/** Ends a run when all its budgets are done; a second end does nothing. */
export async function finishRecalculation(
  tx: OrganisationTx,
  organisationId: number,
  id: string,
  now: Date,
  failure: string | null = null,
): Promise<RecalculationRow | null> {
  const [run] = await tx
    .select()
    .from(recalculations)
    .where(and(eq(recalculations.organisationId, organisationId), eq(recalculations.id, id)))
    .for('update')
  if (!run || run.finishedAt) return null
  const items = await tx
    .select()
    .from(recalculationBudgets)
    .where(and(eq(recalculationBudgets.organisationId, organisationId), eq(recalculationBudgets.recalculationId, id)))
  if (!failure && items.some((item) => !item.doneAt)) return null
  const totals: CostTotals = { years: [], contracts: 0, notCalculated: 0 }
  for (const { totals: own } of items)
    if (own) {
      own.years.forEach((total, year) => {
        totals.years[year] = (totals.years[year] ?? 0) + total
      })
      totals.contracts += own.contracts
      totals.notCalculated += own.notCalculated
    }
  if (!failure) {
    const actor = { userId: run.requestedById, requestId: `recalculation-${id}-levy`, now }
    await shareLevy(
      tx,
      organisationId,
      items.map((item) => item.budgetId),
      actor,
    )
    await shareTransfers(tx, organisationId, (await groupRow(tx, organisationId, run.groupId)).budgetIds, actor)
  }
  const resultHash = hashOf(items.map((item) => [item.budgetId, item.resultHash]).sort())
  const [position] = await tx.execute<{ position: string | null }>(
    sql`select max(position) as position from budget_events where organisation_id = ${organisationId}`,
  )
  const [ended] = await tx
    .update(recalculations)
    .set({ finishedAt: now.toISOString(), failure, totals, resultHash, position: Number(position?.position ?? 0) })
    .where(and(eq(recalculations.organisationId, organisationId), eq(recalculations.id, id)))
    .returning()
  const group = and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, run.groupId))
  if (failure) {
    const requiredReason = failure === cancelled ? 'The last recalculation was cancelled' : 'The last recalculation failed'
    await tx.update(budgetGroups).set({ requiredSince: now.toISOString(), requiredReason }).where(group)
  } else await tx.update(budgetGroups).set({ lastRecalculated: now.toISOString() }).where(group)
  return ended!
}

/** Runs that have not ended, over all organisations, with the budgets that are still to be done: what the sweep wakes up. */
export async function unfinished(tx: OrganisationTx): Promise<{ organisationId: number; id: string; budgetIds: string[] }[]> {
  const rows = await tx.select().from(recalculations).where(isNull(recalculations.finishedAt))
  const result = []
  for (const run of rows) {
    const items = await tx
      .select()
      .from(recalculationBudgets)
      .where(
        and(
          eq(recalculationBudgets.organisationId, run.organisationId),
          eq(recalculationBudgets.recalculationId, run.id),
          isNull(recalculationBudgets.doneAt),
        ),
      )
    result.push({ organisationId: run.organisationId, id: run.id, budgetIds: items.map((item) => item.budgetId) })
  }
  return result
}

/** The budgets of a run. */
export async function budgetIdsOf(tx: OrganisationTx, organisationId: number, id: string): Promise<string[]> {
  const rows = await tx
    .select({ budgetId: recalculationBudgets.budgetId })
    .from(recalculationBudgets)
    .where(and(eq(recalculationBudgets.organisationId, organisationId), eq(recalculationBudgets.recalculationId, id)))
  return rows.map((row) => row.budgetId)
}
