import { type EmployeePay, summariseEmployeePay } from '../../domain/payroll/employees.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayList, toPennies } from '../../domain/values/format.ts'
import type { LocationId, StaffId } from '../../domain/values/ids.ts'
import type { Pounds } from '../../domain/values/units.ts'
import type { RouterOutputs } from '../shell/api.ts'

export type PayrollRow = RouterOutputs['payroll']['reconcile']['rows'][number]
export type EmployeeCauses = NonNullable<RouterOutputs['payroll']['causes']['found']['explained']>[number]

/** An employee at a location with all their rows, in whole pennies. */
export interface EmployeeDifference extends EmployeePay {
  key: string
  locationId: LocationId
  staffId: StaffId | null
  employeeNumber: string
  name: string | null
  rows: PayrollRow[]
  note: string | null
  explained: EmployeeCauses | undefined
}

const pennies = (pounds: Pounds | null): number | null => (pounds === null ? null : toPennies(pounds))

function inPennies(row: PayrollRow) {
  return {
    ...row,
    calculated: pennies(row.calculated),
    actual: pennies(row.actual),
    broughtForward: toPennies(row.broughtForward),
    carriedForward: pennies(row.carriedForward),
    difference: pennies(row.difference),
  }
}

/** Groups rows by location and employee. Employees that cannot be calculated come first, then the largest differences. */
export function groupRowsByEmployee(
  rows: readonly PayrollRow[],
  explained: readonly EmployeeCauses[],
  /** The difference in pounds up to which a row counts as matched. */
  tolerance: number,
): EmployeeDifference[] {
  const personKey = ({ locationId, staffId, employeeNumber }: Pick<PayrollRow, 'locationId' | 'staffId' | 'employeeNumber'>): string =>
    `${locationId} ${staffId ?? `number ${employeeNumber}`}`
  const reasons = new Map(explained.map((one) => [personKey(one), one]))
  const groups = new Map<string, PayrollRow[]>()
  for (const row of rows) {
    const key = personKey(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  const employees = [...groups].map(([key, employeeRows]): EmployeeDifference => {
    const first = assertDefined(employeeRows[0])
    return {
      key,
      locationId: first.locationId,
      staffId: first.staffId,
      employeeNumber: first.employeeNumber,
      name: first.name,
      rows: employeeRows,
      ...summariseEmployeePay(employeeRows.map(inPennies), toPennies(tolerance)),
      note: employeeRows.find((row) => row.note)?.note ?? null,
      explained: reasons.get(key),
    }
  })
  const size = ({ difference }: EmployeeDifference): number => (difference === null ? Number.POSITIVE_INFINITY : Math.abs(difference))
  return employees.sort((a, b) => size(b) - size(a) || getEmployeeName(a).localeCompare(getEmployeeName(b)) || a.locationId - b.locationId)
}

export function getEmployeeName({ name, employeeNumber }: EmployeeDifference): string {
  return name ?? (employeeNumber || 'No number')
}

/** Formats the names of employees for a sentence: the first ten, and how many more there are. */
export function formatEmployeeNames(employees: readonly EmployeeDifference[]): string {
  const names = employees.slice(0, 10).map(getEmployeeName)
  return displayList(employees.length > 10 ? [...names, `${employees.length - 10} more`] : names)
}

/** The filters of the list of employees. */
export const employeeFilters = [
  { id: 'different', name: 'Different' },
  { id: 'unexplained', name: 'Unexplained' },
  { id: 'carried', name: 'Carried' },
  { id: 'controls', name: 'To check' },
  { id: 'onlyInPayroll', name: 'Only in payroll' },
  { id: 'onlyInBudget', name: 'Only in budget' },
  { id: 'notCoded', name: 'Not coded' },
  { id: 'notCalculated', name: 'Not calculated' },
  { id: 'matched', name: 'Matched' },
] as const
export type EmployeeFilter = (typeof employeeFilters)[number]['id']

/** The filters of each step. The first step is about problems with the file, and the second about differences in pay. */
export const fileProblemFilters: readonly EmployeeFilter[] = ['onlyInPayroll', 'onlyInBudget', 'notCoded', 'notCalculated', 'controls']
export const differenceFilters: readonly EmployeeFilter[] = ['different', 'unexplained', 'carried', 'matched']

export function matchesEmployeeFilter(employee: EmployeeDifference, filter: EmployeeFilter): boolean {
  switch (filter) {
    case 'different':
      return employee.status !== 'matched'
    case 'unexplained':
      return employee.status !== 'matched' && !employee.note && employee.carriedForward === null
    case 'carried':
      return employee.carriedForward !== null || employee.broughtForward !== 0
    case 'controls':
      return Boolean(employee.explained?.findings.length)
    case 'notCoded':
      return employee.rows.some((row) => row.payrollCode === '' && row.components.length > 0)
    case 'notCalculated':
      return employee.calculated === null
    default:
      return employee.status === filter
  }
}
