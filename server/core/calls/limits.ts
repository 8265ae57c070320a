import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import {
  RateLimiterDrizzle,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterStoreAbstract,
} from 'rate-limiter-flexible'
import { rateLimits } from '../../../drizzle/accessTables.ts'
import type { Config } from '../config.ts'
import type { Store } from '../database/database.ts'

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
  /** Failed tries from one place, wrong secrets of API clients among them; a whole school may sit behind one. */
  place: { most: 60, seconds: 900 },
  /** Beginnings of a sign-in from one place; each is kept for an hour. */
  beginnings: { most: 600, seconds: 60 },
  /** Visits to one-time links from one place. */
  links: { most: 30, seconds: 60 },
} as const satisfies Record<string, { most: number; seconds: number }>

export type Limit = keyof typeof limits

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

/** The counters, in Redis where there is one, else in PostgreSQL; in memory while neither can be reached. */
export function openLimits(config: Pick<Config, 'redisUrl' | 'queuePrefix'>, { db }: Pick<Store, 'db'>): Limits {
  const redis = config.redisUrl ? new Redis(config.redisUrl, { maxRetriesPerRequest: 1, enableOfflineQueue: false }) : null
  redis?.on('error', () => undefined)
  const all = Object.fromEntries(
    Object.entries(limits).map(([name, { most, seconds }]) => {
      const options = {
        points: most,
        duration: seconds,
        keyPrefix: redis ? `${config.queuePrefix}-limit-${name}` : name,
        insuranceLimiter: new RateLimiterMemory({ points: most, duration: seconds }),
        inMemoryBlockOnConsumed: most + 1,
      }
      const limiter = redis
        ? new RateLimiterRedis({ ...options, storeClient: redis })
        : new RateLimiterDrizzle({ ...options, storeClient: db, schema: rateLimits })
      return [name, limiter]
    }),
  ) as Record<Limit, RateLimiterStoreAbstract>

  /** A clock that was set back makes a window end in the far future: it begins anew. */
  async function secondsOf(limit: Limit, key: string, { msBeforeNext }: RateLimiterRes): Promise<number> {
    if (msBeforeNext <= limits[limit].seconds * 1000 + 1000) return Math.max(1, Math.ceil(msBeforeNext / 1000))
    await all[limit].delete(key)
    return 0
  }
  return {
    async count(limit, who, times = 1) {
      const key = keyOf(who)
      try {
        await all[limit].consume(key, times)
        return 0
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return secondsOf(limit, key, refused)
        throw refused
      }
    },
    forgive: async (limit, who) => void (await all[limit].reward(keyOf(who), 1)),
    close: () => redis?.disconnect(),
  }
}
