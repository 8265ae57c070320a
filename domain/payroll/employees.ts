import { payrollElement } from '../lookups/lookupIds.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { recordFromKeys } from '../values/keysOf.ts'
import type { Pennies } from '../values/units.ts'
import type { PayComponent } from './calculated.ts'
import type { RowStatus } from './reconcile.ts'

/** The columns that pay is shown in beside its total. Leave pay stands with the allowances: both are on top of basic pay. */
export const payParts = [
  { id: 'basic', name: 'Basic' },
  { id: 'allowance', name: 'Allowances' },
  { id: 'ni', name: 'NI' },
  { id: 'pension', name: 'Pension' },
] as const
export type PayPart = (typeof payParts)[number]['id']

const partOfComponent: Record<PayComponent, PayPart> = {
  basic: 'basic',
  allowance: 'allowance',
  leavePay: 'allowance',
  ni: 'ni',
  pension: 'pension',
}

const partOfElement: Partial<Record<number, PayPart>> = {
  [payrollElement.basic]: 'basic',
  [payrollElement.allowance]: 'allowance',
  [payrollElement.extendedLeave]: 'allowance',
  [payrollElement.employerNi]: 'ni',
  [payrollElement.employerPension]: 'pension',
}

/** What is asked of a row of a reconciliation; whole pennies. */
export interface EmployeeRow {
  /** Of the provider's code, by the list `payrollElements`; null where none takes the row. */
  element: number | null
  components: readonly PayComponent[]
  calculated: Pennies | null
  actual: Pennies | null
  broughtForward: Pennies
  carriedForward: Pennies | null
  difference: Pennies | null
  status: RowStatus
}

/** Budget and actual of one column; whole pennies, null where it could not be calculated or the payroll says nothing. */
export interface PartPay {
  calculated: Pennies | null
  actual: Pennies | null
}

/** All rows of one employee put together; whole pennies. */
export interface EmployeePay extends PartPay {
  parts: Record<PayPart, PartPay>
  broughtForward: Pennies
  carriedForward: Pennies | null
  difference: Pennies | null
  status: RowStatus
}

/** A sum that is known only when all parts are. */
function sum(figures: readonly (number | null)[]): number | null {
  return figures.reduce<number | null>((total, one) => (total === null || one === null ? null : total + one), 0)
}

function pay(rows: readonly EmployeeRow[]): PartPay {
  const paid = rows.flatMap((row) => (row.actual === null ? [] : [row.actual]))
  return { calculated: sum(rows.map((row) => row.calculated)), actual: paid.length ? sum(paid) : null }
}

/** The column of a row; null where it holds several, or something else: it counts in the total only. */
export function partOf({ element, components }: Pick<EmployeeRow, 'element' | 'components'>): PayPart | null {
  if (element !== null) return partOfElement[element] ?? null
  const parts = new Set(components.map((component) => partOfComponent[component]))
  return parts.size === 1 ? assertDefined([...parts][0]) : null
}

/**
 * One employee's month. What was brought forward stands on one row of theirs, and what is owed is paid on several: somebody whose whole difference
 * is within the tolerance then is matched, though their rows are not (rules.md §18 carries by employee; *choice* of ours).
 * @param tolerance whole pennies
 */
export function employeePay(rows: readonly EmployeeRow[], tolerance: Pennies): EmployeePay {
  const carried = rows.flatMap((row) => (row.carriedForward === null ? [] : [row.carriedForward]))
  const difference = sum(rows.map((row) => row.difference))
  const broughtForward = rows.reduce((total, row) => total + row.broughtForward, 0)
  const isSettled =
    broughtForward !== 0 && difference !== null && Math.abs(difference) <= tolerance && rows.some((row) => row.actual !== null)
  const is = (status: RowStatus): boolean => rows.every((row) => row.status === status)
  const status = isSettled ? 'matched' : ((['matched', 'onlyInBudget', 'onlyInPayroll'] as const).find(is) ?? 'different')
  const parts = recordFromKeys(
    payParts.map(({ id }) => id),
    (id) => pay(rows.filter((row) => partOf(row) === id)),
  )
  return { ...pay(rows), parts, broughtForward, carriedForward: carried.length ? sum(carried) : null, difference, status }
}
