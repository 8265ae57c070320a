import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import type { CashForecast } from '../../../shared/monitoring/cash/queries.ts'

const pounds = z.number().nullable()

const cash: z.ZodType<CashForecast> = z.strictObject({
  months: z.array(
    z.strictObject({
      year: z.int(),
      month: z.int(),
      opening: pounds,
      receipts: pounds,
      payments: pounds,
      closing: pounds.describe('Null if it cannot be calculated.'),
      missing: z.int().describe('Figures up to this month that could not be calculated and are not in any total.'),
    }),
  ),
  lowest: z.strictObject({ year: z.int(), month: z.int(), closing: z.number() }).nullable(),
  floor: pounds,
  isBelowFloor: z.boolean(),
  opening: z.array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), location: z.string(), year: z.int(), value: pounds })),
  leftOut: z
    .array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), location: z.string() }))
    .describe('Locations without a budget for that year.'),
})
export const forecast = reply(cash)

export const settings = reply(
  z.strictObject({
    codes: z.array(z.strictObject({ budgetCodeId: z.int(), name: z.string(), lag: z.int().nullable().describe('Null for the default.') })),
    floor: pounds,
  }),
)
