import { createHash } from 'node:crypto'
import { lt } from 'drizzle-orm'
import { Redis } from 'ioredis'
import {
  RateLimiterDrizzle,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterStoreAbstract,
} from 'rate-limiter-flexible'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { keysOf, recordFromKeys } from '../../../domain/values/keysOf.ts'
import { rateLimits } from '../../../drizzle/accessTables.ts'
import { createCache } from '../cache.ts'
import type { Config } from '../config.ts'
import type { OrganisationTx, Store } from '../database/database.ts'
import { type RedisSettings, readRedisOptions } from '../redisOptions.ts'

/** Rate limits, counted across all servers. */
const limits = {
  /** Calls by a person or API client; each call of a batch counts. */
  calls: { most: 1200, seconds: 60 },
  /** Messages by one person to everybody in an organisation. */
  messages: { most: 10, seconds: 60 },
  /** Sign-in attempts for one email address from one IP address (notices K-32). */
  tries: { most: 10, seconds: 60 },
  /** Failed sign-in attempts for one email address, from any IP address. */
  account: { most: 30, seconds: 900 },
  /** Failed sign-in attempts from one IP address, which a whole school may share. */
  place: { most: 60, seconds: 900 },
  /** Refused token requests from one IP address: wrong secrets of API clients, wrong codes. */
  tokens: { most: 60, seconds: 900 },
  /** Sign-ins and sign-outs started from one IP address; each is stored for an hour. */
  beginnings: { most: 600, seconds: 60 },
  /** Wrong second-step codes and wrong re-entered passwords of one person. */
  codes: { most: 10, seconds: 900 },
  /** Files that a person or client imports; each may have 20,000 rows. */
  imports: { most: 120, seconds: 60 },
  /** Files that a person or client downloads: exports, workbooks, documents. */
  exports: { most: 120, seconds: 60 },
  /** Other long calls of a person or client: comparisons, whole payrolls, packs. */
  long: { most: 300, seconds: 60 },
  /** Visits to one-time links from one IP address. */
  links: { most: 30, seconds: 60 },
  /**
   * Users that one person adds. Without a limit, a person could find out which email addresses already have an
   * account: the refusal of a known address reveals it.
   */
  newUsers: { most: 60, seconds: 3600 },
  /** Links for a forgotten password mailed to one address. */
  forgotten: { most: 3, seconds: 3600 },
} as const satisfies Record<string, { most: number; seconds: number }>

export type LimitName = keyof typeof limits

/** Limits that count only failures. */
export const failureLimits: ReadonlySet<LimitName> = new Set<LimitName>(['codes'])

/**
 * How many events are counted locally before they are added to the shared counter. Each server may therefore exceed the limit by that many.
 */
const sharedEvery: Partial<Record<LimitName, number>> = { calls: 20 }

/** A server's local copy of one shared counter. */
interface LocalCounter {
  /** The shared count when it was last updated. */
  shared: number
  /** Events since then, not yet added to the shared count. */
  unshared: number
  /** When the window ends, in milliseconds of the clock. */
  until: number
}

/** The number of counters that one server remembers. */
const maximumLocalCounters = 10_000

export interface RateLimits {
  /**
   * Counts an event.
   * @returns seconds to wait before the next attempt; 0 if the event is within the limit
   */
  count(limit: LimitName, subject: string, times?: number): Promise<number>
  /** Takes back a count, because the call did not fail. */
  forgive(limit: LimitName, subject: string): Promise<void>
  close(): void
}

/** The subject as a digest, so that counters contain no personal addresses. */
function hashSubject(subject: string): string {
  return createHash('sha256').update(subject).digest('base64url')
}

/** Milliseconds after which an unresponsive connection is given up. */
const connectionTimeouts = { socketTimeout: 3000, connectTimeout: 3000 }
/** Milliseconds that a call waits for its counter. Every call waits for one, and a lost connection raises no error. */
const answerMs = 1000

class TooLate extends Error {}

/**
 * Returns the answer if it arrives in time. A process that was too busy to read it first reads what has arrived before giving up.
 * @throws TooLate
 */
function awaitInTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // Sockets are read after timers and before immediates.
    const late = setTimeout(() => setImmediate(() => reject(new TooLate())), answerMs)
    answer.then(resolve, reject).finally(() => clearTimeout(late))
  })
}

