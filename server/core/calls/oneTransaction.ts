import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { LiveMessage } from '../../../domain/changes/live.ts'
import { type BudgetId, type OrganisationId, platformOrganisationId } from '../../../domain/values/ids.ts'
import { isRecord } from '../../../domain/values/unknownValues.ts'
import { conflict, DomainError, invalid } from '../../../domain/words/errors.ts'
import { beside, type OrganisationTx, type Purpose, type Store, storeWithin } from '../database/database.ts'
import { isHeld, lockInTheWay, mayTryAgain } from '../database/errors.ts'
import { publish } from '../live/announce.ts'
import { log } from '../log.ts'
import { openShares } from '../shares.ts'
import { firstAnswer, type KeyedCall, keepAnswer } from './answers.ts'
import type { CallContext, Services } from './context.ts'
import type { Principal } from './principal.ts'
import { takesFields, unknownFields } from './unknownFields.ts'

/** How often a call is begun that PostgreSQL takes back because another one stood in its way. */
const mostTries = 4
/** How long a change waits for somebody else to let go of what it changes, and how soon it looks again. */
const [longestHeldMs, lookAgainMs] = [8000, 20]
/**
 * The lines in which changes wait for a budget that is being changed. They wait here, and not in the database, so that none holds a connection
 * meanwhile; the lock in the database is what keeps changes of other processes apart.
 */
const lines = openShares({
  most: Number.POSITIVE_INFINITY,
  each: 1,
  mostWaiting: 40,
  longestWaitMs: 2 * longestHeldMs,
  sentence: 'Many changes are waiting for this budget already. Try again in a moment.',
})
/**
 * How long an answer waits for the messages and wake-ups that follow the change; the change stands without them, and who asks is answered
 * within two seconds while the queue is away.
 */
const longestTellingMs = 1200

/** What a call does its work with. */
export interface Tools {
  services: Services
  /** @param purpose of a call that looks, how its statements are planned; one that changes has one transaction for all */
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>, purpose?: 'look' | 'page') => Promise<T>
  /** What is done once the change stands, with the services of the process: who is to be told what came of it. */
  afterwards: (work: (services: Services) => Promise<void>) => void
  /** For what is to be seen before the call ends: how far it is. Nothing in a call may wait for it. */
  aside: Store
  /** Whose rows the call sees; null: the platform's. */
  seenBy: OrganisationId | null
}

interface Call {
  ctx: CallContext & { principal: Principal }
  type: 'query' | 'mutation' | 'subscription'
  path: string
  batchIndex?: number
  getRawInput: () => Promise<unknown>
}

export interface Scope {
  /** null: the platform. */
  organisationId: OrganisationId | null
  open: <T>(work: (tx: OrganisationTx) => Promise<T>, purpose: Purpose) => Promise<T>
}

type Result = { ok: true; data: unknown } | { ok: false; error: Error }

class Refused extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('refused')
    this.result = result
  }
}

/** A first answer that was kept, or a refusal that was thrown: what `run` once made, of the kind that it makes. */
function resultOf<R extends Result>(result: Result): R {
  // Nothing else is kept or thrown in its place, but on its way through the database and the error its type is lost.
  return result as R
}

/**
 * Runs a mutation as one transaction: its checks, its change and the answer that is kept for its `Idempotency-Key` stand together or not at
 * all, and what it tells others is told once they stand. The same call again with the same key is given the first answer. A refusal changes
 * nothing and is not kept: sent again, the call is decided anew. Queries ask for transactions as they need them.
 * @throws DomainError 400 for fields that the procedure does not know
 */
export async function inOneTransaction<R extends Result>(call: Call, scope: Scope, run: (tools: Tools) => Promise<R>): Promise<R> {
  const { services } = call.ctx
  const unknown = takesFields(call.path) ? unknownFields(call, await call.getRawInput()) : []
  if (unknown.length) throw invalid(unknown)
  if (call.type !== 'mutation')
    return run({
      services,
      inTransaction: (work, purpose = 'look') => scope.open(work, purpose),
      afterwards: (work) => void tell([() => work(services)]),
      aside: beside(services.store),
      seenBy: scope.organisationId,
    })
  const began = performance.now()
  const line = await lineOf(call, scope)
  const attempt = () => changeOnce(call, scope, run)
  if (!lines.isTaken(line))
    try {
      return await attempt()
    } catch (error) {
      if (!isHeld(error)) throw error
    }
  return lines.turn(line, async () => {
    for (;;)
      try {
        return await attempt()
      } catch (error) {
        if (!isHeld(error)) throw error
        if (performance.now() - began > longestHeldMs) throw heldByAnother()
        await wait(lookAgainMs)
      }
  })
}

/** @returns the refusal of a change while something that it needs is held elsewhere */
function heldByAnother(): DomainError {
  return conflict('held', 'Somebody else is changing this at the moment. Nothing was saved. Try again in a moment.', { seconds: 5 })
}

/** The line in which a change waits: that of the budget which is selected or named, else that of its organisation. */
async function lineOf({ ctx: { selection }, path, getRawInput }: Call, { organisationId }: Scope): Promise<string> {
  const input = takesFields(path) ? await getRawInput() : undefined
  const { budgetId, id } = isRecord(input) ? input : {}
  return `${organisationId ?? platformOrganisationId} ${budgetId ?? selection.budgetId ?? id ?? ''}`
}

