import { describeLeftOutRows } from '../files/leftOut.ts'
import { completionType } from '../lookups/lookupIds.ts'
import { formatMonth } from '../monitoring/monitoring.ts'
import { displayCount, displayList, displayMoney } from '../values/format.ts'
import type { PayrollEvent } from './events.ts'
import type { EmployeeRef } from './payroll.ts'

export interface PayrollNames {
  employee: (employee: EmployeeRef) => string
  code: (payrollCodeId: number) => string
}

/** Describes an event as a sentence that follows a name, such as `imported 214 lines of payroll for September 2026`. */
export function describePayrollEvent(event: PayrollEvent, names: PayrollNames): string {
  const people = (employees: readonly EmployeeRef[]): string =>
    employees.length > 3 ? displayCount(employees.length, 'employee') : displayList(employees.map(names.employee))
  switch (event.type) {
    case 'PayrollImported':
      return `imported ${displayCount(event.data.lines.length, 'line')} of payroll for ${formatMonth(event.data)}: ${displayMoney(event.data.sum)}${describeLeftOutRows(event.data.leftOut)}`
    case 'PayrollCleared':
      return `cleared the payroll for ${formatMonth(event.data)}`
    case 'PayrollActualTyped': {
      const { employee, payrollCodeId, value } = event.data
      return `set the actual pay of ${names.employee(employee)} under ${names.code(payrollCodeId)} to ${displayMoney(value)} in ${formatMonth(event.data)}`
    }
    case 'PayrollTypedCleared': {
      const { cells } = event.data
      return `cleared ${displayCount(cells.length, 'entered actual')} for ${people([...new Set(cells.map((cell) => cell.employee))])} in ${formatMonth(event.data)}`
    }
    case 'PayrollNotesSaved':
      return `wrote a note on ${people(event.data.notes.map((note) => note.employee))} in ${formatMonth(event.data)}`
    case 'PayrollNotesRemoved':
      return `removed the note on ${people(event.data.employees)} in ${formatMonth(event.data)}`
    case 'PayrollCarriedForward': {
      const { carried } = event.data
      const sum = carried.reduce((total, one) => total + one.amount, 0)
      return `carried ${displayMoney(sum)} forward for ${people(carried.map((one) => one.employee))} from ${formatMonth(event.data)}`
    }
    case 'PayrollCarriesCleared':
      return `cleared the amount carried forward for ${people(event.data.employees)} from ${formatMonth(event.data)}`
    case 'PayrollMonthCompleted': {
      const how = event.data.completionType === completionType.carryForward ? ' and carried the differences forward' : ''
      return `completed ${formatMonth(event.data)}${how}`
    }
    case 'PayrollMonthReopened':
      return `reopened ${formatMonth(event.data)}`
    case 'PayrollToleranceSaved':
      return `set the payroll tolerance to ${displayMoney(event.data.pennies)}`
    case 'PayrollChangeUndone':
      return `undid version ${event.data.undoes}`
  }
}
