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
import type { Config } from '../config.ts'
import type { OrganisationTx, Store } from '../database/database.ts'
import { memoryOf } from '../memory.ts'

/** How often something may be done, counted over all servers. */
const limits = {
  /** Calls of a person or client; each call of a batch counts. */
  calls: { most: 1200, seconds: 60 },
  /** Messages of a person to everybody of an organisation. */
  messages: { most: 10, seconds: 60 },
  /** Tries to sign in with one address from one place (notices K-32). */
  tries: { most: 10, seconds: 60 },
  /** Failed tries with one address, wherever they come from. */
  account: { most: 30, seconds: 900 },
  /** Failed tries to sign in from one place; a whole school may sit behind one. */
  place: { most: 60, seconds: 900 },
  /** Requests for a token from one place that were refused: wrong secrets of API clients, wrong codes. */
  tokens: { most: 60, seconds: 900 },
  /** Beginnings of a sign-in, and of signing out, from one place; each is kept for an hour. */
  beginnings: { most: 600, seconds: 60 },
  /** Wrong codes of a second step, and wrong passwords typed again, of one person. */
  codes: { most: 10, seconds: 900 },
  /** Files that a person or client brings in: each may have 20,000 rows. */
  imports: { most: 120, seconds: 60 },
  /** Files that a person or client takes out: exports, workbooks, documents. */
  exports: { most: 120, seconds: 60 },
  /** Other calls of a person or client that work long: comparisons, whole payrolls, packs. */
  long: { most: 300, seconds: 60 },
  /** Visits to one-time links from one place. */
  links: { most: 30, seconds: 60 },
} as const satisfies Record<string, { most: number; seconds: number }>

export type Limit = keyof typeof limits

/** Limits of what fails: what is done rightly is not counted. */
export const ofFailures: ReadonlySet<Limit> = new Set<Limit>(['codes'])

/** How many times something is done before the shared counter is told of it: a server may let somebody do so many more than the limit says. */
const toldEvery: Partial<Record<Limit, number>> = { calls: 20 }

/** What one server knows of one counter. */
interface Known {
  /** Times that the shared counter had when it was last told. */
  shared: number
  /** Times since then. */
  own: number
  /** When the window ends, in milliseconds of the clock. */
  until: number
}

/** Counters that one server keeps in mind at a time. */
const mostKnown = 10_000

export interface Limits {
  /** Counts. @returns seconds to wait; 0: go on */
  count(limit: Limit, who: string, times?: number): Promise<number>
  /** Takes back what was counted: it was no failure. */
  forgive(limit: Limit, who: string): Promise<void>
  close(): void
}

/** Who is counted is kept as a digest: addresses of people do not stand in the counters. */
function keyOf(who: string): string {
  return createHash('sha256').update(who).digest('base64url')
}

/** Milliseconds after which a network is given up that says nothing. */
const patience = { socketTimeout: 3000, connectTimeout: 3000 }
/** Milliseconds that a call waits for its counter: a network that is lost tells nobody, and every call is counted. */
const answerMs = 1000

class TooLate extends Error {}

/**
 * An answer that comes in time, or is at hand by then: a server that was busy for so long reads what came meanwhile before it counts by itself.
 * @throws TooLate
 */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // Sockets are read between timers and what is to be done at once.
    const late = setTimeout(() => setImmediate(() => reject(new TooLate())), answerMs)
    answer.then(resolve, reject).finally(() => clearTimeout(late))
  })
}

/** The counters, in Redis where there is one, else in PostgreSQL; in memory while neither can be reached. */
export function openLimits(config: Pick<Config, 'redisUrl' | 'queuePrefix'>, { db }: Pick<Store, 'db'>): Limits {
  const redis = config.redisUrl ? new Redis(config.redisUrl, { maxRetriesPerRequest: 1, enableOfflineQueue: false, ...patience }) : null
  redis?.on('error', () => undefined)
  /** Whether Redis can be reached is known: calls that come while a server is only starting would be counted by itself. */
  const known = redis && new Promise<void>((resolve) => void redis.once('ready', resolve).once('close', () => resolve()))
  const all = recordFromKeys(keysOf(limits), (name): { shared: RateLimiterStoreAbstract; own: RateLimiterMemory } => {
    const { most, seconds } = limits[name]
    const own = new RateLimiterMemory({ points: most, duration: seconds })
    const options = {
      points: most,
      duration: seconds,
      keyPrefix: redis ? `${config.queuePrefix}-limit-${name}` : name,
      inMemoryBlockOnConsumed: most + 1,
    }
    const shared = redis
      ? new RateLimiterRedis({ ...options, storeClient: redis })
      : new RateLimiterDrizzle({ ...options, storeClient: db, insuranceLimiter: own, schema: rateLimits, clearExpiredByTimeout: false })
    return { shared, own }
  })

  /**
   * Asks the shared counter, or the server's own where Redis does not answer in time. The library's own insurance would count once more, when a
   * question that nobody waits for any longer fails at last.
   */
  async function ask<T>(limit: Limit, question: (limiter: RateLimiterStoreAbstract | RateLimiterMemory) => Promise<T>): Promise<T> {
    const { shared, own } = all[limit]
    if (!known) return question(shared)
    try {
      return await inTime(known.then(() => question(shared)))
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error
      return question(own)
    }
  }

  /** A clock that was set back makes a window end in the far future: it begins anew. */
  async function secondsOf(limit: Limit, key: string, { msBeforeNext }: RateLimiterRes): Promise<number> {
    if (msBeforeNext <= limits[limit].seconds * 1000 + 1000) return Math.max(1, Math.ceil(msBeforeNext / 1000))
    await ask(limit, (limiter) => limiter.delete(key))
    return 0
  }
  const counters = memoryOf<string, Known>(mostKnown)

  /** Counts where all servers count. @returns seconds to wait; 0: go on */
  async function countShared(limit: Limit, who: string, times: number): Promise<number> {
    const key = keyOf(who)
    const keep = ({ consumedPoints, msBeforeNext }: RateLimiterRes): void => {
      if (!toldEvery[limit]) return
      const name = `${limit} ${who}`
      const counter = counters.get(name)
      // What was counted here while the shared counter was told is still to be told.
      if (counter && Date.now() < counter.until) counter.shared = Math.max(counter.shared, consumedPoints)
      else counters.put(name, { shared: consumedPoints, own: 0, until: Date.now() + msBeforeNext })
    }
    try {
      keep(await ask(limit, (limiter) => limiter.consume(key, times)))
      return 0
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      keep(refused)
      return secondsOf(limit, key, refused)
    }
  }

  return {
    async count(limit, who, times = 1) {
      const counter = counters.get(`${limit} ${who}`)
      if (!counter || Date.now() >= counter.until) return countShared(limit, who, times)
      counter.own += times
      // A write with every call would be most of what a short one costs.
      const isNear = counter.shared + counter.own > limits[limit].most
      if (!isNear && counter.own < assertDefined(toldEvery[limit])) return 0
      const untold = counter.own
      counter.own = 0
      return countShared(limit, who, untold)
    },
    forgive: async (limit, who) => void (await ask(limit, (limiter) => limiter.reward(keyOf(who), 1))),
    close: () => redis?.disconnect(),
  }
}

/** Forgets the counters whose window ended; a counter that is met again begins anew by itself. */
export async function forgetCounters(tx: OrganisationTx, now: Date): Promise<void> {
  await tx.delete(rateLimits).where(lt(rateLimits.expire, now))
}
