import { randomUUID } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import {
  createPostgresBackend,
  createPostgresRelayBackend,
  type IQueueBackend,
  type Job,
  type JobProgress,
  type Processor,
  Queue,
  Relay,
  Worker,
  type WorkerOptions,
} from 'bullmq'
import { Client } from 'pg'
import type { LiveMessage } from '../../../domain/changes/live.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type BudgetId, type OrganisationId, toOrganisationId } from '../../../domain/values/ids.ts'
import type { Config } from '../config.ts'
import { getDatabaseNetwork } from '../database/lostNetwork.ts'
import { log } from '../log.ts'
import { readRedisOptions } from '../redisOptions.ts'
import { isFromSecretFile, readCurrentSecret } from '../secretFiles.ts'
import { getThrownDetails } from '../thrownDetails.ts'
import { getTraceContext } from '../watch/tracing.ts'

/**
 * The queue for budget work. A job only tells a worker which rows to look at; the database records what is to be done. The worker that
 * finishes the last budget of a run completes the run.
 */
export const recalculationQueue = 'recalculation'

/**
 * The queue for work with other systems, separate so that none of it waits behind recalculations. Its jobs only tell a worker to check what
 * is due: one job by schedule, another at once when a person is waiting.
 */
const outsideQueue = 'outside'
/** The name of the schedule. Only one schedule can have it, so every worker may try to create it. */
const outsideSchedule = 'look'
/** How often a worker checks whether work with other systems is due. */
export const outsideCheckIntervalMs = 5000
/** If the next check is overdue by this many intervals, the store has lost it; if it is this many intervals ahead, a wrong clock set it. */
const lostAfterIntervals = 3
/** Milliseconds that a process waits between two requests for a check. */
const requestPauseMs = 100

/** The trace context of a job, so that tracing can follow a call into it. */
interface FollowedJob {
  traceparent?: string
}

/** A job that recalculates a few budgets of a run, one after the other. */
export interface BudgetsJob extends FollowedJob {
  organisationId: OrganisationId
  recalculationId: string
  budgetIds: BudgetId[]
}

export interface FinishRunJob extends FollowedJob {
  organisationId: OrganisationId
  recalculationId: string
}

/** A job that fills a budget with the content of the budget that it was created from. */
export interface FillJob extends FollowedJob {
  organisationId: OrganisationId
  fillBudgetId: BudgetId
}

/** A job that searches for the causes of a month's differences. */
export interface ExplainJob extends FollowedJob {
  organisationId: OrganisationId
  explanationId: string
  attempts: number
}

/** A job that creates a file for a user. */
export interface FileJob extends FollowedJob {
  organisationId: OrganisationId
  fileId: string
}

/** Tells servers that a user's permissions changed; clients do not receive it. */
export interface RightsChanged {
  target: '#rightsChanged'
  argument: null
}

/** A message to every connection of an organisation, on any server. */
export type HubMessage = (LiveMessage | RightsChanged) & {
  /** The connection that sent it, which does not receive it. */
  except?: string
}

type QueueSettings = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'redisUrl' | 'redisSentinels' | 'queuePrefix'>

function redis(url: string, { redisSentinels }: QueueSettings) {
  return {
    ...readRedisOptions(url, redisSentinels),
    maxRetriesPerRequest: null,
    // Redis answers every command within ten seconds, including blocking ones. A longer silence means that the
    // connection is lost, which raises no error of its own.
    socketTimeout: 15_000,
  }
}

/**
 * Jobs and live messages need not survive a crash of the machine, because database rows record the remaining work. So commits of the queue
 * do not wait for the disk, but they still take effect in order.
 */
function postgres({ databaseUrl, databaseDirectUrl }: QueueSettings) {
  // Listening needs a connection of its own, which a pooler in transaction mode does not provide.
  const url = databaseDirectUrl ?? databaseUrl
  const stream = (): Socket => getDatabaseNetwork(url).watch(new Socket())
  return { ...addressOf(url), schema: 'bullmq', max: 4, options: '-c synchronous_commit=off', connectionTimeoutMillis: 5000, stream }
}

/** The database's address. It is not a text if the password comes from a file, so that the file is read again for each connection. */
function addressOf(url: string) {
  const known = decodeURIComponent(new URL(url).password)
  if (!isFromSecretFile('DATABASE_PASSWORD', known)) return { connectionString: url }
  const { host, port, user = '', database = '', ssl } = new Client({ connectionString: url })
  const address = { host, port, user, database, ssl }
  // The driver accepts a function as the password, which the queue's types do not mention.
  Reflect.set(address, 'password', () => readCurrentSecret('DATABASE_PASSWORD', known))
  return address
}

