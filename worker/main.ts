import type { Job } from 'bullmq'
import { readConfig } from '../server/config.ts'
import { log } from '../server/log.ts'
import { openFanOut, openQueues, openWorker, type BudgetJob, type RunJob } from '../server/queue/queues.ts'
import { openStore } from '../server/store/database.ts'
import { recalculator } from './recalculate.ts'

/** The worker: any number of them compete for jobs. A crash at any moment loses nothing, the sweep wakes what is unfinished. */
const config = readConfig()
const store = openStore(config.databaseUrl, 6)
const [queues, fanOut] = await Promise.all([openQueues(config), openFanOut(config, 'worker')])
const recalculate = recalculator({ store, queues, fanOut })
const worker = openWorker(config, async (job: Job<BudgetJob | RunJob>) => ('budgetId' in job.data ? recalculate.budget(job.data) : recalculate.finish(job.data)), 2)
worker.on('error', (error) => log.warn({ err: error }, 'queue'))
worker.on('failed', (job, error) => log.error({ err: error, job: job?.id }, 'job failed'))
const sweep = setInterval(() => void recalculate.sweep(), 5000)
void recalculate.sweep()
log.info('worker is ready')
process.send?.('ready')

let stopping = false
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  clearInterval(sweep)
  await worker.close()
  await Promise.allSettled([queues.close(), fanOut.close()])
  await store.close()
  process.exit(0)
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
process.on('disconnect', stop)
