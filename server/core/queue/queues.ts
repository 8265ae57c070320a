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
import type { LiveMessage } from '../../../domain/changes/live.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type BudgetId, type OrganisationId, toOrganisationId } from '../../../domain/values/ids.ts'
import type { Config } from '../config.ts'
import { networkTo } from '../database/lostNetwork.ts'
import { log } from '../log.ts'
import { traceHere } from '../watch/tracing.ts'

/** The queue of the workers: a job for a budget or a few of them. A job only says "look"; the database knows what is to be done, and the last budget of a run ends it. */
export const recalculationQueue = 'recalculation'

/**
 * The queue of what is done with other systems, of its own so that nothing of it waits behind recalculations. Its jobs say only "look" too:
 * one comes by a schedule, another at once when somebody waits.
 */
const outsideQueue = 'outside'
/** The schedule: as there is one of this name, every worker may see to it that it stands. */
const lookSchedule = 'look'
/** How often some worker looks for what has come due with other systems. */
export const lookEveryMs = 5000
/** So many looks late, one by the schedule is no longer on its way: the store lost it. So many early, no clock that is right has set it. */
const lostAfter = 3
/** What a process rests between asking twice for a look, however much happens in it. */
const restMs = 100

/** What asked for the work of a job, for who follows calls through all that they do. */
interface FollowedJob {
  traceparent?: string
}

/** A few budgets of a run, one after the other. */
export interface BudgetsJob extends FollowedJob {
  organisationId: OrganisationId
  recalculationId: string
  budgetIds: BudgetId[]
}

export interface RunJob extends FollowedJob {
  organisationId: OrganisationId
  recalculationId: string
}

/** A budget to be filled from the one it was made of. */
export interface FillJob extends FollowedJob {
  organisationId: OrganisationId
  fillBudgetId: BudgetId
}

/** A search for the causes of a month's differences; begun again only by who finds that it was begun no more often than this. */
export interface ExplainJob extends FollowedJob {
  organisationId: OrganisationId
  explanationId: string
  attempts: number
}

