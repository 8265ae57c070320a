import { z } from 'zod'
import { staffSources } from '../../../../domain/budget/sharedSources.ts'
import { reply } from '../../../core/calls/reply.ts'
import type { LineSum } from '../../../shared/staffing/lines/queries.ts'

const lineSum: z.ZodType<LineSum> = z.strictObject({
  key: z.string().nullable().describe('The coding as text; null: none.'),
  name: z.string().nullable(),
  years: z
    .array(z.strictObject({ total: z.number(), missing: z.number() }))
    .describe('The total of each year in pounds, and how many of its monthly figures could not be calculated and are not in it.'),
})

export const sums = reply(z.array(lineSum))

export const sources = reply(
  z.array(
    z.strictObject({
      sourceKind: z.enum(staffSources),
      sourceId: z.string(),
      name: z.string(),
      total: z.number(),
      missing: z.number(),
      months: z.array(z.number().nullable()),
    }),
  ),
)
