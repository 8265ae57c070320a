import { payrollElement } from '../lookups/lookupIds.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { recordFromKeys } from '../values/keysOf.ts'
import type { Pennies } from '../values/units.ts'
import type { PayComponent } from './calculatedPay.ts'
import type { RowStatus } from './reconcile.ts'

/** Columns of pay on the screen besides the total. Leave pay is shown with allowances. */
export const payColumns = [
  { id: 'basic', name: 'Basic' },
  { id: 'allowance', name: 'Allowances' },
  { id: 'ni', name: 'NI' },
  { id: 'pension', name: 'Pension' },
] as const
export type PayColumn = (typeof payColumns)[number]['id']

const partOfComponent: Record<PayComponent, PayColumn> = {
  basic: 'basic',
  allowance: 'allowance',
  leavePay: 'allowance',
  ni: 'ni',
  pension: 'pension',
}

const partOfElement: Partial<Record<number, PayColumn>> = {
  [payrollElement.basic]: 'basic',
  [payrollElement.allowance]: 'allowance',
  [payrollElement.extendedLeave]: 'allowance',
  [payrollElement.employerNi]: 'ni',
  [payrollElement.employerPension]: 'pension',
}

/** The fields of a reconciliation row that a summary needs; whole pennies. */
export interface RowToSummarise {
  /** The element of the provider's code, from the list `payrollElementTypes`; null if the row has no code. */
  element: number | null
  components: readonly PayComponent[]
  calculated: Pennies | null
  actual: Pennies | null
  broughtForward: Pennies
  carriedForward: Pennies | null
  difference: Pennies | null
  status: RowStatus
}

/**
 * Budget and actual pay of one column; whole pennies. `calculated` is null if it could not be calculated, `actual` if the payroll has no
 * value.
 */
export interface ColumnPay {
  calculated: Pennies | null
  actual: Pennies | null
}

/** The sums of one employee's rows; whole pennies. */
export interface EmployeePay extends ColumnPay {
  parts: Record<PayColumn, ColumnPay>
  broughtForward: Pennies
  carriedForward: Pennies | null
  difference: Pennies | null
  status: RowStatus
}

/** Adds figures; null if any of them is null. */
function sumIfKnown(figures: readonly (number | null)[]): number | null {
  return figures.reduce<number | null>((total, one) => (total === null || one === null ? null : total + one), 0)
}

function sumPay(rows: readonly RowToSummarise[]): ColumnPay {
  const paid = rows.flatMap((row) => (row.actual === null ? [] : [row.actual]))
  return { calculated: sumIfKnown(rows.map((row) => row.calculated)), actual: paid.length ? sumIfKnown(paid) : null }
}

/**
 * The column in which a row is shown. Null if its components belong to several columns or to none; the row then counts only in the total.
 */
export function findPayColumn({ element, components }: Pick<RowToSummarise, 'element' | 'components'>): PayColumn | null {
  if (element !== null) return partOfElement[element] ?? null
  const parts = new Set(components.map((component) => partOfComponent[component]))
  return parts.size === 1 ? assertDefined([...parts][0]) : null
}

/**
 * Summarises one employee's month. Our choice (rules.md §18 carries forward by employee): the employee is matched if their total difference
 * is within the tolerance, even if single rows are not, because an amount brought forward is in one row but may be paid over several.
 * @param tolerance whole pennies
 */
export function summariseEmployeePay(rows: readonly RowToSummarise[], tolerance: Pennies): EmployeePay {
  const carried = rows.flatMap((row) => (row.carriedForward === null ? [] : [row.carriedForward]))
  const difference = sumIfKnown(rows.map((row) => row.difference))
  const broughtForward = rows.reduce((total, row) => total + row.broughtForward, 0)
  const isSettled =
    broughtForward !== 0 && difference !== null && Math.abs(difference) <= tolerance && rows.some((row) => row.actual !== null)
  const is = (status: RowStatus): boolean => rows.every((row) => row.status === status)
  const status = isSettled ? 'matched' : ((['matched', 'onlyInBudget', 'onlyInPayroll'] as const).find(is) ?? 'different')
  const parts = recordFromKeys(
    payColumns.map(({ id }) => id),
    (id) => sumPay(rows.filter((row) => findPayColumn(row) === id)),
  )
  return { ...sumPay(rows), parts, broughtForward, carriedForward: carried.length ? sumIfKnown(carried) : null, difference, status }
}
