import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { BudgetSource } from '../../domain/budget/budget.ts'
import { conflict } from '../../domain/errors.ts'
import { budgetJobItems, budgetJobs } from '../../drizzle/costTables.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'

/** A budget to be filled, and what of. */
export interface Filling {
  budgetId: string
  sourceId: string
  sourceVersion: number
}

/** Writes down which budgets are to be filled. The unfinished row keeps everybody out of the budget; jobs only say "look". */
export async function beginJob(
  tx: OrganisationTx,
  organisationId: number,
  how: BudgetSource['how'],
  fillings: readonly Filling[],
  actor: Actor,
): Promise<string> {
  const id = randomUUID()
  await tx
    .insert(budgetJobs)
    .values({ organisationId, id, how, requestedById: actor.userId, requestId: actor.requestId, startedAt: actor.now.toISOString() })
  for (let start = 0; start < fillings.length; start += 500)
    await tx.insert(budgetJobItems).values(fillings.slice(start, start + 500).map((filling) => ({ organisationId, jobId: id, ...filling })))
  return id
}

const itemOf = (organisationId: number, budgetId: string) =>
  and(eq(budgetJobItems.organisationId, organisationId), eq(budgetJobItems.budgetId, budgetId))

/** The row of a budget that is to be filled, locked, with the job it belongs to; undefined when it is filled or was never to be. */
export async function openItem(tx: OrganisationTx, organisationId: number, budgetId: string) {
  const [item] = await tx.select().from(budgetJobItems).where(itemOf(organisationId, budgetId)).for('update')
  if (!item || item.doneAt || item.failure) return undefined
  const [job] = await tx
    .select()
    .from(budgetJobs)
    .where(and(eq(budgetJobs.organisationId, organisationId), eq(budgetJobs.id, item.jobId)))
  return job && { item, job }
}

export async function endItem(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  end: { doneAt: string } | { failure: string },
): Promise<void> {
  await tx.update(budgetJobItems).set(end).where(itemOf(organisationId, budgetId))
}

/** @throws DomainError 409 while a budget is being filled, or when it could not be */
export async function refuseWhileMaking(tx: OrganisationTx, organisationId: number, budgetId: string): Promise<void> {
  const [item] = await tx
    .select({ failure: budgetJobItems.failure })
    .from(budgetJobItems)
    .where(and(itemOf(organisationId, budgetId), isNull(budgetJobItems.doneAt)))
  if (item?.failure) throw conflict('notMade', `${item.failure} Delete this budget and make it again.`)
  if (item) throw conflict('making', 'This budget is still being made. Try again in a moment.')
}

/** The budgets of an organisation that are not filled yet, with the sentence of those that could not be. */
export async function notFilled(tx: OrganisationTx, organisationId: number): Promise<Map<string, string | null>> {
  const rows = await tx
    .select({ budgetId: budgetJobItems.budgetId, failure: budgetJobItems.failure })
    .from(budgetJobItems)
    .where(and(eq(budgetJobItems.organisationId, organisationId), isNull(budgetJobItems.doneAt)))
  return new Map(rows.map((row) => [row.budgetId, row.failure]))
}

/** How far the job of a budget is. */
export async function jobProgress(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
): Promise<{ jobId: string; done: number; of: number; budgetIds: string[] } | null> {
  const [own] = await tx.select({ jobId: budgetJobItems.jobId }).from(budgetJobItems).where(itemOf(organisationId, budgetId))
  if (!own) return null
  const rows = await tx
    .select({
      budgetId: budgetJobItems.budgetId,
      isDone: sql<boolean>`${budgetJobItems.doneAt} is not null or ${budgetJobItems.failure} is not null`,
    })
    .from(budgetJobItems)
    .where(and(eq(budgetJobItems.organisationId, organisationId), eq(budgetJobItems.jobId, own.jobId)))
  return { jobId: own.jobId, done: rows.filter((row) => row.isDone).length, of: rows.length, budgetIds: rows.map((row) => row.budgetId) }
}

/** Every budget that is still to be filled, over all organisations: what the sweep wakes up. */
export async function unfilled(tx: OrganisationTx): Promise<{ organisationId: number; budgetId: string }[]> {
  return tx
    .select({ organisationId: budgetJobItems.organisationId, budgetId: budgetJobItems.budgetId })
    .from(budgetJobItems)
    .where(and(isNull(budgetJobItems.doneAt), isNull(budgetJobItems.failure)))
}

/** Forgets that a budget was to be filled, when it is deleted. */
export async function dropItems(tx: OrganisationTx, organisationId: number, budgetIds: readonly string[]): Promise<void> {
  if (budgetIds.length)
    await tx
      .delete(budgetJobItems)
      .where(and(eq(budgetJobItems.organisationId, organisationId), inArray(budgetJobItems.budgetId, [...budgetIds])))
}
