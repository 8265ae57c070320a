import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import type { ExplainJob, Queues } from '../server/core/queue/queues.ts'
import { tryToExplain } from '../server/features/payroll/causes/commands.ts'
import { silentExplanations } from '../server/features/payroll/causes/queries.ts'

/** After how long without a word somebody else takes a search up. */
const silentMs = 15_000

/** What a worker does for the causes of payroll differences. Every step may run twice, late or not at all; the rows say what is left. */
export function explainer({ store, queues }: { store: Store; queues: Queues }) {
  return {
    explain: (job: ExplainJob): Promise<void> => tryToExplain(store, job),
    /** Wakes searches of which nothing was heard for a while: the wake-up was lost, or the worker that was at it. */
    async sweep(): Promise<void> {
      try {
        for (const job of await store.asPlatform((tx) => silentExplanations(tx, new Date(Date.now() - silentMs))))
          await queues.wakeExplain(job)
      } catch (error) {
        log.warn({ err: error }, 'sweep of payroll causes')
      }
    },
  }
}
