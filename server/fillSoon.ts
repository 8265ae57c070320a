import { log } from './log.ts'
import { jobProgress } from './store/budgetJobs.ts'
import { fillBudget } from './store/fillStore.ts'
import type { Services } from './trpc/context.ts'

/** So few budgets are filled before the caller is answered; more are left to the workers. */
const mostAtOnce = 3

/**
 * Sees to it that budgets which were just made get filled: a few at once, many by the workers, who also take over what is cut off here. The
 * rows are the truth: a wake-up that is lost is made good by the sweep.
 */
export async function fillSoon({ store, queues, fanOut }: Services, organisationId: number, budgetIds: readonly string[]): Promise<void> {
  if (budgetIds.length > mostAtOnce) {
    await queues.wakeFill(organisationId, budgetIds).catch(() => undefined)
    const progress = await store.inOrganisation(organisationId, (tx) => jobProgress(tx, organisationId, budgetIds[0]!))
    await fanOut.publish(organisationId, { target: 'BudgetsMade', argument: progress }).catch(() => undefined)
    return
  }
  for (const budgetId of budgetIds)
    try {
      await store.inOrganisation(organisationId, (tx) => fillBudget(tx, organisationId, budgetId, new Date()))
    } catch (error) {
      log.warn({ err: error, budgetId }, 'left to the workers')
      await queues.wakeFill(organisationId, [budgetId]).catch(() => undefined)
    }
}
