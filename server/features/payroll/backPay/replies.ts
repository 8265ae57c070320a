import { z } from 'zod'
import { describeLookup } from '../../../../domain/lookups/lookups.ts'
import { payComponents } from '../../../../domain/payroll/calculatedPay.ts'
import { reply } from '../../../core/calls/reply.ts'
import type { BackPayRow } from './rows.ts'

const calendarMonth = { year: z.int(), month: z.int() }
const pounds = z.number()

const row: z.ZodType<BackPayRow> = z.strictObject({
  locationId: z.int().brand<'LocationId'>(),
  staffId: z.int().brand<'StaffId'>().nullable(),
  employeeNumber: z.string(),
  name: z.string().nullable(),
  component: z.enum(payComponents),
  open: pounds.describe('Still to be paid; negative if overpaid.'),
  codes: z.array(z.strictObject({ budgetCodeId: z.int().nullable(), open: pounds })).describe('The outstanding amount by budget code.'),
  months: z.array(
    z.strictObject({
      ...calendarMonth,
      difference: pounds.describe('Actual less calculated.'),
      cause: z.string().nullable(),
      settled: z.array(z.strictObject({ ...calendarMonth, amount: pounds })).describe('The amount settled in later months.'),
      open: pounds.describe('Negative if owed to the employee.'),
    }),
  ),
})

/** What each employee is still owed or has been overpaid, month by month. */
export const ledger = reply(
  z.strictObject({
    months: z.array(z.strictObject(calendarMonth)).describe('The months with a payroll whose differences are listed.'),
    notCalculated: z.int().describe('Rows that could not be calculated and are not in any line.'),
    lines: z.array(row),
    taken: z
      .array(z.strictObject({ type: z.int(), budgetCodeId: z.int(), value: pounds }))
      .describe(`The part already in the adjustments of the month: ${describeLookup('monitoringNoteTypes')}.`),
    mayTake: z.boolean().describe('Whether the caller sees every location: adjustments cover all of them and are not shown otherwise.'),
  }),
)
