import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { LiveMessage } from '../../../domain/changes/live.ts'
import { type BudgetId, type OrganisationId, platformOrganisationId } from '../../../domain/values/ids.ts'
import { isRecord } from '../../../domain/values/unknownValues.ts'
import { conflict, DomainError, invalid } from '../../../domain/words/errors.ts'
import { type OrganisationTx, openSeparateStore, openStoreWithin, type Store, type TransactionPurpose } from '../database/database.ts'
import { findLockToWaitFor, isLockTimeout, isTransactionConflict } from '../database/errors.ts'
import { publishLiveMessage } from '../live/announce.ts'
import { log } from '../log.ts'
import { createFairLimiter } from '../shares.ts'
import { findStoredAnswer, type IdempotentCall, storeAnswer } from './answers.ts'
import type { CallContext, Services } from './context.ts'
import type { Principal } from './principal.ts'
import { findUnknownFields, hasInputFields } from './unknownFields.ts'

/** How often a call is tried if PostgreSQL rolls it back because of a conflict. */
const maximumAttempts = 4
/** How long a change waits for a lock that another transaction holds, and how often it retries. */
const [lockTimeoutMs, lockRetryMs] = [8000, 20]
/**
 * Queues of changes that wait for a budget. They wait in the process without a database connection; the lock in the
 * database protects against changes by other processes.
 */
const changeQueues = createFairLimiter({
  most: Number.POSITIVE_INFINITY,
  each: 1,
  mostWaiting: 40,
  longestWaitMs: 2 * lockTimeoutMs,
  sentence: 'Too many changes to this budget are already waiting. Try again in a moment.',
})
/**
 * How many milliseconds an answer waits for the notifications to be sent after the commit. The change does not depend on them, and callers
 * must be answered within two seconds even while the queue is unavailable.
 */
const notificationTimeoutMs = 1200

/** What a procedure receives besides its input. */
export interface CallTools {
  services: Services
  /** @param purpose for queries, how statements are planned; a mutation has one transaction for everything */
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>, purpose?: 'look' | 'page') => Promise<T>
  /** Registers work to do after the commit, with the services of the process, such as notifying others. */
  afterwards: (work: (services: Services) => Promise<void>) => void
  /**
   * For writes that others must see before the call ends, such as progress. They use a separate connection, so the call must not wait for
   * them.
   */
  aside: Store
  /** The organisation whose rows the call sees; null for the platform. */
  seenBy: OrganisationId | null
}

interface Call {
  ctx: CallContext & { principal: Principal }
  type: 'query' | 'mutation' | 'subscription'
  path: string
  batchIndex?: number
  getRawInput: () => Promise<unknown>
}

export interface TransactionScope {
  /** Null for the platform. */
  organisationId: OrganisationId | null
  open: <T>(work: (tx: OrganisationTx) => Promise<T>, purpose: TransactionPurpose) => Promise<T>
}

type CallResult = { ok: true; data: unknown } | { ok: false; error: Error }

class Refused extends Error {
  readonly result: CallResult
  constructor(result: CallResult) {
    super('refused')
    this.result = result
  }
}

/** A stored first answer or a thrown refusal, with the type that `run` returns. */
function typeResult<R extends CallResult>(result: CallResult): R {
  // Only results of `run` are stored or thrown here, but the database and the error lose the type.
  return result as R
}

/**
 * Runs a mutation as one transaction: its checks, its change and the answer stored under its `Idempotency-Key` are
 * committed together or not at all, and notifications are sent after the commit. A repeated call with the same key gets
 * the first answer. Refusals change nothing and are not stored, so a repeated call is decided again. Queries open
 * transactions as they need them.
 * @throws DomainError 400 for fields that the procedure does not know
 */
export async function runInOneTransaction<R extends CallResult>(
  call: Call,
  scope: TransactionScope,
  run: (tools: CallTools) => Promise<R>,
): Promise<R> {
  const { services, address } = call.ctx
  const sent = hasInputFields(call.path) ? await call.getRawInput() : undefined
  const unknown = findUnknownFields({ ...call, address }, sent)
  if (unknown.length) throw invalid(unknown)
  // The check above only reports unknown fields and ignores some of them. This REST address must not pass on the field that names a level.
  if (address?.without && isRecord(sent)) Reflect.deleteProperty(sent, address.without)
  if (call.type !== 'mutation')
    return run({
      services,
      inTransaction: (work, purpose = 'page') => scope.open(work, purpose),
      afterwards: (work) => void sendNotifications([() => work(services)]),
      aside: openSeparateStore(services.store),
      seenBy: scope.organisationId,
    })
  const began = performance.now()
  const line = await findChangeQueue(call, scope)
  const attempt = () => changeOnce(call, scope, run)
  if (!changeQueues.isTaken(line))
    try {
      return await attempt()
    } catch (error) {
      if (!isLockTimeout(error)) throw error
    }
  return changeQueues.turn(line, async () => {
    for (;;)
      try {
        return await attempt()
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        if (performance.now() - began > lockTimeoutMs) throw createLockedError()
        await wait(lockRetryMs)
      }
  })
}

/** @returns the error for a change that needs something locked by another call */
function createLockedError(): DomainError {
  return conflict('held', 'Someone else is changing this at the moment. Nothing was saved. Try again in a moment.', { seconds: 5 })
}

/** The queue in which a change waits: that of its selected or named budget, otherwise that of its organisation. */
async function findChangeQueue({ ctx: { selection }, path, getRawInput }: Call, { organisationId }: TransactionScope): Promise<string> {
  const input = hasInputFields(path) ? await getRawInput() : undefined
  const { budgetId, id } = isRecord(input) ? input : {}
  return `${organisationId ?? platformOrganisationId} ${budgetId ?? selection.budgetId ?? id ?? ''}`
}

