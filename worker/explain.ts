import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import type { ExplainJob, Queues } from '../server/core/queue/queues.ts'
import { tryToExplain } from '../server/features/payroll/causes/commands.ts'
import { listStalledExplanations } from '../server/features/payroll/causes/queries.ts'

/** A search that has reported no progress for this long is started again. */
const silentMs = 15_000

/** Searches for the causes of payroll differences. The queue may repeat, lose or delay a job: the database records what is left to do. */
export function createPayDifferenceExplainer({ store, queues }: { store: Store; queues: Queues }) {
  return {
    explain: (job: ExplainJob): Promise<void> => tryToExplain(store, job),
    async sweep(): Promise<void> {
      try {
        for (const job of await store.asPlatform((tx) => listStalledExplanations(tx, new Date(Date.now() - silentMs))))
          await queues.wakeExplain(job)
      } catch (error) {
        log.warn({ err: error }, 'the sweep of searches for the causes of payroll differences failed')
      }
    },
  }
}