/** A file to be made for somebody. */
export interface FileJob extends FollowedJob {
  organisationId: OrganisationId
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

function redis(url: string): {
  host: string
  port: number
  username?: string
  password?: string
  db?: number
  maxRetriesPerRequest: null
  socketTimeout: number
} {
  const { hostname, port, username, password, pathname } = new URL(url)
  return {
    host: hostname,
    port: Number(port || 6379),
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    db: Number(pathname.slice(1)) || undefined,
    maxRetriesPerRequest: null,
    // What is asked is answered within ten seconds, also by whoever waits for work: after that the network is lost, which tells nobody.
    socketTimeout: 15_000,
  }
}

/**
 * Jobs and live messages need not outlive a crash of the machine: the rows say what is left. So nobody waits for the disk for them; they are
 * committed all the same, in order with everything else.
 */
function postgres(url: string) {
  const stream = (): Socket => networkTo(url).watched(new Socket())
  return { connectionString: url, schema: 'bullmq', max: 4, options: '-c synchronous_commit=off', connectionTimeoutMillis: 5000, stream }
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

/** So many budgets of a run are a job at most: what the queue does for one takes as long as a fifth of a budget. */
const mostOfJob = 5
/** A run has so many jobs at least, one for each budget where it has fewer, so that many workers share it evenly. */
const fewestJobs = 20

/** The budgets of a run by the jobs that they are done in. */
function sharedOut(left: readonly Waiting[]): Waiting[][] {
  const size = Math.min(mostOfJob, Math.max(1, Math.floor(left.length / fewestJobs)))
  return Array.from({ length: Math.ceil(left.length / size) }, (_unused, job) => left.slice(job * size, (job + 1) * size))
}

/**
 * A budget that something is to be done with, and how often that was begun: one wake-up waits for each beginning of a budget that stands first in
 * its job. Others may stand in two jobs when their run is shared out anew; whoever comes second finds them done or begun.
 */
export interface Waiting {
  budgetId: BudgetId
  attempts: number
}

export interface Queues {
  /** Wakes the workers for a run, or for its end when no budget is left; the same wake-up twice does no harm. */
  wake(run: { organisationId: OrganisationId; id: string; left: readonly Waiting[] }): Promise<void>
  /** Wakes the workers for budgets to be filled. */
  wakeFill(organisationId: OrganisationId, left: readonly Waiting[]): Promise<void>
  /** Wakes the workers for a search for causes. */
  wakeExplain(job: ExplainJob): Promise<void>
  /** Wakes a worker for a file; it waits its turn, for others wait for their figures. */
  wakeFile(file: FileJob): Promise<void>
  /** Has a worker look at once for what is due with other systems. Nobody waits for it: what is lost is found by the schedule. */
  lookOutside(): void
  /** Sees that workers look by themselves, ever again; the schedule is made once, by whoever misses it first. */
  keepLooking(): Promise<void>
  ping(): Promise<void>
  /** Of each queue its jobs by state, and how long the oldest that waits has waited. */
  state(): Promise<{ queue: string; counts: Record<string, number>; oldestSeconds: number }[]>
  close(): Promise<void>
}

/** How long the end of a connection is waited for: a store that is away does not hear it. */
const goodbyeMs = 3000

async function goodbye(closing: Promise<unknown>): Promise<void> {
  await Promise.race([closing.catch(() => undefined), wait(goodbyeMs, undefined, { ref: false })])
}

async function openQueue(config: Where, name: string) {
  const queue = config.redisUrl
    ? new Queue(name, { connection: redis(config.redisUrl), prefix: config.queuePrefix })
    : new Queue(name, { connection: postgres(config.databaseUrl) }, createPostgresBackend)
  // A lost connection is tried again by the library; readiness says so meanwhile.
  const emitter: EventEmitter = queue
  emitter.on('error', () => undefined)
  await queue.waitUntilReady()
  return queue
}

async function stateOf(name: string, queue: Awaited<ReturnType<typeof openQueue>>) {
  // In the order of turns, the oldest of those that wait is the first or the last.
  const [{ waiting = 0, prioritized = 0, active = 0, failed = 0 }, ...ends] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'active', 'failed'),
    queue.getJobs(['waiting', 'prioritized'], 0, 0, true),
    queue.getJobs(['prioritized'], -1, -1, true),
  ])
  const oldest = Math.min(Date.now(), ...ends.flat().map((job) => job.timestamp))
  return { queue: name, counts: { waiting: waiting + prioritized, active, failed }, oldestSeconds: (Date.now() - oldest) / 1000 }
}

/**
 * Asks for something that may be asked for by everything that happens: what is asked for while one asking is under way, or has just been,
 * is asked for once, afterwards. So none is lost, and none piles up while the store is away.
 */
