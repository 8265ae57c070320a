import { employeePay } from './employees.ts'
import type { EmployeeRef } from './payroll.ts'
import type { ReconciledRow, RowStatus } from './reconcile.ts'

/** How many rows and employees a month has, and how its rows compare. */
export interface RowCounts {
  rows: number
  employees: number
  matched: number
  different: number
  onlyInBudget: number
  onlyInPayroll: number
}

export function countRows(rows: readonly ReconciledRow[]): RowCounts {
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

/** Employees whose month is not matched, as the list of differences has them. An employee whose differences cancel out is not counted. */
export interface DifferingEmployees {
  different: number
  /** Of them, those whom only the payroll or only the budget has. */
  onlyInPayroll: number
  onlyInBudget: number
}

/** @param tolerance whole pennies up to which a row is matched */
export function countEmployees(rows: readonly ReconciledRow[], tolerance: number): DifferingEmployees {
  const byEmployee = new Map<EmployeeRef, ReconciledRow[]>()
  for (const row of rows) {
    const own = byEmployee.get(row.employee)
    if (own) own.push(row)
    else byEmployee.set(row.employee, [row])
  }
  const statuses = [...byEmployee.values()].map((own) => employeePay(own, tolerance).status)
  const count = (isIn: (status: RowStatus) => boolean): number => statuses.filter(isIn).length
  return {
    different: count((status) => status !== 'matched'),
    onlyInPayroll: count((status) => status === 'onlyInPayroll'),
    onlyInBudget: count((status) => status === 'onlyInBudget'),
  }
}
