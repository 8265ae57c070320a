import { coalesceRuns } from '../server/core/coalesceRuns.ts'
import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import type { OutsideAccess } from '../server/core/outside/exchangeFolder.ts'
import { claimCredentialTests, runCredentialTest } from '../server/features/integrations/trying/commands.ts'

/** The most tests at a time. A test mostly waits for another system. */
const maxConcurrent = 10

/**
 * Tests the connections to other systems with their stored credentials. Only workers contact other systems, so that a slow one cannot block
 * a server.
 */
export function createIntegrationTester({ store, reach }: { store: Store; reach: OutsideAccess }) {
  const running = new Set<Promise<void>>()
  let closing = false

  const sweep = coalesceRuns(async () => {
    try {
      const free = maxConcurrent - running.size
      if (free <= 0 || closing) return
      for (const tried of await claimCredentialTests(store, free)) {
        const work = runCredentialTest(store, tried, reach)
          .catch((error) => log.warn({ err: error }, 'testing a connection to another system failed'))
          .finally(() => {
            running.delete(work)
            // Another test may be waiting for the free slot.
            void sweep()
          })
        running.add(work)
      }
    } catch (error) {
      log.warn({ err: error }, 'the sweep of connections to other systems failed')
    }
  })

  return {
    sweep,
    /** Stops claiming and waits for the tests in progress. */
    async drain(): Promise<void> {
      closing = true
      await sweep()
      await Promise.all(running)
    },
  }
}
