import { type CalendarMonth, type DoneBy, formatIsoMonth } from '../monitoring/monitoring.ts'
import { type BudgetGroupId, type LocationId, type StaffId, toStaffId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'

/**
 * Identifies an employee in a payroll: by staff id, or by the digest of an unknown employee number. The log contains neither names nor
 * plain numbers.
 */
export type EmployeeRef = `staff ${number}` | `number ${string}`

export const toStaffRef = (staffId: StaffId): EmployeeRef => `staff ${staffId}`
export const toUnknownEmployeeRef = (digest: string): EmployeeRef => `number ${digest}`

/** The staff id of a reference; null for an unknown employee number. */
export function parseStaffRef(employee: EmployeeRef): StaffId | null {
  return employee.startsWith('staff ') ? toStaffId(Number(employee.slice('staff '.length))) : null
}

/**
 * Converts an employee number to the form in which numbers are compared: without spaces, and without leading zeros, which spreadsheets drop
 * (field.md).
 */
export function normaliseEmployeeNumber(employeeNumber: string): string {
  return employeeNumber
    .replace(/\s/g, '')
    .toLowerCase()
    .replace(/^0+(?=.)/, '')
}

/** Pay of one employee under one provider code; whole pennies with the sign of the file, in which deductions are positive. */
export interface PayrollLine {
  employee: EmployeeRef
  /** The encrypted employee number if no member of staff has it; otherwise null. */
  sealedNumber: string | null
  payrollCodeId: number
  value: Pennies
}

/** A line with the log version that imported it. */
export interface StoredPayrollLine extends PayrollLine {
  version: number
}

/** The bank account that an employee was paid into, as a digest. It reveals a shared account but not its number. */
export interface PaidAccount {
  employee: EmployeeRef
  account: string
}

export interface PayrollImport {
  version: number
  at: string
  /** SHA-256 hash of the file's rows, by which a second import of the same file is recognised. */
  digest: string
  /** The number of rows of the file, and their sum in whole pennies. */
  rows: number
  sum: Pennies
}

export interface ActualsItem extends CalendarMonth {
  kind: 'actuals'
  imports: PayrollImport[]
  /** One for each employee and code, sorted. */
  lines: StoredPayrollLine[]
  /** By employee, sorted; absent if files contain no bank accounts. */
  paidInto?: PaidAccount[]
}

/** A month of a budget group or, if `groupId` is null, of the whole organisation. */
export interface LevelMonth extends CalendarMonth {
  groupId: BudgetGroupId | null
}

export interface PayrollCell {
  locationId: LocationId
  employee: EmployeeRef
  payrollCodeId: number
}

/** A value entered by a user, which replaces the imported one; whole pennies, deductions are negative (rules.md §18). */
export interface EnteredActualItem extends LevelMonth, PayrollCell {
  kind: 'typed'
  sealedNumber: string | null
  value: Pennies
}

/** A note on one employee, encrypted with that person's key. */
export interface PayrollNoteItem extends LevelMonth {
  kind: 'note'
  employee: EmployeeRef
  sealedNotes: string
}

/** An amount that an employee's month carries forward to the next. */
export interface CarriedForward {
  employee: EmployeeRef
  sealedNumber: string | null
  /** The location that gets the amount in the next month if the employee has no row there. */
  locationId: LocationId
  amount: Pennies
}

export interface CarriedForwardItem extends LevelMonth, CarriedForward {
  kind: 'carry'
}

/** Figures of a month at completion; whole pennies. */
export interface CompletedFigures {
  rows: number
  employees: number
  calculated: Pennies
  actual: Pennies
  /** The number of rows that could not be calculated and are left out of the sums. */
  notCalculated: number
}

export interface PayrollMonthItem extends LevelMonth {
  kind: 'month'
  state: number
  completionType: number | null
  completed: DoneBy | null
  figures: CompletedFigures | null
  /** When the month was last reopened, by whom and why. */
  reopened: (DoneBy & { sealedReason: string | null }) | null
}

/** The organisation's tolerance for differences. */
export interface ToleranceItem {
  kind: 'tolerance'
  /** The largest difference that counts as matched, in whole pennies (rules.md §18). */
  pennies: Pennies
}

export type PayrollItem = ActualsItem | EnteredActualItem | PayrollNoteItem | CarriedForwardItem | PayrollMonthItem | ToleranceItem

const levelText = ({ groupId }: Pick<LevelMonth, 'groupId'>): string => groupId ?? 'console'

export const toleranceKey = 'tolerance'
export const buildActualsKey = (month: CalendarMonth): string => `actuals ${formatIsoMonth(month)}`
export const buildMonthStateKey = (month: LevelMonth): string => `month ${levelText(month)} ${formatIsoMonth(month)}`
export const buildNoteKey = (month: LevelMonth, employee: EmployeeRef): string =>
  `note ${levelText(month)} ${formatIsoMonth(month)} ${employee}`
export const buildCarriedForwardKey = (month: LevelMonth, employee: EmployeeRef): string =>
  `carry ${levelText(month)} ${formatIsoMonth(month)} ${employee}`
export const buildEnteredActualKey = (month: LevelMonth, { locationId, employee, payrollCodeId }: PayrollCell): string =>
  `typed ${levelText(month)} ${formatIsoMonth(month)} ${locationId} ${payrollCodeId} ${employee}`

export function getPayrollItemKey(item: PayrollItem): string {
  switch (item.kind) {
    case 'actuals':
      return buildActualsKey(item)
    case 'typed':
      return buildEnteredActualKey(item, item)
    case 'note':
      return buildNoteKey(item, item.employee)
    case 'carry':
      return buildCarriedForwardKey(item, item.employee)
    case 'month':
      return buildMonthStateKey(item)
    case 'tolerance':
      return toleranceKey
  }
}
