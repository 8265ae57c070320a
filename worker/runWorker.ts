import { setTimeout as wait } from 'node:timers/promises'
import type { Job } from 'bullmq'
import { checkDueChain } from '../server/audit/verify/selfCheck.ts'
import { deleteOldAnswers } from '../server/core/calls/answers.ts'
import { deleteOldCounters } from '../server/core/calls/limits.ts'
import type { Config } from '../server/core/config.ts'
import { openStore } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import {
  type BudgetsJob,
  type ExplainJob,
  type FileJob,
  type FillJob,
  type FinishRunJob,
  openFanOut,
  openOutsideWorker,
  openQueues,
  openRecalculationWorker,
} from '../server/core/queue/queues.ts'
import type { AnchorReason } from '../server/core/stream/anchorFiles.ts'
import { anchorChains } from '../server/core/stream/anchors.ts'
import { countJob } from '../server/core/watch/counters.ts'
import { openHeartbeat } from '../server/core/watch/heartbeat.ts'
import { openMetrics } from '../server/core/watch/metrics.ts'
import { parseTraceparent, traceWork } from '../server/core/watch/tracing.ts'
import { deleteOldRuns, deleteOldSamples } from '../server/features/integrations/connections/commands.ts'
import { deleteOldDeliveries } from '../server/features/integrations/webhooks/commands.ts'
import { deleteOldExplanations } from '../server/features/payroll/causes/commands.ts'
import { deleteOldNotices } from '../server/features/versions/approval/notices/commands.ts'
import { checkDatabase } from '../server/launch/databaseChecks.ts'
import { deleteOldFiles } from '../server/shared/files/commands.ts'
import { deleteOldStaffFiles } from '../server/shared/staffFiles/commands.ts'
import { createCommentMailer } from './comments.ts'
import { createConnectionRunner } from './connections.ts'
import { createPayDifferenceExplainer } from './explain.ts'
import { createFileMaker } from './files.ts'
import { createBudgetFiller } from './fill.ts'
import { openHealthServer } from './health.ts'
import { createIntegrationTester } from './links.ts'
import { createRecalculator } from './recalculate.ts'
import { createWebhookSender } from './webhooks.ts'

export interface RunningWorker {
  close(): Promise<void>
}

const sweepMs = 5000
/** The longest wait for a sweep, so that a sweep that hangs does not block later sweeps. */
const maxSweepMs = 30_000
/** How often to look for a hash chain that has not been verified today. */
const verifyIntervalMs = 60_000
const deleteIntervalMs = 3_600_000

function jobSeconds({ processedOn, finishedOn }: Job): number {
  return Math.max(0, (finishedOn ?? Date.now()) - (processedOn ?? Date.now())) / 1000
}

