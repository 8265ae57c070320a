import { z } from 'zod'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { inBudget, router } from '../../../core/calls/procedures.ts'
import { readSourcesOfSum, sumStaffLines } from '../../../shared/staffing/lines/queries.ts'
import * as replies from './replies.ts'

const reading = listViewPermissions('BudgetingStaffing')
const by = z.enum(['budgetCode', 'costCentre', 'fundCode', 'component'])

/** Totals of a budget's lines, each of which can be traced to its sources (rules.md §9). */
export const lineRouter = router({
  sums: inBudget(reading, 'short')
    .input(z.object({ by }))
    .output(replies.sums)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => sumStaffLines({ ...ctx, tx }, input.by, ctx.budget.head.numberOfYears))),
  sources: inBudget(reading, 'short')
    .input(
      z.object({
        by,
        key: z.string().max(30).nullish().describe('The coding; null: those without one; left out: all of them.'),
        year: z.int().min(0).max(4),
      }),
    )
    .output(replies.sources)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readSourcesOfSum({ ...ctx, tx }, input))),
})
