import { randomInt } from 'node:crypto'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { mostSeed } from '../../../domain/uncertainty/generator.ts'
import { inOrganisation, router } from '../../core/calls/procedures.ts'
import { runRequest } from './inputs.ts'
import { checkDriverReferences, loadForRun, runDraws } from './queries.ts'
import * as replies from './replies.ts'

/** How sure a budget is: many futures of it, drawn from what nobody knows yet (rules.md §21). */
export const uncertaintyRouter = router({
  run: inOrganisation(listViewPermissions('BudgetingOverview'), 'long', {
    method: 'POST',
    path: '/api/Uncertainty/run',
    term: { singular: 'Uncertainty', plural: 'Uncertainties' },
    body: runRequest,
    summary: 'Draw many futures of one budget or of several locations, and read how likely a deficit is',
  })
    .input(runRequest)
    .output(replies.run)
    .query(async ({ ctx, input }) => {
      const loaded = await ctx.inTransaction(async (tx) => {
        await checkDriverReferences({ ...ctx, tx }, input.drivers)
        return loadForRun({ ...ctx, tx }, input)
      })
      return runDraws(loaded, { ...input, seed: input.seed ?? randomInt(mostSeed + 1) })
    }),
})
