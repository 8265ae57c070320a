import type { IncomingMessage } from 'node:http'
import { DomainError, tooManyRequests } from '../../domain/words/errors.ts'
import { type CallContext, type Services, selectionOf } from '../core/calls/context.ts'
import type { Principal } from '../core/calls/principal.ts'
import { memoryOf } from '../core/memory.ts'
import { turns } from '../core/turns.ts'
import { readTraceparent } from '../core/watch/tracing.ts'
import { principalOf } from './accounts.ts'
import { bearerOf, type VerifyToken } from './tokens.ts'

/** Calls of one batch that are worked on at a time: a batch takes its share of the database, not all of it. */
const atATime = 4

/** Who calls, asked before anything of the call is read. */
export interface Caller {
  /** Null: nobody that is known. */
  principal: Principal | null
  /** Why nothing of the call is done. */
  refusal?: DomainError
}

/** Asks who calls. */
export interface Callers {
  /** Verifies the bearer token of a call and counts the call. @param calls how many calls it is: those of a batch count each */
  of(req: IncomingMessage, calls: number): Promise<Caller>
  /** Somebody's rights are others than before: whoever calls next is asked for anew. */
  forget(): void
}

/**
 * Milliseconds for which it is remembered whom a token stands for. A change of rights is told to every server and forgets all of it at once;
 * this is for a message that was lost.
 */
const rememberedMs = 5000
/** Tokens that are remembered at a time. */
const mostRemembered = 5000

interface Remembered {
  principal: Promise<Principal | null>
  until: number
}

/** Remembers for seconds whom a token stands for, so that one call after another need not ask. */
export function openCallers(services: Pick<Services, 'store' | 'limits'>, verify: VerifyToken): Callers {
  const remembered = memoryOf<string, Remembered>(mostRemembered)

  async function ask(token: string, entry: { until: number }): Promise<Principal | null> {
    const claims = await verify(token)
    if (!claims) return null
    if (claims.exp !== undefined) entry.until = Math.min(entry.until, claims.exp * 1000)
    return principalOf(services.store, claims)
  }

  function principalBy(token: string): Promise<Principal | null> {
    const before = remembered.get(token)
    if (before && Date.now() < before.until) return before.principal
    const life = { until: Date.now() + rememberedMs }
    const entry: Remembered = Object.assign(life, { principal: ask(token, life) })
    remembered.put(token, entry)
    // Nobody is remembered as nobody: a token that opens nothing yet is asked about each time.
    const drop = (): void => {
      if (remembered.get(token) === entry) remembered.drop(token)
    }
    entry.principal.then((principal) => principal ?? drop(), drop)
    return entry.principal
  }
  return {
    async of(req, calls) {
      const token = bearerOf(req.headers.authorization)
      const principal = token ? await principalBy(token) : null
      if (!principal) return { principal: null }
      const wait = await services.limits.count('calls', `${principal.kind} ${principal.userId ?? principal.clientId}`, calls)
      return wait ? { principal, refusal: tooManyRequests(wait) } : { principal }
    },
    // What is being asked at this moment may still be answered by the rights of before: it is not remembered either.
    forget: () => remembered.clear(),
  }
}

/** The context of a call whose caller is known. A header that cannot be read refuses it. */
export function contextOf(
  services: Services,
  { caller: { principal, refusal }, headers, requestId }: { caller: Caller; headers: Record<string, string>; requestId: string },
): CallContext {
  const context = {
    services,
    requestId,
    traceparent: readTraceparent(headers.traceparent),
    idempotencyKey: headers['idempotency-key'],
    now: new Date(),
    turn: turns(atATime),
  }
  const none = selectionOf(() => undefined)
  if (refusal) return { ...context, principal: null, selection: none, refusal }
  if (!principal) return { ...context, principal: null, selection: none }
  try {
    return { ...context, principal, selection: selectionOf((name) => headers[name]) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { ...context, principal: null, selection: none, refusal: error }
  }
}
