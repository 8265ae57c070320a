import type { IncomingMessage } from 'node:http'
import { DomainError, tooManyRequests } from '../../domain/words/errors.ts'
import { createCache } from '../core/cache.ts'
import { type CallContext, readSelection, type Services } from '../core/calls/context.ts'
import type { Principal } from '../core/calls/principal.ts'
import { limitConcurrency } from '../core/limitConcurrency.ts'
import { countRefusal } from '../core/watch/counters.ts'
import { parseTraceparent } from '../core/watch/tracing.ts'
import { findPrincipal } from './accounts.ts'
import { parseBearerToken, type TokenVerifier } from './tokens.ts'

/** How many calls of one batch run concurrently, so that a batch does not take every database connection. */
const batchConcurrency = 4

export interface Caller {
  principal: Principal | null
  refusal?: DomainError
}

export interface CallerCache {
  /**
   * Verifies the bearer token and counts the calls against the rate limit.
   * @param calls how many calls to count; more than one for a batch
   */
  identify(req: IncomingMessage, calls: number): Promise<Caller>
  /** Invalidates all cached principals. Call it after a permission change. */
  invalidate(): void
}

/** Milliseconds that a principal stays cached. A permission change clears the cache of every server; this limit covers a lost message. */
const cacheMs = 5000
const maxCached = 5000

interface CachedPrincipal {
  principal: Promise<Principal | null>
  until: number
}

/** Caches the principal of each token for a few seconds, so that consecutive calls need no query. */
export function openCallerCache(services: Pick<Services, 'store' | 'limits'>, verify: TokenVerifier): CallerCache {
  const cache = createCache<string, CachedPrincipal>(maxCached)

  async function lookUp(token: string, entry: { until: number }): Promise<Principal | null> {
    const claims = await verify(token)
    if (!claims) return null
    if (claims.exp !== undefined) entry.until = Math.min(entry.until, claims.exp * 1000)
    return findPrincipal(services.store, claims)
  }

  function cachedPrincipal(token: string): Promise<Principal | null> {
    const before = cache.get(token)
    if (before && Date.now() < before.until) return before.principal
    const life = { until: Date.now() + cacheMs }
    const entry: CachedPrincipal = Object.assign(life, { principal: lookUp(token, life) })
    cache.put(token, entry)
    // Failures are not cached, so that a token works as soon as it becomes valid.
    const drop = (): void => {
      if (cache.get(token) === entry) cache.drop(token)
    }
    entry.principal.then((principal) => principal ?? drop(), drop)
    return entry.principal
  }
  return {
    async identify(req, calls) {
      const token = parseBearerToken(req.headers.authorization)
      const principal = token ? await cachedPrincipal(token) : null
      if (!principal) return { principal: null }
      const wait = await services.limits.count('calls', `${principal.kind} ${principal.userId ?? principal.clientId}`, calls)
      if (wait) countRefusal(principal)
      return wait ? { principal, refusal: tooManyRequests(wait) } : { principal }
    },
    // Also drops lookups in progress, which may have read the old permissions.
    invalidate: () => cache.clear(),
  }
}

export function createCallContext(
  services: Services,
  { caller: { principal, refusal }, headers, requestId }: { caller: Caller; headers: Record<string, string>; requestId: string },
): CallContext {
  const context = {
    services,
    requestId,
    traceparent: parseTraceparent(headers.traceparent),
    idempotencyKey: headers['idempotency-key'],
    now: new Date(),
    turn: limitConcurrency(batchConcurrency),
  }
  const none = readSelection(() => undefined)
  if (refusal) return { ...context, principal: null, selection: none, refusal }
  if (!principal) return { ...context, principal: null, selection: none }
  try {
    return { ...context, principal, selection: readSelection((name) => headers[name]) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { ...context, principal: null, selection: none, refusal: error }
  }
}
