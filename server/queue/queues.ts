import { createPostgresBackend, createPostgresRelayBackend, FlowProducer, type Processor, Queue, Relay, Worker } from 'bullmq'
import type { Config } from '../config.ts'

/** The queue of recalculations: a parent job per run, a child per budget. A job only says "look"; the database knows what is to be done. */
export const recalculationQueue = 'recalculation'

export interface BudgetJob {
  organisationId: number
  recalculationId: string
  budgetId: string
}

export interface RunJob {
  organisationId: number
  recalculationId: string
}

/** A budget to be filled from the one it was made of. */
export interface FillJob {
  organisationId: number
  fillBudgetId: string
}

/** What reaches every connection of an organisation, whichever server holds it. */
export interface HubMessage {
  target: string
  argument: unknown
  /** The connection that sent it and need not hear it. */
  except?: string
}

type Where = Pick<Config, 'databaseUrl' | 'redisUrl' | 'queuePrefix'>

function redis(url: string): { host: string; port: number; username?: string; password?: string; db?: number; maxRetriesPerRequest: null } {
  const { hostname, port, username, password, pathname } = new URL(url)
  return {
    host: hostname,
    port: Number(port || 6379),
    username: username || undefined,
    password: password || undefined,
    db: Number(pathname.slice(1)) || undefined,
    maxRetriesPerRequest: null,
  }
}

function postgres(url: string) {
  return { connectionString: url, schema: 'bullmq', migrate: true, max: 4 }
}

/** What both backends keep of ended jobs: nothing, so that a run can be woken again under the same id. */
const jobOptions = { removeOnComplete: true, removeOnFail: true, attempts: 5, backoff: { type: 'fixed', delay: 1000 } } as const

export interface Queues {
  /** Wakes the workers for a run; the same wake-up twice does no harm. */
  wake(run: { organisationId: number; id: string; budgetIds: string[] }): Promise<void>
  /** Wakes the workers for budgets to be filled. */
  wakeFill(organisationId: number, budgetIds: readonly string[]): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}

export async function openQueues(config: Where): Promise<Queues> {
  const flows = config.redisUrl
    ? new FlowProducer({ connection: redis(config.redisUrl), prefix: config.queuePrefix })
    : new FlowProducer({ connection: postgres(config.databaseUrl) }, createPostgresBackend)
  const queue = config.redisUrl
    ? new Queue(recalculationQueue, { connection: redis(config.redisUrl), prefix: config.queuePrefix })
    : new Queue(recalculationQueue, { connection: postgres(config.databaseUrl) }, createPostgresBackend)
  // A lost connection is tried again by the library; readiness says so meanwhile.
  flows.on('error' as never, (() => undefined) as never)
  queue.on('error' as never, (() => undefined) as never)
  await queue.waitUntilReady()
  return {
    async wake({ organisationId, id, budgetIds }) {
      await flows.add({
        name: 'finish',
        queueName: recalculationQueue,
        data: { organisationId, recalculationId: id } satisfies RunJob,
        opts: { jobId: `run-${id}-${Date.now()}`, ...jobOptions },
        children: budgetIds.map((budgetId) => ({
          name: 'budget',
          queueName: recalculationQueue,
          data: { organisationId, recalculationId: id, budgetId } satisfies BudgetJob,
          opts: { ...jobOptions, jobId: `budget-${id}-${budgetId}-${Date.now()}`, ignoreDependencyOnFailure: true },
        })),
      })
    },
    async wakeFill(organisationId, budgetIds) {
      await queue.addBulk(
        budgetIds.map((fillBudgetId) => ({
          name: 'fill',
          data: { organisationId, fillBudgetId } satisfies FillJob,
          opts: { ...jobOptions, jobId: `fill-${fillBudgetId}-${Date.now()}` },
        })),
      )
    },
    ping: async () => void (await queue.getJobCounts('waiting')),
    close: async () => {
      await Promise.allSettled([flows.close(), queue.close()])
    },
  }
}

export function openWorker(config: Where, handler: Processor, concurrency: number): Worker {
  const options = { concurrency, lockDuration: 30_000, stalledInterval: 10_000, maxStalledCount: 10 }
  return config.redisUrl
    ? new Worker(recalculationQueue, handler, { ...options, connection: redis(config.redisUrl), prefix: config.queuePrefix })
    : (new Worker(
        recalculationQueue,
        handler,
        { ...options, connection: postgres(config.databaseUrl) },
        createPostgresBackend,
      ) as unknown as Worker)
}

export interface FanOut {
  publish(organisationId: number, message: HubMessage): Promise<void>
  subscribe(listener: (organisationId: number, message: HubMessage) => void): Promise<void>
  close(): Promise<void>
}

/** Carries hub messages between processes, on the queue's own backend. */
export async function openFanOut(config: Where, name: string): Promise<FanOut> {
  const relay = config.redisUrl
    ? new Relay({ connection: redis(config.redisUrl), namespace: `${config.queuePrefix}-hub`, name })
    : new Relay({ connection: postgres(config.databaseUrl), namespace: 'hub', name, backend: createPostgresRelayBackend })
  relay.on('error', () => undefined)
  await relay.waitUntilReady()
  return {
    publish: async (organisationId, message) => void (await relay.publish(`organisation.${organisationId}`, message)),
    subscribe: async (listener) =>
      void (await relay.subscribe<HubMessage>('organisation.*', ({ topic, data }) => listener(Number(topic.split('.')[1]), data))),
    close: () => relay.close(),
  }
}
