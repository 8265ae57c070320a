import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNotNull, isNull, or, sum } from 'drizzle-orm'
import type { BudgetSource } from '../../../domain/budget/budget.ts'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { conflict, DomainError } from '../../../domain/words/errors.ts'
import { budgetJobItems, budgetJobs } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { unfilledRefusal } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { failureFingerprint, isTemporary, mostAttempts } from '../../core/queue/attempts.ts'
import type { Waiting } from '../../core/queue/queues.ts'

/** A budget to be filled, and what of. */
export interface Filling {
  budgetId: BudgetId
  sourceId: BudgetId
  sourceVersion: number
}

/** Writes down which budgets are to be filled. The unfinished row keeps everybody out of the budget; jobs only say "look". */
export async function beginJob(
  { tx, organisationId, actor }: Call<'organisationId' | 'actor'>,
  how: BudgetSource['how'],
  fillings: readonly Filling[],
): Promise<string> {
  const id = randomUUID()
  await tx
    .insert(budgetJobs)
    .values({ organisationId, id, how, requestedById: actor.userId, requestId: actor.requestId, startedAt: actor.now.toISOString() })
  for (let start = 0; start < fillings.length; start += 500)
    await tx.insert(budgetJobItems).values(fillings.slice(start, start + 500).map((filling) => ({ organisationId, jobId: id, ...filling })))
  return id
}

const itemOf = (organisationId: OrganisationId, budgetId: BudgetId) =>
  and(eq(budgetJobItems.organisationId, organisationId), eq(budgetJobItems.budgetId, budgetId))

/** The row of a budget that is to be filled, locked, with the job it belongs to; undefined when it is filled or was never to be. */
export async function openItem(tx: OrganisationTx, organisationId: OrganisationId, budgetId: BudgetId) {
  const [item] = await tx.select().from(budgetJobItems).where(itemOf(organisationId, budgetId)).for('update')
  if (!item || item.doneAt || item.failure) return undefined
  const [job] = await tx
    .select()
    .from(budgetJobs)
    .where(and(eq(budgetJobs.organisationId, organisationId), eq(budgetJobs.id, item.jobId)))
  return job && { item, job }
}

/** What is still to be filled: a row that is done, or given up, is neither again. */
const openOf = (organisationId: OrganisationId, budgetId: BudgetId) =>
  and(itemOf(organisationId, budgetId), isNull(budgetJobItems.doneAt), isNull(budgetJobItems.failure))

