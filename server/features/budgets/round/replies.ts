import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import type { CostEffect } from './effect.ts'
import type { BudgetWarning } from './review.ts'

const warning: z.ZodType<BudgetWarning> = z.strictObject({ field: z.string(), text: z.string(), blocks: z.boolean() })

const effectShape: z.ZodType<CostEffect> = z.strictObject({
  staffing: z.strictObject({ before: z.array(z.number()), after: z.array(z.number()) }),
  entries: z.strictObject({ before: z.array(z.number()), after: z.array(z.number()) }),
  notCalculated: z.strictObject({ before: z.number(), after: z.number() }),
})

export const costEffect = reply(effectShape)

export const budgetWarnings = reply(z.array(warning))

export const rollPreview = reply(
  z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      newName: z.string(),
      locationId: z.int().brand<'LocationId'>(),
      opening: z.number(),
      missing: z.number(),
      before: z.array(z.string()),
    }),
  ),
)
