import { calculateAllowanceLine } from './employmentAllowance.ts'
import type { CalculationInputs, ContractCost, DerivationStep, EmployeeInput } from './inputs.ts'
import { calculateLevy } from './levy.ts'
import { buildEntryLines, calculateStoredEntryYears } from './nonStaffing/entryLines.ts'
import { costEmployee } from './staffing/cost.ts'
import { explainMonth } from './staffing/explain.ts'
import { buildContractLines, costContracts } from './staffing/frozen.ts'
import { prepareCalculation } from './staffing/prepared.ts'

/** Increased whenever any result could change. Every stored result names the version that produced it (rules.md §16). */
export const engineVersion = '2.0.0'

/** Returns a function that costs the contracts of one employee, so that the inputs are prepared only once. */
function createEmployeeCosting(inputs: CalculationInputs): (employee: EmployeeInput) => ContractCost[] {
  const prepared = prepareCalculation(inputs)
  return (employee) => costEmployee(prepared, employee)
}

/** Returns a function that derives a month of a contract step by step, so that the inputs are prepared only once. */
function createMonthExplainer(inputs: CalculationInputs): (request: Parameters<typeof explainMonth>[1]) => DerivationStep[] {
  const prepared = prepareCalculation(inputs)
  return (request) => explainMonth(prepared, request)
}

/** Every function that recalculates a result from a log. The keys are also those of the frozen engines, so they never change. */
export const engine = {
  version: engineVersion,
  costContracts,
  costing: createEmployeeCosting,
  explaining: createMonthExplainer,
  linesOf: buildContractLines,
  levyOf: calculateLevy,
  allowanceOf: calculateAllowanceLine,
  yearsOf: calculateStoredEntryYears,
  linesOfEntry: buildEntryLines,
}

export type Engine = typeof engine
