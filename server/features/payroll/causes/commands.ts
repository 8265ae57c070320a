import { randomUUID } from 'node:crypto'
import { and, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { OrganisationId, UserId } from '../../../../domain/values/ids.ts'
import { type ExplainedMonth, payrollExplanations, type StoredExplanation } from '../../../../drizzle/payrollTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx, Store } from '../../../core/database/database.ts'
import { encryptText, ensureOrganisationKey } from '../../../core/database/vault.ts'
import { log } from '../../../core/log.ts'
import { fingerprintFailure, isTemporaryFailure, maximumJobAttempts } from '../../../core/queue/attempts.ts'
import type { ExplainJob } from '../../../core/queue/queues.ts'
import type { PayrollEditor } from '../../../shared/payroll/commands.ts'
import { resolveReconciliationLevel } from '../../../shared/payroll/queries.ts'
import { buildExplanationCondition, explainMonth, readMonthToExplain } from './queries.ts'

/** How often, in milliseconds, a running search reports its progress and checks whether it was cancelled. */
const progressMs = 300
/**
 * How often, in milliseconds, a search reports that it is still running, even while it reads its input. It must be far shorter than the
 * time after which another worker takes over.
 */
const heartbeatMs = 5000
/** How long, in milliseconds, results are stored. */
const retentionMs = 24 * 3_600_000
/** The most concurrent searches of one user, enough for a few open pages. */
const maximumRunning = 3
const failedSentence = 'The causes could not be found.'

/**
 * Starts a search for the causes of a month's differences. If the user has too many running, the oldest is cancelled.
 * @throws DomainError 404 for a budget or group that the caller may not see; 400 for a month in none of its years
 */
export async function beginExplanation(call: Call & PayrollEditor, userId: UserId, request: ExplainedMonth): Promise<ExplainJob> {
  const { tx, organisationId, holder, actor } = call
  await resolveReconciliationLevel(call, request)
  const ownSearches = and(eq(payrollExplanations.organisationId, organisationId), eq(payrollExplanations.requestedById, userId))
  const tooMuch = await tx
    .select({ id: payrollExplanations.id })
    .from(payrollExplanations)
    .where(and(ownSearches, eq(payrollExplanations.status, 'running')))
    .orderBy(desc(payrollExplanations.startedAt), payrollExplanations.id)
    .offset(maximumRunning - 1)
  if (tooMuch.length)
    await tx
      .update(payrollExplanations)
      .set({ status: 'cancelled' })
      .where(
        and(
          ownSearches,
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
    asked: request,
    locationIds: holder.locationIds,
    startedAt: now,
    aliveAt: now,
  })
  return { organisationId, explanationId: id, attempts: 0 }
}

/** Cancels a search for causes of differences. A finished search stays as it is. */
export async function cancelCauseSearch(tx: OrganisationTx, organisationId: OrganisationId, id: string): Promise<void> {
  await tx
    .update(payrollExplanations)
    .set({ status: 'cancelled' })
    .where(and(buildExplanationCondition(organisationId, id), eq(payrollExplanations.status, 'running')))
}

/** Deletes old search results. */
export async function deleteOldExplanations(tx: OrganisationTx, now: Date): Promise<void> {
  const old = new Date(now.getTime() - retentionMs).toISOString()
  await tx.delete(payrollExplanations).where(and(ne(payrollExplanations.status, 'running'), lt(payrollExplanations.startedAt, old)))
}

/**
 * Searches for the requested causes, once: a duplicate or late job finds the search started or finished and does nothing. Does not throw if
 * the search fails: the failure is recorded or, if it is temporary, left to the next sweep.
 */
export async function tryToExplain(store: Store, { organisationId, explanationId, attempts }: ExplainJob): Promise<void> {
  const inTrust = <T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> => store.inOrganisation(organisationId, work)
  const row = await inTrust((tx) => claimSearch({ tx, organisationId }, explanationId, attempts))
  if (!row) return
  // The row no longer matches if the search was cancelled or finished, or if another worker restarted it.
  const mine = and(
    buildExplanationCondition(organisationId, explanationId),
    eq(payrollExplanations.status, 'running'),
    eq(payrollExplanations.attempts, row.attempts),
  )
  let isMine = true
  const tell = (progress: { done?: number; total?: number }): Promise<boolean> =>
    inTrust(async (tx) => {
      // Progress may be lost in a crash, so this does not wait for the disk.
      await tx.execute(sql`set local synchronous_commit to off`)
      const set = { ...progress, aliveAt: new Date().toISOString() }
      isMine = (await tx.update(payrollExplanations).set(set).where(mine).returning({ id: payrollExplanations.id })).length > 0
      return isMine
    })
  const alive = setInterval(
    () =>
      void tell({}).catch((error) =>
        log.warn(
          { cause: fingerprintFailure(error), explanationId },
          'the end of a search for the causes of payroll differences was not announced',
        ),
      ),
    heartbeatMs,
  )
  try {
    const caller = { organisationId, holder: { locationIds: row.locationIds } }
    const month = await store.inOrganisation(organisationId, (tx) => readMonthToExplain({ ...caller, tx }, row.asked), 'look')
    if (!isMine) return
    let toldAt = Number.NEGATIVE_INFINITY
    const explained = await explainMonth(month, async (done) => {
      if (performance.now() - toldAt < progressMs) return isMine
      toldAt = performance.now()
      return tell({ done, total: month.employees })
    })
    if (!explained) return
    await inTrust(async (tx) => {
      const key = await ensureOrganisationKey(tx, organisationId)
      const found = explained.map(
        ({ locationId, employee, budgetId, explanations, findings }): StoredExplanation => ({
          locationId,
          employee,
          sealedNumber: month.reconciliation.numbers.has(employee)
            ? encryptText(key, assertDefined(month.reconciliation.numbers.get(employee)))
            : null,
          budgetId,
          explanations,
          findings,
        }),
      )
      const set = { status: 'done', done: month.employees, total: month.employees, found } as const
      await tx.update(payrollExplanations).set(set).where(mine)
    })
  } catch (error) {
    log.warn({ cause: fingerprintFailure(error), explanationId }, 'the search for the causes of payroll differences failed')
    // Temporary failures are left to the next sweep.
    if (!isTemporaryFailure(error))
      await inTrust((tx) => tx.update(payrollExplanations).set({ status: 'failed', failure: failedSentence }).where(mine))
  } finally {
    clearInterval(alive)
  }
}

/**
 * Records that a search has started. A search that has killed its worker ten times is given up.
 * @returns undefined if there is nothing to do, or if another worker has the search
 */
async function claimSearch({ tx, organisationId }: Call<'organisationId'>, id: string, attempts: number) {
  const isOver = attempts >= maximumJobAttempts
  const [row] = await tx
    .update(payrollExplanations)
    .set({
      attempts: attempts + 1,
      aliveAt: new Date().toISOString(),
      ...(isOver && { status: 'failed' as const, failure: failedSentence }),
    })
    .where(
      and(
        buildExplanationCondition(organisationId, id),
        eq(payrollExplanations.attempts, attempts),
        eq(payrollExplanations.status, 'running'),
      ),
    )
    .returning()
  return isOver ? undefined : row
}
