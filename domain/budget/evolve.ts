import type { EmploymentAllowance } from '../calculation/employmentAllowance.ts'
import type { LevyShare } from '../calculation/levy.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { BudgetId, ContractId } from '../values/ids.ts'
import { keysOf } from '../values/keysOf.ts'
import type { BudgetHead, StoredContract } from './budget.ts'
import type { EventOf, EventType, Recalculation, StoredEvent } from './events.ts'
import { type ItemDeletedEvent, type ItemSavedEvent, itemEvents, type StoredItem } from './items/item.ts'
import type { StoredQuickCalculation } from './quickCalculation.ts'

/** A budget folded from its events. Writes and replays share this fold, so they cannot disagree. */
export interface BudgetState {
  head: BudgetHead | undefined
  contracts: Map<ContractId, StoredContract>
  quickCalculations: Map<string, StoredQuickCalculation>
  /** Entries, calculations, predictions, pupil numbers, opening balances, comments and scenarios. */
  items: Map<string, StoredItem>
  /** For each copied contract or item, the id of its first original, which identifies the same thing across budgets. */
  origins: Map<string, string>
  transfers: EventOf<'TransfersPosted'>['data'] | undefined
  recalculated: (Recalculation & { version: number; at: string }) | undefined
  levyShares: LevyShare[] | undefined
  employmentAllowance: EmploymentAllowance | undefined
  version: number
  deleted: BudgetContent | undefined
}

type BudgetContent = Omit<BudgetState, 'version' | 'deleted'>

export function createEmptyBudget(): BudgetState {
  return {
    head: undefined,
    contracts: new Map(),
    quickCalculations: new Map(),
    items: new Map(),
    origins: new Map(),
    transfers: undefined,
    recalculated: undefined,
    levyShares: undefined,
    employmentAllowance: undefined,
    version: 0,
    deleted: undefined,
  }
}

type EventPosition = { budgetId: BudgetId; version: number; occurredAt: string }
type Folds = { [T in EventType]: (state: BudgetState, data: EventOf<T>['data'], at: EventPosition) => void }
type ItemFolds = Pick<Folds, ItemSavedEvent['type'] | ItemDeletedEvent['type']>

/**
 * All kinds of items are folded in the same way: stored when saved, removed when deleted. In a loop the compiler cannot match each event
 * name to its data.
 */
const itemFolds = Object.fromEntries(
  keysOf(itemEvents).flatMap((kind) => [
    [
      itemEvents[kind].saved,
      (state: BudgetState, { id, item, origin }: ItemSavedEvent['data'], { version, occurredAt }: EventPosition): void => {
        if (origin) state.origins.set(id, origin)
        const created = state.items.get(id)?.created ?? occurredAt
        // The item is of the kind that the event's name states.
        state.items.set(id, { kind, id, version, savedAt: occurredAt, created, item } as StoredItem)
      },
    ],
    [itemEvents[kind].deleted, (state: BudgetState, { id }: ItemDeletedEvent['data']): void => void state.items.delete(id)],
  ]),
) as ItemFolds // The loop creates one fold for each event name.

/** One fold for each event; a missing one does not compile. Folds never refuse an event; only commands do. */
const folds: Folds = {
  BudgetCreated: (state, data, { budgetId }) => {
    state.head = {
      ...data,
      moments: [],
      approval: null,
      id: budgetId,
      locked: false,
      lockedAt: null,
      lockedById: null,
    }
  },
  BudgetRenamed: (state, { name }) => {
    state.head = { ...assertDefined(state.head), name }
  },
  BudgetElementsSaved: (state, data) => {
    state.head = { ...assertDefined(state.head), ...data }
  },
  BudgetVersionTypeChosen: (state, { versionType }) => {
    state.head = { ...assertDefined(state.head), versionType }
  },
  BudgetDeleted: (state) => {
    const { version, deleted: _none, ...content } = state
    Object.assign(state, createEmptyBudget(), { version, deleted: content })
  },
  BudgetRestored: (state) => {
    // A partial log may contain the restore without the deletion before it. The state then stays as it is.
    Object.assign(state, state.deleted, { deleted: undefined })
  },
  BudgetMomentNamed: (state, { version, name, at }) => {
    const others = assertDefined(state.head).moments.filter((moment) => moment.version !== version)
    const moments = name === null ? others : [...others, { version, name, at }].sort((a, b) => a.version - b.version)
    state.head = { ...assertDefined(state.head), moments }
  },
  BudgetSubmitted: (state, data) => {
    state.head = { ...assertDefined(state.head), approval: { state: 'submitted', ...data } }
  },
  BudgetReturned: (state, data) => {
    state.head = { ...assertDefined(state.head), approval: { state: 'returned', ...data } }
  },
  BudgetApproved: (state, data) => {
    state.head = { ...assertDefined(state.head), approval: { state: 'approved', ...data } }
  },
  BudgetLocked: (state, { lockedAt, lockedById }) => {
    state.head = { ...assertDefined(state.head), locked: true, lockedAt, lockedById }
  },
  StaffContractSaved: (state, { id, contract, origin }, { version, occurredAt }) => {
    if (origin) state.origins.set(id, origin)
    state.contracts.set(id, { ...contract, version, savedAt: occurredAt, created: state.contracts.get(id)?.created ?? occurredAt })
  },
  StaffContractDeleted: (state, { id }) => {
    state.contracts.delete(id)
  },
  StaffContractsRecalculated: (state, data, { version, occurredAt }) => {
    state.recalculated = { ...data, version, at: occurredAt }
  },
  LeaveEarningsKept: (state, { leaves }) => {
    state.head = { ...assertDefined(state.head), leaveEarnings: leaves }
  },
  QuickCalculationSaved: (state, { calculation }, { version, occurredAt }) => {
    const { id } = calculation
    state.quickCalculations.set(id, { ...calculation, version, created: state.quickCalculations.get(id)?.created ?? occurredAt })
  },
  QuickCalculationDeleted: (state, { id }) => {
    state.quickCalculations.delete(id)
  },
  ...itemFolds,
  BudgetEntriesRebased: (state, { bases }, { version }) => {
    for (const { id, ...basis } of bases) {
      const entry = state.items.get(id)
      if (entry?.kind === 'entry') state.items.set(id, { ...entry, version, item: { ...entry.item, basis } })
    }
  },
  TransfersPosted: (state, data) => {
    state.transfers = data
  },
  LevyAllowanceShared: (state, { shares }) => {
    state.levyShares = shares
  },
  EmploymentAllowancePosted: (state, data) => {
    state.employmentAllowance = data
  },
}

export function evolve(state: BudgetState, event: Pick<StoredEvent, 'type' | 'data' | 'budgetId' | 'version' | 'occurredAt'>): BudgetState {
  // Each fold accepts the data of its event. Checking that again would slow down every read of a log.
  const fold = folds[event.type] as (state: BudgetState, data: unknown, at: EventPosition) => void
  fold(state, event.data, event)
  state.version = event.version
  return state
}
