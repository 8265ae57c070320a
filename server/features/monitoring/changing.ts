import type { LocationId, OrganisationId, UserId } from '../../../domain/values/ids.ts'
import type { BudgetCall, CallerRights } from '../../core/calls/context.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { publishLiveMessage } from '../../core/live/announce.ts'
import type { MonitoringEditor } from '../../shared/monitoring/commands.ts'

/** The context of a monitoring call. */
interface Call {
  organisationId: OrganisationId
  holder: CallerRights
  actor: MonitoringEditor['actor']
  principal: { userId: UserId | null }
  requestId: string
  services: BudgetCall['services']
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>
}

export const toMonitoringEditor = ({ organisationId, holder, actor }: Call): MonitoringEditor => ({ organisationId, holder, actor })

/** Runs a monitoring change and tells open screens which locations it affects. An empty list means the organisation itself. */
export async function runMonitoringChange<T>(
  ctx: Call,
  work: (tx: OrganisationTx) => Promise<{ result: T; locationIds: LocationId[] }>,
): Promise<T> {
  const { result, locationIds } = await ctx.inTransaction(work)
  const argument = { locationIds, byId: ctx.principal.userId, requestId: ctx.requestId }
  await publishLiveMessage(ctx.services, { target: 'MonitoringChanged', argument }, { organisationId: ctx.organisationId })
  return result
}