/** How many events of the budgets they are made of these budgets are filled from, together. */
export async function eventsToFillFrom(
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

export async function endItem({ tx, organisationId, budgetId, now }: Call<'organisationId' | 'budgetId' | 'now'>): Promise<void> {
  await tx.update(budgetJobItems).set({ doneAt: now.toISOString() }).where(openOf(organisationId, budgetId))
}

const notFilledSentence = 'It could not be filled from the budget it was created from.'

/**
 * Counts that filling a budget is begun. A budget that ended whoever was at it ten times is given up.
 * @returns `go`, `over` when it is given up now, or `no` when there is nothing to do or somebody is at it
 */
export async function beginFilling(tx: OrganisationTx, organisationId: OrganisationId, budgetId: BudgetId): Promise<'go' | 'over' | 'no'> {
  // Who is at it holds the row as a whole; who only looks what is left (`unfilled`) keeps nobody from it.
  const [item] = await tx.select().from(budgetJobItems).where(openOf(organisationId, budgetId)).for('no key update', { skipLocked: true })
  if (!item) return 'no'
  const isOver = item.attempts >= mostAttempts
  const set = isOver ? { failure: notFilledSentence } : { attempts: item.attempts + 1 }
  await tx.update(budgetJobItems).set(set).where(itemOf(organisationId, budgetId))
  return isOver ? 'over' : 'go'
}

/** Keeps how filling a budget failed: the second time in the same way ends it, and what passes by itself does not count. @returns whether it ended */
export async function keepFailure({ tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>, error: unknown): Promise<boolean> {
  const [item] = await tx.select().from(budgetJobItems).where(openOf(organisationId, budgetId)).for('update')
  if (!item) return false
  const isOver = !isTemporary(error) && item.lastError === failureFingerprint(error)
  // What we refuse says what is to be done.
  const sentence = error instanceof DomainError ? error.message : notFilledSentence
  const set = isTemporary(error)
    ? { attempts: item.attempts - 1 }
    : { lastError: failureFingerprint(error), failure: isOver ? sentence : null }
  await tx.update(budgetJobItems).set(set).where(itemOf(organisationId, budgetId))
  return isOver
}

/** Takes up again a budget that could not be filled. @throws DomainError 409 when it is filled, or is being filled */
export async function fillAgain(tx: OrganisationTx, organisationId: OrganisationId, budgetId: BudgetId): Promise<void> {
  const again = await tx
    .update(budgetJobItems)
    .set({ failure: null, attempts: 0, lastError: null, announcedAt: null })
    .where(and(itemOf(organisationId, budgetId), isNull(budgetJobItems.doneAt), isNotNull(budgetJobItems.failure)))
    .returning({ budgetId: budgetJobItems.budgetId })
  if (!again.length) throw conflict('notFailed', 'This budget was not created with an error.')
}

/** @throws DomainError 409 while a budget is being filled, or when it could not be */
export async function refuseWhileMaking(tx: OrganisationTx, organisationId: OrganisationId, budgetId: BudgetId): Promise<void> {
  const [item] = await tx
    .select({ failure: budgetJobItems.failure })
    .from(budgetJobItems)
    .where(and(itemOf(organisationId, budgetId), isNull(budgetJobItems.doneAt)))
  if (item) throw unfilledRefusal(item.failure)
}

/** The budgets of an organisation that are not filled yet, with the sentence of those that could not be. */
export async function notFilled(tx: OrganisationTx, organisationId: OrganisationId): Promise<Map<string, string | null>> {
  const rows = await tx
    .select({ budgetId: budgetJobItems.budgetId, failure: budgetJobItems.failure })
    .from(budgetJobItems)
    .where(and(eq(budgetJobItems.organisationId, organisationId), isNull(budgetJobItems.doneAt)))
  return new Map(rows.map((row) => [row.budgetId, row.failure]))
}

/** How far the job of a budget is. */
export async function jobProgress(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<{ jobId: string; done: number; of: number; failed: number; budgetIds: BudgetId[] } | null> {
  const [own] = await tx.select({ jobId: budgetJobItems.jobId }).from(budgetJobItems).where(itemOf(organisationId, budgetId))
  if (!own) return null
  const rows = await tx
    .select({
      budgetId: budgetJobItems.budgetId,
      doneAt: budgetJobItems.doneAt,
      failure: budgetJobItems.failure,
    })
    .from(budgetJobItems)
    .where(and(eq(budgetJobItems.organisationId, organisationId), eq(budgetJobItems.jobId, own.jobId)))
  const failed = rows.filter((row) => !row.doneAt && row.failure).length
  const done = rows.filter((row) => row.doneAt).length + failed
  return { jobId: own.jobId, done, of: rows.length, failed, budgetIds: rows.map((row) => row.budgetId) }
}

/** Budgets that were filled or given up and of which nobody was told yet, over all organisations. */
export async function untold(tx: OrganisationTx): Promise<{ organisationId: OrganisationId; budgetId: BudgetId }[]> {
  return tx
    .select({ organisationId: budgetJobItems.organisationId, budgetId: budgetJobItems.budgetId })
    .from(budgetJobItems)
    .where(and(isNull(budgetJobItems.announcedAt), or(isNotNull(budgetJobItems.doneAt), isNotNull(budgetJobItems.failure))))
    .limit(1000)
}

export async function keepTold({ tx, organisationId, budgetId, now }: Call<'organisationId' | 'budgetId' | 'now'>): Promise<void> {
  await tx
    .update(budgetJobItems)
    .set({ announcedAt: now.toISOString() })
    .where(and(itemOf(organisationId, budgetId), or(isNotNull(budgetJobItems.doneAt), isNotNull(budgetJobItems.failure))))
}

/** Every budget that is still to be filled and that nobody is filling, over all organisations: what the sweep wakes up. */
export async function unfilled(tx: OrganisationTx): Promise<({ organisationId: OrganisationId } & Waiting)[]> {
  const { organisationId, budgetId, attempts } = budgetJobItems
  return tx
    .select({ organisationId, budgetId, attempts })
    .from(budgetJobItems)
    .where(and(isNull(budgetJobItems.doneAt), isNull(budgetJobItems.failure)))
    .for('key share', { skipLocked: true })
}

/** Forgets that a budget was to be filled, when it is deleted. */
export async function dropItems(tx: OrganisationTx, organisationId: OrganisationId, budgetIds: readonly BudgetId[]): Promise<void> {
  if (budgetIds.length)
    await tx
      .delete(budgetJobItems)
      .where(and(eq(budgetJobItems.organisationId, organisationId), inArray(budgetJobItems.budgetId, [...budgetIds])))
}
