import type { CostTotals } from '../../domain/budget/budget.ts'
import type { StoredEvent } from '../../domain/budget/events.ts'
import { type BudgetState, emptyBudget, evolve } from '../../domain/budget/evolve.ts'
import { engineVersion } from '../../domain/calculation/cost.ts'
import { costContracts, type FrozenBudget, linesOf, type SharedInputs, yearTotals } from '../../domain/calculation/frozen.ts'
import type { ContractCost } from '../../domain/calculation/inputs.ts'
import type { PostedLine } from '../../domain/calculation/posting.ts'
import { canonicalJson } from '../../domain/canonicalJson.ts'
import { resultHash, totalsOf } from '../store/costStore.ts'

/** The kept inputs of a budget by the SHA-256 of their root. @throws Error when they are missing or are not what their name says */
export type InputsOf = (sha256: string, budgetId: string) => { frozen: FrozenBudget; shared: SharedInputs }

/** A recalculation done again: whether it came to the recorded pennies. */
export interface Recomputed {
  version: number
  engine: string
  contracts: number
  recorded: CostTotals
  recomputed: CostTotals
  holds: boolean
}

export interface Replayed {
  state: BudgetState
  /** The last costing of each contract and the version that made it. */
  costs: Map<string, { cost: ContractCost; version: number; inputs: string; lines: PostedLine[] }>
  recalculations: Recomputed[]
}

/**
 * Folds the log of a budget from nothing and recomputes every recalculation from its kept inputs.
 * @param upTo the last version that counts
 */
export function replayLog(events: readonly StoredEvent[], inputsOf: InputsOf, upTo = Number.POSITIVE_INFINITY): Replayed {
  const state = emptyBudget()
  const costs: Replayed['costs'] = new Map()
  const recalculations: Recomputed[] = []
  for (const event of events) {
    if (event.version > upTo) break
    evolve(state, event)
    if (event.type === 'StaffContractDeleted') costs.delete(event.data.id)
    if (event.type !== 'StaffContractsRecalculated') continue
    const { contracts: ids, inputs, engine, totals, result } = event.data
    const { frozen, shared } = inputsOf(inputs, event.budgetId)
    const contracts = ids ? ids.flatMap((id) => state.contracts.get(id) ?? []) : [...state.contracts.values()]
    const computed = costContracts(contracts, frozen, shared)
    const recomputed = totalsOf([...computed.values()].map(yearTotals), state.head!.numberOfYears)
    const holds = engine === engineVersion && resultHash(computed) === result && canonicalJson(recomputed) === canonicalJson(totals)
    recalculations.push({ version: event.version, engine, contracts: contracts.length, recorded: totals, recomputed, holds })
    for (const [id, cost] of computed)
      costs.set(id, { cost, version: event.version, inputs, lines: linesOf(state.contracts.get(id)!, cost, shared) })
  }
  return { state, costs, recalculations }
}
