import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { undoStateSince } from '../../../domain/changes/undoState.ts'
import type { LocationId, OrganisationId, UserId } from '../../../domain/values/ids.ts'
import { monitoringEvents, monitoringItems } from '../../../drizzle/monitoringTables.ts'
import { payrollEvents, payrollItems } from '../../../drizzle/payrollTables.ts'
import { reply } from '../calls/reply.ts'
import type { OrganisationTx } from '../database/database.ts'
import { type StreamKinds, toEvent } from './stream.ts'

/** The lines of a history that are shown at once. */
const page = 100

/** A change of a log, in a sentence. */
export interface LogLine {
  version: number
  /** ISO 8601. */
  at: string
  actor: string
  sentence: string
  /** Whether the caller may still take it back. */
  undoable: boolean
}

const logLine: z.ZodType<LogLine> = z.strictObject({
  version: z.int(),
  at: z.string(),
  actor: z.string(),
  sentence: z.string(),
  undoable: z.boolean(),
})
/** The reply of a call that answers with the history of a log. */
export const logHistory = reply(z.array(logLine))

const logs = {
  monitoring: { events: monitoringEvents, items: monitoringItems },
  payroll: { events: payrollEvents, items: payrollItems },
}

/**
 * The newest events of the log of a location, and at which version each of the items stands that they touched.
 * @param before a version; null: the newest
 */
export async function newestOf<Log extends keyof typeof logs>(
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
    .limit(page)
  const found = rows.map((row) => toEvent(log, row))
  // As one value: an import touches thousands.
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
 * Events as people read them. One's own change can be taken back as long as it stands and nothing newer that stands touched the same.
 * @param names of the people who made them, by id
 */
export function logLines<Event extends { version: number; actorId: UserId | null; occurredAt: string; data: object }>(
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
    // What was done after these events is not among them, and does not say whether it was taken back.
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
    actor: event.actorId === null ? 'System' : (of.names.get(event.actorId) ?? 'Unknown'),
    sentence: of.tell(event),
    undoable: event.actorId !== null && event.actorId === of.userId && of.isUndoable(event) && isStanding(event),
  }))
}