/** Takes jobs from the queue, as other workers do. A crash loses no work: the sweep queues unfinished work again. */
export async function runWorker(config: Config): Promise<RunningWorker> {
  const store = openStore(config, 6, 'jobs')
  await checkDatabase(store, config).catch(async (error) => {
    await store.close()
    throw error
  })
  const [queues, fanOut] = await Promise.all([openQueues(config), openFanOut(config, 'worker')])
  const recalculate = createRecalculator({ store, queues, fanOut })
  const fill = createBudgetFiller({ store, queues, fanOut })
  const explain = createPayDifferenceExplainer({ store, queues })
  const files = createFileMaker({ store, queues, fanOut })
  const comments = createCommentMailer({ store, config })
  const reach = { networks: config.outboundNetworks, exchangeDir: config.exchangeDir }
  const connections = createIntegrationTester({ store, reach })
  const runner = createConnectionRunner({ store, queues, fanOut, reach })
  const webhooks = createWebhookSender({ store, networks: config.outboundNetworks })
  const worker = openRecalculationWorker(
    config,
    ({ name, data }: Job<BudgetsJob | FinishRunJob | FillJob | ExplainJob | FileJob>) =>
      traceWork(
        { name: `job ${name}`, kind: 'consumer', parent: parseTraceparent(data.traceparent), attributes: { 'bursar.job': name } },
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
  // Sweeps claim the rows that they work on, so a duplicate sweep does no harm.
  const sweepWorker = openOutsideWorker(config, async () => {
    const sweeps = Promise.all([connections.sweep(), runner.sweep(), webhooks.sweep()])
    await Promise.race([sweeps, wait(maxSweepMs, undefined, { ref: false })])
  })
  let closing = false
  // The queue reconnects by itself. While closing, lost connections are expected.
  for (const queueWorker of [worker, sweepWorker]) queueWorker.on('error', (error) => closing || log.warn(`queue: ${error.message}`))
  sweepWorker.on('failed', (job, error) => log.error({ err: error, job: job?.id }, 'a sweep of other systems failed'))
  worker.on('failed', (job, error) => {
    if (job) countJob(job.name, 'failed', jobSeconds(job))
    log.error({ err: error, job: job?.id }, 'a job failed')
  })
  worker.on('completed', (job) => {
    countJob(job.name, 'done', jobSeconds(job))
    // Wake the webhook sender, because webhooks report finished work. A recalculation is reported once, at its end, not for each batch of
    // budgets.
    if (!('budgetIds' in job.data)) queues.requestOutsideCheck()
  })
  const heartbeat = openHeartbeat(store, 'worker')
  const metrics = await openMetrics({ config, store, queues, heartbeat })
  const health = await openHealthServer(config.workerPort, { store, queues, heartbeat })
  const anchor = (reason: AnchorReason): Promise<void> =>
    anchorChains(store, { config, reason, now: new Date() }).catch((error) => log.warn({ err: error }, 'anchoring the chains failed'))
  let isScheduling = false
  const scheduleSweeps = async (): Promise<void> => {
    // While the queue cannot be reached, a call to it does not return, so no second call is started.
    if (isScheduling) return
    isScheduling = true
    await queues
      .ensureOutsideSchedule()
      .catch((error) => closing || log.warn({ err: error }, 'scheduling the sweeps of other systems failed'))
    isScheduling = false
  }
  const sweepAll = (): void => {
    void scheduleSweeps()
    void recalculate.sweep()
    void fill.sweep()
    void explain.sweep()
    void files.sweep()
    void comments.sweep()
    void anchor('day')
  }
  const deleteExpired = (): Promise<void> =>
    store
      .asPlatform(async (tx) => {
        await deleteOldAnswers(tx, new Date())
        await deleteOldCounters(tx, new Date())
        await deleteOldExplanations(tx, new Date())
        await deleteOldFiles(tx, new Date())
        await deleteOldDeliveries(tx, new Date())
        await deleteOldRuns(tx, new Date())
        await deleteOldSamples(tx, new Date())
        await deleteOldStaffFiles(tx, new Date())
        await deleteOldNotices(tx, new Date())
      })
      .catch((error) => log.warn({ err: error }, 'deleting expired records failed'))
  const deleteTimer = setInterval(() => void deleteExpired(), deleteIntervalMs)
  void deleteExpired()
  const sweep = setInterval(sweepAll, sweepMs)
  sweepAll()
  if (config.anchors) void anchor('start')
  let isChecking = false
  const verifyChains = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    try {
      while (!closing && (await checkDueChain(store, new Date())) !== 'none');
    } catch (error) {
      if (!closing) log.warn({ err: error }, 'verifying the chains failed')
    }
    isChecking = false
  }
  const verifyTimer = setInterval(() => void verifyChains(), verifyIntervalMs)
  return {
    async close() {
      closing = true
      clearInterval(sweep)
      clearInterval(deleteTimer)
      clearInterval(verifyTimer)
      health?.close()
      await metrics?.close()
      await Promise.all([worker.close(), sweepWorker.close(), connections.drain(), runner.drain(), webhooks.drain()])
      if (config.anchors) await anchor('stop')
      await Promise.allSettled([queues.close(), fanOut.close(), heartbeat.close()])
      await store.close()
    },
  }
}