/**
 * Finished jobs are removed, so that a run can be woken again with the same job id. While a job waits or runs, adding the same id again has
 * no effect. The rows in the database decide about retries, not the queue.
 */
const jobOptions = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const

/**
 * The priority of a job; lower runs first. The first budget of every request comes before the second of any, so that a trust with a
 * thousand budgets delays nobody. A file waits until a few budgets of each request are done.
 */
const jobPriorities = { of: (index: number): number => index + 1, file: 10 } as const

/** The most budgets of a run in one job. Adding and fetching a job costs about a fifth of the work for one budget. */
const mostOfJob = 5
/** The fewest jobs for a run, so that workers share it evenly; a run with fewer budgets has one job for each. */
const fewestJobs = 20

/** Divides the budgets of a run into jobs. */
function divideIntoJobs(left: readonly QueuedBudget[]): QueuedBudget[][] {
  const size = Math.min(mostOfJob, Math.max(1, Math.floor(left.length / fewestJobs)))
  return Array.from({ length: Math.ceil(left.length / size) }, (_unused, job) => left.slice(job * size, (job + 1) * size))
}

/**
 * A waiting budget, and how often work on it was started. The job id contains both for the first budget of the job, so a retry is a new
 * job. If a run is divided again, a budget may be in two jobs; the second finds it finished or started.
 */
export interface QueuedBudget {
  budgetId: BudgetId
  attempts: number
}

/** The bytes that Redis uses, and its limit: the configured one, otherwise the memory of its machine. */
export interface RedisMemory {
  used: number
  limit: number
}

/** Reads the memory from what Redis says about itself (`INFO`). */
export function parseRedisMemory(info: string): RedisMemory {
  const read = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)
  return { used: read('used_memory'), limit: read('maxmemory') || read('total_system_memory') }
}

export interface Queues {
  /** Wakes the workers for a run; if no budget is left, only to complete it. Repeating it is harmless. */
  wake(run: { organisationId: OrganisationId; id: string; left: readonly QueuedBudget[] }): Promise<void>
  /** Wakes the workers for budgets to be filled. */
  wakeFill(organisationId: OrganisationId, left: readonly QueuedBudget[]): Promise<void>
  /** Wakes the workers for a search for causes. */
  wakeExplain(job: ExplainJob): Promise<void>
  /** Wakes a worker for a file. Calculations that users are waiting for come first. */
  wakeFile(file: FileJob): Promise<void>
  /**
   * Makes a worker check at once whether work with other systems is due. The caller does not wait; if the request is
   * lost, the next scheduled check finds the work.
   */
  requestOutsideCheck(): void
  /** Ensures that the schedule of checks exists. */
  ensureOutsideSchedule(): Promise<void>
  /** @returns why jobs cannot be queued, in words; null if they can */
  findProblem(): Promise<string | null>
  /** For each queue, the jobs by state and the age of the oldest waiting one. */
  state(): Promise<{ queue: string; counts: Record<string, number>; oldestSeconds: number }[]>
  /** The memory of Redis; null if the queues are on PostgreSQL. */
  redisMemory(): Promise<RedisMemory | null>
  close(): Promise<void>
}

/** How long a starting process waits for Redis, in milliseconds. It then carries on without Redis, and connects once it answers. */
const startMs = 3000
/** Milliseconds within which a healthy queue answers. */
const answerMs = 2500

/** Waits until a connection is open; for Redis, which is not needed to answer calls, only a few seconds. */
async function awaitOpen(config: QueueSettings, ready: Promise<unknown>): Promise<void> {
  if (!config.redisUrl) return void (await ready)
  // The library repeats a failed attempt.
  await Promise.race([ready.catch(() => undefined), wait(startMs, undefined, { ref: false })])
}

/** Watches a connection for errors, from which the library recovers by itself. @returns the code of the last one, without addresses */
function watchErrors(emitter: EventEmitter): () => string {
  let last = ''
  emitter.on('error', (error: unknown) => {
    const { code, message = '' } = getThrownDetails(error)
    last = code ?? /^[A-Z]{4,}\b/.exec(message)?.[0] ?? ''
  })
  return () => last
}

/** Milliseconds to wait for a connection to close, because an unreachable store does not answer. */
const closeTimeoutMs = 3000

async function awaitClose(closing: Promise<unknown>): Promise<void> {
  await Promise.race([closing.catch(() => undefined), wait(closeTimeoutMs, undefined, { ref: false })])
}

