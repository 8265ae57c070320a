import type { BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import type { Services } from '../../../core/calls/context.ts'
import { publishLiveMessage } from '../../../core/live/announce.ts'
import { markBudgetAnnounced, readJobProgress } from '../../../streams/budget/jobs.ts'

type LiveServices = Pick<Services, 'store' | 'fanOut'>

/**
 * Tells an organisation's users that a budget has been filled or has failed, and records that they were told. If the message cannot be
 * sent, the next sweep sends it, because the row is still marked as not announced.
 */
export async function announceFillingResult(
  { store, fanOut }: LiveServices,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<void> {
  const argument = await store.inOrganisation(organisationId, (tx) => readJobProgress(tx, organisationId, budgetId))
  if (argument && !(await publishLiveMessage({ fanOut }, { target: 'BudgetsMade', argument }, { organisationId }))) return
  await store.inOrganisation(organisationId, (tx) => markBudgetAnnounced({ tx, organisationId, budgetId, now: new Date() }))
}
