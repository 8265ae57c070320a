import type { OrganisationId } from '../domain/values/ids.ts'
import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import type { FanOut, FillJob, Queues, Waiting } from '../server/core/queue/queues.ts'
import { announceMade } from '../server/features/budgets/filling/announce.ts'
import { tryToFill } from '../server/features/budgets/filling/commands.ts'
import { unfilled, untold } from '../server/streams/budget/jobs.ts'

/** What a worker does for budgets that are made of others. Every step may run twice, late or not at all; the rows say what is left. */
export function filler({ store, queues, fanOut }: { store: Store; queues: Queues; fanOut: FanOut }) {
  /** How many budgets of each organisation waited at the last look. */
  let waitedBefore = new Map<number, number>()

  return {
    async fill({ organisationId, fillBudgetId }: FillJob): Promise<void> {
      if (await tryToFill(store, organisationId, fillBudgetId)) await announceMade({ store, fanOut }, organisationId, fillBudgetId)
    },
    /**
     * Wakes what is still to be filled where nothing was filled since the last look, and tells what nobody was told of. Waiting is not
     * failing: however long the queue is, a budget stays in it.
     */
    async sweep(): Promise<void> {
      try {
        for (const { organisationId, budgetId } of await store.asPlatform(untold))
          await announceMade({ store, fanOut }, organisationId, budgetId)
        const waiting = new Map<OrganisationId, Waiting[]>()
        for (const { organisationId, ...one } of await store.asPlatform(unfilled))
          waiting.set(organisationId, [...(waiting.get(organisationId) ?? []), one])
        for (const [organisationId, left] of waiting)
          if (left.length >= (waitedBefore.get(organisationId) ?? 0)) await queues.wakeFill(organisationId, left)
        waitedBefore = new Map([...waiting].map(([organisationId, left]) => [organisationId, left.length]))
      } catch (error) {
        log.warn({ err: error }, 'sweep of budgets to be filled')
      }
    },
  }
}
