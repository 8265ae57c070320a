import type { BudgetElements, BudgetHead, StaffContract, StoredContract } from '../../../domain/budget/budget.ts'
import { addMissingElements } from '../../../domain/budget/budget.ts'
import { describeHistory, getChangedKey, type HistoryLine } from '../../../domain/budget/describe.ts'
import type { BudgetEvent, EventOf, StoredEvent } from '../../../domain/budget/events.ts'
import { type BudgetState, createEmptyBudget, evolve } from '../../../domain/budget/evolve.ts'
import type { ItemKind, StoredItem } from '../../../domain/budget/items/item.ts'
import { type CurrentUndoTarget, type UndoTarget, undoSave } from '../../../domain/budget/undo.ts'
import { toBudgetId, toContractId, toLocationId, toOrganisationId, toStaffId, toUserId, type UserId } from '../../../domain/values/ids.ts'
import { Outcome } from './outcome.ts'

/** Does everything in these stories unless another user is named. */
export const sam = toUserId(1)
export const kim = toUserId(2)

/** An id in the log’s format, made of one repeated digit. */
export function idOf(digit: string): string {
  return digit.repeat(24)
}

const contractId = toContractId(idOf('c'))

/** Creates a budget of one location with three years. */
export function created(change: Partial<EventOf<'BudgetCreated'>['data']> = {}): EventOf<'BudgetCreated'> {
  return {
    type: 'BudgetCreated',
    data: {
      locationId: toLocationId(5),
      name: 'First draft',
      versionType: 1,
      source: null,
      firstYear: 2026,
      startMonth: 9,
      numberOfYears: 3,
      staffAssumptionsId: 1,
      inflationId: null,
      contractTypeIds: [1, 2],
      elements: elements(),
      ...change,
    },
  }
}

export function elements(some: Partial<BudgetElements> = {}): BudgetElements {
  return addMissingElements(some)
}

/** A teacher’s contract, full time from the first day of the budget. */
export function contractOf(change: Partial<StaffContract> = {}): StaffContract {
  return {
    id: contractId,
    staffId: toStaffId(7),
    type: 1,
    contractName: 'Class teacher',
    contractTypeId: 1,
    maximumScalePoint: null,
    startDate: '2026-09-01',
    endDate: null,
    position: null,
    department: null,
    apprentice: false,
    attritionContract: false,
    sealedNotes: null,
    serviceTerms: [3],
    analysisTags: [],
    fundCodes: [],
    salary: [
      {
        effectiveDate: '2026-09-01',
        calculationCeaseDate: null,
        scalePoint: { id: 6, kind: 'teacher', scale: 'Main', increment: 6 },
        spotAdjustment: null,
        allowances: [],
        erPension: true,
        fte: 1,
        hoursPerWeek: null,
        weeksPerYear: null,
      },
    ],
    ...change,
  }
}

export function contractSaved(change: Partial<StaffContract> = {}): EventOf<'StaffContractSaved'> {
  const contract = contractOf(change)
  return { type: 'StaffContractSaved', data: { id: contract.id, contract } }
}

/** An event by another user than Sam. */
export function byUser(actorId: UserId, event: BudgetEvent): { actorId: UserId; event: BudgetEvent } {
  return { actorId, event }
}

export type StoryEvent = BudgetEvent | { actorId: UserId; event: BudgetEvent }

export function toStoredEvents(events: readonly StoryEvent[]): StoredEvent[] {
  return events.map((one, index) => {
    const { actorId, event } = 'event' in one ? one : { actorId: sam, event: one }
    const version = index + 1
    return {
      ...event,
      organisationId: toOrganisationId(1),
      budgetId: toBudgetId(idOf('b')),
      version,
      position: version,
      actorId,
      requestId: `request ${version}`,
      occurredAt: `2026-10-0${Math.min(version, 9)}T09:00:00.000Z`,
      previousHash: '',
      hash: '',
    }
  })
}

function fold(events: readonly StoredEvent[]): BudgetState {
  return events.reduce(evolve, createEmptyBudget())
}

/** The budget after the events of a story, as commands read it. */
export class Budget {
  readonly #events: StoredEvent[]
  readonly state: BudgetState

  constructor(events: StoredEvent[]) {
    this.#events = events
    this.state = fold(events)
  }

  get head(): BudgetHead {
    if (!this.state.head) throw new Error('The story has no budget.')
    return this.state.head
  }

  get contract(): StoredContract | undefined {
    return this.state.contracts.get(contractId)
  }

  items<K extends ItemKind>(kind: K): Extract<StoredItem, { kind: K }>[] {
    return [...this.state.items.values()].filter((item): item is Extract<StoredItem, { kind: K }> => item.kind === kind)
  }

  /** Undoes a version, as the server does. @returns the events */
  undo(version: number, actorId = sam): BudgetEvent[] {
    const event = this.#events.find((one) => one.version === version)
    if (!event) throw new Error(`The story has no version ${version}.`)
    const before = fold(this.#events.filter((one) => one.version < version))
    const id = getChangedKey(event) ?? ''
    const touched = (state: BudgetState): UndoTarget => ({
      contract: state.contracts.get(toContractId(id)),
      item: state.items.get(id),
      name: state.head?.name,
    })
    return undoSave(this.head, { event, actorId, before: touched(before), now: { ...touched(this.state), ...this.#besides(event) } })
  }

  /** The other events about the same item, and the budget’s other contracts and items. */
  #besides(event: StoredEvent): Pick<CurrentUndoTarget, 'since' | 'nameOf' | 'others'> {
    const thing = getChangedKey(event)
    return {
      since: this.#events.filter((one) => one.version > event.version && getChangedKey(one) === thing),
      nameOf: (actorId) => (actorId === kim ? 'Kim Baker' : 'Sam Carter'),
      others: {
        contracts: [...this.state.contracts.values()].filter((one) => one.id !== thing),
        items: [...this.state.items.values()].filter((one) => one.id !== thing),
      },
    }
  }
}

/** Starts a story with past events; `when` runs a command on the resulting budget. */
export function given(...events: StoryEvent[]): { budget: Budget; when(decide: (budget: Budget) => BudgetEvent[]): Outcome<BudgetEvent> } {
  const budget = new Budget(toStoredEvents(events))
  return { budget, when: (decide) => new Outcome(() => decide(budget)) }
}

/** The state of a budget after a story. */
export function stateAfter(...events: StoryEvent[]): BudgetState {
  return fold(toStoredEvents(events))
}

/** The history of a story as users read it, oldest first. Records are named by kind and id. */
export function describeStory(...events: StoryEvent[]): HistoryLine[] {
  const log = toStoredEvents(events)
  const since = new Map(log.map((event) => [getChangedKey(event) ?? '', log.filter((one) => getChangedKey(one) === getChangedKey(event))]))
  const versions = new Set(log.map((event) => event.version))
  const isLocked = log.some((event) => event.type === 'BudgetLocked')
  return describeHistory(log, { versions, since, isLocked }, (kind, id) => `${kind} ${id}`).reverse()
}
