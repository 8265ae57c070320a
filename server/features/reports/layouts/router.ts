import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { createLayout, deleteLayout, updateLayout } from '../../../shared/reports/layouts/commands.ts'
import { layoutIdInput, layoutInput, layoutUpdateInput } from '../../../shared/reports/layouts/inputs.ts'
import { listLayouts, presentReportLayout } from '../../../shared/reports/layouts/queries.ts'
import * as replies from './replies.ts'

const reading = ['BudgetingReportsRead'] as const

/** Saved report layouts, personal or for the whole organisation. */
export const reportLayoutRouter = router({
  list: inOrganisation(reading, 'short')
    .output(replies.layouts)
    .query(({ ctx }) => ctx.inTransaction(async (tx) => (await listLayouts(tx, ctx)).map((row) => presentReportLayout(row, ctx)))),
  create: inOrganisation(reading, 'short')
    .input(layoutInput)
    .output(replies.layoutReply)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => presentReportLayout(await createLayout(tx, ctx, input), ctx))),
  update: inOrganisation(reading, 'short')
    .input(layoutUpdateInput)
    .output(replies.layoutReply)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => presentReportLayout(await updateLayout(tx, ctx, input), ctx))),
  delete: inOrganisation(reading, 'short')
    .input(layoutIdInput)
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => deleteLayout(tx, ctx, input.id))),
})
