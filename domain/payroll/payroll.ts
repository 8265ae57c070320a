import { type CalendarMonth, type Done, monthText } from '../monitoring/monitoring.ts'
import { type BudgetGroupId, type LocationId, type StaffId, toStaffId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'

/**
 * Who somebody is to payroll: a staff member of ours, or an employee number that nobody here has, by its digest. Neither names nor numbers
 * stand in the log as they are.
 */
export type EmployeeRef = `staff ${number}` | `number ${string}`

export const staffRef = (staffId: StaffId): EmployeeRef => `staff ${staffId}`
export const numberRef = (digest: string): EmployeeRef => `number ${digest}`

/** The staff member that a reference names; null for a number that nobody here has. */
export function staffNamedBy(employee: EmployeeRef): StaffId | null {
  return employee.startsWith('staff ') ? toStaffId(Number(employee.slice('staff '.length))) : null
}

/** An employee number as payrolls are matched by it: without spaces and leading zeros, which spreadsheets drop (field.md). */
export function plainNumber(employeeNumber: string): string {
  return employeeNumber
    .replace(/\s/g, '')
    .toLowerCase()
    .replace(/^0+(?=.)/, '')
}

/** What the payroll paid one employee under one provider code; whole pennies, as the file has it: a deduction is positive. */
export interface PayrollLine {
  employee: EmployeeRef
  /** The number itself, sealed, where nobody here has it. */
  sealedNumber: string | null
  payrollCodeId: number
  value: Pennies
}

/** Lines with the version of the log that brought each of them. */
export interface StandingLine extends PayrollLine {
  version: number
}

/** Into which bank account somebody was paid, by the digest of its number: two people with one are told, and nobody can read which it is. */
export interface PaidInto {
  employee: EmployeeRef
  account: string
}

/** What one import brought a month of a location. */
export interface PayrollImport {
  version: number
  at: string
  /** SHA-256 of the file's rows, by which the same file is known again. */
  digest: string
  /** Rows of the file, and what they add up to in whole pennies. */
  rows: number
  sum: Pennies
}

/** The actuals of a month at a location. */
export interface ActualsItem extends CalendarMonth {
  kind: 'actuals'
  imports: PayrollImport[]
  /** One for each employee and code, in their order. */
  lines: StandingLine[]
  /** By employee, in their order; only where files say it. */
  paidInto?: PaidInto[]
}

/** A month at a level: a budget group, or null for the whole organisation. */
export interface LevelMonth extends CalendarMonth {
  groupId: BudgetGroupId | null
}

/** One cell of a reconciliation. */
export interface PayrollCell {
  locationId: LocationId
  employee: EmployeeRef
  payrollCodeId: number
}

/** A value that somebody typed in the place of what was imported; whole pennies, a deduction is negative (rules.md §18). */
export interface TypedItem extends LevelMonth, PayrollCell {
  kind: 'typed'
  sealedNumber: string | null
  value: Pennies
}

/** A note on one employee, sealed with the key of that person. */
export interface PayrollNoteItem extends LevelMonth {
  kind: 'note'
  employee: EmployeeRef
  sealedNotes: string
}

/** What one employee's month leaves to the next one. */
export interface Carried {
  employee: EmployeeRef
  sealedNumber: string | null
  /** Where it stands in the next month if the employee has no row there. */
  locationId: LocationId
  /** Whole pennies. */
  amount: Pennies
}

export interface CarryItem extends LevelMonth, Carried {
  kind: 'carry'
}

/** What a month came to when it was completed; whole pennies. */
export interface CompletedFigures {
  rows: number
  employees: number
  calculated: Pennies
  actual: Pennies
  /** Rows that could not be calculated, and are in no sum. */
  notCalculated: number
}

export interface PayrollMonthItem extends LevelMonth {
  kind: 'month'
  /** By the list `payrollMonthStates`. */
  state: number
  /** By the list `completionTypes`. */
  completionType: number | null
  completed: Done | null
  figures: CompletedFigures | null
  /** The last time that it was opened again, and why. */
  reopened: (Done & { sealedReason: string | null }) | null
}

/** What an organisation calls a difference. */
export interface ToleranceItem {
  kind: 'tolerance'
  /** Whole pennies up to which a row is matched (rules.md §18). */
  pennies: Pennies
}

/** One thing that a payroll log keeps. */
export type PayrollItem = ActualsItem | TypedItem | PayrollNoteItem | CarryItem | PayrollMonthItem | ToleranceItem

/** A thing with the version of the log that it was last changed at. */
export interface StoredPayroll<Item extends PayrollItem = PayrollItem> {
  version: number
  savedAt: string
  item: Item
}

const levelText = ({ groupId }: Pick<LevelMonth, 'groupId'>): string => groupId ?? 'console'

export const toleranceKey = 'tolerance'
export const actualsKey = (month: CalendarMonth): string => `actuals ${monthText(month)}`
export const monthStateKey = (month: LevelMonth): string => `month ${levelText(month)} ${monthText(month)}`
export const noteKey = (month: LevelMonth, employee: EmployeeRef): string => `note ${levelText(month)} ${monthText(month)} ${employee}`
export const carryKey = (month: LevelMonth, employee: EmployeeRef): string => `carry ${levelText(month)} ${monthText(month)} ${employee}`
export const typedKey = (month: LevelMonth, { locationId, employee, payrollCodeId }: PayrollCell): string =>
  `typed ${levelText(month)} ${monthText(month)} ${locationId} ${payrollCodeId} ${employee}`

/** Under which key a log keeps a thing. */
export function keyOf(item: PayrollItem): string {
  switch (item.kind) {
    case 'actuals':
      return actualsKey(item)
    case 'typed':
      return typedKey(item, item)
    case 'note':
      return noteKey(item, item.employee)
    case 'carry':
      return carryKey(item, item.employee)
    case 'month':
      return monthStateKey(item)
    case 'tolerance':
      return toleranceKey
  }
}
