import type { BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import type { Services } from '../../../core/calls/context.ts'
import { publish } from '../../../core/live/announce.ts'
import { jobProgress, keepTold } from '../../../streams/budget/jobs.ts'

type Line = Pick<Services, 'store' | 'fanOut'>

/**
 * Tells an organisation that a budget which was being made is filled, or was given up, and keeps that it was told. Where the message does
 * not go out, the next sweep says it: the row stays untold.
 */
export async function announceMade({ store, fanOut }: Line, organisationId: OrganisationId, budgetId: BudgetId): Promise<void> {
  const argument = await store.inOrganisation(organisationId, (tx) => jobProgress(tx, organisationId, budgetId))
  if (argument && !(await publish({ fanOut }, { target: 'BudgetsMade', argument }, { organisationId }))) return
  await store.inOrganisation(organisationId, (tx) => keepTold({ tx, organisationId, budgetId, now: new Date() }))
}
