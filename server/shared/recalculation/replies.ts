import { z } from 'zod'
import { describeLookup } from '../../../domain/lookups/lookups.ts'
import { reply } from '../../core/calls/reply.ts'

export const requirementReply = reply(
  z
    .strictObject({
      required: z.boolean(),
      since: z.string().nullable(),
      reason: z.string().nullable(),
      budgetGroupId: z.string().brand<'BudgetGroupId'>().nullable(),
    })
    .meta({ id: 'BudgetRecalculationRequired' }),
)

export const state = reply(
  z.strictObject({
    group: z
      .strictObject({ id: z.string().brand<'BudgetGroupId'>(), name: z.string(), budgets: z.number(), isShared: z.boolean() })
      .nullable(),
    state: z.literal([1, 2, 3, 4]),
    reason: z.string().nullable().describe('What has changed, in words; empty if nothing has.'),
    since: z.string().nullable(),
    groupId: z.string().nullable().describe('The group that it is recalculated with; null if it is not in one or is up to date.'),
  }),
)

/** The state of a recalculation. */
export const recalculationEventShape = z
  .strictObject({
    id: z.string(),
    budgetGroupId: z.string().brand<'BudgetGroupId'>().nullable(),
    budgetId: z.string().brand<'BudgetId'>().nullable(),
    state: z.number().describe(`${describeLookup('recalculationStates')}.`),
    failure: z.string().nullable().describe('Why it failed or was stopped, in one sentence.'),
    startedAt: z.string(),
    finishedAt: z.string().nullable(),
    startedBy: z.string().nullable(),
    contracts: z.number().nullable().describe('The number of contracts calculated.'),
    problems: z.number().nullable().describe('The number of contracts that could not be calculated.'),
    totals: z.array(z.number()).nullable().describe('The staff costs of each budget year.'),
    resultHash: z.string().nullable(),
  })
  .meta({ id: 'RecalculationEvent' })

export const recalculationEvent = reply(recalculationEventShape)
