import { assertDefined } from '../../values/assertDefined.ts'
import type { Pennies } from '../../values/units.ts'
import type { AppliedLeave, EmployeeInput } from '../inputs.ts'
import { costEmployee } from './cost.ts'
import { calculateYearTotals } from './frozen.ts'
import type { PreparedCalculation } from './prepared.ts'

/**
 * The effect of some of a person's leaves on the cost of each contract by year: the cost with them less the cost without.
 * @returns whole pennies by contract and year, negative for a saving; null if either cost could not be calculated
 */
export function calculateLeaveEffect(
  prepared: PreparedCalculation,
  employee: EmployeeInput,
  leaves: readonly AppliedLeave[],
): (Pennies | null)[][] {
  const without = costEmployee(prepared, { ...employee, leaves: employee.leaves.filter((one) => !leaves.includes(one)) })
  return costEmployee(prepared, employee).map((cost, index) => {
    const before = calculateYearTotals(assertDefined(without[index]))
    return calculateYearTotals(cost).map((total, year) => {
      const had = before[year] ?? null
      return total === null || had === null ? null : total - had
    })
  })
}
