import { getEngine } from '../../../domain/calculation/engines/engines.ts'
import type { ContractCost, DerivationStep } from '../../../domain/calculation/inputs.ts'
import { combineInputs, groupByEmployee, toContractInput } from '../../../domain/calculation/staffing/frozen.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { ContractId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import type { InputsReader } from './logSource.ts'
import type { ReplayedBudget } from './replayLog.ts'

/**
 * Explains the cost of one contract in one month step by step, from the inputs of its last costing.
 * @param year 1 for the first year of the budget
 * @param period 1 to 12
 */
export function explainCost(
  { state, costs }: ReplayedBudget,
  { inputs, contractId, year, period }: { inputs: InputsReader; contractId: ContractId; year: number; period: number },
): { steps: DerivationStep[]; cost: ContractCost } {
  const costed = costs.get(contractId)
  const contract = state.contracts.get(contractId)
  if (!contract || !costed) throw notFound('Staff contract')
  const { frozen, shared } = inputs(costed.inputs, assertDefined(state.head).id)
  const employeeContracts = assertDefined(
    [...groupByEmployee(state.contracts.values()).values()].find((group) => group.some((other) => other.id === contractId)),
  )
  const person = (contract.staffId !== null && frozen.people[contract.staffId]) || { ages: null, leaves: [] }
  const position = employeeContracts.findIndex((other) => other.id === contractId)
  const steps = getEngine(costed.engine).explaining(combineInputs(frozen, shared))({
    employee: { ...person, contracts: employeeContracts.map(toContractInput) },
    contract: position,
    month: (year - 1) * 12 + period - 1,
    labels: shared.labels,
  })
  return { steps, cost: costed.cost }
}
