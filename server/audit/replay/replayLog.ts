import type { CostTotals } from '../../../domain/budget/budget.ts'
import type { StoredEvent } from '../../../domain/budget/events.ts'
import { type BudgetState, createEmptyBudget, evolve } from '../../../domain/budget/evolve.ts'
import { engine as newestEngine } from '../../../domain/calculation/engine.ts'
import { findEngine } from '../../../domain/calculation/engines/engines.ts'
import type { ContractCost } from '../../../domain/calculation/inputs.ts'
import { calculateYearTotals } from '../../../domain/calculation/staffing/frozen.ts'
import type { MultiYearLine } from '../../../domain/calculation/staffing/posting.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import type { ContractId } from '../../../domain/values/ids.ts'
import { type ContractSave, calculateTotalBeforeSaves, digestCosting, hashCosts } from '../../shared/costing/costs/commands.ts'
import { sumCosts } from '../../shared/costing/costs/queries.ts'
import { countChangeOnDay, type DayChanges } from '../compare/compareDays.ts'
import type { InputsReader } from './logSource.ts'

/**
 * A recalculation repeated with the engine it names. `notReproduced` means that this version lacks the engine, so the recorded result is
 * accepted; it is reported, but it is not a sign of tampering.
 */
export interface ReplayedRecalculation {
  version: number
  engine: string
  contracts: number
  contractIds: ContractId[]
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
  lines: MultiYearLine[]
  /** The digest of the costing and of everything else that its lines depend on. */
  content: string
  /** The versions of consecutive recalculations with this result. An unchanged result is not written to the tables again. */
  sameResultVersions: number[]
}

export interface ReplayedBudget {
  state: BudgetState
  first: StoredEvent | undefined
  last: StoredEvent | undefined
  /** The last costing of each contract, with the version that made it. */
  costs: Map<ContractId, ReplayedCost>
  recalculations: ReplayedRecalculation[]
  days: Map<string, DayChanges>
}

/**
 * Folds the log of a budget from the start and repeats each recalculation from its stored inputs.
 * @param upTo the last version to include
 */
export function replayLog(events: readonly StoredEvent[], inputsOf: InputsReader, upTo = Number.POSITIVE_INFINITY): ReplayedBudget {
  const state = createEmptyBudget()
  const costs: ReplayedBudget['costs'] = new Map()
  let deletedCosts: ReplayedBudget['costs'] = new Map()
  const recalculations: ReplayedRecalculation[] = []
  const days: ReplayedBudget['days'] = new Map()
  let last: StoredEvent | undefined
  let saves: (ContractSave & { version: number })[] = []
  for (const event of events) {
    if (event.version > upTo) break
    if (event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted')
      saves.push({ version: event.version, id: event.data.id, before: state.contracts.get(event.data.id) })
    evolve(state, event)
    countChangeOnDay(days, event)
    last = event
    if (event.type === 'StaffContractDeleted') costs.delete(event.data.id)
    if (event.type === 'BudgetDeleted') {
      deletedCosts = new Map(costs)
      costs.clear()
    }
    if (event.type === 'BudgetRestored') for (const [id, cost] of deletedCosts) costs.set(id, cost)
    if (event.type !== 'StaffContractsRecalculated') continue
    const { contracts: ids, inputs, engine, before, saves: count = 1, totals, result } = event.data
    const recent = saves.slice(-count)
    const { frozen, shared } = inputsOf(inputs, event.budgetId)
    const contracts = ids ? ids.flatMap((id) => state.contracts.get(id) ?? []) : [...state.contracts.values()]
    // Without the recorded engine, use the newest to fill the state. `compareCosts` then takes the costs from the table instead, if their
    // hash is the recorded result.
    const recordedEngine = findEngine(engine)
    const { costContracts, linesOf } = recordedEngine ?? newestEngine
    const computed = costContracts(contracts, frozen, shared)
    const { numberOfYears } = assertDefined(state.head)
    const recomputed = sumCosts([...computed.values()].map(calculateYearTotals), numberOfYears)
    const isBeforeSame =
      !before ||
      (recent[0]?.version === event.version - count &&
        canonicalJson(calculateTotalBeforeSaves(contracts, recent, { frozen, shared, years: numberOfYears, engine: recordedEngine })) ===
          canonicalJson(before))
    saves = []
    const isSame = hashCosts(computed) === result && canonicalJson(recomputed) === canonicalJson(totals) && isBeforeSame
    const outcome = !recordedEngine ? 'notReproduced' : isSame ? 'same' : 'different'
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
      const [contract, previous] = [assertDefined(state.contracts.get(id)), costs.get(id)]
      const content = digestCosting(contract, { text: canonicalJson(cost), shared, engine })
      // Without its engine, the result of a recalculation is unknown, and may have been the same as before.
      const sameResultVersions =
        previous && (previous.content === content || outcome === 'notReproduced')
          ? [...previous.sameResultVersions, event.version]
          : [event.version]
      costs.set(id, { cost, version: event.version, inputs, engine, lines: linesOf(contract, cost, shared), content, sameResultVersions })
    }
  }
  return { state, first: events[0], last, costs, recalculations, days }
}
