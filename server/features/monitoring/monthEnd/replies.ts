import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import type { MonthEndChecklist } from '../../../shared/monitoring/monthEnd/queries.ts'

const done = z.strictObject({ by: z.string(), at: z.string() })

const calendarMonth = z.strictObject({ year: z.int(), month: z.int() })

const row: z.ZodType<MonthEndChecklist> = z.strictObject({
  locationId: z.int().brand<'LocationId'>(),
  location: z.string(),
  budgetId: z.string().brand<'BudgetId'>().nullable().describe('The budget of record; null if there is none in that month.'),
  budget: z.string().nullable().describe('The name of the budget of record.'),
  start: calendarMonth.nullable().describe('When the budget year begins.'),
  actuals: done.nullable(),
  missing: z.array(calendarMonth).describe('Earlier months of the budget year without actuals.'),
  steps: z.strictObject({ payroll: done.nullable(), adjustments: done.nullable(), pack: done.nullable() }),
  followsPayroll: z
    .boolean()
    .describe(
      'The payroll is reconciled in Bursar, which ticks the step when the payroll month is completed; it cannot be ticked manually.',
    ),
  followsPack: z.boolean().describe('A finished pack covers the month, so its step is done and cannot be ticked manually.'),
  toExplain: z.int().nullable().describe('Lines over the threshold without a reason; null until there are actuals.'),
  toAct: z.int().nullable().describe('Lines over the threshold with a reason but no action.'),
  explained: done.nullable().describe('The last note on a line over the threshold.'),
  closed: done.nullable(),
  reopened: done.extend({ reason: z.string() }).nullable(),
  inTheWay: z.array(z.string()).describe('What prevents it from being closed.'),
})
export const checklist = reply(z.array(row))

export const changedLocations = reply(
  z.strictObject({ locationIds: z.array(z.int().brand<'LocationId'>()).describe('The locations that changed.') }),
)

export const remindedPeople = reply(
  z.strictObject({ people: z.int(), without: z.array(z.string()).describe('Locations without anyone to remind.') }),
)
