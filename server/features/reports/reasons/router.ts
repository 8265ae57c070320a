import { budgetSubmissionPermissions } from '../../../../domain/people/permissions.ts'
import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { saveReason } from '../../../shared/reports/reasons/commands.ts'
import { reasonInput } from '../../../shared/reports/reasons/inputs.ts'

/** The reasons, shown in the Budget Forecast Return, why its lines differ from the previous return. */
export const returnReasonRouter = router({
  save: inOrganisation(budgetSubmissionPermissions, 'short')
    .input(reasonInput)
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => saveReason({ tx, ...ctx, name: ctx.principal.name }, input))),
})
