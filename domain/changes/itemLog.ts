import type { UserId } from '../values/ids.ts'
import { conflict } from '../words/errors.ts'
import { listChangesInEffect, refuseChangeOfOthers } from './undoState.ts'

/** A log folded into its items, by key. */
export interface ItemState<Item> {
  version: number
  items: Map<string, LoggedItem<Item>>
}
/** An item with the log version that last changed it. */
export interface LoggedItem<Item> {
  version: number
  savedAt: string
  item: Item
}

export function createEmptyItems<Item>(): ItemState<Item> {
  return { version: 0, items: new Map() }
}

/** Folds events from the start of a log. @param upTo the last version to include */
export function foldItems<Item, Event extends { version: number }>(
  evolve: (state: ItemState<Item>, event: Event) => void,
  events: readonly Event[],
  upTo = Number.POSITIVE_INFINITY,
): ItemState<Item> {
  const state = createEmptyItems<Item>()
  for (const event of events) if (event.version <= upTo) evolve(state, event)
  return state
}

/** What undoes a change: the state of each item before the change, null if the item did not exist. */
export interface RestoredItems<Item> {
  undoes: number
  things: { key: string; item: Item | null }[]
}

/** The parts of a logged change that matter for undo. */
export interface LoggedItemChange {
  version: number
  actorId: UserId | null
  data: object
}

/** What an undo depends on besides the change itself. */
export interface UndoContext<Item> {
  actorId: UserId | null
  /** The items just before the change. */
  before: ItemState<Item>
  /** All later changes to any of the changed items, in order. */
  later: readonly LoggedItemChange[]
  /** The name of a user, for messages. */
  nameOf: (actorId: UserId) => string
}

/**
 * Undoes a user's own change unless a newer change touched the same items. An undo can itself be undone, without limit.
 * @param keys of the items that the change touched
 * @param refusal why changes of this type cannot be undone, and what to do instead
 */
export function undoItemChange<Item>(
  event: LoggedItemChange,
  { actorId, before, later, nameOf }: UndoContext<Item>,
  { keys, refusal }: { keys: readonly string[]; refusal: string | undefined },
): RestoredItems<Item> {
  refuseChangeOfOthers(event, actorId)
  if (refusal) throw conflict('notUndone', refusal)
  const newest = listChangesInEffect(event, later).at(-1)
  if (newest) {
    const changedBySomeone =
      newest.actorId === actorId ? 'You have' : newest.actorId === null ? 'Another system has' : `${nameOf(newest.actorId)} has`
    throw conflict('newer', `${changedBySomeone} changed this since. Undo the newer change first.`)
  }
  return { undoes: event.version, things: keys.map((key) => ({ key, item: before.items.get(key)?.item ?? null })) }
}
