import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { determineUndoState } from '../../../domain/changes/undoState.ts'
import type { Call } from '../calls/call.ts'
import { reply } from '../calls/reply.ts'
import { nameActor, readUserNames } from '../database/userNames.ts'
import { type ItemStream, type ItemStreamName, itemStreamTables, type LocationStream } from './itemStream.ts'
import { type StreamKinds, toStreamEvent } from './stream.ts'

/** The number of lines in one page of a history. */
const maxLines = 100

/** One change in a log, described in a sentence. */
export interface LogHistoryLine {
  version: number
  /** ISO 8601. */
  at: string
  actor: string
  sentence: string
  /** Whether the caller can still undo it. */
  undoable: boolean
}

const logLine: z.ZodType<LogHistoryLine> = z.strictObject({
  version: z.int(),
  at: z.string(),
  actor: z.string(),
  sentence: z.string(),
  undoable: z.boolean(),
})
/** The reply of a call that returns the history of a log. */
export const logHistoryReply = reply(z.array(logLine))

/**
 * Reads the newest changes in the log of a location, as sentences. Callers can undo a change of their own while it is in effect and no
 * later change to the same items is in effect.
 * @param before only changes before this version; null for the newest
 * @param tell describes a change in a sentence
 */
export async function readItemHistory<Name extends ItemStreamName, Item>(
  stream: ItemStream<Name, Item>,
  { tx, store, organisationId, locationId, actor }: Call<'store' | 'actor'> & LocationStream,
  { before, tell }: { before: number | null; tell: (event: StreamKinds[Name]['event']) => string },
): Promise<LogHistoryLine[]> {
  const { events: log, items } = itemStreamTables[stream.name]
  const isEarlier = before ? lt(log.version, before) : undefined
  const rows = await tx
    .select()
    .from(log)
    .where(and(eq(log.organisationId, organisationId), eq(log.locationId, locationId), isEarlier))
    .orderBy(desc(log.version))
    .limit(maxLines)
  const events = rows.map((row) => toStreamEvent(stream.name, row))
  // A single JSON parameter, because an import changes thousands of items.
  const keys = JSON.stringify([...new Set(events.flatMap(stream.touchedKeys))])
  const isTouched = sql`${items.key} in (select json_array_elements_text(${keys}::json))`
  const standing = await tx
    .select({ key: items.key, version: items.version })
    .from(items)
    .where(and(eq(items.organisationId, organisationId), eq(items.locationId, locationId), isTouched))
  const versions = new Map(standing.map((item) => [item.key, item.version]))
  const names = await readUserNames(
    store,
    events.map((event) => event.actorId),
  )
  const newest = events[0]?.version ?? 0
  const touches = events.map((event) => ({ event, keys: stream.touchedKeys(event) })).reverse()
  const isStanding = (event: StreamKinds[Name]['event']): boolean => {
    const touched = new Set(stream.touchedKeys(event))
    // A change later than these events was not read, so it is unknown whether it has been undone.
    if ([...touched].some((key) => (versions.get(key) ?? 0) > newest)) return false
    const later = touches.filter((one) => one.event.version > event.version && one.keys.some((key) => touched.has(key)))
    const { isUndone, changesInEffect } = determineUndoState(
      event,
      later.map((one) => one.event),
    )
    return !isUndone && !changesInEffect.length
  }
  return events.map((event) => ({
    version: event.version,
    at: event.occurredAt,
    actor: nameActor(names, event.actorId),
    sentence: tell(event),
    undoable: event.actorId !== null && event.actorId === actor.userId && stream.isUndoable(event) && isStanding(event),
  }))
}
