import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNotNull, isNull, or, sum } from 'drizzle-orm'
import type { BudgetSource } from '../../../domain/budget/budget.ts'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { conflict, DomainError } from '../../../domain/words/errors.ts'
import { budgetJobItems, budgetJobs } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { createUnfilledError } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { fingerprintFailure, isTemporaryFailure, maximumJobAttempts } from '../../core/queue/attempts.ts'
import type { QueuedBudget } from '../../core/queue/queues.ts'

/** A new budget to be filled with a copy of another budget at a version. */
export interface FillRequest {
  budgetId: BudgetId
  sourceId: BudgetId
  sourceVersion: number
}

/**
 * Stores which new budgets are to be filled. While an item is unfinished, nobody can use its budget. Workers find their work in these
 * items; queue jobs only wake them.
 * @returns the id of the job
 */
export async function createBudgetJob(
  { tx, organisationId, actor }: Call<'organisationId' | 'actor'>,
  how: BudgetSource['how'],
  fillings: readonly FillRequest[],
): Promise<string> {
  const id = randomUUID()
  await tx
    .insert(budgetJobs)
    .values({ organisationId, id, how, requestedById: actor.userId, requestId: actor.requestId, startedAt: actor.now.toISOString() })
  for (let start = 0; start < fillings.length; start += 500)
    await tx.insert(budgetJobItems).values(fillings.slice(start, start + 500).map((filling) => ({ organisationId, jobId: id, ...filling })))
  return id
}

const isItemOfBudget = (organisationId: OrganisationId, budgetId: BudgetId) =>
  and(eq(budgetJobItems.organisationId, organisationId), eq(budgetJobItems.budgetId, budgetId))

/**
 * Locks the unfinished item of a budget and returns it with its job; undefined if the budget is filled, failed or has no job that fills it.
 */
export async function lockUnfinishedJobItem(tx: OrganisationTx, organisationId: OrganisationId, budgetId: BudgetId) {
  const [item] = await tx.select().from(budgetJobItems).where(isItemOfBudget(organisationId, budgetId)).for('update')
  if (!item || item.doneAt || item.failure) return undefined
  const [job] = await tx
    .select()
    .from(budgetJobs)
    .where(and(eq(budgetJobs.organisationId, organisationId), eq(budgetJobs.id, item.jobId)))
  return job && { item, job }
}

/** SQL condition: the item of this budget is neither filled nor failed. */
const isUnfinishedItemOf = (organisationId: OrganisationId, budgetId: BudgetId) =>
  and(isItemOfBudget(organisationId, budgetId), isNull(budgetJobItems.doneAt), isNull(budgetJobItems.failure))

/** Counts the events of the source budgets from which these budgets are to be filled. */
export async function countSourceEvents(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetIds: readonly BudgetId[],
): Promise<number> {
  const [row] = await tx
    .select({ events: sum(budgetJobItems.sourceVersion) })
    .from(budgetJobItems)
    .where(and(eq(budgetJobItems.organisationId, organisationId), inArray(budgetJobItems.budgetId, [...budgetIds])))
  return Number(row?.events ?? 0)
}

export async function markBudgetFilled({ tx, organisationId, budgetId, now }: Call<'organisationId' | 'budgetId' | 'now'>): Promise<void> {
  await tx.update(budgetJobItems).set({ doneAt: now.toISOString() }).where(isUnfinishedItemOf(organisationId, budgetId))
}

const fillFailedSentence = 'Its figures could not be copied from the source budget.'

/**
 * Claims a budget for filling and counts the attempt. After ten attempts that ended in a crash, the budget is
 * recorded as failed.
 * @returns `go` if the caller may fill it, `over` if this call recorded it as failed, `no` if it is finished or another
 * worker holds it
 */
