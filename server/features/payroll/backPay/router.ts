import { z } from 'zod'
import { describeLookup } from '../../../../domain/lookups/lookups.ts'
import { hasAnyPermission, listViewPermissions } from '../../../../domain/people/permissions.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import { forbidden } from '../../../../domain/words/errors.ts'
import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { publishLiveMessage } from '../../../core/live/announce.ts'
import { bulkEditResult } from '../../../resources/replies.ts'
import { toPayrollEditor } from '../changing.ts'
import { anyLevel } from '../inputs.ts'
import { runPostBackPay } from './commands.ts'
import { readBackPay, readPostedBackPay } from './queries.ts'
import * as replies from './replies.ts'
import { presentLedger } from './rows.ts'

const seen = listViewPermissions('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation')
/** Any of these permissions allows the call. The command then checks the one for the group or for the whole organisation. */
const taking = ['BudgetingMonitoringBudgetActualsReadUpdate', 'ConsoleMonitoringBudgetActualsReadUpdate'] as const
const screen = z.union([z.literal(1), z.literal(2)], 'Type must be 1 or 2.').describe(`${describeLookup('monitoringNoteTypes')}.`)

/** Back pay owed to employees, and its accrual (rules.md §18). */
export const backPayRouter = router({
  ledger: inOrganisation(seen, 'long')
    .input(z.object(anyLevel))
    .output(replies.ledger)
    .query(({ ctx, input: { group, ...month } }) => {
      if (!group && !hasAnyPermission(ctx.holder, listViewPermissions('ConsolePayrollReconciliation'))) throw forbidden()
      return ctx.inTransaction(async (tx) => {
        const request = { ...month, groupId: group ?? null, useInflation: true }
        const found = await readBackPay({ ...ctx, tx }, request)
        const taken = await readPostedBackPay({ ...ctx, tx }, found.level)
        return {
          ...presentLedger(found, ctx.holder.locationIds),
          taken: (taken ?? []).map((one) => ({ ...one, value: toPounds(one.value) })),
          mayTake: taken !== null,
        }
      })
    }),
  /** Writes open back pay to the month's adjustments, replacing earlier ones. */
  take: inOrganisation(taking, 'long')
    .input(z.object({ ...anyLevel, types: z.array(screen).min(1, 'Choose at least one screen.').max(2) }))
    .output(bulkEditResult)
    .mutation(async ({ ctx, input: { group, types, ...month } }) => {
      const groupId = group ?? null
      if (!hasAnyPermission(ctx.holder, groupId ? seen : listViewPermissions('ConsolePayrollReconciliation'))) throw forbidden()
      const changed = await ctx.inTransaction((tx) => runPostBackPay({ ...toPayrollEditor(ctx), tx }, { ...month, groupId, types }))
      const argument = { locationIds: [], byId: ctx.principal.userId, requestId: ctx.requestId }
      await publishLiveMessage(ctx.services, { target: 'MonitoringChanged', argument }, { organisationId: ctx.organisationId })
      return { updated: changed }
    }),
})
