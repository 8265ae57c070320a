import { log } from '../server/log.ts'
import type { FanOut, FillJob, Queues } from '../server/queue/queues.ts'
import { endItem, jobProgress, unfilled } from '../server/store/budgetJobs.ts'
import type { Store } from '../server/store/database.ts'
import { fillBudget } from '../server/store/fillStore.ts'

/** A budget that was waked this often without being filled is given up, with a sentence in its place. */
const mostSweeps = 20

/** What a worker does for budgets that are made of others. Every step may run twice, late or not at all; the rows say what is left. */
export function filler({ store, queues, fanOut }: { store: Store; queues: Queues; fanOut: FanOut }) {
  const woken = new Map<string, number>()

  async function tellProgress(organisationId: number, budgetId: string): Promise<void> {
    const progress = await store.inOrganisation(organisationId, (tx) => jobProgress(tx, organisationId, budgetId))
    if (progress) await fanOut.publish(organisationId, { target: 'BudgetsMade', argument: progress }).catch(() => undefined)
  }

  return {
    async fill({ organisationId, fillBudgetId }: FillJob): Promise<void> {
      const isDone = await store.inOrganisation(organisationId, (tx) => fillBudget(tx, organisationId, fillBudgetId, new Date()))
      if (isDone) await tellProgress(organisationId, fillBudgetId)
    },
    /** Wakes every budget that is still to be filled and was so at the last look, too. */
    async sweep(): Promise<void> {
      try {
        const waiting = await store.asPlatform((tx) => unfilled(tx))
        for (const { organisationId, budgetId } of waiting) {
          const tries = (woken.get(budgetId) ?? 0) + 1
          woken.set(budgetId, tries)
          if (tries > mostSweeps) {
            const failure = 'It could not be filled from the budget it was made of.'
            await store.inOrganisation(organisationId, (tx) => endItem(tx, organisationId, budgetId, { failure }))
            await tellProgress(organisationId, budgetId)
          } else await queues.wakeFill(organisationId, [budgetId])
        }
        for (const id of woken.keys()) if (!waiting.some((one) => one.budgetId === id)) woken.delete(id)
      } catch (error) {
        log.warn({ err: error }, 'sweep of budgets to be filled')
      }
    },
  }
}
