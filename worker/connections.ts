import { coalesceRuns } from '../server/core/coalesceRuns.ts'
import type { Store } from '../server/core/database/database.ts'
import { announceRecalculationRequired, publishLiveMessage } from '../server/core/live/announce.ts'
import { log } from '../server/core/log.ts'
import type { OutsideAccess } from '../server/core/outside/exchangeFolder.ts'
import type { FanOut, Queues } from '../server/core/queue/queues.ts'
import { type ClaimedRun, claimRuns, runClaimed } from '../server/features/integrations/connections/running/commands.ts'

/** The most runs at a time. A run mostly waits for another system. */
const maxConcurrent = 10

/**
 * Runs scheduled exchanges with other systems. The database records which exchanges are due, so a lost job or a crashed worker loses none
 * of them.
 */
export function createConnectionRunner({
  store,
  queues,
  fanOut,
  reach,
}: {
  store: Store
  queues: Queues
  fanOut: FanOut
  reach: OutsideAccess
}) {
  const running = new Set<Promise<void>>()
  let closing = false

  async function run(claimed: ClaimedRun): Promise<void> {
    const { organisationId, id, askedById } = claimed.connection
    const by = { byId: askedById, requestId: `connection-${id}` }
    const imported = await runClaimed(store, claimed, reach)
    // Wake the webhook sender, because webhooks report imports.
    if (imported.length) queues.requestOutsideCheck()
    const locationIds = imported.flatMap((one) => (one?.target === 'MonitoringChanged' ? one.locationIds : []))
    if (locationIds.length)
      await publishLiveMessage(
        { fanOut },
        {
          target: 'MonitoringChanged',
          argument: { ...by, locationIds: [...new Set(locationIds)] },
        },
        { organisationId },
      )
    if (imported.some((one) => one?.target === 'PayrollChanged'))
      await publishLiveMessage({ fanOut }, { target: 'PayrollChanged', argument: by }, { organisationId })
    for (const one of imported) {
      if (one?.target !== 'BudgetChanged') continue
      for (const budget of one.budgets)
        await publishLiveMessage({ fanOut }, { target: 'BudgetChanged', argument: { ...by, ...budget } }, { organisationId })
      await announceRecalculationRequired({ fanOut }, one.required)
    }
  }

  const sweep = coalesceRuns(async () => {
    try {
      const free = maxConcurrent - running.size
      if (free <= 0 || closing) return
      for (const claimed of await claimRuns(store, free)) {
        const work = run(claimed)
          .catch((error) => log.warn({ err: error, connection: claimed.connection.id }, 'running a connection failed'))
          .finally(() => {
            running.delete(work)
            // Other runs may be waiting for a free slot, or for a slot of the same organisation.
            void sweep()
          })
        running.add(work)
      }
    } catch (error) {
      log.warn({ err: error }, 'the sweep of connections failed')
    }
  })

  return {
    sweep,
    /** Stops claiming and waits for the runs in progress. */
    async drain(): Promise<void> {
      closing = true
      await sweep()
      await Promise.all(running)
    },
  }
}
