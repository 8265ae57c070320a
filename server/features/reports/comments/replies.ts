import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import { comment } from '../../../shared/approval/replies.ts'

export const comments = reply(
  z.array(
    comment.extend({
      budgetId: z
        .string()
        .brand<'BudgetId'>()
        .describe('The budget whose log holds it; for a figure that covers several budgets, one of them.'),
      isLocked: z.boolean().describe('It cannot be resolved or deleted because its budget is locked.'),
    }),
  ),
)
