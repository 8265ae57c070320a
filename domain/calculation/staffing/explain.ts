import type { EmployeeInput, Step } from '../inputs.ts'
import { costEmployee } from './cost.ts'
import type { Prepared } from './prepared.ts'

/**
 * The derivation of one month of one contract, line by line: the same calculation run again with its steps written down.
 * @param contract place among the employee's contracts
 * @param month from 0 over all years of the budget
 * @param labels names of tables and allowances by key; the calculation knows them only by id
 */
export function explainMonth(
  prepared: Prepared,
  {
    employee,
    contract,
    month,
    labels,
  }: { employee: EmployeeInput; contract: number; month: number; labels: Readonly<Record<string, string>> },
): Step[] {
  const steps: Step[] = []
  costEmployee(prepared, employee, { contract, month, note: (step) => steps.push(step) })
  return steps.map((step) => ({ ...step, label: named(step, labels) }))
}

/** An allowance and a table may have the same id, so the steps of an allowance are identified by their figure. */
function named({ label, figure }: Step, labels: Readonly<Record<string, string>>): string {
  return label.replace(/^(\d+(?::own)?):/, (whole, key: string) => {
    const name = labels[figure === key ? `allowance:${key}` : `table:${key}`]
    return name ? `${name}:` : whole
  })
}
