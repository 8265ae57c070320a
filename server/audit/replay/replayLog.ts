import type { CostTotals } from '../../../domain/budget/budget.ts'
import type { StoredEvent } from '../../../domain/budget/events.ts'
import { type BudgetState, emptyBudget, evolve } from '../../../domain/budget/evolve.ts'
import { engine as newestEngine } from '../../../domain/calculation/engine.ts'
import { knownEngine } from '../../../domain/calculation/engines/engines.ts'
import type { ContractCost } from '../../../domain/calculation/inputs.ts'
import { yearTotals } from '../../../domain/calculation/staffing/frozen.ts'
import type { LineOfYears } from '../../../domain/calculation/staffing/posting.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import type { ContractId } from '../../../domain/values/ids.ts'
import { contentOf, resultHash } from '../../features/calculation/costs/commands.ts'
import { totalsOf } from '../../features/calculation/costs/queries.ts'
import { type CountedDay, countDay } from '../compare/compareDays.ts'
import type { InputsOf } from './source.ts'

/**
 * A recalculation done again by the engine that it names. `notReproduced`: this version of the product does not have that engine, so the recorded
 * result is taken as it is; that is said, and is no sign that somebody changed something.
 */
export interface Recomputed {
  version: number
  engine: string
  contracts: number
  contractIds: ContractId[]
  /** The recorded hash of the costs. */
  result: string
  recorded: CostTotals
  recomputed: CostTotals
  outcome: 'same' | 'different' | 'notReproduced'
  holds: boolean
}

export interface ReplayedCost {
  cost: ContractCost
  version: number
  inputs: string
  engine: string
  lines: LineOfYears[]
  /** What the costing and its lines were made of. */
  content: string
  /** The recalculations in a row that came to this, up to the last: what comes to the same is not written again. */
  since: number[]
}

export interface Replayed {
  state: BudgetState
  first: StoredEvent | undefined
  last: StoredEvent | undefined
  /** The last costing of each contract and the version that made it. */
  costs: Map<ContractId, ReplayedCost>
  recalculations: Recomputed[]
  /** The changes of each day and person. */
  days: Map<string, CountedDay>
}

/**
 * Folds the log of a budget from nothing and recomputes every recalculation from its kept inputs.
 * @param upTo the last version that counts
 */
export function replayLog(events: readonly StoredEvent[], inputsOf: InputsOf, upTo = Number.POSITIVE_INFINITY): Replayed {
  const state = emptyBudget()
  const costs: Replayed['costs'] = new Map()
  let deletedCosts: Replayed['costs'] = new Map()
  const recalculations: Recomputed[] = []
  const days: Replayed['days'] = new Map()
  let last: StoredEvent | undefined
  for (const event of events) {
    if (event.version > upTo) break
    evolve(state, event)
    countDay(days, event)
    last = event
    if (event.type === 'StaffContractDeleted') costs.delete(event.data.id)
    if (event.type === 'BudgetDeleted') {
      deletedCosts = new Map(costs)
      costs.clear()
    }
    if (event.type === 'BudgetRestored') for (const [id, cost] of deletedCosts) costs.set(id, cost)
    if (event.type !== 'StaffContractsRecalculated') continue
    const { contracts: ids, inputs, engine, totals, result } = event.data
    const { frozen, shared } = inputsOf(inputs, event.budgetId)
    const contracts = ids ? ids.flatMap((id) => state.contracts.get(id) ?? []) : [...state.contracts.values()]
    // An engine that is not here is stood in for: what it came to is taken from the tables, as far as they agree with what was recorded.
    const known = knownEngine(engine)
    const { costContracts, linesOf } = known ?? newestEngine
    const computed = costContracts(contracts, frozen, shared)
    const recomputed = totalsOf([...computed.values()].map(yearTotals), assertDefined(state.head).numberOfYears)
    const isSame = resultHash(computed) === result && canonicalJson(recomputed) === canonicalJson(totals)
    const outcome = !known ? 'notReproduced' : isSame ? 'same' : 'different'
    recalculations.push({
      version: event.version,
      engine,
      contracts: contracts.length,
      contractIds: [...computed.keys()],
      result,
      recorded: totals,
      recomputed,
      outcome,
      holds: outcome !== 'different',
    })
    for (const [id, cost] of computed) {
      const [contract, before] = [assertDefined(state.contracts.get(id)), costs.get(id)]
      const content = contentOf(contract, { text: canonicalJson(cost), shared, engine })
      // What another engine came to cannot be worked out: it may have been the same as before.
      const since =
        before && (before.content === content || outcome === 'notReproduced') ? [...before.since, event.version] : [event.version]
      costs.set(id, { cost, version: event.version, inputs, engine, lines: linesOf(contract, cost, shared), content, since })
    }
  }
  return { state, first: events[0], last, costs, recalculations, days }
}
