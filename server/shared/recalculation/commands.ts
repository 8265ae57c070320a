import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { CostTotals } from '../../../domain/budget/budget.ts'
import { lockedSentence, recalculatingSentence } from '../../../domain/budget/decide.ts'
import { costContracts } from '../../../domain/calculation/staffing/frozen.ts'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { BudgetGroupId, BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { conflict, notFound, staleRecord } from '../../../domain/words/errors.ts'
import {
  budgetGroups,
  budgets,
  locations,
  type RecalculationStatus,
  recalculationBudgets,
  recalculations,
} from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import { buildStatement, buildTenantCondition, executePipelined, type OrganisationTx, type Store } from '../../core/database/database.ts'
import { readDataVersion } from '../../core/database/dataVersion.ts'
import { log } from '../../core/log.ts'
import { fingerprintFailure, isTemporaryFailure, maximumJobAttempts } from '../../core/queue/attempts.ts'
import { hashValue } from '../../core/stream/hash.ts'
import { loadGroupOfBudget } from '../../streams/budget/groupMembers.ts'
import { markBudgetsForRecalculation, removeRecalculationMarks } from '../../streams/budget/marks.ts'
import { loadBudget, loadContractsToCost, lockBudgets, refuseWhileBusy } from '../../streams/budget/queries.ts'
import { loadGroupRow, selectRunningRecalculations } from '../budgetGroups/queries.ts'
import { recordUnchangedRecalculation, storeCosts } from '../costing/costs/commands.ts'
import { storeInputs } from '../costing/inputs/commands.ts'
import { readInputsOfBudgets, readSharedInputs, readStoredInputs } from '../costing/inputs/queries.ts'
import { postGroupAllowance } from '../groupMoney/allowance/commands.ts'
import { lockShareWithdrawal, postGroupLevy, withdrawGroupShares } from '../groupMoney/levy/commands.ts'
import { lacksAnyLevyShare } from '../groupMoney/levy/queries.ts'
import { postGroupTransfers, postTransfersAsNotCalculated } from '../groupMoney/transfers/commands.ts'
import { runRecalculateEntries } from '../nonStaffing/entries/commands.ts'
import { loadRecalculation, type RecalculationRow, readRunBudgets, recalculationCondition } from './queries.ts'

/**
 * Recalculates one budget of a run, once: a duplicate or late job finds it done and does nothing.
 * @returns whether this call recalculated it
 */
async function recalculateBudget(call: Call<'organisationId' | 'budgetId' | 'now'>, recalculationId: string): Promise<boolean> {
  const { tx, organisationId, budgetId, now } = call
  const key = { organisationId, recalculationId, budgetId }
  // The statements are sent together, and take their locks in this order.
  const [[item], run, row] = await Promise.all([
    tx.select({ doneAt: recalculationBudgets.doneAt }).from(recalculationBudgets).where(itemOf(key)).for('update'),
    loadRecalculation(tx, organisationId, recalculationId),
    loadBudget(call, budgetId, true),
  ])
  if (!item || item.doneAt || !run || run.finishedAt) return false
  const actor = { userId: run.requestedById, requestId: `recalculation-${recalculationId}`, now }
  const outcome = row.head.locked ? null : await costWhole({ tx, actor }, row, run.inputs)
  const done = tx
    .update(recalculationBudgets)
    .set({ doneAt: now.toISOString(), totals: outcome?.totals ?? null, resultHash: outcome?.result ?? null })
    .where(itemOf(key))
  await Promise.all([executePipelined(tx, [done]), outcome && runRecalculateEntries(tx, outcome.row, actor)])
  return true
}

async function costWhole(call: Call<'actor'>, row: BudgetRow, inputs: string) {
  const { tx } = call
  const same = await recordUnchangedRecalculation(call, row, inputs)
  if (same) return same
  const [{ frozen, shared }, contracts] = await Promise.all([
    readStoredInputs({ tx, organisationId: row.organisationId, budgetId: row.id }, inputs),
    loadContractsToCost({ tx, organisationId: row.organisationId, budgetId: row.id }),
  ])
  const costs = costContracts(contracts, frozen, shared)
  return storeCosts(call, row, { contracts, costing: { costs, shared, inputs, cause: 'group', levyShareRule: 'ofRun' } })
}

interface ItemKey {
  organisationId: OrganisationId
  recalculationId: string
  budgetId: BudgetId
}

const itemOf = ({ organisationId, recalculationId, budgetId }: ItemKey) =>
  and(
    eq(recalculationBudgets.organisationId, organisationId),
    eq(recalculationBudgets.recalculationId, recalculationId),
    eq(recalculationBudgets.budgetId, budgetId),
  )

/**
 * Recalculates one budget of a run and records the outcome. If the same error occurs again, the run ends with a sentence that names the
 * budget; after a temporary failure, the periodic sweep tries again. Never throws for a failed recalculation.
 * @returns `done` if this call recalculated the budget, `ended` if the run was given up, otherwise `no`
 */
export async function tryToRecalculateBudget(
  store: Store,
  { organisationId, recalculationId, budgetId }: { organisationId: OrganisationId; recalculationId: string; budgetId: BudgetId },
): Promise<'done' | 'ended' | 'no'> {
  const key = { organisationId, recalculationId, budgetId }
  const begun = await beginBudget(store, key)
  if (begun === 'no') return 'no'
  if (begun === 'go')
    try {
      const isDone = await store.inOrganisation(organisationId, (tx) =>
        recalculateBudget({ tx, organisationId, budgetId, now: new Date() }, recalculationId),
      )
      return isDone ? 'done' : 'no'
    } catch (error) {
      const isOver = await store.inOrganisation(organisationId, (tx) => keepFailure(tx, key, error))
      log.warn({ cause: fingerprintFailure(error), budgetId, recalculationId, isOver }, 'a budget was not recalculated')
      if (!isOver) return 'no'
    }
  const ended = await store.inOrganisation(organisationId, async (tx) => {
    const [budget] = await tx
      .select({ name: budgets.name, location: locations.name })
      .from(budgets)
      .leftJoin(locations, eq(locations.id, budgets.locationId))
      .where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, budgetId)))
    const name = budget ? `${budget.location}: ${budget.name}` : 'A budget'
    return giveUp({ tx, organisationId, now: new Date() }, recalculationId, `${name} could not be recalculated.`)
  })
  return ended ? 'ended' : 'no'
}

