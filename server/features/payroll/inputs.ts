import { z } from 'zod'
import { budgetMongoId, groupMongoId } from '../../../domain/budget/budget.ts'
import { hasDecimals } from '../../../domain/values/decimals.ts'

const year = z.int().min(2000, 'Year must be 2000 or later.').max(2199, 'Year must be before 2200.')
const month = z.int().min(1, 'Month must be 1 to 12.').max(12, 'Month must be 1 to 12.')
/** A calendar month as in the payroll URLs (behaviour B-213). */
export const calendarMonth = { year, month }
export const id = z.int().positive()
export const locationId = id.brand<'LocationId'>()
/** A month of the whole organisation or of a budget group. */
export const anyLevel = { ...calendarMonth, group: groupMongoId.nullish().describe('Empty for the whole organisation.') }

export const employeeNumber = z
  .string('Employee number is required.')
  .trim()
  .min(1, 'Employee number is required.')
  .max(30, 'Employee number can have at most 30 characters.')
export const payrollCode = z
  .string('Payroll code is required.')
  .trim()
  .min(1, 'Payroll code is required.')
  .max(20, 'Payroll code can have at most 20 characters.')

const tooLarge = 'Value must be less than ten million pounds.'
/** Pounds as a number, or as text in a URL. */
export const pounds = z.union(
  [
    z
      .number('Value must be a number.')
      .min(-9_999_999, tooLarge)
      .max(9_999_999, tooLarge)
      .refine((value) => hasDecimals(value, 2), 'Value can have at most two decimals.'),
    z.string().regex(/^-?\d{1,7}(\.\d{1,2})?$/, 'Value must be in pounds, with at most two decimals.'),
  ],
  'Value must be in pounds, with at most two decimals.',
)

export const reconciliationRequest = z
  .object({
    ...calendarMonth,
    budgetId: budgetMongoId.nullish(),
    budgetGroupId: groupMongoId.nullish().describe('Without a budget and a group, the reply covers the whole organisation.'),
    useInflation: z.boolean().nullish().describe('False leaves out the awards of the assumptions; true by default.'),
    payScaleTableIds: z.array(id).max(20).nullish().describe('Replaces the budgets’ tables of the same kind.'),
  })
  .meta({ id: 'PayrollReconciliationRequest' })

export const note = z
  .object({
    employeeNumber,
    notes: z.string('Notes are required.').trim().min(1, 'Notes are required.').max(2000, 'Notes can have at most 2,000 characters.'),
  })
  .meta({ id: 'PayrollNote' })

const employeeNumbers = z.array(employeeNumber).min(1, 'Choose an employee.').max(5000, 'Choose at most 5,000 employees.')
const seen = z
  .array(z.string().max(2000).nullable())
  .max(5000)
  .nullish()
  .describe('The note on each employee when it was read; if any note has changed since, nothing is saved.')
export const bulkNote = z.object({ employeeNumbers, notes: note.shape.notes, seen }).meta({ id: 'PayrollBulkNote' })
export const bulkRemoval = z
  .object({ employeeNumbers, notes: z.string().max(0, 'Notes must be empty when they are removed.').nullish(), seen })
  .meta({ id: 'PayrollBulkRemoval' })
export const employees = { employeeNumbers }

export const reason = z
  .string('Reason is required.')
  .trim()
  .min(1, 'Reason is required.')
  .max(500, 'Reason can have at most 500 characters.')
