import { setTimeout as wait } from 'node:timers/promises'
import { createPostgresBackend, createPostgresRelayBackend, type Processor, Queue, Relay, Worker } from 'bullmq'
import type { LiveMessage } from '../../../domain/live.ts'
import type { Config } from '../config.ts'

/** The queue of the workers: a job per budget. A job only says "look"; the database knows what is to be done, and the last budget of a run ends it. */
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

/** A search for the causes of a month's differences; begun again only by who finds that it was begun no more often than this. */
export interface ExplainJob {
  organisationId: number
  explanationId: string
  attempts: number
}

/** A file to be made for somebody. */
export interface FileJob {
  organisationId: number
  fileId: string
}

/** What servers tell each other when somebody's rights are others than before; no client hears it. */
export interface RightsChanged {
  target: '#rightsChanged'
  argument: null
}

/** What reaches every connection of an organisation, whichever server holds it. */
export type HubMessage = (LiveMessage | RightsChanged) & {
  /** The connection that sent it and need not hear it. */
  except?: string
}

type Where = Pick<Config, 'databaseUrl' | 'redisUrl' | 'queuePrefix'>

function redis(url: string): { host: string; port: number; username?: string; password?: string; db?: number; maxRetriesPerRequest: null } {
  const { hostname, port, username, password, pathname } = new URL(url)
  return {
    host: hostname,
    port: Number(port || 6379),
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    db: Number(pathname.slice(1)) || undefined,
    maxRetriesPerRequest: null,
  }
}

/**
 * Jobs and live messages need not outlive a crash of the machine: the rows say what is left. So nobody waits for the disk for them; they are
 * committed all the same, in order with everything else.
 */
function postgres(url: string) {
  return { connectionString: url, schema: 'bullmq', max: 4, options: '-c synchronous_commit=off' }
}

/**
 * What both backends keep of ended jobs: nothing, so that a run can be woken again under the same id; while a job waits or works, the same
 * wake-up changes nothing. Whether something is tried again is for the rows to say, not for the queue.
 */
const jobOptions = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const

/**
 * Which turn a job has: the first budget of everybody before the second of anybody, so that a trust with a thousand budgets holds nobody up.
 * A file waits until a few figures of each are done.
 */
const turns = { of: (place: number): number => place + 1, file: 10 } as const

/** A budget that something is to be done with, and how often that was begun: one wake-up waits for each beginning, never two. */
export interface Waiting {
  budgetId: string
  attempts: number
}

export interface Queues {
  /** Wakes the workers for a run, or for its end when no budget is left; the same wake-up twice does no harm. */
  wake(run: { organisationId: number; id: string; left: readonly Waiting[] }): Promise<void>
  /** Wakes the workers for budgets to be filled. */
  wakeFill(organisationId: number, left: readonly Waiting[]): Promise<void>
  /** Wakes the workers for a search for causes. */
  wakeExplain(job: ExplainJob): Promise<void>
  /** Wakes a worker for a file; it waits its turn, for others wait for their figures. */
  wakeFile(file: FileJob): Promise<void>
  ping(): Promise<void>
  /** Jobs by state, and how long the oldest that waits has waited. */
  state(): Promise<{ counts: Record<string, number>; oldestSeconds: number }>
  close(): Promise<void>
}

/** How long the end of a connection is waited for: a store that is away does not hear it. */
const goodbyeMs = 3000

async function goodbye(closing: Promise<void>): Promise<void> {
  await Promise.race([closing.catch(() => undefined), wait(goodbyeMs, undefined, { ref: false })])
}

export async function openQueues(config: Where): Promise<Queues> {
  const queue = config.redisUrl
    ? new Queue(recalculationQueue, { connection: redis(config.redisUrl), prefix: config.queuePrefix })
    : new Queue(recalculationQueue, { connection: postgres(config.databaseUrl) }, createPostgresBackend)
  // A lost connection is tried again by the library; readiness says so meanwhile.
  queue.on('error' as never, (() => undefined) as never)
  await queue.waitUntilReady()
  return {
    async wake({ organisationId, id, left }) {
      const budgets = left.map(({ budgetId, attempts }, place) => ({
        name: 'budget',
        data: { organisationId, recalculationId: id, budgetId } satisfies BudgetJob,
        opts: { ...jobOptions, priority: turns.of(place), jobId: `budget-${id}-${budgetId}-${attempts}` },
      }))
      const finish = { name: 'finish', data: { organisationId, recalculationId: id } satisfies RunJob }
      if (budgets.length) await queue.addBulk(budgets)
      else await queue.add(finish.name, finish.data, { ...jobOptions, jobId: `run-${id}` })
    },
    async wakeFill(organisationId, left) {
      await queue.addBulk(
        left.map(({ budgetId, attempts }, place) => ({
          name: 'fill',
          data: { organisationId, fillBudgetId: budgetId } satisfies FillJob,
          opts: { ...jobOptions, priority: turns.of(place), jobId: `fill-${budgetId}-${attempts}` },
        })),
      )
    },
    async wakeExplain(job) {
      await queue.add('explain', job, { ...jobOptions, priority: turns.of(0), jobId: `explain-${job.explanationId}-${job.attempts}` })
    },
    async wakeFile(file) {
      // Begun once more or not, it is one job: while any worker makes the file, nobody else is given it.
      await queue.add('file', file, { ...jobOptions, priority: turns.file, jobId: `file-${file.fileId}` })
    },
    ping: async () => void (await queue.getJobCounts('waiting')),
    state: async () => {
      // In the order of turns, the oldest of those that wait is the first or the last.
      const [{ waiting = 0, prioritized = 0, active = 0, failed = 0 }, ...ends] = await Promise.all([
        queue.getJobCounts('waiting', 'prioritized', 'active', 'failed'),
        queue.getJobs(['waiting', 'prioritized'], 0, 0, true),
        queue.getJobs(['prioritized'], -1, -1, true),
      ])
      const oldest = Math.min(Date.now(), ...ends.flat().map((job) => job.timestamp))
      return { counts: { waiting: waiting + prioritized, active, failed }, oldestSeconds: (Date.now() - oldest) / 1000 }
    },
    close: () => goodbye(queue.close()),
  }
}

/** A worker on either backend; what is asked of it is the same on both, but the type of BullMQ names the one of Redis. */
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
    close: () => goodbye(relay.close()),
  }
}