/** The same, tried again where PostgreSQL takes it back, but not where somebody else holds what it needs. */
async function changeOnce<R extends Result>(call: Call, scope: Scope, run: (tools: Tools) => Promise<R>): Promise<R> {
  const { services } = call.ctx
  const keyed = await keyedCall(call, scope)
  let inTheWay: readonly [number, number] | null = null
  for (let tries = 1; ; tries++) {
    const told: (() => Promise<void>)[] = []
    const [first, second] = inTheWay ?? []
    try {
      const result = await scope.open(async (tx) => {
        // Long calls have worked for seconds before they need a budget, on connections of their own: they wait for it where they are.
        if (services.store.use === 'calls') tx.budgetLock = { noWait: true }
        // Before it holds anything itself.
        if (first !== undefined) await tx.execute(sql`select pg_advisory_xact_lock(${first}::integer, ${second}::integer)`)
        const before = keyed && (await firstAnswer(tx, keyed))
        const kept = before && { ok: true as const, marker: 'middlewareMarker', data: before.value }
        if (kept) return resultOf<R>(kept)
        const done = await run({
          services: { ...tellingLater(services, told), store: storeWithin(tx, services.store, scope.organisationId) },
          inTransaction: (work) => work(tx),
          afterwards: (work) => void told.push(() => work(services)),
          aside: beside(services.store),
          seenBy: scope.organisationId,
        })
        const answer: Result = done
        if (!answer.ok) throw new Refused(answer)
        if (keyed) await keepAnswer({ tx, now: call.ctx.now }, keyed, answer.data)
        for (const [budgetId, { organisationId, version }] of tx.changedBudgets)
          told.push(async () => void (await publish(services, budgetChanged(budgetId, version, call.ctx), { organisationId })))
        return done
      }, 'change')
      // What was asked for, or is to be told to webhooks, may be due now.
      if (scope.organisationId !== null) services.queues.lookOutside()
      await tell(told)
      return result
    } catch (error) {
      const cause = error instanceof Refused && !error.result.ok ? error.result.error : error
      if (tries < mostTries && mayTryAgain(cause)) {
        inTheWay = lockInTheWay(cause) ?? inTheWay
        await wait(20 * tries * (1 + Math.random()))
        continue
      }
      if (error instanceof Refused && !isHeld(cause)) return resultOf<R>(error.result)
      throw cause
    }
  }
}

/** Tells everybody who has the budget open that it was changed, and by whom; nothing of what it was. */
function budgetChanged(budgetId: BudgetId, version: number, { principal, requestId }: Call['ctx']): LiveMessage {
  return { target: 'BudgetChanged', argument: { budgetId, version, byId: principal.userId, requestId } }
}

/** Messages and wake-ups wait for the commit: nobody hears of a change that is taken back, or reads before it can be seen. */
function tellingLater({ queues, fanOut, ...rest }: Services, told: (() => Promise<void>)[]): Services {
  const later =
    <A extends unknown[]>(tellNow: (...about: A) => Promise<void>) =>
    async (...about: A): Promise<void> => {
      told.push(() => tellNow(...about))
    }
  return {
    ...rest,
    queues: { ...queues, wake: later(queues.wake), wakeFill: later(queues.wakeFill), wakeExplain: later(queues.wakeExplain) },
    fanOut: { ...fanOut, publish: later(fanOut.publish) },
  }
}

async function tell(told: readonly (() => Promise<void>)[]): Promise<void> {
  if (!told.length) return
  const all = Promise.all(told.map((one) => one().catch((error) => log.warn({ err: error }, 'change not told'))))
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise((resolve) => {
    timer = setTimeout(resolve, longestTellingMs)
  })
  await Promise.race([all, enough])
  clearTimeout(timer)
}

/** The call with its key, when it named one. */
async function keyedCall({ ctx, path, batchIndex, getRawInput }: Call, { organisationId }: Scope): Promise<KeyedCall | null> {
  const key = keyOf(ctx.idempotencyKey, batchIndex ?? 0)
  if (!key) return null
  const { principal, selection } = ctx
  const caller = `${principal.kind} ${principal.userId ?? principal.clientId}`
  return { organisationId: organisationId ?? platformOrganisationId, caller, key, call: path, selection, input: await getRawInput() }
}

/**
 * The key of one call: of a batch each call has its own, by its place in the list; one key for a whole batch is told apart by the places.
 * @throws DomainError 400 for a key that is too long or has other signs
 */
function keyOf(header: string | undefined, index: number): string | undefined {
  if (!header) return undefined
  const keys = header.split(',').map((key) => key.trim().replace(/^"(.*)"$/, '$1'))
  const key = keys[keys.length > 1 ? index : 0]
  if (!key) return undefined
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new DomainError('invalid', 'header', 'An Idempotency-Key has 1 to 200 letters, digits and signs, without spaces and commas.')
  // The sign between the two is one that no key has.
  return keys.length === 1 && index ? `${key} ${index}` : key
}
