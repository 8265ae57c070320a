import { pupilNumbersInput } from '../../../../domain/budget/items/pupilNumbers.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { defineRestPaths, inBudget, router } from '../../../core/calls/procedures.ts'
import { announceRecalculationRequired } from '../../../core/live/announce.ts'
import { markTransfersOutdated } from '../../../shared/groupMoney/transfers/commands.ts'
import { runSavePupils } from './commands.ts'
import * as replies from './replies.ts'
import { presentPupils } from './rows.ts'

const reading = listViewPermissions('BudgetingNonStaffing')
const writing = ['BudgetingNonStaffingReadUpdate'] as const
const at = defineRestPaths('/api/PupilNumbers', { entity: 'PupilNumbers' })

/** The pupil numbers of a budget (rules.md §13). */
export const pupilRouter = router({
  get: inBudget(reading, 'short', at('GET', '', { summary: 'Read pupil numbers' }))
    .output(replies.pupils)
    .query(({ ctx }) => ctx.inTransaction((tx) => presentPupils(tx, ctx))),
  save: inBudget(writing, 'short', at('POST', '', { summary: 'Add or change pupil numbers' }))
    .input(pupilNumbersInput)
    .output(replies.pupils)
    .mutation(async ({ ctx, input }) => {
      const { result, required } = await ctx.inTransaction(async (tx) => {
        const moved = await runSavePupils({ ...ctx, tx }, input)
        return { result: await presentPupils(tx, ctx), required: moved ? await markTransfersOutdated(tx, ctx.budget, ctx.now) : [] }
      })
      await announceRecalculationRequired(ctx.services, required)
      return result
    }),
})
