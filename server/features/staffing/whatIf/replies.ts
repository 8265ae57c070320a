import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import { existingAward } from '../../../shared/scenarios/replies.ts'

export const awardsInForce = reply(z.array(existingAward))

export const savedScenarios = reply(z.strictObject({ budgetIds: z.array(z.string().brand<'BudgetId'>()) }))

export const outcome = reply(
  z.strictObject({
    budgets: z.array(
      z.strictObject({
        years: z.array(z.strictObject({ year: z.string(), before: z.number(), after: z.number() })),
        budgetId: z.string().brand<'BudgetId'>(),
        name: z.string(),
        location: z.string(),
        notCalculated: z.number(),
      }),
    ),
    types: z.array(
      z.strictObject({
        contractTypeId: z.int(),
        name: z.string(),
        isChosen: z.boolean(),
        years: z.array(z.strictObject({ year: z.string(), before: z.number(), after: z.number() })),
        sentences: z.array(z.string()),
      }),
    ),
  }),
)
