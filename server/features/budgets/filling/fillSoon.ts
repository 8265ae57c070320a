import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import type { CallTools } from '../../../core/calls/oneTransaction.ts'
import { publishLiveMessage } from '../../../core/live/announce.ts'
import { countSourceEvents, readJobProgress } from '../../../streams/budget/jobs.ts'
import { announceFillingResult } from './announce.ts'
import { tryToFillBudget } from './commands.ts'

type Filling = Pick<CallTools, 'services' | 'afterwards'>

/** At most this many budgets are filled within the call; more are left to the workers. */
const maximumBudgets = 3
/** The most source events to fold within the call. More would keep this server's other callers waiting. */
const maximumEvents = 1000

/**
 * Fills a few new budgets within the call that created them, and leaves many or large ones to the workers. The rows are authoritative: if a
 * job is lost, the sweep finds the budget by its row.
 */
export async function fillOrQueueBudgets(
  { services, afterwards }: Filling,
  organisationId: OrganisationId,
  budgetIds: readonly BudgetId[],
): Promise<void> {
  const { store } = services
  const isLong = async () =>
    (await store.inOrganisation(organisationId, (tx) => countSourceEvents(tx, organisationId, budgetIds))) > maximumEvents
  if (budgetIds.length > maximumBudgets || (await isLong())) {
    afterwards(async ({ queues, fanOut, store }) => {
      await queues.wakeFill(
        organisationId,
        budgetIds.map((budgetId) => ({ budgetId, attempts: 0 })),
      )
      const argument = await store.inOrganisation(organisationId, (tx) => readJobProgress(tx, organisationId, assertDefined(budgetIds[0])))
      if (argument) await publishLiveMessage({ fanOut }, { target: 'BudgetsMade', argument }, { organisationId })
    })
    return
  }
  for (const budgetId of budgetIds) {
    // Retry a failure once immediately, so that the waiting caller learns the outcome.
    const isOver = (await tryToFillBudget(store, organisationId, budgetId)) || (await tryToFillBudget(store, organisationId, budgetId))
    // The workers' sweep finds a budget that is still unfinished.
    if (isOver) afterwards((line) => announceFillingResult(line, organisationId, budgetId))
  }
}
