import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import type { Tools } from '../../../core/calls/oneTransaction.ts'
import { publish } from '../../../core/live/announce.ts'
import { eventsToFillFrom, jobProgress } from '../../../streams/budget/jobs.ts'
import { announceMade } from './announce.ts'
import { tryToFill } from './commands.ts'

type Filling = Pick<Tools, 'services' | 'afterwards'>

/** So few budgets are filled before the caller is answered; more are left to the workers. */
const mostAtOnce = 3
/** Events of the budgets they are made of, together: folding more of them would keep everybody else at this server waiting. */
const mostEvents = 1000

/**
 * Sees to it that budgets which were just made get filled: a few within the call that made them, many or long ones by the workers. The rows are the truth:
 * a wake-up that is lost is made good by the sweep.
 */
export async function fillSoon(
  { services, afterwards }: Filling,
  organisationId: OrganisationId,
  budgetIds: readonly BudgetId[],
): Promise<void> {
  const { store } = services
  const isLong = async () =>
    (await store.inOrganisation(organisationId, (tx) => eventsToFillFrom(tx, organisationId, budgetIds))) > mostEvents
  if (budgetIds.length > mostAtOnce || (await isLong())) {
    afterwards(async ({ queues, fanOut, store }) => {
      await queues.wakeFill(
        organisationId,
        budgetIds.map((budgetId) => ({ budgetId, attempts: 0 })),
      )
      const argument = await store.inOrganisation(organisationId, (tx) => jobProgress(tx, organisationId, assertDefined(budgetIds[0])))
      if (argument) await publish({ fanOut }, { target: 'BudgetsMade', argument }, { organisationId })
    })
    return
  }
  for (const budgetId of budgetIds) {
    // What fails at once is tried once more, so that who waits for the answer learns what came of it.
    const isOver = (await tryToFill(store, organisationId, budgetId)) || (await tryToFill(store, organisationId, budgetId))
    // What is neither filled nor given up yet is left to the workers; they find it by themselves.
    if (isOver) afterwards((line) => announceMade(line, organisationId, budgetId))
  }
}