export async function claimBudgetToFill(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<'go' | 'over' | 'no'> {
  // A worker that fills the budget holds the row `for update`; the `for key share` in `listBudgetsToFill` does not
  // block this claim.
  const [item] = await tx
    .select()
    .from(budgetJobItems)
    .where(isUnfinishedItemOf(organisationId, budgetId))
    .for('no key update', { skipLocked: true })
  if (!item) return 'no'
  const isOver = item.attempts >= maximumJobAttempts
  const set = isOver ? { failure: fillFailedSentence } : { attempts: item.attempts + 1 }
  await tx.update(budgetJobItems).set(set).where(isItemOfBudget(organisationId, budgetId))
  return isOver ? 'over' : 'go'
}

/**
 * Records why filling a budget failed. The second failure with the same error is final; temporary errors, such as a
 * lost connection, do not count.
 * @returns whether the failure is final
 */
export async function recordFillFailure(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  error: unknown,
): Promise<boolean> {
  const [item] = await tx.select().from(budgetJobItems).where(isUnfinishedItemOf(organisationId, budgetId)).for('update')
  if (!item) return false
  const isOver = !isTemporaryFailure(error) && item.lastError === fingerprintFailure(error)
  // A DomainError tells people what to do; other errors may reveal internals.
  const sentence = error instanceof DomainError ? error.message : fillFailedSentence
  const set = isTemporaryFailure(error)
    ? { attempts: item.attempts - 1 }
    : { lastError: fingerprintFailure(error), failure: isOver ? sentence : null }
  await tx.update(budgetJobItems).set(set).where(isItemOfBudget(organisationId, budgetId))
  return isOver
}

/**
 * Resets a failed budget so that it is filled again.
 * @throws DomainError 409 if filling it has not failed
 */
export async function retryFilling(tx: OrganisationTx, organisationId: OrganisationId, budgetId: BudgetId): Promise<void> {
  const again = await tx
    .update(budgetJobItems)
    .set({ failure: null, attempts: 0, lastError: null, announcedAt: null })
    .where(and(isItemOfBudget(organisationId, budgetId), isNull(budgetJobItems.doneAt), isNotNull(budgetJobItems.failure)))
    .returning({ budgetId: budgetJobItems.budgetId })
  if (!again.length) throw conflict('notFailed', 'The creation of this budget has not failed, so it cannot be retried.')
}

/** @throws DomainError 409 if the budget is still being filled or filling it failed */
export async function refuseWhileUnfilled(tx: OrganisationTx, organisationId: OrganisationId, budgetId: BudgetId): Promise<void> {
  const [item] = await tx
    .select({ failure: budgetJobItems.failure })
    .from(budgetJobItems)
    .where(and(isItemOfBudget(organisationId, budgetId), isNull(budgetJobItems.doneAt)))
  if (item) throw createUnfilledError(item.failure)
}

/**
 * Lists the budgets of an organisation that are not filled, each with its failure message; null if it is waiting or
 * being filled.
 */
export async function listUnfilledBudgets(tx: OrganisationTx, organisationId: OrganisationId): Promise<Map<string, string | null>> {
  const rows = await tx
    .select({ budgetId: budgetJobItems.budgetId, failure: budgetJobItems.failure })
    .from(budgetJobItems)
    .where(and(eq(budgetJobItems.organisationId, organisationId), isNull(budgetJobItems.doneAt)))
  return new Map(rows.map((row) => [row.budgetId, row.failure]))
}

/** The progress of the job that a budget belongs to; null if it belongs to none. */
export async function readJobProgress(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<{ jobId: string; done: number; of: number; failed: number; budgetIds: BudgetId[] } | null> {
  const [item] = await tx.select({ jobId: budgetJobItems.jobId }).from(budgetJobItems).where(isItemOfBudget(organisationId, budgetId))
  if (!item) return null
  const rows = await tx
    .select({
      budgetId: budgetJobItems.budgetId,
      doneAt: budgetJobItems.doneAt,
      failure: budgetJobItems.failure,
    })
    .from(budgetJobItems)
    .where(and(eq(budgetJobItems.organisationId, organisationId), eq(budgetJobItems.jobId, item.jobId)))
  const failed = rows.filter((row) => !row.doneAt && row.failure).length
  const done = rows.filter((row) => row.doneAt).length + failed
  return { jobId: item.jobId, done, of: rows.length, failed, budgetIds: rows.map((row) => row.budgetId) }
}

/** Lists filled and failed budgets that have not been announced to users, of all organisations, at most 1,000. */
export async function listUnannouncedBudgets(tx: OrganisationTx): Promise<{ organisationId: OrganisationId; budgetId: BudgetId }[]> {
  return tx
    .select({ organisationId: budgetJobItems.organisationId, budgetId: budgetJobItems.budgetId })
    .from(budgetJobItems)
    .where(and(isNull(budgetJobItems.announcedAt), or(isNotNull(budgetJobItems.doneAt), isNotNull(budgetJobItems.failure))))
    .limit(1000)
}

export async function markBudgetAnnounced({
  tx,
  organisationId,
  budgetId,
  now,
}: Call<'organisationId' | 'budgetId' | 'now'>): Promise<void> {
  await tx
    .update(budgetJobItems)
    .set({ announcedAt: now.toISOString() })
    .where(and(isItemOfBudget(organisationId, budgetId), or(isNotNull(budgetJobItems.doneAt), isNotNull(budgetJobItems.failure))))
}

/**
 * Lists the budgets of all organisations that wait to be filled and that no worker holds, for the periodic sweep.
 */
export async function listBudgetsToFill(tx: OrganisationTx): Promise<({ organisationId: OrganisationId } & QueuedBudget)[]> {
  const { organisationId, budgetId, attempts } = budgetJobItems
  return tx
    .select({ organisationId, budgetId, attempts })
    .from(budgetJobItems)
    .where(and(isNull(budgetJobItems.doneAt), isNull(budgetJobItems.failure)))
    .for('key share', { skipLocked: true })
}

/** Deletes the job items of budgets that are being deleted. */
export async function deleteJobItems(tx: OrganisationTx, organisationId: OrganisationId, budgetIds: readonly BudgetId[]): Promise<void> {
  if (budgetIds.length)
    await tx
      .delete(budgetJobItems)
      .where(and(eq(budgetJobItems.organisationId, organisationId), inArray(budgetJobItems.budgetId, [...budgetIds])))
}
