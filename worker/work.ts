import { setTimeout as wait } from 'node:timers/promises'
import type { Job } from 'bullmq'
import { checkDueChain } from '../server/audit/verify/selfCheck.ts'
import { forgetAnswers } from '../server/core/calls/answers.ts'
import { forgetCounters } from '../server/core/calls/limits.ts'
import type { Config } from '../server/core/config.ts'
import { openStore } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import {
  type BudgetsJob,
  type ExplainJob,
  type FileJob,
  type FillJob,
  openFanOut,
  openLooker,
  openQueues,
  openWorker,
  type RunJob,
} from '../server/core/queue/queues.ts'
import type { AnchorReason } from '../server/core/stream/anchorFiles.ts'
import { anchorChains } from '../server/core/stream/anchors.ts'
import { countJob } from '../server/core/watch/counted.ts'
import { openMetrics } from '../server/core/watch/metrics.ts'
import { readTraceparent, traced } from '../server/core/watch/tracing.ts'
import { forgetRuns, forgetSamples } from '../server/features/integrations/connections/commands.ts'
import { forgetDeliveries } from '../server/features/integrations/webhooks/commands.ts'
import { forgetExplanations } from '../server/features/payroll/causes/commands.ts'
import { forgetNotices } from '../server/features/versions/approval/telling/commands.ts'
import { checkDatabase } from '../server/launch/databaseChecks.ts'
import { forgetFiles } from '../server/shared/files/commands.ts'
import { forgetStaffFiles } from '../server/shared/staffFiles/commands.ts'
import { commentTeller } from './comments.ts'
import { connectionRunner } from './connections.ts'
import { explainer } from './explain.ts'
import { fileMaker } from './files.ts'
import { filler } from './fill.ts'
import { openHealth } from './health.ts'
import { connectionTrier } from './integrations.ts'
import { recalculator } from './recalculate.ts'
import { webhookSender } from './webhooks.ts'

export interface RunningWorker {
  close(): Promise<void>
}

const sweepMs = 5000
/** How long a look for what is due with other systems is waited for, so that one that hangs takes none of those that follow with it. */
const longestLookMs = 30_000
/** How often it looks for a chain that was not checked today. */
const checkMs = 60_000
/** How often what is too old to be asked for is deleted. */
const forgetMs = 3_600_000

/** How long a job that has ended was worked on. */
function secondsOf({ processedOn, finishedOn }: Job): number {
  return Math.max(0, (finishedOn ?? Date.now()) - (processedOn ?? Date.now())) / 1000
}

/** Takes jobs from the queue; any number of workers compete for them. A crash at any moment loses nothing: the sweep wakes what is unfinished. */
export async function work(config: Config): Promise<RunningWorker> {
  const store = openStore(config, 6, 'jobs')
  await checkDatabase(store, config).catch(async (error) => {
    await store.close()
    throw error
  })
  const [queues, fanOut] = await Promise.all([openQueues(config), openFanOut(config, 'worker')])
  const recalculate = recalculator({ store, queues, fanOut })
  const fill = filler({ store, queues, fanOut })
  const explain = explainer({ store, queues })
  const files = fileMaker({ store, queues, fanOut })
  const comments = commentTeller({ store, config })
  const reach = { networks: config.outboundNetworks, exchangeDir: config.exchangeDir }
  const connections = connectionTrier({ store, reach })
  const runner = connectionRunner({ store, queues, fanOut, reach })
  const webhooks = webhookSender({ store, networks: config.outboundNetworks })
  const worker = openWorker(
    config,
    ({ name, data }: Job<BudgetsJob | RunJob | FillJob | ExplainJob | FileJob>) =>
      traced(
        { name: `job ${name}`, kind: 'consumer', parent: readTraceparent(data.traceparent), attributes: { 'bursar.job': name } },
        () =>
          'explanationId' in data
            ? explain.explain(data)
            : 'fileId' in data
              ? files.make(data)
              : 'fillBudgetId' in data
                ? fill.fill(data)
                : 'budgetIds' in data
                  ? recalculate.budgets(data)
                  : recalculate.finish(data),
      ),
    4,
  )
  // What is due stands in rows and is claimed: a look that is doubled takes nothing twice, and begins what it finds without waiting for it.
  const looker = openLooker(config, async () => {
    const look = Promise.all([connections.sweep(), runner.sweep(), webhooks.sweep()])
    await Promise.race([look, wait(longestLookMs, undefined, { ref: false })])
  })
  let closing = false
  // The queue connects again by itself; while closing, lost connections are no news.
  for (const taker of [worker, looker]) taker.on('error', (error) => closing || log.warn(`queue: ${error.message}`))
  looker.on('failed', (job, error) => log.error({ err: error, job: job?.id }, 'look failed'))
  worker.on('failed', (job, error) => {
    if (job) countJob(job.name, 'failed', secondsOf(job))
    log.error({ err: error, job: job?.id }, 'job failed')
  })
  worker.on('completed', (job) => {
    countJob(job.name, 'done', secondsOf(job))
    // What was done is told to webhooks: of a recalculation once it has ended.
    if (!('budgetIds' in job.data)) queues.lookOutside()
  })
  const metrics = await openMetrics({ config, store, queues })
  const health = await openHealth(config.workerPort, store, queues)
  const anchor = (reason: AnchorReason): Promise<void> =>
    anchorChains(store, { config, reason, now: new Date() }).catch((error) => log.warn({ err: error }, 'anchors'))
  let isKeeping = false
  const keepLooking = async (): Promise<void> => {
    // While the store is away, asking it does not end.
    if (isKeeping) return
    isKeeping = true
    await queues.keepLooking().catch((error) => closing || log.warn({ err: error }, 'schedule of looks at other systems'))
    isKeeping = false
  }
  const sweepAll = (): void => {
    void keepLooking()
    void recalculate.sweep()
    void fill.sweep()
    void explain.sweep()
    void files.sweep()
    void comments.sweep()
    void anchor('day')
  }
  const forgetOld = (): Promise<void> =>
    store
      .asPlatform(async (tx) => {
        await forgetAnswers(tx, new Date())
        await forgetCounters(tx, new Date())
        await forgetExplanations(tx, new Date())
        await forgetFiles(tx, new Date())
        await forgetDeliveries(tx, new Date())
        await forgetRuns(tx, new Date())
        await forgetSamples(tx, new Date())
        await forgetStaffFiles(tx, new Date())
        await forgetNotices(tx, new Date())
      })
      .catch((error) => log.warn({ err: error }, 'old answers, counters, files, messages and runs'))
  const forget = setInterval(() => void forgetOld(), forgetMs)
  void forgetOld()
  const sweep = setInterval(sweepAll, sweepMs)
  sweepAll()
  if (config.anchors) void anchor('start')
  let isChecking = false
  const checkChains = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    try {
      while (!closing && (await checkDueChain(store, new Date())) !== 'none');
    } catch (error) {
      if (!closing) log.warn({ err: error }, 'chains were not checked')
    }
    isChecking = false
  }
  const checks = setInterval(() => void checkChains(), checkMs)
  return {
    async close() {
      closing = true
      clearInterval(sweep)
      clearInterval(forget)
      clearInterval(checks)
      health?.close()
      await metrics?.close()
      await Promise.all([worker.close(), looker.close(), connections.ended(), runner.ended(), webhooks.ended()])
      if (config.anchors) await anchor('stop')
      await Promise.allSettled([queues.close(), fanOut.close()])
      await store.close()
    },
  }
}
