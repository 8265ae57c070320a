import { sql } from 'drizzle-orm'
import { foldItems, type LoggedItemChange } from '../../../domain/changes/itemLog.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import type { Call } from '../calls/call.ts'
import { readUserNames } from '../database/userNames.ts'
import { changeStreamItems, type ItemStream, type ItemStreamName, type LocationStream } from './itemStream.ts'
import { type DecidedEvent, readStoredEventRows, readStream, type StreamKinds, toStreamEvent } from './stream.ts'

/** A change in the log of a location; location 0 is the organisation. */
export interface LoggedChange {
  locationId: LocationId
  version: number
}

/** Checks that refuse what the caller may not undo. @throws DomainError */
interface UndoChecks<Event> {
  checkLocation: (locationId: LocationId) => Promise<void>
  checkChange: (event: Event) => Promise<void>
}

/**
 * Undoes changes that the caller made, all or none. Logs are locked in the order of their locations, so that concurrent calls cannot
 * deadlock.
 * @throws DomainError 404 for an unknown version; 409 if a later change affected the same items
 */
export async function undoItemChanges<Name extends ItemStreamName, Item>(
  stream: ItemStream<Name, Item>,
  call: Call<'organisationId' | 'actor' | 'store'>,
  { changes, checkLocation, checkChange }: UndoChecks<StreamKinds[Name]['event']> & { changes: readonly LoggedChange[] },
): Promise<void> {
  for (const locationId of [...new Set(changes.map((change) => change.locationId))].sort((a, b) => a - b)) {
    if (locationId) await checkLocation(locationId)
    // Within a log, the newest change comes first: an older change of an item can be undone only after the newer one.
    const versions = changes.flatMap((change) => (change.locationId === locationId ? [change.version] : [])).sort((a, b) => b - a)
    const events = new Map(
      (await readStream(call, { name: stream.name, id: locationId }, { only: versions })).map((event) => [event.version, event]),
    )
    const undone = versions.map((version) => {
      const event = events.get(version)
      if (!event) throw notFound('Change')
      return event
    })
    for (const event of undone) await checkChange(event)
    await undoInLog(stream, { ...call, locationId }, undone)
  }
}

async function undoInLog<Name extends ItemStreamName, Item>(
  stream: ItemStream<Name, Item>,
  call: Call<'actor' | 'store'> & LocationStream,
  undone: readonly StreamKinds[Name]['event'][],
): Promise<void> {
  const { store, actor } = call
  const keys = [...new Set(undone.flatMap(stream.touchedKeys))]
  // The log is read while its head is locked, so that no later change is missed.
  const decide = async () => {
    const touching = await readEventsOfItems(stream, call, keys)
    const byKey = new Map<string, StreamKinds[Name]['event'][]>(keys.map((key) => [key, []]))
    for (const event of touching) for (const key of stream.touchedKeys(event)) byKey.get(key)?.push(event)
    const names = await readUserNames(
      store,
      touching.map((event) => (event.actorId === actor.userId ? null : event.actorId)),
    )
    const changesMade: { keys: readonly string[]; change: LoggedItemChange; event: DecidedEvent<Name> }[] = []
    for (const event of undone) {
      const touched = new Set(stream.touchedKeys(event))
      const changes = [...new Set([...touched].flatMap((key) => byKey.get(key) ?? []))].sort((a, b) => a.version - b.version)
      const later = [
        ...changes.filter((one) => one.version > event.version),
        ...changesMade.filter((one) => one.keys.some((key) => touched.has(key))).map(({ change }) => change),
      ]
      const before = foldItems(stream.evolve, changes, event.version - 1)
      for (const one of stream.undo(event, { actorId: actor.userId, before, later, nameOf: (id) => names.get(id) ?? 'Someone' })) {
        const version = assertDefined(touching.at(-1)).version + changesMade.length + 1
        changesMade.push({ keys: stream.touchedKeys(one), change: { version, actorId: actor.userId, data: one.data }, event: one })
      }
    }
    return changesMade.map(({ event }) => event)
  }
  await changeStreamItems(stream, call, { keys, decide })
}

/**
 * Reads the events of a log that change some items, oldest first. File lines, which are nearly all of a large log, are read only for those
 * items.
 */
async function readEventsOfItems<Name extends ItemStreamName, Item>(
  stream: ItemStream<Name, Item>,
  call: Call & LocationStream,
  keys: readonly string[],
): Promise<StreamKinds[Name]['event'][]> {
  const log = { name: stream.name, id: call.locationId }
  const wanted = new Set(keys)
  const records = await readStoredEventRows(call, log, { data: sql`jsonb_set(data, '{lines}', '[]', false)` })
  const touching = records
    .map((record) => toStreamEvent(stream.name, record))
    .filter((event) => stream.touchedKeys(event).some((key) => wanted.has(key)))
  return readStream(call, log, { only: touching.map((event) => event.version) })
}
