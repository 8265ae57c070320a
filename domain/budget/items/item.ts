import { keysOf } from '../../values/keysOf.ts'
import type { BudgetEntry } from './budgetEntry.ts'
import type { Comment } from './comment.ts'
import type { FundingPrediction } from './fundingPrediction.ts'
import type { IeCalculation } from './ieCalculation.ts'
import type { OpeningBalance } from './openingBalance.ts'
import type { PupilNumbers } from './pupilNumbers.ts'
import type { Scenario } from './scenario.ts'

/** The contents of a budget other than its contracts and quick calculations, by kind of item. */
export interface ItemByKind {
  entry: BudgetEntry
  calculation: IeCalculation
  prediction: FundingPrediction
  pupils: PupilNumbers
  balance: OpeningBalance
  comment: Comment
  scenario: Scenario
}
export type ItemKind = keyof ItemByKind

/** An item with the budget version that last saved it. */
export type StoredItem<K extends ItemKind = ItemKind> = {
  [Kind in K]: { kind: Kind; id: string; version: number; savedAt: string; created: string; item: ItemByKind[Kind] }
}[K]

export const itemEvents = {
  entry: { saved: 'BudgetEntrySaved', deleted: 'BudgetEntryDeleted' },
  calculation: { saved: 'IncomeExpenditureCalculationSaved', deleted: 'IncomeExpenditureCalculationDeleted' },
  prediction: { saved: 'FundingPredictionSaved', deleted: 'FundingPredictionDeleted' },
  pupils: { saved: 'PupilNumbersSaved', deleted: 'PupilNumbersDeleted' },
  balance: { saved: 'OpeningBalanceSaved', deleted: 'OpeningBalanceDeleted' },
  comment: { saved: 'CommentSaved', deleted: 'CommentDeleted' },
  scenario: { saved: 'ScenarioSaved', deleted: 'ScenarioDeleted' },
} as const

type ItemEventTypes = typeof itemEvents
/**
 * The event that saves an item. `undoes` is the version of the save that an undo reverses. `origin` is the item in another budget from
 * which this item was first copied.
 */
export type ItemSavedEvent<K extends ItemKind = ItemKind> = {
  [Kind in K]: { type: ItemEventTypes[Kind]['saved']; data: { id: string; item: ItemByKind[Kind]; undoes?: number; origin?: string } }
}[K]
export type ItemDeletedEvent<K extends ItemKind = ItemKind> = {
  [Kind in K]: { type: ItemEventTypes[Kind]['deleted']; data: { id: string; undoes?: number } }
}[K]
export type ItemEvent = ItemSavedEvent | ItemDeletedEvent

const kinds = keysOf(itemEvents)
const bySaved = new Map<string, ItemKind>(kinds.map((kind) => [itemEvents[kind].saved, kind]))
const byDeleted = new Map<string, ItemKind>(kinds.map((kind) => [itemEvents[kind].deleted, kind]))

export function isItemSaved(event: { type: string }): event is ItemSavedEvent {
  return bySaved.has(event.type)
}

export function isItemDeleted(event: { type: string }): event is ItemDeletedEvent {
  return byDeleted.has(event.type)
}

/** The kind of item that an event is about; undefined for other events. */
export function getItemKind(type: string): ItemKind | undefined {
  return bySaved.get(type) ?? byDeleted.get(type)
}

export function createItemSavedEvent<K extends ItemKind>(
  kind: K,
  { id, item, undoes }: { id: string; item: ItemByKind[K]; undoes?: number },
): ItemSavedEvent {
  // `K` links kind, event name and item; the compiler loses that link when the object is built.
  return { type: itemEvents[kind].saved, data: undoes === undefined ? { id, item } : { id, item, undoes } } as ItemSavedEvent
}

/** Returns the saved event of a copied item with `origin`, the id of the item that it was first copied from. */
export function addOrigin<Event extends ItemSavedEvent>(event: Event, origin: string): Event {
  return { ...event, data: { ...event.data, origin } }
}

export function createItemDeletedEvent(kind: ItemKind, id: string, undoes?: number): ItemDeletedEvent {
  return { type: itemEvents[kind].deleted, data: undoes === undefined ? { id } : { id, undoes } }
}

/**
 * Whether a budget may contain only one of two items, such as two predictions with the same funding table and budget code. A save or undo
 * that would add the second is refused.
 */
export function areMutuallyExclusive(a: StoredItem, b: StoredItem): boolean {
  const slot = uniqueSlot(a)
  return slot !== null && a.kind === b.kind && slot === uniqueSlot(b)
}

function uniqueSlot(stored: StoredItem): string | null {
  switch (stored.kind) {
    case 'entry':
      return stored.item.source && `${stored.item.source.kind} ${stored.item.source.id}`
    case 'prediction':
      return `${stored.item.versionId} ${stored.item.budgetCodeId}`
    case 'balance':
      return `${stored.item.type} ${stored.item.description.toLowerCase()}`
    case 'calculation':
    case 'scenario':
      return stored.item.name.toLowerCase()
    case 'pupils':
      return 'the budget’s set'
    case 'comment':
      return null
  }
}
