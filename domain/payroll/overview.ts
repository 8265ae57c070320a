import { summariseEmployeePay } from './employees.ts'
import type { EmployeeRef } from './payroll.ts'
import type { ReconciledRow, RowStatus } from './reconcile.ts'

export interface RowCounts {
  rows: number
  employees: number
  matched: number
  different: number
  onlyInBudget: number
  onlyInPayroll: number
}

export function countRowsByStatus(rows: readonly ReconciledRow[]): RowCounts {
  const count = (status: RowStatus): number => rows.filter((row) => row.status === status).length
  return {
    rows: rows.length,
    employees: new Set(rows.map((row) => row.employee)).size,
    matched: count('matched'),
    different: count('different'),
    onlyInBudget: count('onlyInBudget'),
    onlyInPayroll: count('onlyInPayroll'),
  }
}

/**
 * The numbers of employees whose month is not matched, as in the list of differences. Employees whose differences cancel each other out are
 * not counted.
 */
export interface DifferingEmployees {
  different: number
  /** Employees who are only in the payroll, or only in the budget; both are included in `different`. */
  onlyInPayroll: number
  onlyInBudget: number
}

/** @param tolerance the largest difference that counts as matched, in whole pennies */
export function countDifferingEmployees(rows: readonly ReconciledRow[], tolerance: number): DifferingEmployees {
  const byEmployee = new Map<EmployeeRef, ReconciledRow[]>()
  for (const row of rows) {
    const employeeRows = byEmployee.get(row.employee)
    if (employeeRows) employeeRows.push(row)
    else byEmployee.set(row.employee, [row])
  }
  const statuses = [...byEmployee.values()].map((employeeRows) => summariseEmployeePay(employeeRows, tolerance).status)
  const count = (isIn: (status: RowStatus) => boolean): number => statuses.filter(isIn).length
  return {
    different: count((status) => status !== 'matched'),
    onlyInPayroll: count((status) => status === 'onlyInPayroll'),
    onlyInBudget: count((status) => status === 'onlyInBudget'),
  }
}