/** Opens the counters: in Redis if configured, otherwise in PostgreSQL; in memory while neither can be reached. */
export function openRateLimits(config: RedisSettings & Pick<Config, 'queuePrefix'>, { db }: Pick<Store, 'db'>): RateLimits {
  const redis = config.redisUrl
    ? new Redis({
        ...readRedisOptions(config.redisUrl, config.redisSentinels),
        maxRetriesPerRequest: 1,
        enableOfflineQueue: false,
        ...connectionTimeouts,
      })
    : null
  redis?.on('error', () => undefined)
  /** Resolves once Redis is known to be reachable or not. Without this wait, calls during start would be counted locally. */
  const redisSettled = redis && new Promise<void>((resolve) => void redis.once('ready', resolve).once('close', () => resolve()))
  const all = recordFromKeys(keysOf(limits), (name): { shared: RateLimiterStoreAbstract; inProcess: RateLimiterMemory } => {
    const { most, seconds } = limits[name]
    const inProcess = new RateLimiterMemory({ points: most, duration: seconds })
    const options = {
      points: most,
      duration: seconds,
      keyPrefix: redis ? `${config.queuePrefix}-limit-${name}` : name,
      inMemoryBlockOnConsumed: most + 1,
    }
    const shared = redis
      ? new RateLimiterRedis({ ...options, storeClient: redis })
      : new RateLimiterDrizzle({
          ...options,
          storeClient: db,
          insuranceLimiter: inProcess,
          schema: rateLimits,
          clearExpiredByTimeout: false,
        })
    return { shared, inProcess }
  })

  /**
   * Queries the shared counter, or the server's own if Redis does not answer in time. The library's own insurance
   * limiter would count again when the abandoned query fails later.
   */
  async function queryCounter<T>(
    limit: LimitName,
    question: (limiter: RateLimiterStoreAbstract | RateLimiterMemory) => Promise<T>,
  ): Promise<T> {
    const { shared, inProcess: localLimiter } = all[limit]
    if (!redisSettled) return question(shared)
    try {
      return await awaitInTime(redisSettled.then(() => question(shared)))
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error
      return question(localLimiter)
    }
  }

  /** The seconds until the window ends. If the clock was set back, a window ends far in the future, so it is restarted. */
  async function toWaitSeconds(limit: LimitName, key: string, { msBeforeNext }: RateLimiterRes): Promise<number> {
    if (msBeforeNext <= limits[limit].seconds * 1000 + 1000) return Math.max(1, Math.ceil(msBeforeNext / 1000))
    await queryCounter(limit, (limiter) => limiter.delete(key))
    return 0
  }
  const counters = createCache<string, LocalCounter>(maximumLocalCounters)

  /**
   * Counts in the shared counter.
   * @returns seconds to wait before the next attempt; 0 if within the limit
   */
  async function countShared(limit: LimitName, subject: string, times: number): Promise<number> {
    const key = hashSubject(subject)
    const keep = ({ consumedPoints, msBeforeNext }: RateLimiterRes): void => {
      if (!sharedEvery[limit]) return
      const name = `${limit} ${subject}`
      const counter = counters.get(name)
      // Events counted here while the shared counter was being updated still have to be added, so `unshared` is not reset.
      if (counter && Date.now() < counter.until) counter.shared = Math.max(counter.shared, consumedPoints)
      else counters.put(name, { shared: consumedPoints, unshared: 0, until: Date.now() + msBeforeNext })
    }
    try {
      keep(await queryCounter(limit, (limiter) => limiter.consume(key, times)))
      return 0
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      keep(refused)
      return toWaitSeconds(limit, key, refused)
    }
  }

  return {
    async count(limit, subject, times = 1) {
      const counter = counters.get(`${limit} ${subject}`)
      if (!counter || Date.now() >= counter.until) return countShared(limit, subject, times)
      counter.unshared += times
      // Adding every call to the shared counter would be most of the cost of a short call.
      const isNear = counter.shared + counter.unshared > limits[limit].most
      if (!isNear && counter.unshared < assertDefined(sharedEvery[limit])) return 0
      const uncounted = counter.unshared
      counter.unshared = 0
      return countShared(limit, subject, uncounted)
    },
    forgive: async (limit, subject) => void (await queryCounter(limit, (limiter) => limiter.reward(hashSubject(subject), 1))),
    close: () => redis?.disconnect(),
  }
}

/** Forgets counters whose window has ended. A counter restarts when it is next used. */
export async function deleteOldCounters(tx: OrganisationTx, now: Date): Promise<void> {
  await tx.delete(rateLimits).where(lt(rateLimits.expire, now))
}
