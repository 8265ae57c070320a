import type { StoredContract } from '../budget.ts'
import type { StoredEvent } from '../events.ts'
import { type BudgetState, createEmptyBudget, evolve } from '../evolve.ts'

/** The last recalculation of some contracts, with the contracts as they were then. */
export interface LastRecalculation {
  version: number
  /** SHA-256 hash of the inputs that the recalculation stored. */
  inputs: string
  engine: string
  contracts: StoredContract[]
}

/** A log folded up to a version, with the recalculation that last costed each contract. */
export interface FoldedLog {
  state: BudgetState
  at: string
  recalculations: Map<string, LastRecalculation>
}

/** Builds the state of a budget from its log without costing anything. `recalculations` holds only the last recalculation of each contract. */
export function foldLog(events: readonly StoredEvent[], upTo = Number.POSITIVE_INFINITY): FoldedLog {
  const state = createEmptyBudget()
  const recalculations = new Map<string, LastRecalculation>()
  let at = ''
  for (const event of events) {
    if (event.version > upTo) break
    evolve(state, event)
    at = event.occurredAt
    if (event.type === 'StaffContractDeleted') recalculations.delete(event.data.id)
    if (event.type !== 'StaffContractsRecalculated') continue
    const { contracts: ids, inputs, engine } = event.data
    const contracts = ids ? ids.flatMap((id) => state.contracts.get(id) ?? []) : [...state.contracts.values()]
    const run = { version: event.version, inputs, engine, contracts }
    for (const { id } of contracts) recalculations.set(id, run)
  }
  return { state, at, recalculations }
}
