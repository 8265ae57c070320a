import type { StaffContract } from '../../../domain/budget/budget.ts'
import type { ContractCost, DerivationStep, EmployeeInput, Figure } from '../../../domain/calculation/inputs.ts'
import { costEmployee } from '../../../domain/calculation/staffing/cost.ts'
import { toDisplayedProblem } from '../../../domain/calculation/staffing/displayProblem.ts'
import { explainMonth } from '../../../domain/calculation/staffing/explain.ts'
import { combineInputs, type FrozenPerson, groupByEmployee, toContractInput } from '../../../domain/calculation/staffing/frozen.ts'
import { calculateLeaveEffect } from '../../../domain/calculation/staffing/leaveEffect.ts'
import { type PreparedCalculation, prepareCalculation } from '../../../domain/calculation/staffing/prepared.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { ContractId } from '../../../domain/values/ids.ts'
import type { CostingInputs } from './costingInputs.ts'

export type CalculatedCost =
  | { cost: ContractCost; explain: (month: number) => DerivationStep[]; leave: LeaveEffect }
  | { cost: null; reason: string }

/** The cost that was recorded for a contract. Its derivation is fetched when somebody opens a figure. */
export interface RecordedCost {
  cost: ContractCost
  recordedFor: ContractId
  leave: LeaveEffect
}

/** The effect of the person’s extended leave on the cost by year; null if they have none. */
type LeaveEffect = Figure[] | null

/** Prepares the inputs once, so that costing a draft is fast enough for every key press. */
export function prepareCostingInputs({ frozen, shared }: CostingInputs): PreparedCalculation {
  return prepareCalculation(combineInputs(frozen, shared))
}

/** Costs a contract as entered in the form, together with the employee's other contracts, with the server's engine. */
export function costContract(
  prepared: PreparedCalculation,
  { frozen, shared, others, staffId }: CostingInputs,
  contract: StaffContract | null,
): CalculatedCost {
  if (!contract) return { cost: null, reason: 'Choose a contract type and a start date to see the cost.' }
  const person: FrozenPerson = (staffId !== null && frozen.people[staffId]) || { ages: null, leaves: [] }
  const contractsOfPerson = contract.staffId === null ? [contract] : [...groupByEmployee([...others, contract]).values()].flat()
  const employee: EmployeeInput = { ...person, contracts: contractsOfPerson.map(toContractInput) }
  const at = contractsOfPerson.indexOf(contract)
  try {
    const cost = assertDefined(costEmployee(prepared, employee)[at])
    const leave = person.leaves.length ? assertDefined(calculateLeaveEffect(prepared, employee, person.leaves)[at]) : null
    return {
      cost: { ...cost, problems: cost.problems.map(toDisplayedProblem) },
      leave,
      explain: (month) => explainMonth(prepared, { employee, contract: at, month, labels: shared.labels }),
    }
  } catch (error) {
    return {
      cost: null,
      reason: error instanceof RangeError ? 'This cannot be calculated yet: check the figures and dates.' : 'The cost cannot be shown.',
    }
  }
}