/** Counts a start of work on a budget, as a transaction of its own, so that the count survives if this process is killed. */
async function beginBudget(store: Store, key: ItemKey): Promise<'go' | 'over' | 'no'> {
  // The count may be lost if the database crashes, so the statement does not wait for the disk.
  const seen = sql`${buildTenantCondition(store.scopeOf(key.organisationId))} and (select set_config('synchronous_commit', 'off', true)) is not null`
  // A transaction that works on the budget locks the row, so this statement skips it. The key-share lock of `listUnfinishedRuns` does not
  // conflict.
  const [item] = await store.runStandalone(
    buildStatement(sql`
    with item as (
      select attempts from ${recalculationBudgets} where ${seen} and ${itemOf(key)} and done_at is null for no key update skip locked
    ), begun as (
      update ${recalculationBudgets} set attempts = item.attempts + 1 from item
      where ${buildTenantCondition(store.scopeOf(key.organisationId))} and ${itemOf(key)} and item.attempts < ${maximumJobAttempts}
    )
    select attempts from item`),
  )
  if (!item) return 'no'
  return Number(item[0]) < maximumJobAttempts ? 'go' : 'over'
}

async function keepFailure(tx: OrganisationTx, key: ItemKey, error: unknown): Promise<boolean> {
  const [item] = await tx.select().from(recalculationBudgets).where(itemOf(key)).for('update')
  if (!item || item.doneAt) return false
  const set = isTemporaryFailure(error) ? { attempts: item.attempts - 1 } : { lastError: fingerprintFailure(error) }
  await tx.update(recalculationBudgets).set(set).where(itemOf(key))
  return !isTemporaryFailure(error) && item.lastError === fingerprintFailure(error)
}

/**
 * Ends a run whose budgets are all done. If the same error occurs again, the run ends as failed.
 * @returns whether it has now ended
 */
