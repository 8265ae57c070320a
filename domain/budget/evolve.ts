import type { BudgetHead, StoredContract } from './budget.ts'
import type { EventOf, EventType, Recalculated, StoredEvent } from './events.ts'
import type { StoredQuickCalculation } from './quickCalculation.ts'

/** A budget folded from its events. The projection inside a write and the replay both use this, so they cannot disagree. */
export interface BudgetState {
  head: BudgetHead | undefined
  contracts: Map<string, StoredContract>
  quickCalculations: Map<string, StoredQuickCalculation>
  recalculated: (Recalculated & { version: number; at: string }) | undefined
  levyShares: (number | null)[] | undefined
  version: number
}

export function emptyBudget(): BudgetState {
  return { head: undefined, contracts: new Map(), quickCalculations: new Map(), recalculated: undefined, levyShares: undefined, version: 0 }
}

type At = { budgetId: string; version: number; occurredAt: string }
type Folds = { [T in EventType]: (state: BudgetState, data: EventOf<T>['data'], at: At) => void }

/** One fold for each event: a missing one does not compile. Events never refuse, commands may. */
const folds: Folds = {
  BudgetCreated: (state, data, { budgetId }) => {
    state.head = { ...data, id: budgetId, locked: false, lockedAt: null, lockedById: null }
  },
  BudgetRenamed: (state, { name }) => {
    state.head = { ...state.head!, name }
  },
  BudgetElementsSaved: (state, data) => {
    state.head = { ...state.head!, ...data }
  },
  BudgetLocked: (state, { lockedAt, lockedById }) => {
    state.head = { ...state.head!, locked: true, lockedAt, lockedById }
  },
  StaffContractSaved: (state, { id, contract }, { version, occurredAt }) => {
    state.contracts.set(id, { ...contract, version, savedAt: occurredAt, created: state.contracts.get(id)?.created ?? occurredAt })
  },
  StaffContractDeleted: (state, { id }) => {
    state.contracts.delete(id)
  },
  StaffContractsRecalculated: (state, data, { version, occurredAt }) => {
    state.recalculated = { ...data, version, at: occurredAt }
  },
  QuickCalculationSaved: (state, { calculation }, { version, occurredAt }) => {
    const { id } = calculation
    state.quickCalculations.set(id, { ...calculation, version, created: state.quickCalculations.get(id)?.created ?? occurredAt })
  },
  QuickCalculationDeleted: (state, { id }) => {
    state.quickCalculations.delete(id)
  },
  LevyAllowanceShared: (state, { shares }) => {
    state.levyShares = shares
  },
}

/** Folds one event into a budget, in place. */
export function evolve(state: BudgetState, event: Pick<StoredEvent, 'type' | 'data' | 'budgetId' | 'version' | 'occurredAt'>): BudgetState {
  const fold = folds[event.type] as (state: BudgetState, data: unknown, at: At) => void
  fold(state, event.data, event)
  state.version = event.version
  return state
}
