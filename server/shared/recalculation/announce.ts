import { toPounds } from '../../../domain/values/format.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import type { Services } from '../../core/calls/context.ts'
import { publishLiveMessage } from '../../core/live/announce.ts'
import { markRecalculationAnnounced } from './commands.ts'
import { listRunBudgetIds, loadRecalculation } from './queries.ts'

type LiveServices = Pick<Services, 'store' | 'fanOut'>

/** Notifies the users of an organisation of the result of a recalculation, and records that this was done; see `announceFillingResult`. */
export async function announceRecalculationEnd(
  { store, fanOut }: LiveServices,
  organisationId: OrganisationId,
  recalculationId: string,
): Promise<void> {
  const { run, budgetIds } = await store.inOrganisation(organisationId, async (tx) => ({
    run: await loadRecalculation(tx, organisationId, recalculationId),
    budgetIds: await listRunBudgetIds(tx, organisationId, recalculationId),
  }))
  if (!run?.finishedAt) return
  const argument = {
    budgetGroupId: run.groupId,
    budgetId: run.budgetId,
    budgetIds,
    totals: run.totals?.years.map(toPounds) ?? [],
    position: run.position ?? 0,
    failed: run.status !== 'done',
    cancelled: run.status === 'cancelled',
    failure: run.status === 'failed' ? run.failure : null,
  }
  if (!(await publishLiveMessage({ fanOut }, { target: 'BudgetsRecalculated', argument }, { organisationId }))) return
  await store.inOrganisation(organisationId, (tx) => markRecalculationAnnounced({ tx, organisationId, now: new Date() }, recalculationId))
}
