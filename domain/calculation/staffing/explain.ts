import type { DerivationStep, EmployeeInput } from '../inputs.ts'
import { costEmployee } from './cost.ts'
import type { PreparedCalculation } from './prepared.ts'

/**
 * Derives one month of one contract line by line, by running the calculation again and recording its steps.
 * @param contract index among the employee's contracts
 * @param month from 0 over all years of the budget
 * @param labels names of tables and allowances by key; the calculation knows them only by id
 */
export function explainMonth(
  prepared: PreparedCalculation,
  {
    employee,
    contract,
    month,
    labels,
  }: { employee: EmployeeInput; contract: number; month: number; labels: Readonly<Record<string, string>> },
): DerivationStep[] {
  const steps: DerivationStep[] = []
  costEmployee(prepared, employee, { contract, month, note: (step) => steps.push(step) })
  return steps.map((step) => ({ ...step, label: identifyStep(step, labels) }))
}

/** An allowance and a table may have the same id, so the steps of an allowance are identified by their figure. */
function identifyStep({ label, figure }: DerivationStep, labels: Readonly<Record<string, string>>): string {
  return label.replace(/^(\d+(?::own)?):/, (whole, key: string) => {
    const name = labels[figure === key ? `allowance:${key}` : `table:${key}`]
    return name ? `${name}:` : whole
  })
}
