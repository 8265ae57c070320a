import type { IsoDate } from '../../values/calendar.ts'
import type { AppliedLeave, CalculationInputs, ContractInput } from '../inputs.ts'
import { calculateAgesReached, listAgeLimits } from './ages.ts'
import { costEmployee } from './cost.ts'
import { prepareCalculation } from './prepared.ts'

/** One employee in one budget with all inputs to their cost: the format of the golden cases and of `npm run cost`. */
export interface CostCase extends CalculationInputs {
  employee: { dateOfBirth: IsoDate | null; leaves: AppliedLeave[]; contracts: ContractInput[] }
}

/** The expected result of a case: whole pennies by period, null where not calculated, and the codes of the problems. */
export interface CaseResult {
  unit: 'pennies'
  contracts: { name: string; problems: string[]; years: ReturnType<typeof costEmployee>[number]['years'] }[]
}

/** @throws RangeError for the first input that is missing or is not a valid date or decimal */
export function costCase({ employee, ...inputs }: CostCase): CaseResult {
  const ages = calculateAgesReached(employee.dateOfBirth, listAgeLimits(inputs.tables.nationalInsurance), inputs.budget)
  const costs = costEmployee(prepareCalculation(inputs), { ages, leaves: employee.leaves, contracts: employee.contracts })
  return {
    unit: 'pennies',
    contracts: costs.map(({ name, problems, years }) => ({ name, problems: problems.map((problem) => problem.code).sort(), years })),
  }
}
