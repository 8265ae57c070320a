import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { listComparators, loadComparatorSet } from '../../../shared/reports/comparators/queries.ts'
import { deleteComparators, importComparators, updateComparatorSet } from './commands.ts'
import { comparatorChange, comparatorId, comparatorImport } from './inputs.ts'
import * as replies from './replies.ts'

const reading = ['BudgetingReportsRead', 'ConsoleOrganisationsReadUpdate'] as const
const keeping = ['ConsoleOrganisationsReadUpdate'] as const

/** Comparator schools from files of the benchmarking service. */
export const comparatorRouter = router({
  list: inOrganisation(reading, 'short')
    .output(replies.comparatorSets)
    .query(({ ctx }) => ctx.inTransaction((tx) => listComparators(tx, ctx.organisationId))),
  get: inOrganisation(reading, 'short')
    .input(comparatorId)
    .output(replies.comparatorSet)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => replies.presentComparators(await loadComparatorSet(tx, ctx.organisationId, input.id))),
    ),
  import: inOrganisation(keeping, 'import')
    .input(comparatorImport)
    .output(replies.comparatorSet)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => replies.presentComparators(await importComparators(tx, ctx, input)))),
  update: inOrganisation(keeping, 'short')
    .input(comparatorChange)
    .output(replies.comparatorSet)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => replies.presentComparators(await updateComparatorSet(tx, ctx, input)))),
  delete: inOrganisation(keeping, 'short')
    .input(comparatorId)
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => deleteComparators(tx, ctx, input.id))),
})
