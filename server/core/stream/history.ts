import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { undoStateSince } from '../../../domain/changes/undoState.ts'
import type { LocationId, OrganisationId, UserId } from '../../../domain/values/ids.ts'
import { monitoringEvents, monitoringItems } from '../../../drizzle/monitoringTables.ts'
import { payrollEvents, payrollItems } from '../../../drizzle/payrollTables.ts'
import { reply } from '../calls/reply.ts'
import type { OrganisationTx } from '../database/database.ts'
import { nameActor } from '../database/userNames.ts'
import { type StreamKinds, toEvent } from './stream.ts'

/** The number of lines in one page of a history. */
const maxLines = 100

/** One change in a log, described in a sentence. */
export interface LogLine {
  version: number
  /** ISO 8601. */
  at: string
  actor: string
  sentence: string
  /** Whether the caller can still undo it. */
  undoable: boolean
}

const logLine: z.ZodType<LogLine> = z.strictObject({
  version: z.int(),
  at: z.string(),
  actor: z.string(),
  sentence: z.string(),
  undoable: z.boolean(),
})
/** The reply of a call that returns the history of a log. */
export const logHistory = reply(z.array(logLine))

const logs = {
  monitoring: { events: monitoringEvents, items: monitoringItems },
  payroll: { events: payrollEvents, items: payrollItems },
}

/**
 * Reads the newest events in a location's log, and the current version of each item that they changed.
 * @param before only events before this version; null for the newest
 */
export async function readNewestEvents<Log extends keyof typeof logs>(
  tx: OrganisationTx,
  log: Log,
  {
    organisationId,
    locationId,
    before,
    touchedKeys,
  }: {
    organisationId: OrganisationId
    locationId: LocationId
    before: number | null
    touchedKeys: (event: StreamKinds[Log]['event']) => readonly string[]
  },
): Promise<{ events: StreamKinds[Log]['event'][]; versions: Map<string, number> }> {
  const { events, items } = logs[log]
  const rows = await tx
    .select()
    .from(events)
    .where(
      and(eq(events.organisationId, organisationId), eq(events.locationId, locationId), before ? lt(events.version, before) : undefined),
    )
    .orderBy(desc(events.version))
    .limit(maxLines)
  const found = rows.map((row) => toEvent(log, row))
  // One JSON parameter, because an import changes thousands of items.
  const keys = JSON.stringify([...new Set(found.flatMap(touchedKeys))])
  const isTouched = sql`${items.key} in (select json_array_elements_text(${keys}::json))`
  const standing = await tx
    .select({ key: items.key, version: items.version })
    .from(items)
    .where(and(eq(items.organisationId, organisationId), eq(items.locationId, locationId), isTouched))
  return {
    events: found,
    versions: new Map(standing.map((item) => [item.key, item.version])),
  }
}

/**
 * Converts events to lines of a history. The caller can undo their own change while it is in effect and no later
 * change to the same items is in effect.
 * @param names of the people who made the changes, by id
 */
export function toLogLines<Event extends { version: number; actorId: UserId | null; occurredAt: string; data: object }>(
  { events, versions }: { events: readonly Event[]; versions: ReadonlyMap<string, number> },
  of: {
    userId: UserId | null
    names: ReadonlyMap<number, string>
    tell: (event: Event) => string
    isUndoable: (event: Event) => boolean
    touchedKeys: (event: Event) => readonly string[]
  },
): LogLine[] {
  const newest = events[0]?.version ?? 0
  const touches = events.map((event) => ({ event, keys: of.touchedKeys(event) })).reverse()
  const isStanding = (event: Event): boolean => {
    const keys = new Set(of.touchedKeys(event))
    // A change after the newest of these events is unknown here: it may or may not have been undone.
    if ([...keys].some((key) => (versions.get(key) ?? 0) > newest)) return false
    const later = touches.filter((one) => one.event.version > event.version && one.keys.some((key) => keys.has(key)))
    const { isUndone: isTakenBack, since } = undoStateSince(
      event,
      later.map((one) => one.event),
    )
    return !isTakenBack && !since.length
  }
  return events.map((event) => ({
    version: event.version,
    at: event.occurredAt,
    actor: nameActor(of.names, event.actorId),
    sentence: of.tell(event),
    undoable: event.actorId !== null && event.actorId === of.userId && of.isUndoable(event) && isStanding(event),
  }))
}
