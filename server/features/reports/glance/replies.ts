import { z } from 'zod'
import { describeLookup } from '../../../../domain/lookups/lookups.ts'
import { warningKinds } from '../../../../domain/reports/warnings.ts'
import { reply } from '../../../core/calls/reply.ts'
import type { GlanceRow, ShownGlance, ShownYear } from './queries.ts'

const year: z.ZodType<ShownYear> = z.strictObject({
  name: z.string(),
  income: z.number().nullable(),
  staff: z.number().nullable(),
  inYear: z.number().nullable().describe('Excluding capital.'),
  reserve: z.number().nullable().describe('Balances at the end of the year, excluding capital; null if they are not known.'),
  staffShare: z.number().nullable().describe('A percentage of income.'),
  missing: z.int(),
})

const outlook = z.strictObject({
  budget: z.number(),
  forecast: z.number(),
  revenueVariance: z.number().describe('The forecast less the budget, excluding capital.'),
  closed: z.int().describe('The number of months of the year with actuals.'),
  missing: z.int().describe('The number of monthly figures of the budget that could not be calculated; neither figure includes them.'),
})

const row: z.ZodType<GlanceRow> = z.strictObject({
  locationId: z.int().brand<'LocationId'>(),
  location: z.string(),
  budgetId: z.string().brand<'BudgetId'>(),
  budget: z.string(),
  years: z.array(year),
  outlook: outlook.nullable().describe('The in-year balance, before adjustments.'),
  status: z.strictObject({
    approval: z.string().nullable(),
    isLocked: z.boolean(),
    costs: z
      .int()
      .nullable()
      .describe(`${describeLookup('recalculationStates')}.`),
    monthEnd: z.strictObject({ isClosed: z.boolean(), inTheWay: z.array(z.string()) }).nullable(),
    payroll: z.boolean().nullable(),
  }),
  warnings: z.array(z.strictObject({ kind: z.enum(warningKinds), text: z.string() })),
})

const shown: z.ZodType<ShownGlance> = z
  .strictObject({
    years: z.array(z.string()),
    month: z.strictObject({ year: z.int(), month: z.int() }),
    yearIndex: z.int().nullable().describe('Which of the years contains the month, counted from 0; null if none does.'),
    rows: z.array(row),
    total: z.strictObject({ years: z.array(year), outlook: outlook.nullable() }),
    leftOut: z.array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), location: z.string() })),
  })
  .meta({ id: 'TrustAtAGlance' })
export const glance = reply(shown)
