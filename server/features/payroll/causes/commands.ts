import { randomUUID } from 'node:crypto'
import { and, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { OrganisationId, UserId } from '../../../../domain/values/ids.ts'
import { type ExplainedMonth, type KeptExplanation, payrollExplanations } from '../../../../drizzle/payrollTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx, Store } from '../../../core/database/database.ts'
import { organisationKey, seal } from '../../../core/database/vault.ts'
import { log } from '../../../core/log.ts'
import { isPassing, mostAttempts, wayOf } from '../../../core/queue/attempts.ts'
import type { ExplainJob } from '../../../core/queue/queues.ts'
import type { Changer } from '../../../shared/payroll/commands.ts'
import { levelOf } from '../../../shared/payroll/queries.ts'
import { explainMonth, explanationIs, monthToExplain } from './queries.ts'

/** How often a search says how far it is, and asks whether anybody still wants to know. */
const tellMs = 300
/** How often a search says that somebody is at it, also while it reads what it looks in: far shorter than the silence after which another begins. */
const aliveMs = 5000
/** How long what was found is kept. */
const keptMs = 24 * 3_600_000
/** Searches that one user may have running at once: one for each of a few pages. */
const mostRunning = 3
const failedSentence = 'The causes could not be worked out.'

/**
 * Begins a search for the causes of a month's differences. Of what the same user still has running the oldest is ended where it is too much.
 * @throws DomainError 404 for a budget or group that the caller may not see; 400 for a month that lies in none of its years
 */
export async function beginExplanation(call: Call & Changer, userId: UserId, asked: ExplainedMonth): Promise<ExplainJob> {
  const { tx, organisationId, holder, actor } = call
  await levelOf(call, asked)
  const own = and(eq(payrollExplanations.organisationId, organisationId), eq(payrollExplanations.requestedById, userId))
  const tooMuch = await tx
    .select({ id: payrollExplanations.id })
    .from(payrollExplanations)
    .where(and(own, eq(payrollExplanations.status, 'running')))
    .orderBy(desc(payrollExplanations.startedAt), payrollExplanations.id)
    .offset(mostRunning - 1)
  if (tooMuch.length)
    await tx
      .update(payrollExplanations)
      .set({ status: 'cancelled' })
      .where(
        and(
          own,
          eq(payrollExplanations.status, 'running'),
          inArray(
            payrollExplanations.id,
            tooMuch.map((one) => one.id),
          ),
        ),
      )
  const id = randomUUID()
  const now = actor.now.toISOString()
  await tx.insert(payrollExplanations).values({
    organisationId,
    id,
    requestedById: userId,
    asked,
    locationIds: holder.locationIds,
    startedAt: now,
    aliveAt: now,
  })
  return { organisationId, explanationId: id, attempts: 0 }
}

/** Stops a search. One that has ended stays as it is. */
export async function cancelExplanation(tx: OrganisationTx, organisationId: OrganisationId, id: string): Promise<void> {
  await tx
    .update(payrollExplanations)
    .set({ status: 'cancelled' })
    .where(and(explanationIs(organisationId, id), eq(payrollExplanations.status, 'running')))
}

/** Deletes what was found so long ago that nobody shows it any more. */
export async function forgetExplanations(tx: OrganisationTx, now: Date): Promise<void> {
  const old = new Date(now.getTime() - keptMs).toISOString()
  await tx.delete(payrollExplanations).where(and(ne(payrollExplanations.status, 'running'), lt(payrollExplanations.startedAt, old)))
}

/** Looks for the causes that were asked for, once: a doubled or late job finds that it is begun, or over, and does nothing. Never throws for the work itself. */
export async function tryToExplain(store: Store, { organisationId, explanationId, attempts }: ExplainJob): Promise<void> {
  const inTrust = <T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> => store.inOrganisation(organisationId, work)
  const row = await inTrust((tx) => beginOnce({ tx, organisationId }, explanationId, attempts))
  if (!row) return
  // Begun once more it is somebody else's, and nobody's once it is cancelled or over.
  const mine = and(
    explanationIs(organisationId, explanationId),
    eq(payrollExplanations.status, 'running'),
    eq(payrollExplanations.attempts, row.attempts),
  )
  let isMine = true
  const tell = (progress: { done?: number; total?: number }): Promise<boolean> =>
    inTrust(async (tx) => {
      // How far it is may be forgotten when the machine goes down: nobody waits for the disk.
      await tx.execute(sql`set local synchronous_commit to off`)
      const set = { ...progress, aliveAt: new Date().toISOString() }
      isMine = (await tx.update(payrollExplanations).set(set).where(mine).returning({ id: payrollExplanations.id })).length > 0
      return isMine
    })
  const alive = setInterval(() => void tell({}).catch((error) => log.warn({ cause: wayOf(error), explanationId }, 'not told')), aliveMs)
  try {
    const who = { organisationId, holder: { locationIds: row.locationIds } }
    const month = await store.inOrganisation(organisationId, (tx) => monthToExplain({ ...who, tx }, row.asked), 'look')
    if (!isMine) return
    let toldAt = Number.NEGATIVE_INFINITY
    const explained = await explainMonth(month, async (done) => {
      if (performance.now() - toldAt < tellMs) return isMine
      toldAt = performance.now()
      return tell({ done, total: month.employees })
    })
    if (!explained) return
    await inTrust(async (tx) => {
      const key = await organisationKey(tx, organisationId)
      const found = explained.map(
        ({ locationId, employee, budgetId, explanations, findings }): KeptExplanation => ({
          locationId,
          employee,
          sealedNumber: month.found.numbers.has(employee) ? seal(key, assertDefined(month.found.numbers.get(employee))) : null,
          budgetId,
          explanations,
          findings,
        }),
      )
      const set = { status: 'done', done: month.employees, total: month.employees, found } as const
      await tx.update(payrollExplanations).set(set).where(mine)
    })
  } catch (error) {
    log.warn({ cause: wayOf(error), explanationId }, 'causes were not looked for')
    // What passes by itself is left to the next look.
    if (!isPassing(error))
      await inTrust((tx) => tx.update(payrollExplanations).set({ status: 'failed', failure: failedSentence }).where(mine))
  } finally {
    clearInterval(alive)
  }
}

/** Counts that a search is begun. One that ended whoever was at it ten times is given up. @returns undefined when there is nothing to do, or somebody is at it */
async function beginOnce({ tx, organisationId }: Call<'organisationId'>, id: string, attempts: number) {
  const isOver = attempts >= mostAttempts
  const [row] = await tx
    .update(payrollExplanations)
    .set({
      attempts: attempts + 1,
      aliveAt: new Date().toISOString(),
      ...(isOver && { status: 'failed' as const, failure: failedSentence }),
    })
    .where(and(explanationIs(organisationId, id), eq(payrollExplanations.attempts, attempts), eq(payrollExplanations.status, 'running')))
    .returning()
  return isOver ? undefined : row
}
