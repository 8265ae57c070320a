import { keysOf } from '../../values/keysOf.ts'
import type { BudgetEntry } from './budgetEntry.ts'
import type { Comment } from './comment.ts'
import type { FundingPrediction } from './fundingPrediction.ts'
import type { IeCalculation } from './ieCalculation.ts'
import type { OpeningBalance } from './openingBalance.ts'
import type { PupilNumbers } from './pupilNumbers.ts'
import type { Scenario } from './scenario.ts'

/** What hangs on a budget beside its staff, by kind. */
export interface ItemOf {
  entry: BudgetEntry
  calculation: IeCalculation
  prediction: FundingPrediction
  pupils: PupilNumbers
  balance: OpeningBalance
  comment: Comment
  scenario: Scenario
}
export type ItemKind = keyof ItemOf

/** A stored item: with the version of the budget at which it was last saved. */
export type StoredItem<K extends ItemKind = ItemKind> = {
  [Kind in K]: { kind: Kind; id: string; version: number; savedAt: string; created: string; item: ItemOf[Kind] }
}[K]

/** The events of each kind, in the words of the log. */
export const itemEvents = {
  entry: { saved: 'BudgetEntrySaved', deleted: 'BudgetEntryDeleted' },
  calculation: { saved: 'IncomeExpenditureCalculationSaved', deleted: 'IncomeExpenditureCalculationDeleted' },
  prediction: { saved: 'FundingPredictionSaved', deleted: 'FundingPredictionDeleted' },
  pupils: { saved: 'PupilNumbersSaved', deleted: 'PupilNumbersDeleted' },
  balance: { saved: 'OpeningBalanceSaved', deleted: 'OpeningBalanceDeleted' },
  comment: { saved: 'CommentSaved', deleted: 'CommentDeleted' },
  scenario: { saved: 'ScenarioSaved', deleted: 'ScenarioDeleted' },
} as const

type Names = typeof itemEvents
/** `undoes` is the version of the save that an undo takes back, `origin` the item of another budget that this one was first copied from. */
export type ItemSaved<K extends ItemKind = ItemKind> = {
  [Kind in K]: { type: Names[Kind]['saved']; data: { id: string; item: ItemOf[Kind]; undoes?: number; origin?: string } }
}[K]
export type ItemDeleted<K extends ItemKind = ItemKind> = {
  [Kind in K]: { type: Names[Kind]['deleted']; data: { id: string; undoes?: number } }
}[K]
export type ItemEvent = ItemSaved | ItemDeleted

const kinds = keysOf(itemEvents)
const bySaved = new Map<string, ItemKind>(kinds.map((kind) => [itemEvents[kind].saved, kind]))
const byDeleted = new Map<string, ItemKind>(kinds.map((kind) => [itemEvents[kind].deleted, kind]))

export function isItemSaved(event: { type: string }): event is ItemSaved {
  return bySaved.has(event.type)
}

export function isItemDeleted(event: { type: string }): event is ItemDeleted {
  return byDeleted.has(event.type)
}

/** The kind of item an event is about; undefined for every other event. */
export function itemKindOf(type: string): ItemKind | undefined {
  return bySaved.get(type) ?? byDeleted.get(type)
}

/** The event that saves an item. */
export function saved<K extends ItemKind>(kind: K, { id, item, undoes }: { id: string; item: ItemOf[K]; undoes?: number }): ItemSaved {
  // Kind, name and item belong together by K, which is forgotten where an object is put together from the three.
  return { type: itemEvents[kind].saved, data: undoes === undefined ? { id, item } : { id, item, undoes } } as ItemSaved
}

/** The same event of an item that was first copied from another. */
export function withOrigin<Event extends ItemSaved>(event: Event, origin: string): Event {
  return { ...event, data: { ...event.data, origin } }
}

/** The event that deletes an item. */
export function deleted(kind: ItemKind, id: string, undoes?: number): ItemDeleted {
  return { type: itemEvents[kind].deleted, data: undoes === undefined ? { id } : { id, undoes } }
}

/** Whether two items claim the same place in a budget, of which there is one: what no saving lets stand twice, no undo brings back beside another. */
export function standsForSame(one: StoredItem, other: StoredItem): boolean {
  const place = placeOf(one)
  return place !== null && one.kind === other.kind && place === placeOf(other)
}

function placeOf(stored: StoredItem): string | null {
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
      return 'the set of the budget'
    case 'comment':
      return null
  }
}
