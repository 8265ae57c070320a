import { listViewPermissions } from '../people/permissions.ts'
import { money, text } from '../resources/fields.ts'
import { resource } from '../resources/resource.ts'

/**
 * Columns of a payroll file. Payroll is stored in the log of each location; this resource only describes the file and has no table. A file
 * for one location may omit the id of the location. If a row names a month, it must be the imported month.
 */
export const payrollFile = resource({
  key: 'PayrollActual',
  table: 'payroll_lines',
  path: 'monitoring/PayrollRec',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsolePayrollReconciliation'), write: ['ConsolePayrollReconciliationReadUpdate'] },
  fields: {
    payrollRecId: text('Payroll reconciliation id', { max: 50, column: 'PayrollRecId' }),
    employeeNumber: text('Employee number', { isCode: true, required: true, max: 30, column: 'EmployeeNumber' }),
    payrollCode: text('Payroll code', { isCode: true, required: true, max: 20, column: 'PayrollCode' }),
    actual: money('Actual', { required: true, column: 'Actual' }),
    month: text('Month', { max: 30, column: 'Month' }),
  },
  defaultSort: 'employeeNumber',
  grid: [],
  naming: ['employeeNumber'],
  importRequired: ['EmployeeNumber', 'PayrollCode', 'Actual'],
  purpose: 'What your payroll provider paid each employee in a month, by payroll provider code.',
})
