import type { Job } from 'bullmq'
import type { Config } from '../server/config.ts'
import { log } from '../server/log.ts'
import { type BudgetJob, type FillJob, openFanOut, openQueues, openWorker, type RunJob } from '../server/queue/queues.ts'
import { openStore } from '../server/store/database.ts'
import { filler } from './fill.ts'
import { recalculator } from './recalculate.ts'

export interface RunningWorker {
  close(): Promise<void>
}

const sweepMs = 5000

/** Takes jobs from the queue; any number of workers compete for them. A crash at any moment loses nothing: the sweep wakes what is unfinished. */
export async function work(config: Config): Promise<RunningWorker> {
  const store = openStore(config.databaseUrl, 6)
  const [queues, fanOut] = await Promise.all([openQueues(config), openFanOut(config, 'worker')])
  const recalculate = recalculator({ store, queues, fanOut })
  const fill = filler({ store, queues, fanOut })
  const worker = openWorker(
    config,
    async ({ data }: Job<BudgetJob | RunJob | FillJob>) =>
      'fillBudgetId' in data ? fill.fill(data) : 'budgetId' in data ? recalculate.budget(data) : recalculate.finish(data),
    2,
  )
  let closing = false
  // The queue connects again by itself; while closing, lost connections are no news.
  worker.on('error', (error) => closing || log.warn(`queue: ${error.message}`))
  worker.on('failed', (job, error) => log.error({ err: error, job: job?.id }, 'job failed'))
  const sweepAll = (): void => {
    void recalculate.sweep()
    void fill.sweep()
  }
  const sweep = setInterval(sweepAll, sweepMs)
  sweepAll()
  return {
    async close() {
      closing = true
      clearInterval(sweep)
      await worker.close()
      await Promise.allSettled([queues.close(), fanOut.close()])
      await store.close()
    },
  }
}
