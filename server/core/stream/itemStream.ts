import { and, eq, inArray, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { createEmptyItems, type ItemState, type UndoContext } from '../../../domain/changes/itemLog.ts'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { monitoringEvents, monitoringItems, monitoringLogs } from '../../../drizzle/monitoringTables.ts'
import { payrollEvents, payrollItems, payrollLogs } from '../../../drizzle/payrollTables.ts'
import type { Call } from '../calls/call.ts'
import { insertRows } from '../database/insertRows.ts'
import { genesisHash } from './hash.ts'
import { appendEvents, type DecidedEvent, type StreamKinds } from './stream.ts'

/** A stream of a location; location 0 is the organisation itself. */
export interface LocationStream {
  organisationId: OrganisationId
  locationId: LocationId
}

/** The tables of each kind of stream whose state is a set of items: log, heads and projection. */
export const itemStreamTables = {
  monitoring: { events: monitoringEvents, heads: monitoringLogs, items: monitoringItems },
  payroll: { events: payrollEvents, heads: payrollLogs, items: payrollItems },
}
export type ItemStreamName = keyof typeof itemStreamTables

/** A kind of stream whose state is a set of items, each stored in its own row. */
export interface ItemStream<Name extends ItemStreamName, Item> {
  name: Name
  evolve: (state: ItemState<Item>, event: StreamKinds[Name]['event']) => void
  /** The keys of the items that an event changes. */
  touchedKeys: (event: DecidedEvent<Name> | StreamKinds[Name]['event']) => string[]
  /** Whether the author of a change may undo it. */
  isUndoable: (event: StreamKinds[Name]['event']) => boolean
  /** Undoes a change. @throws DomainError if it cannot be undone */
  undo: (event: StreamKinds[Name]['event'], context: UndoContext<Item>) => readonly DecidedEvent<Name>[]
  /** Reads the items with some keys, or all items, in the state that `evolve` produced. */
  load: (call: Call & LocationStream, keys: readonly string[] | 'all') => Promise<ItemState<Item>>
  /** Refuses events that the state of the stream does not allow, and locks the records that they reference. @throws DomainError */
  check: (call: Call & LocationStream, events: readonly DecidedEvent<Name>[]) => Promise<void>
  /** The tables of the items' lines and of their sums. */
  lineTables: readonly PgTable[]
  /** An item without the lines that are stored in a table of their own. */
  withoutLines: (item: Item) => Item
  /** Updates the table of an item's lines. */
  projectLines: (call: Call & LocationStream, before: Item | undefined, now: Item | undefined) => Promise<void>
}

/**
 * Decides on a change of a stream, appends the events and updates the projection, all in the caller's transaction. The head's row is
 * locked, so the second of two concurrent changes decides on the state that the first has left.
 * @param keys the items that the decision depends on
 */
export async function changeStreamItems<Name extends ItemStreamName, Item>(
  stream: ItemStream<Name, Item>,
  call: Call<'actor'> & LocationStream,
  {
    keys,
    decide,
  }: {
    keys: readonly string[]
    decide: (state: ItemState<Item>) => readonly DecidedEvent<Name>[] | Promise<readonly DecidedEvent<Name>[]>
  },
): Promise<StreamKinds[Name]['event'][]> {
  const { tx, organisationId, locationId, actor } = call
  const { heads } = itemStreamTables[stream.name]
  const savedAt = actor.now.toISOString()
  await tx.insert(heads).values({ organisationId, locationId, version: 0, lastHash: genesisHash, savedAt }).onConflictDoNothing()
  const isHead = and(eq(heads.organisationId, organisationId), eq(heads.locationId, locationId))
  const { version, lastHash } = requireSingleRow(await tx.select().from(heads).where(isHead).for('update'))
  const known = await stream.load(call, keys)
  const events = await decide(known)
  if (!events.length) return []
  await stream.check(call, events)
  const stored = await appendEvents(call, stream.name, { head: { organisationId, id: locationId, version, lastHash }, events })
  const touched = [...new Set(events.flatMap(stream.touchedKeys))]
  const state = createEmptyItems<Item>()
  for (const [key, item] of known.items) state.items.set(key, item)
  const others = await stream.load(
    call,
    touched.filter((key) => !keys.includes(key)),
  )
  for (const [key, item] of others.items) state.items.set(key, item)
  const before = new Map(state.items)
  for (const event of stored) stream.evolve(state, event)
  await project(stream, call, { touched, before, now: state.items })
  const last = stored.at(-1)
  if (last) await tx.update(heads).set({ version: last.version, lastHash: last.hash, savedAt: last.occurredAt }).where(isHead)
  return stored
}

/** All tables that are built only from the logs of a kind, the heads first. */
export function listItemProjections<Name extends ItemStreamName, Item>({ name, lineTables }: ItemStream<Name, Item>): readonly PgTable[] {
  return [itemStreamTables[name].heads, itemStreamTables[name].items, ...lineTables]
}

/** Writes the projections of a log from its whole state, into tables that have none of its rows yet. @param last its last event */
export async function projectItems<Name extends ItemStreamName, Item>(
  stream: ItemStream<Name, Item>,
  call: Call & LocationStream,
  { state, last }: { state: ItemState<Item>; last: StreamKinds[Name]['event'] },
): Promise<void> {
  const { tx, organisationId, locationId } = call
  const head = { version: last.version, lastHash: last.hash, savedAt: last.occurredAt }
  await tx.insert(itemStreamTables[stream.name].heads).values({ organisationId, locationId, ...head })
  await project(stream, call, { touched: [...state.items.keys()], before: new Map(), now: state.items })
}

/** Writes the items that events changed into the tables that pages read. */
async function project<Name extends ItemStreamName, Item>(
  stream: ItemStream<Name, Item>,
  call: Call & LocationStream,
  { touched, before, now }: { touched: readonly string[]; before: ItemState<Item>['items']; now: ItemState<Item>['items'] },
): Promise<void> {
  const { tx, organisationId, locationId } = call
  const { items } = itemStreamTables[stream.name]
  const removed = touched.filter((key) => !now.has(key))
  const isOwn = and(eq(items.organisationId, organisationId), eq(items.locationId, locationId))
  for (let start = 0; start < removed.length; start += 5000)
    await tx.delete(items).where(and(isOwn, inArray(items.key, removed.slice(start, start + 5000))))
  const rows = touched.flatMap((key) => {
    const stored = now.get(key)
    return stored
      ? [{ organisationId, locationId, key, version: stored.version, savedAt: stored.savedAt, item: stream.withoutLines(stored.item) }]
      : []
  })
  const ending = sql`on conflict (organisation_id, location_id, key)
    do update set version = excluded.version, saved_at = excluded.saved_at, item = excluded.item`
  await insertRows<PgTable>(tx, items, { rows, ending })
  for (const key of touched) await stream.projectLines(call, before.get(key)?.item, now.get(key)?.item)
}
