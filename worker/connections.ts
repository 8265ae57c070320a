import type { Store } from '../server/core/database/database.ts'
import { announceRequired, publish } from '../server/core/live/announce.ts'
import { log } from '../server/core/log.ts'
import type { Reach } from '../server/core/outside/room.ts'
import type { FanOut, Queues } from '../server/core/queue/queues.ts'
import { type ClaimedRun, claimRuns, runClaimed } from '../server/features/integrations/connections/running/commands.ts'
import { oneAtATime } from './oneAtATime.ts'

/** How many connections a worker runs at once: each waits for another system most of the time. */
const mostAtOnce = 10

/** What a worker does for connections to other systems. The rows say what is due, so nothing is lost with a queue or a worker. */
export function connectionRunner({ store, queues, fanOut, reach }: { store: Store; queues: Queues; fanOut: FanOut; reach: Reach }) {
  const running = new Set<Promise<void>>()
  let closing = false

  async function run(claimed: ClaimedRun): Promise<void> {
    const { organisationId, id, askedById } = claimed.connection
    const by = { byId: askedById, requestId: `connection-${id}` }
    const taken = await runClaimed(store, claimed, reach)
    // What was taken is told to webhooks.
    if (taken.length) queues.lookOutside()
    const locationIds = taken.flatMap((one) => (one?.target === 'MonitoringChanged' ? one.locationIds : []))
    if (locationIds.length)
      await publish(
        { fanOut },
        {
          target: 'MonitoringChanged',
          argument: { ...by, locationIds: [...new Set(locationIds)] },
        },
        { organisationId },
      )
    if (taken.some((one) => one?.target === 'PayrollChanged'))
      await publish({ fanOut }, { target: 'PayrollChanged', argument: by }, { organisationId })
    for (const one of taken) {
      if (one?.target !== 'BudgetChanged') continue
      for (const budget of one.budgets)
        await publish({ fanOut }, { target: 'BudgetChanged', argument: { ...by, ...budget } }, { organisationId })
      await announceRequired({ fanOut }, one.required)
    }
  }

  /** Begins what is due, and does not wait for it. */
  const sweep = oneAtATime(async () => {
    try {
      const free = mostAtOnce - running.size
      if (free <= 0 || closing) return
      for (const claimed of await claimRuns(store, free)) {
        const work = run(claimed)
          .catch((error) => log.warn({ err: error, connection: claimed.connection.id }, 'running a connection'))
          .finally(() => {
            running.delete(work)
            // Others may have waited for this place, or for one of their organisation.
            void sweep()
          })
        running.add(work)
      }
    } catch (error) {
      log.warn({ err: error }, 'sweep of connections to be run')
    }
  })

  return {
    sweep,
    /** Once what was begun has ended. */
    async ended(): Promise<void> {
      closing = true
      await sweep()
      await Promise.all(running)
    },
  }
}
