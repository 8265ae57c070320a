import { z } from 'zod'
import { payComponents } from '../../../domain/payroll/calculatedPay.ts'
import { reply } from '../../core/calls/reply.ts'
import type { Overview, PayrollRow } from './rows.ts'

const count = z.int().min(0)
const pounds = z.number()
const calendarMonth = { year: z.int(), month: z.int() }
const state = z.int().describe('lookups payrollMonthStates.')

export const imported = reply(
  z
    .strictObject({
      imported: count.describe('Rows of the file.'),
      created: count,
      updated: count,
      sum: pounds.describe('What the file adds up to: to the penny what was kept of it.'),
      doubled: z
        .array(z.strictObject({ employeeNumber: z.string(), payrollCode: z.string(), rows: z.array(z.int()), value: pounds }))
        .describe('The same employee and code in several rows, which were added up.'),
      unknown: z.array(z.string()).describe('Employee numbers that nobody here has: rows of the payroll only.'),
      remarks: z.array(z.string()).describe('What a reader should know of the file, in sentences.'),
    })
    .meta({ id: 'PayrollImportResult' }),
)

const row: z.ZodType<PayrollRow> = z
  .strictObject({
    locationId: z.int().brand<'LocationId'>(),
    staffId: z.int().brand<'StaffId'>().nullable().describe('Null: nobody here has the number.'),
    employeeNumber: z.string(),
    name: z.string().nullable(),
    payrollCode: z.string().describe('Empty: no code of the provider takes it.'),
    element: z.int().nullable().describe('lookups payrollElements; null: no code takes it, or the code has none.'),
    calculated: pounds.nullable().describe('Null: it could not be calculated, which is never 0.'),
    actual: pounds.nullable().describe('Null: the payroll says nothing. A deduction is negative.'),
    isTyped: z.boolean().describe('The actual was typed in the place of what was imported.'),
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
        notCalculated: count.describe('Rows that could not be calculated, and are not in the difference.'),
      }),
      tolerance: pounds,
      proof: z
        .strictObject({ file: pounds, rows: pounds, holds: z.boolean() })
        .nullable()
        .describe('The sum of what was imported beside the sum of the rows; null for who sees only some of the locations.'),
      importedAt: z.string().nullable(),
    })
    .meta({ id: 'PayrollReconciliation' }),
)

const overviewRow: z.ZodType<Overview> = z
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
  .describe('Employees whose month is not matched, and of them those whom only the payroll or only the budget has.')
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
      completionType: z.int().nullable().describe('lookups completionTypes.'),
      figures: z
        .strictObject({ rows: count, employees: count, calculated: pounds, actual: pounds, notCalculated: count })
        .nullable()
        .describe('What the month came to when it was completed.'),
    })
    .meta({ id: 'PayrollMonth' }),
)

const done = z.strictObject({ by: z.string(), at: z.string() })
/** The state of a month, with who did what. */
export const standing = reply(
  z.strictObject({
    ...calendarMonth,
    budgetGroupId: z.string().brand<'BudgetGroupId'>().nullable(),
    isWhole: z.boolean().describe('Whether the caller sees every location of it: who does not completes, opens again and clears nothing.'),
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

export const exist = reply(
  z.strictObject({ exists: z.boolean(), months: z.array(z.strictObject(calendarMonth)) }).meta({ id: 'ActualsExist' }),
)

export const tolerance = reply(z.strictObject({ tolerance: pounds }))

export const changes = reply(
  z.array(
    z.strictObject({ locationId: z.int().brand<'LocationId'>(), version: z.int() }).meta({
      id: 'PayrollChange',
      description: 'A change of the log of a location, or, with 0, of the organisation, by which it can be undone.',
    }),
  ),
)