async function openQueue(config: QueueSettings, name: string) {
  const onRedis = config.redisUrl ? new Queue(name, { connection: redis(config.redisUrl, config), prefix: config.queuePrefix }) : null
  const queue = onRedis ?? new Queue(name, { connection: postgres(config) }, createPostgresBackend)
  const lastError = watchErrors(queue)
  await awaitOpen(config, queue.waitUntilReady())
  return { queue, lastError, redisInfo: onRedis && (async () => (await onRedis.getBackend().connection.client).info()) }
}

/** Says what is wrong with a queue that does not answer. It asks one question at a time: those to an absent Redis would pile up. */
function createQueueCheck({ redisUrl }: QueueSettings, { queue, lastError }: Awaited<ReturnType<typeof openQueue>>): Queues['findProblem'] {
  let pendingCheck: Promise<boolean> | undefined
  return async () => {
    pendingCheck ??= queue
      .getJobCounts('waiting')
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        pendingCheck = undefined
      })
    if (await Promise.race([pendingCheck, wait(answerMs, false, { ref: false })])) return null
    if (!redisUrl) return 'The queue in the database does not respond.'
    const code = lastError()
    return `Redis does not respond${code ? ` (${code})` : ''}. Changes are saved, but recalculations, files and live updates wait until it is back. Check that Redis is running, and that REDIS_URL is right.`
  }
}

async function readQueueState(name: string, queue: Awaited<ReturnType<typeof openQueue>>['queue']) {
  // With priorities, the oldest waiting job is either the first or the last.
  const [{ waiting = 0, prioritized = 0, active = 0, failed = 0 }, ...ends] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'active', 'failed'),
    queue.getJobs(['waiting', 'prioritized'], 0, 0, true),
    queue.getJobs(['prioritized'], -1, -1, true),
  ])
  const oldest = Math.min(Date.now(), ...ends.flat().map((job) => job.timestamp))
  return { queue: name, counts: { waiting: waiting + prioritized, active, failed }, oldestSeconds: (Date.now() - oldest) / 1000 }
}

/**
 * Merges requests that any event may trigger: those made while one is running, or just after it, become a single later one. None is lost,
 * and they do not pile up while the store is unavailable.
 */
function mergeRequests(ask: () => Promise<unknown>) {
  let isAsked = false
  let isUnderWay = false
  let isOver = false
  const begin = async (): Promise<void> => {
    isUnderWay = true
    while (isAsked && !isOver) {
      isAsked = false
      await ask().catch((error) => isOver || log.warn({ err: error }, 'a sweep could not be scheduled'))
      await wait(requestPauseMs, undefined, { ref: false })
    }
    isUnderWay = false
  }
  return {
    ask(): void {
      isAsked = true
      if (!isUnderWay) void begin()
    },
    end(): void {
      isOver = true
    },
  }
}

/** @param everyMs how often workers check by schedule */
export async function openQueues(config: QueueSettings, everyMs = outsideCheckIntervalMs): Promise<Queues> {
  const [main, { queue: outside }] = await Promise.all([openQueue(config, recalculationQueue), openQueue(config, outsideQueue)])
  const { queue } = main
  const findProblem = createQueueCheck(config, main)
  if (config.redisUrl) void findProblem().then((problem) => problem && log.warn(problem))
  // At most one check waits. A check requested while another is running follows it, because the running one may have looked too early.
  const once = { ...jobOptions, deduplication: { id: 'now', keepLastIfActive: true } }
  const looks = mergeRequests(() => outside.add('now', {}, { ...once, jobId: `now-${randomUUID()}` }))
  return {
    async wake({ organisationId, id, left }) {
      const budgets = divideIntoJobs(left).map((some, index) => {
        const { budgetId: first, attempts } = assertDefined(some[0])
        const budgetIds = some.map(({ budgetId }) => budgetId)
        return {
          name: 'budgets',
          data: { organisationId, recalculationId: id, budgetIds, ...getTraceContext() } satisfies BudgetsJob,
          opts: { ...jobOptions, priority: jobPriorities.of(index), jobId: `budgets-${id}-${first}-${attempts}` },
        }
      })
      const finish = { name: 'finish', data: { organisationId, recalculationId: id, ...getTraceContext() } satisfies FinishRunJob }
      if (budgets.length) await queue.addBulk(budgets)
      else await queue.add(finish.name, finish.data, { ...jobOptions, jobId: `run-${id}` })
    },
    async wakeFill(organisationId, left) {
      await queue.addBulk(
        left.map(({ budgetId, attempts }, index) => ({
          name: 'fill',
          data: { organisationId, fillBudgetId: budgetId, ...getTraceContext() } satisfies FillJob,
          opts: { ...jobOptions, priority: jobPriorities.of(index), jobId: `fill-${budgetId}-${attempts}` },
        })),
      )
    },
    async wakeExplain(job) {
      await queue.add(
        'explain',
        { ...job, ...getTraceContext() },
        { ...jobOptions, priority: jobPriorities.of(0), jobId: `explain-${job.explanationId}-${job.attempts}` },
      )
    },
    async wakeFile(file) {
      // Retries use the same job id, so that a file that is being created is not given to a second worker.
      await queue.add(
        'file',
        { ...file, ...getTraceContext() },
        { ...jobOptions, priority: jobPriorities.file, jobId: `file-${file.fileId}` },
      )
    },
    requestOutsideCheck: looks.ask,
    async ensureOutsideSchedule() {
      const known = await outside.getJobScheduler(outsideSchedule)
      const inMs = (known?.next ?? 0) - Date.now()
      if (known?.every === everyMs && Math.abs(inMs) < lostAfterIntervals * everyMs) return
      // The next check was set by a clock that was ahead. Updating the schedule would keep that time, so remove the schedule first.
      if (inMs >= lostAfterIntervals * everyMs) await outside.removeJobScheduler(outsideSchedule)
      // The first check is in the future, so that workers that start at the same time do not replace one that is running.
      const startDate = Date.now() + everyMs
      await outside.upsertJobScheduler(outsideSchedule, { every: everyMs, startDate }, { name: 'look', opts: jobOptions })
    },
    findProblem,
    redisMemory: async () => (main.redisInfo ? parseRedisMemory(await main.redisInfo()) : null),
    state: () => Promise.all([readQueueState(recalculationQueue, queue), readQueueState(outsideQueue, outside)]),
    async close() {
      looks.end()
      await awaitClose(Promise.all([queue.close(), outside.close()]))
    },
  }
}

