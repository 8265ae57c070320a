import { z } from 'zod'
import { describeLookup } from '../../../domain/lookups/lookups.ts'
import { payComponents } from '../../../domain/payroll/calculatedPay.ts'
import { reply } from '../../core/calls/reply.ts'
import type { PayrollMonthTotals, PayrollRow } from './rows.ts'

const count = z.int().min(0)
const pounds = z.number()
const calendarMonth = { year: z.int(), month: z.int() }
const state = z.int().describe(`${describeLookup('payrollMonthStates')}.`)

export const imported = reply(
  z
    .strictObject({
      imported: count.describe('The number of rows in the file.'),
      created: count,
      updated: count,
      sum: pounds.describe('The total of the file, which matches what was saved to the penny.'),
      doubled: z
        .array(z.strictObject({ employeeNumber: z.string(), payrollCode: z.string(), rows: z.array(z.int()), value: pounds }))
        .describe('Employees and codes that are in several rows; the rows were added together.'),
      unknown: z.array(z.string()).describe('Unknown employee numbers: rows that are only in the payroll.'),
      remarks: z.array(z.string()).describe('Notes about the file, in sentences.'),
    })
    .meta({ id: 'PayrollImportResult' }),
)

const row: z.ZodType<PayrollRow> = z
  .strictObject({
    locationId: z.int().brand<'LocationId'>(),
    staffId: z.int().brand<'StaffId'>().nullable().describe('Null if the number is unknown.'),
    employeeNumber: z.string(),
    name: z.string().nullable(),
    payrollCode: z.string().describe('Empty if no code of the provider matches it.'),
    element: z
      .int()
      .nullable()
      .describe(`${describeLookup('payrollElementTypes')}; null if no code matches it, or the code has none.`),
    calculated: pounds.nullable().describe('Null if it could not be calculated; never 0.'),
    actual: pounds.nullable().describe('Null if it is not in the payroll. A deduction is negative.'),
    isTyped: z.boolean().describe('The actual was entered to replace the imported amount.'),
    imported: pounds.nullable(),
    broughtForward: pounds,
    carriedForward: pounds.nullable(),
    difference: pounds.nullable(),
    differencePercent: z.number().nullable(),
    status: z.enum(['matched', 'different', 'onlyInBudget', 'onlyInPayroll']),
    note: z.string().nullable(),
    contractIds: z.array(z.string().brand<'ContractId'>()),
    components: z.array(z.enum(payComponents)),
  })
  .meta({ id: 'PayrollReconciliationRow' })

export const reconciliation = reply(
  z
    .strictObject({
      state,
      rows: z.array(row),
      totals: z.strictObject({
        calculated: pounds,
        actual: pounds,
        difference: pounds,
        notCalculated: count.describe('Rows that could not be calculated and are not in the difference.'),
      }),
      tolerance: pounds,
      proof: z
        .strictObject({ file: pounds, rows: pounds, holds: z.boolean() })
        .nullable()
        .describe('The total imported and the total of the rows; null if the caller cannot see every location.'),
      importedAt: z.string().nullable(),
    })
    .meta({ id: 'PayrollReconciliation' }),
)

const overviewRow: z.ZodType<PayrollMonthTotals> = z
  .strictObject({
    ...calendarMonth,
    state,
    rows: count,
    employees: count,
    matched: count,
    different: count,
    onlyInBudget: count,
    onlyInPayroll: count,
    calculated: pounds,
    actual: pounds,
    difference: pounds,
    notCalculated: count,
    importedAt: z.string().nullable(),
  })
  .meta({ id: 'PayrollOverview' })
export const overview = reply(overviewRow)

const people = z
  .strictObject({ different: count, onlyInPayroll: count, onlyInBudget: count })
  .describe('Employees whose month is not matched, including those only in the payroll or only in the budget.')
export const locations = reply(
  z.array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), location: z.string(), overview: overviewRow, people })),
)

export const note = reply(z.strictObject({ employeeNumber: z.string(), notes: z.string() }).meta({ id: 'PayrollNoteReply' }))

export const month = reply(
  z
    .strictObject({
      ...calendarMonth,
      budgetGroupId: z.string().brand<'BudgetGroupId'>().nullable(),
      state,
      completionType: z
        .int()
        .nullable()
        .describe(`${describeLookup('completionTypes')}.`),
      figures: z
        .strictObject({ rows: count, employees: count, calculated: pounds, actual: pounds, notCalculated: count })
        .nullable()
        .describe('The totals of the month when it was completed.'),
    })
    .meta({ id: 'PayrollMonth' }),
)

const done = z.strictObject({ by: z.string(), at: z.string() })
/** The state of a month, with who completed or reopened it. */
export const monthState = reply(
  z.strictObject({
    ...calendarMonth,
    budgetGroupId: z.string().brand<'BudgetGroupId'>().nullable(),
    isWhole: z.boolean().describe('Whether the caller sees every location: only then can they complete, reopen or clear it.'),
    state,
    completionType: z.int().nullable(),
    completed: done.nullable(),
    reopened: done.extend({ reason: z.string().nullable() }).nullable(),
  }),
)

export const actual = reply(
  z
    .strictObject({
      ...calendarMonth,
      locationId: z.int().brand<'LocationId'>(),
      employeeNumber: z.string(),
      payrollCode: z.string(),
      actual: pounds,
    })
    .meta({ id: 'PayrollActual' }),
)

const carried = z
  .strictObject({
    ...calendarMonth,
    employeeNumber: z.string(),
    amount: pounds,
    budgetGroupId: z.string().brand<'BudgetGroupId'>().nullable(),
  })
  .meta({ id: 'PayrollCarryForward' })
export const carryForward = reply(carried)
export const carryForwards = reply(z.array(carried))

export const actualsExist = reply(
  z.strictObject({ exists: z.boolean(), months: z.array(z.strictObject(calendarMonth)) }).meta({ id: 'ActualsExist' }),
)

export const tolerance = reply(z.strictObject({ tolerance: pounds }))

export const changes = reply(
  z.array(
    z.strictObject({ locationId: z.int().brand<'LocationId'>(), version: z.int() }).meta({
      id: 'PayrollChange',
      description: 'The version of a change in the log of a location (0 for the organisation); send both to undo the change.',
    }),
  ),
)
