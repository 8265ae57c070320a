import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import { comment } from '../../../shared/approval/replies.ts'

export const comments = reply(
  z.array(
    comment.extend({
      budgetId: z.string().brand<'BudgetId'>().describe('In whose log it stands: of a figure of several budgets in that of one of them.'),
      isLocked: z.boolean().describe('It can be neither settled nor taken away: its budget is locked.'),
    }),
  ),
)