export async function tryToEndRun(store: Store, organisationId: OrganisationId, id: string): Promise<boolean> {
  try {
    return await store.inOrganisation(organisationId, async (tx) =>
      Boolean(await finishRecalculation({ tx, organisationId, now: new Date() }, id)),
    )
  } catch (error) {
    if (isTemporaryFailure(error)) return false
    return store.inOrganisation(organisationId, async (tx) => {
      const [run] = await tx.select().from(recalculations).where(recalculationCondition(organisationId, id)).for('update')
      if (!run || run.finishedAt) return false
      const isOver = run.lastError === fingerprintFailure(error)
      log.warn({ cause: fingerprintFailure(error), recalculationId: id, isOver }, 'a recalculation could not be completed')
      await tx
        .update(recalculations)
        .set({ attempts: run.attempts + 1, lastError: fingerprintFailure(error) })
        .where(recalculationCondition(organisationId, id))
      return (
        isOver &&
        Boolean(
          await giveUp(
            { tx, organisationId, now: new Date() },
            id,
            'The levy, the Employment Allowance, pools and top slices could not be allocated.',
          ),
        )
      )
    })
  }
}

/**
 * Cancels a run. Finished budgets keep their new figures.
 * @returns null if it had already ended
 */
export function cancelRecalculation(call: Call<'organisationId' | 'now'>, id: string): Promise<RecalculationRow | null> {
  return endWithoutSharing(call, id, {
    status: 'cancelled',
    failure: 'It was cancelled.',
    reason: 'The last recalculation was cancelled',
  })
}

function giveUp(call: Call<'organisationId' | 'now'>, id: string, failure: string): Promise<RecalculationRow | null> {
  return endWithoutSharing(call, id, { status: 'failed', failure, reason: 'The last recalculation failed' })
}

/** Ends a run without sharing the group's money, and marks the group or budget as requiring another recalculation. */
async function endWithoutSharing(
  call: Call<'organisationId' | 'now'>,
  id: string,
  { status, failure, reason }: { status: 'failed' | 'cancelled'; failure: string; reason: string },
): Promise<RecalculationRow | null> {
  const { tx, organisationId, now } = call
  const known = await loadRecalculation(tx, organisationId, id)
  if (known?.groupId) await lockShareWithdrawal(tx, known.groupId)
  const [run] = await tx.select().from(recalculations).where(recalculationCondition(organisationId, id)).for('update')
  if (!run || run.finishedAt) return null
  const ended = await writeEnd(call, run, { status, failure })
  const items = await readRunBudgets(tx, organisationId, id)
  const budgetsOfRun = items.map((item) => ({ organisationId, budgetId: item.budgetId }))
  const done = items.flatMap((item) => (item.doneAt ? [item.budgetId] : []))
  if (run.groupId && done.length) {
    const actor = { userId: run.requestedById, requestId: `recalculation-${id}-levy`, now }
    const { budgetIds } = await loadGroupRow(call, run.groupId)
    const changed = (await lacksAnyLevyShare(tx, organisationId, done)) ? (['pay', 'ni'] as const) : (['ni'] as const)
    await withdrawGroupShares({ tx, organisationId, actor }, { groupId: run.groupId, budgetIds, changed })
  }
  await markBudgetsForRecalculation(call, budgetsOfRun, reason)
  return ended
}

/**
 * Ends a run when all its budgets are done, and shares the levy, Employment Allowance, pools and top slices. A second call does nothing.
 */
async function finishRecalculation(call: Call<'organisationId' | 'now'>, id: string): Promise<RecalculationRow | null> {
  const { tx, organisationId, now } = call
  const [run] = await tx.select().from(recalculations).where(recalculationCondition(organisationId, id)).for('update')
  if (!run || run.finishedAt) return null
  const items = await readRunBudgets(tx, organisationId, id)
  if (items.some((item) => !item.doneAt)) return null
  const actor = { userId: run.requestedById, requestId: `recalculation-${id}-levy`, now }
  if (run.groupId) {
    const row = await loadGroupRow(call, run.groupId)
    const { budgetIds } = row
    await postGroupLevy({ tx, organisationId, actor }, budgetIds)
    await postGroupAllowance({ tx, organisationId, actor }, row)
    await postGroupTransfers({ tx, organisationId, actor }, budgetIds)
    const group = and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, run.groupId))
    await tx.update(budgetGroups).set({ lastRecalculated: now.toISOString() }).where(group)
  } else {
    const budgetIds = items.map(({ budgetId }) => budgetId)
    await postTransfersAsNotCalculated({ tx, organisationId, actor }, budgetIds, { isInGroup: false, keeps: true })
  }
  return writeEnd(call, run, { status: 'done', failure: null })
}

