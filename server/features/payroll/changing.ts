import type { OrganisationId, UserId } from '../../../domain/values/ids.ts'
import type { CallerRights, Services } from '../../core/calls/context.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { publishLiveMessage } from '../../core/live/announce.ts'
import type { PayrollEditor } from '../../shared/payroll/commands.ts'

/** The context of a payroll call. */
interface Call {
  organisationId: OrganisationId
  holder: CallerRights
  actor: PayrollEditor['actor']
  principal: { userId: UserId | null }
  requestId: string
  services: Services
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>
}

export const toPayrollEditor = ({ organisationId, holder, actor }: Call): PayrollEditor => ({ organisationId, holder, actor })

/** Runs a payroll change and tells open payroll screens. The message contains neither names nor pay. */
export async function runPayrollChange<T>(ctx: Call, work: (tx: OrganisationTx) => Promise<T>): Promise<T> {
  const result = await ctx.inTransaction(work)
  const argument = { byId: ctx.principal.userId, requestId: ctx.requestId }
  await publishLiveMessage(ctx.services, { target: 'PayrollChanged', argument }, { organisationId: ctx.organisationId })
  return result
}
