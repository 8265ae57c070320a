import { allowanceOf } from './employmentAllowance.ts'
import type { CalculationInputs, ContractCost, EmployeeInput, Step } from './inputs.ts'
import { levyOf } from './levy.ts'
import { linesOfEntry, yearsOf } from './nonStaffing/entryLines.ts'
import { costEmployee } from './staffing/cost.ts'
import { explainMonth } from './staffing/explain.ts'
import { costContracts, linesOf } from './staffing/frozen.ts'
import { prepare } from './staffing/prepared.ts'

/** Changes whenever a figure could: what was worked out names it (rules.md §16). */
export const engineVersion = '2.0.0'

/** Costs the contracts of one employee after the other with the same inputs. */
function costing(inputs: CalculationInputs): (employee: EmployeeInput) => ContractCost[] {
  const prepared = prepare(inputs)
  return (employee) => costEmployee(prepared, employee)
}

/** Derives months of contracts with the same inputs. */
function explaining(inputs: CalculationInputs): (asked: Parameters<typeof explainMonth>[1]) => Step[] {
  const prepared = prepare(inputs)
  return (asked) => explainMonth(prepared, asked)
}

/** Everything that works a figure out again from what a log keeps. */
export const engine = {
  version: engineVersion,
  costContracts,
  costing,
  explaining,
  linesOf,
  levyOf,
  allowanceOf,
  yearsOf,
  linesOfEntry,
}

export type Engine = typeof engine