async function writeEnd(
  { tx, now }: Call<'now'>,
  { organisationId, id }: RecalculationRow,
  end: { status: RecalculationStatus; failure: string | null },
): Promise<RecalculationRow> {
  const items = await readRunBudgets(tx, organisationId, id)
  const totals: CostTotals = { years: [], contracts: 0, notCalculated: 0 }
  for (const { totals: budgetTotals } of items)
    if (budgetTotals) {
      budgetTotals.years.forEach((total, year) => {
        totals.years[year] = (totals.years[year] ?? 0) + total
      })
      totals.contracts += budgetTotals.contracts
      totals.notCalculated += budgetTotals.notCalculated
    }
  const resultHash = hashValue(items.map((item) => [item.budgetId, item.resultHash]).sort())
  const [position] = await tx.execute<{ position: string | null }>(
    sql`select max(position) as position from budget_events where organisation_id = ${organisationId}`,
  )
  const ended = requireSingleRow(
    await tx
      .update(recalculations)
      .set({ ...end, finishedAt: now.toISOString(), totals, resultHash, position: Number(position?.position ?? 0) })
      .where(recalculationCondition(organisationId, id))
      .returning(),
  )
  return ended
}

/** What to recalculate: a group, or a budget outside any group. */
export type RecalculationScope = { groupId: BudgetGroupId; budgetId?: undefined } | { budgetId: BudgetId; groupId?: undefined }

/**
 * Starts the recalculation of a group, or of a budget outside any group: stores the inputs and records what to do. The unfinished row acts
 * as the lock; jobs only tell a worker to look at it. Locked budgets keep their figures.
 * @throws DomainError 409 if it is already running, or if the budget has a group, with which it must be recalculated
 */
export async function beginRecalculation(
  call: Call<'organisationId' | 'actor'>,
  target: RecalculationScope,
): Promise<{ run: RecalculationRow; budgetIds: BudgetId[] }> {
  const { tx, organisationId, actor } = call
  const { groupId = null, budgetId = null } = target
  const members = target.groupId ? (await loadGroupRow(call, target.groupId)).budgetIds : [assertDefined(target.budgetId)]
  const rows = await lockBudgets(tx, organisationId, members)
  if (target.groupId) {
    const now = await loadGroupRow(call, target.groupId, true)
    if (now.budgetIds.join() !== members.join()) throw staleRecord({ version: now.version, fields: ['items'] })
    if ((await selectRunningRecalculations(tx, organisationId, target.groupId)).length)
      throw conflict('recalculating', recalculatingSentence)
  } else await refuseAlone(tx, organisationId, rows[0])
  const open = rows.filter((row) => !row.head.locked)
  const budgetIds = open.map((row) => row.id)
  // Remove the marks before reading the inputs: a change that commits in between may be missing from the inputs, so its mark must stay.
  await removeRecalculationMarks(tx, organisationId, budgetIds)
  if (groupId)
    await tx
      .update(budgetGroups)
      .set({ requiredSince: null, requiredReason: null })
      .where(and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, groupId)))
  const version = await readDataVersion(tx, organisationId, 'reference')
  const heads = open.map((row) => row.head)
  const shared = await readSharedInputs(call, heads, version)
  const frozen = await readInputsOfBudgets(call, open, { shared, version })
  const inputs = await storeInputs(call, shared, frozen)
  const id = randomUUID()
  const run = requireSingleRow(
    await tx
      .insert(recalculations)
      .values({ organisationId, id, groupId, budgetId, inputs, requestedById: actor.userId, startedAt: actor.now.toISOString() })
      .returning(),
  )
  if (budgetIds.length)
    await tx.insert(recalculationBudgets).values(budgetIds.map((one) => ({ organisationId, recalculationId: id, budgetId: one })))
  return { run: run, budgetIds }
}

async function refuseAlone(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  row: typeof budgets.$inferSelect | undefined,
): Promise<void> {
  if (!row) throw notFound('Budget')
  if (row.head.locked) throw conflict('locked', lockedSentence)
  await refuseWhileBusy(tx, organisationId, row.id)
  const group = await loadGroupOfBudget(tx, organisationId, row.id)
  if (group) throw conflict('inGroup', `This budget is recalculated with the group ${group.name}. Recalculate the group.`)
}

export async function markRecalculationAnnounced({ tx, organisationId, now }: Call<'organisationId' | 'now'>, id: string): Promise<void> {
  await tx.update(recalculations).set({ announcedAt: now.toISOString() }).where(recalculationCondition(organisationId, id))
}
