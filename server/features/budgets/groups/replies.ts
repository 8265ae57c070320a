import { z } from 'zod'
import { describeLookup } from '../../../../domain/lookups/lookups.ts'
import { reply } from '../../../core/calls/reply.ts'
import type { BudgetGroup } from '../../../shared/budgetGroups/rows.ts'

const budgetGroup: z.ZodType<BudgetGroup> = z
  .strictObject({
    id: z.string().brand<'BudgetGroupId'>(),
    name: z.string(),
    description: z.string().nullable(),
    items: z.array(z.strictObject({ budgetId: z.string().brand<'BudgetId'>(), order: z.number() })),
    recalculationState: z.number().describe(`${describeLookup('recalculationStates')}.`),
    lastRecalculated: z.string().nullable(),
    requiredReason: z.string().nullable(),
    failure: z.string().nullable().describe('Why the last recalculation failed, in one sentence.'),
    claimsEmploymentAllowance: z.boolean().describe('Whether the group claims the Employment Allowance.'),
    allowanceBudgetCodeId: z.int().nullable().describe('The expenditure code that the Employment Allowance is posted to.'),
    allowanceCostCentreId: z.int().nullable(),
    notes: z
      .array(z.string())
      .describe(
        'Parts of pools, top slices, the levy and the Employment Allowance that could not be calculated for the group, and budgets that take no part in them.',
      ),
    isShared: z
      .boolean()
      .describe(
        'Whether it also includes budgets that the caller cannot see. Only someone who sees all of them can change or recalculate it.',
      ),
    version: z.int(),
    created: z.string(),
  })
  .meta({ id: 'BudgetGroup' })

export const group = reply(budgetGroup)

export const list = reply(z.array(budgetGroup))

export const groupOfBudget = reply(budgetGroup.nullable())

const budgetGroupName = z.strictObject({ id: z.string(), name: z.string() }).meta({ id: 'BudgetGroupName' })

export const groupNames = reply(z.array(budgetGroupName))

export const progress = reply(z.strictObject({ done: z.number(), of: z.number() }).nullable())

export const recalculationRequired = reply(
  z
    .strictObject({
      required: z.boolean(),
      since: z.string().nullable(),
      reason: z.string().nullable(),
      budgetIds: z.array(z.string().brand<'BudgetId'>()),
    })
    .meta({ id: 'RecalculationRequired' }),
)
