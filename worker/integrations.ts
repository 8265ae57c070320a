import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import type { Reach } from '../server/core/outside/room.ts'
import { claimTries, runTry } from '../server/features/integrations/trying/commands.ts'
import { oneAtATime } from './oneAtATime.ts'

/** How many links a worker tries at once: each waits for another system, none of them works here. */
const mostAtOnce = 10

/** What a worker does for links to other systems. They are asked by workers alone, so that no other system can hold a server. */
export function connectionTrier({ store, reach }: { store: Store; reach: Reach }) {
  const running = new Set<Promise<void>>()
  let closing = false

  /** Begins what waits, and does not wait for it. */
  const sweep = oneAtATime(async () => {
    try {
      const free = mostAtOnce - running.size
      if (free <= 0 || closing) return
      for (const tried of await claimTries(store, free)) {
        const work = runTry(store, tried, reach)
          .catch((error) => log.warn({ err: error }, 'trying a connection'))
          .finally(() => {
            running.delete(work)
            // Others may have waited for this place.
            void sweep()
          })
        running.add(work)
      }
    } catch (error) {
      log.warn({ err: error }, 'sweep of connections')
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
