import { assertDefined } from '../../values/assertDefined.ts'
import type { Pennies } from '../../values/units.ts'
import type { AppliedLeave, EmployeeInput } from '../inputs.ts'
import { costEmployee } from './cost.ts'
import { yearTotals } from './frozen.ts'
import type { Prepared } from './prepared.ts'

/**
 * What some of a person's leaves change in the cost of each contract, year by year: the costing with them, less the one without.
 * @returns whole pennies by contract and year, negative where it saves; null where one of the two cannot be calculated
 */
export function leaveEffect(prepared: Prepared, employee: EmployeeInput, leaves: readonly AppliedLeave[]): (Pennies | null)[][] {
  const without = costEmployee(prepared, { ...employee, leaves: employee.leaves.filter((one) => !leaves.includes(one)) })
  return costEmployee(prepared, employee).map((cost, index) => {
    const before = yearTotals(assertDefined(without[index]))
    return yearTotals(cost).map((total, year) => {
      const had = before[year] ?? null
      return total === null || had === null ? null : total - had
    })
  })
}