type WorkerSettings = Required<Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount'>>

/** Milliseconds to pause when the store refuses to hand out jobs. The library would retry, and log, at once. */
const refusedPauseMs = 2000

/** A worker that pauses while the store is reachable but cannot write, for example with a full disk. */
class RestingWorker<Backend extends IQueueBackend, Connection> extends Worker<unknown, unknown, string, Backend, JobProgress, Connection> {
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name)
    } catch (error) {
      if (!this.closing) await wait(refusedPauseMs)
      throw error
    }
  }
}

/** A worker on either backend. Both backends behave alike, but BullMQ's type names only Redis. */
function openRestingWorker(
  config: QueueSettings,
  { name, handler, options }: { name: string; handler: Processor; options: WorkerSettings },
): Worker {
  if (config.redisUrl)
    return new RestingWorker(name, handler, { ...options, connection: redis(config.redisUrl, config), prefix: config.queuePrefix })
  const worker: object = new RestingWorker(name, handler, { ...options, connection: postgres(config) }, createPostgresBackend)
  // The backends differ only in their connection types.
  return worker as Worker
}

export function openRecalculationWorker(config: QueueSettings, handler: Processor, concurrency: number): Worker {
  return openRestingWorker(config, {
    name: recalculationQueue,
    handler,
    options: { concurrency, lockDuration: 30_000, stalledInterval: 10_000, maxStalledCount: 10 },
  })
}

/**
 * Runs the checks of what is due with other systems, one at a time. A check takes milliseconds, so its lock is short and a killed worker's
 * check is soon repeated.
 */
export function openOutsideWorker(config: QueueSettings, look: () => Promise<void>): Worker {
  return openRestingWorker(config, {
    name: outsideQueue,
    handler: look,
    options: { concurrency: 1, lockDuration: 10_000, stalledInterval: 5000, maxStalledCount: 10 },
  })
}

/** Carries hub messages between processes. */
export interface FanOut {
  publish(organisationId: OrganisationId, message: HubMessage): Promise<void>
  subscribe(listener: (organisationId: OrganisationId, message: HubMessage) => void): Promise<void>
  close(): Promise<void>
}

/** Connects to the other processes through the queue's own backend. */
export async function openFanOut(config: QueueSettings, name: string): Promise<FanOut> {
  const relay = config.redisUrl
    ? new Relay({ connection: redis(config.redisUrl, config), namespace: `${config.queuePrefix}-hub`, name })
    : new Relay({ connection: postgres(config), namespace: 'hub', name, backend: createPostgresRelayBackend })
  relay.on('error', () => undefined)
  await awaitOpen(config, relay.waitUntilReady())
  return {
    publish: async (organisationId, message) => void (await relay.publish(`organisation.${organisationId}`, message)),
    subscribe: async (listener) =>
      void (await relay.subscribe<HubMessage>('organisation.*', ({ topic, data }) =>
        listener(toOrganisationId(Number(topic.split('.')[1])), data),
      )),
    close: () => awaitClose(relay.close()),
  }
}
