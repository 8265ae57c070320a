import type { OrganisationId } from '../domain/values/ids.ts'
import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import type { FanOut, FillJob, QueuedBudget, Queues } from '../server/core/queue/queues.ts'
import { announceFillingResult } from '../server/features/budgets/filling/announce.ts'
import { tryToFillBudget } from '../server/features/budgets/filling/commands.ts'
import { listBudgetsToFill, listUnannouncedBudgets } from '../server/streams/budget/jobs.ts'

/** Fills budgets that are created from others. The queue may repeat, lose or delay a job: the database records what is left to do. */
export function createBudgetFiller({ store, queues, fanOut }: { store: Store; queues: Queues; fanOut: FanOut }) {
  let previouslyWaiting = new Map<number, number>()

  return {
    async fill({ organisationId, fillBudgetId }: FillJob): Promise<void> {
      if (await tryToFillBudget(store, organisationId, fillBudgetId))
        await announceFillingResult({ store, fanOut }, organisationId, fillBudgetId)
    },
    /**
     * Queues waiting budgets again if their organisation has filled none since the last sweep, and announces finished budgets. Waiting is
     * not an error, however long the queue is.
     */
    async sweep(): Promise<void> {
      try {
        for (const { organisationId, budgetId } of await store.asPlatform(listUnannouncedBudgets))
          await announceFillingResult({ store, fanOut }, organisationId, budgetId)
        const waiting = new Map<OrganisationId, QueuedBudget[]>()
        for (const { organisationId, ...one } of await store.asPlatform(listBudgetsToFill))
          waiting.set(organisationId, [...(waiting.get(organisationId) ?? []), one])
        for (const [organisationId, budgetIds] of waiting)
          if (budgetIds.length >= (previouslyWaiting.get(organisationId) ?? 0)) await queues.wakeFill(organisationId, budgetIds)
        previouslyWaiting = new Map([...waiting].map(([organisationId, budgetIds]) => [organisationId, budgetIds.length]))
      } catch (error) {
        log.warn({ err: error }, 'the sweep of budgets that are being copied failed')
      }
    },
  }
}