function asking(ask: () => Promise<unknown>) {
  let isAsked = false
  let isUnderWay = false
  let isOver = false
  const begin = async (): Promise<void> => {
    isUnderWay = true
    while (isAsked && !isOver) {
      isAsked = false
      await ask().catch((error) => isOver || log.warn({ err: error }, 'a look was not asked for'))
      await wait(restMs, undefined, { ref: false })
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

/** @param everyMs how often workers look by themselves */
export async function openQueues(config: Where, everyMs = lookEveryMs): Promise<Queues> {
  const [queue, outside] = await Promise.all([openQueue(config, recalculationQueue), openQueue(config, outsideQueue)])
  // One waits, however many are asked for; one that is asked for while another looks follows it, for that one may have looked too early.
  const once = { ...jobOptions, deduplication: { id: 'now', keepLastIfActive: true } }
  const looks = asking(() => outside.add('now', {}, { ...once, jobId: `now-${randomUUID()}` }))
  return {
    async wake({ organisationId, id, left }) {
      const budgets = sharedOut(left).map((some, place) => {
        const { budgetId: first, attempts } = assertDefined(some[0])
        const budgetIds = some.map(({ budgetId }) => budgetId)
        return {
          name: 'budgets',
          data: { organisationId, recalculationId: id, budgetIds, ...traceHere() } satisfies BudgetsJob,
          opts: { ...jobOptions, priority: turns.of(place), jobId: `budgets-${id}-${first}-${attempts}` },
        }
      })
      const finish = { name: 'finish', data: { organisationId, recalculationId: id, ...traceHere() } satisfies RunJob }
      if (budgets.length) await queue.addBulk(budgets)
      else await queue.add(finish.name, finish.data, { ...jobOptions, jobId: `run-${id}` })
    },
    async wakeFill(organisationId, left) {
      await queue.addBulk(
        left.map(({ budgetId, attempts }, place) => ({
          name: 'fill',
          data: { organisationId, fillBudgetId: budgetId, ...traceHere() } satisfies FillJob,
          opts: { ...jobOptions, priority: turns.of(place), jobId: `fill-${budgetId}-${attempts}` },
        })),
      )
    },
    async wakeExplain(job) {
      await queue.add(
        'explain',
        { ...job, ...traceHere() },
        { ...jobOptions, priority: turns.of(0), jobId: `explain-${job.explanationId}-${job.attempts}` },
      )
    },
    async wakeFile(file) {
      // Begun once more or not, it is one job: while any worker makes the file, nobody else is given it.
      await queue.add('file', { ...file, ...traceHere() }, { ...jobOptions, priority: turns.file, jobId: `file-${file.fileId}` })
    },
    lookOutside: looks.ask,
    async keepLooking() {
      const known = await outside.getJobScheduler(lookSchedule)
      const inMs = (known?.next ?? 0) - Date.now()
      if (known?.every === everyMs && Math.abs(inMs) < lostAfter * everyMs) return
      // Set by a clock that was ahead: it stays where it is unless it is made anew.
      if (inMs >= lostAfter * everyMs) await outside.removeJobScheduler(lookSchedule)
      // Its first look is a while off: workers that begin together, and miss it together, change none that is under way.
      const startDate = Date.now() + everyMs
      await outside.upsertJobScheduler(lookSchedule, { every: everyMs, startDate }, { name: 'look', opts: jobOptions })
    },
    ping: async () => void (await queue.getJobCounts('waiting')),
    state: () => Promise.all([stateOf(recalculationQueue, queue), stateOf(outsideQueue, outside)]),
    async close() {
      looks.end()
      await goodbye(Promise.all([queue.close(), outside.close()]))
    },
  }
}

type Taking = Required<Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount'>>

/** How long it rests when the store refuses to hand out work: the library asks again at once, and says each time why it could not. */
const refusedRestMs = 2000

/** Of a store that is there and cannot write, as with a full disk, it asks now and then, not as often as a processor can. */
class RestingWorker<Backend extends IQueueBackend, Connection> extends Worker<unknown, unknown, string, Backend, JobProgress, Connection> {
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name)
    } catch (error) {
      if (!this.closing) await wait(refusedRestMs)
      throw error
    }
  }
}

/** A worker on either backend; what is asked of it is the same on both, but the type of BullMQ names the one of Redis. */
function openTaker(config: Where, { name, handler, options }: { name: string; handler: Processor; options: Taking }): Worker {
  if (config.redisUrl)
    return new RestingWorker(name, handler, { ...options, connection: redis(config.redisUrl), prefix: config.queuePrefix })
  const worker: object = new RestingWorker(name, handler, { ...options, connection: postgres(config.databaseUrl) }, createPostgresBackend)
  // As said above: the backend differs in the types of its connection alone.
  return worker as Worker
}

export function openWorker(config: Where, handler: Processor, concurrency: number): Worker {
  return openTaker(config, {
    name: recalculationQueue,
    handler,
    options: { concurrency, lockDuration: 30_000, stalledInterval: 10_000, maxStalledCount: 10 },
  })
}

/** Takes the looks for what is due with other systems, one at a time: a look takes milliseconds, so one of a killed worker is soon known. */
export function openLooker(config: Where, look: () => Promise<void>): Worker {
  return openTaker(config, {
    name: outsideQueue,
    handler: look,
    options: { concurrency: 1, lockDuration: 10_000, stalledInterval: 5000, maxStalledCount: 10 },
  })
}

export interface FanOut {
  publish(organisationId: OrganisationId, message: HubMessage): Promise<void>
  subscribe(listener: (organisationId: OrganisationId, message: HubMessage) => void): Promise<void>
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
      void (await relay.subscribe<HubMessage>('organisation.*', ({ topic, data }) =>
        listener(toOrganisationId(Number(topic.split('.')[1])), data),
      )),
    close: () => goodbye(relay.close()),
  }
}