/**
 * Runs a mutation in one transaction, retried if PostgreSQL rolls it back because of a conflict. A lock timeout is thrown to the caller.
 */
async function changeOnce<R extends CallResult>(call: Call, scope: TransactionScope, run: (tools: CallTools) => Promise<R>): Promise<R> {
  const { services } = call.ctx
  const keyed = await readIdempotentCall(call, scope)
  let lockToTake: readonly [number, number] | null = null
  for (let tries = 1; ; tries++) {
    const notifications: (() => Promise<void>)[] = []
    const [first, second] = lockToTake ?? []
    try {
      const result = await scope.open(async (tx) => {
        // Long calls have already worked for seconds before they lock a budget, and they have a connection pool of their own. So they wait
        // for the lock in the database.
        if (services.store.use === 'calls') tx.budgetLock = { noWait: true }
        // Take this lock before the transaction holds any other lock.
        if (first !== undefined) await tx.execute(sql`select pg_advisory_xact_lock(${first}::integer, ${second}::integer)`)
        const before = keyed && (await findStoredAnswer(tx, keyed))
        const storedResult = before && { ok: true as const, marker: 'middlewareMarker', data: before.value }
        if (storedResult) return typeResult<R>(storedResult)
        const done = await run({
          services: { ...deferNotifications(services, notifications), store: openStoreWithin(tx, services.store, scope.organisationId) },
          inTransaction: (work) => work(tx),
          afterwards: (work) => void notifications.push(() => work(services)),
          aside: openSeparateStore(services.store),
          seenBy: scope.organisationId,
        })
        const answer: CallResult = done
        if (!answer.ok) throw new Refused(answer)
        if (keyed) await storeAnswer({ tx, now: call.ctx.now }, keyed, answer.data)
        for (const [budgetId, { organisationId, version }] of tx.changedBudgets)
          notifications.push(
            async () =>
              void (await publishLiveMessage(services, createBudgetChangedMessage(budgetId, version, call.ctx), { organisationId })),
          )
        return done
      }, 'change')
      // The change may have queued a request to another system or a webhook.
      if (scope.organisationId !== null) services.queues.requestOutsideCheck()
      await sendNotifications(notifications)
      return result
    } catch (error) {
      const cause = error instanceof Refused && !error.result.ok ? error.result.error : error
      if (tries < maximumAttempts && isTransactionConflict(cause)) {
        lockToTake = findLockToWaitFor(cause) ?? lockToTake
        await wait(20 * tries * (1 + Math.random()))
        continue
      }
      if (error instanceof Refused && !isLockTimeout(cause)) return typeResult<R>(error.result)
      throw cause
    }
  }
}

/** Tells everyone who has the budget open that it changed, and who changed it, but not what changed. */
function createBudgetChangedMessage(budgetId: BudgetId, version: number, { principal, requestId }: Call['ctx']): LiveMessage {
  return { target: 'BudgetChanged', argument: { budgetId, version, byId: principal.userId, requestId } }
}

/**
 * Delays messages and wake-ups until after the commit, so that nobody hears of a change that is rolled back or not yet
 * visible.
 */
function deferNotifications({ queues, fanOut, ...rest }: Services, notifications: (() => Promise<void>)[]): Services {
  const later =
    <A extends unknown[]>(tellNow: (...about: A) => Promise<void>) =>
    async (...about: A): Promise<void> => {
      notifications.push(() => tellNow(...about))
    }
  return {
    ...rest,
    queues: { ...queues, wake: later(queues.wake), wakeFill: later(queues.wakeFill), wakeExplain: later(queues.wakeExplain) },
    fanOut: { ...fanOut, publish: later(fanOut.publish) },
  }
}

async function sendNotifications(notifications: readonly (() => Promise<void>)[]): Promise<void> {
  if (!notifications.length) return
  const all = Promise.all(notifications.map((one) => one().catch((error) => log.warn({ err: error }, 'a change was not announced'))))
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise((resolve) => {
    timer = setTimeout(resolve, notificationTimeoutMs)
  })
  await Promise.race([all, enough])
  clearTimeout(timer)
}

/** The call with its idempotency key; null without a key. */
async function readIdempotentCall(
  { ctx, path, batchIndex, getRawInput }: Call,
  { organisationId }: TransactionScope,
): Promise<IdempotentCall | null> {
  const key = readIdempotencyKey(ctx.idempotencyKey, batchIndex ?? 0)
  if (!key) return null
  const { principal, selection } = ctx
  const caller = `${principal.kind} ${principal.userId ?? principal.clientId}`
  return { organisationId: organisationId ?? platformOrganisationId, caller, key, call: path, selection, input: await getRawInput() }
}

/**
 * The key of one call. A batch may send a key for each call, in order; one key for a whole batch is combined with each
 * call's position.
 * @throws DomainError 400 for a key that is too long or has invalid characters
 */
function readIdempotencyKey(header: string | undefined, index: number): string | undefined {
  if (!header) return undefined
  const keys = header.split(',').map((key) => key.trim().replace(/^"(.*)"$/, '$1'))
  const key = keys[keys.length > 1 ? index : 0]
  if (!key) return undefined
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new DomainError(
      'invalid',
      'header',
      'An Idempotency-Key must have 1 to 200 letters, digits and symbols, without spaces or commas.',
    )
  // Keys cannot contain this separator.
  return keys.length === 1 && index ? `${key} ${index}` : key
}
