import { and, asc, eq, gt, lte } from 'drizzle-orm'
import type { BudgetEvent, StoredEvent } from '../../../domain/budget/events.ts'
import type { MonitoringEvent, StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import type { PayrollEvent, StoredPayrollEvent } from '../../../domain/payroll/events.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { BudgetId, LocationId, OrganisationId, UserId } from '../../../domain/values/ids.ts'
import { monitoringEvents } from '../../../drizzle/monitoringTables.ts'
import { payrollEvents } from '../../../drizzle/payrollTables.ts'
import { budgetEvents } from '../../../drizzle/schema.ts'
import type { Actor } from '../calls/actor.ts'
import type { Call } from '../calls/call.ts'
import { eventHash, genesisHash, type LogOf } from './hash.ts'

/** Where a log ends that is written to. */
interface Stream {
  organisationId: OrganisationId
  version: number
  lastHash: string
}

/** Appends events to a budget whose row the caller has locked. @returns the events as they stand in the log */
export function append(
  { tx, actor }: Call<'actor'>,
  { budgetId, ...stream }: Stream & { budgetId: BudgetId },
  events: readonly BudgetEvent[],
): Promise<StoredEvent[]> {
  return appendTo(stream, {
    of: { budgetId },
    events,
    actor,
    write: (rows) => tx.insert(budgetEvents).values(rows).returning({ version: budgetEvents.version, position: budgetEvents.position }),
  })
}

/** Appends an event to each of many budgets whose rows the caller has locked, in sets. @returns the events as they stand in the logs, in that order */
export async function appendEach(
  { tx, actor }: Call<'actor'>,
  changes: readonly { stream: Stream & { budgetId: BudgetId }; event: BudgetEvent }[],
): Promise<StoredEvent[]> {
  const rows = changes.flatMap(({ stream: { budgetId, ...stream }, event }) =>
    chained(stream, { of: { budgetId }, events: [event], actor }),
  )
  return written(rows, {
    write: (some) => tx.insert(budgetEvents).values(some).returning({ budgetId: budgetEvents.budgetId, position: budgetEvents.position }),
    keyOf: ({ budgetId }) => budgetId,
  })
}

/** Appends events to the monitoring log of a location whose row the caller has locked. @returns the events as they stand in the log */
export function appendMonitoring(
  { tx, actor }: Call<'actor'>,
  { locationId, ...stream }: Stream & { locationId: LocationId },
  events: readonly MonitoringEvent[],
): Promise<StoredMonitoringEvent[]> {
  return appendTo(stream, {
    of: { locationId },
    events,
    actor,
    write: (rows) =>
      tx.insert(monitoringEvents).values(rows).returning({ version: monitoringEvents.version, position: monitoringEvents.position }),
  })
}

/** Appends events to the payroll log of a location whose row the caller has locked. @returns the events as they stand in the log */
export function appendPayroll(
  { tx, actor }: Call<'actor'>,
  { locationId, ...stream }: Stream & { locationId: LocationId },
  events: readonly PayrollEvent[],
): Promise<StoredPayrollEvent[]> {
  return appendTo(stream, {
    of: { locationId },
    events,
    actor,
    write: (rows) => tx.insert(payrollEvents).values(rows).returning({ version: payrollEvents.version, position: payrollEvents.position }),
  })
}

/** Rows that one statement writes. */
const mostRows = 1000

/** Events as they stand at the end of a log. */
function chained<Of extends LogOf, Event extends { type: string; data: unknown }>(
  { organisationId, ...stream }: Stream,
  { of, events, actor }: { of: Of; events: readonly Event[]; actor: Actor },
): (Of & Chained<Event>)[] {
  let { version, lastHash } = stream
  return events.map((event): Of & Chained<Event> => {
    version++
    const type: Event['type'] = event.type
    const data: Event['data'] = event.data
    const body = {
      ...of,
      organisationId,
      version,
      type,
      data,
      actorId: actor.userId,
      requestId: actor.requestId,
      occurredAt: actor.now.toISOString(),
    }
    const previousHash = lastHash
    lastHash = eventHash(previousHash, body)
    return { ...body, previousHash, hash: lastHash }
  })
}

/** Chains events to the end of a log and writes them. */
function appendTo<Of extends LogOf, Event extends { type: string; data: unknown }, Stored>(
  stream: Stream,
  {
    write,
    ...what
  }: {
    of: Of
    events: readonly Event[]
    actor: Actor
    write: (rows: (Of & Chained<Event>)[]) => Promise<{ version: number; position: number }[]>
  },
): Promise<Stored[]> {
  return written(chained(stream, what), { write, keyOf: ({ version }: { version: number }) => version })
}

/** Writes events that are chained. @param keyOf by what a row is known among them */
async function written<Key, Row extends Key & object, Stored>(
  rows: readonly Row[],
  { write, keyOf }: { write: (rows: Row[]) => Promise<(Key & { position: number })[]>; keyOf: (of: Key) => string | number },
): Promise<Stored[]> {
  const position = new Map<string | number, number>()
  for (let start = 0; start < rows.length; start += mostRows)
    for (const row of await write(rows.slice(start, start + mostRows))) position.set(keyOf(row), row.position)
  // Type and data of each are those of one event, which the compiler forgets where it takes them apart.
  return rows.map((row) => ({ ...row, position: assertDefined(position.get(keyOf(row))) }) as Stored)
}

/**
 * A row of a log as an event of that log, its moment as ISO 8601, so that hashes are taken of what was written.
 * @param row as it was read; its type and data are those of one event, for nothing else is ever appended
 */
export function eventIn<Stored>(row: { type: string; occurredAt: string } & Record<string, unknown>): Stored {
  // Folding a log is too hot a path to look at each event again; whoever doubts it proves the hashes.
  return { ...row, occurredAt: new Date(row.occurredAt).toISOString() } as Stored
}

interface Chained<Event extends { type: string; data: unknown }> {
  organisationId: OrganisationId
  version: number
  type: Event['type']
  data: Event['data']
  actorId: UserId | null
  requestId: string
  occurredAt: string
  previousHash: string
  hash: string
}

export const newStream = (organisationId: OrganisationId, budgetId: BudgetId) => ({
  organisationId,
  budgetId,
  version: 0,
  lastHash: genesisHash,
})

/** The events of a budget in order, from after one version and up to another. */
export async function readEvents(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  after = 0,
  upTo = 2_147_483_647,
): Promise<StoredEvent[]> {
  const rows = await tx
    .select()
    .from(budgetEvents)
    .where(
      and(
        eq(budgetEvents.organisationId, organisationId),
        eq(budgetEvents.budgetId, budgetId),
        gt(budgetEvents.version, after),
        lte(budgetEvents.version, upTo),
      ),
    )
    .orderBy(asc(budgetEvents.version))
  return rows.map(asStored)
}

/** A row of the log of a budget as an event, without what the database works out of it. */
export function asStored({ about: _workedOut, ...row }: typeof budgetEvents.$inferSelect): StoredEvent {
  return eventIn(row)
}

/** The events of the monitoring log of a location in order, after one version and up to another. */
export async function readMonitoringEvents(
  { tx, organisationId, locationId }: Call<'organisationId' | 'locationId'>,
  after = 0,
  upTo = 2_147_483_647,
): Promise<StoredMonitoringEvent[]> {
  const rows = await tx
    .select()
    .from(monitoringEvents)
    .where(
      and(
        eq(monitoringEvents.organisationId, organisationId),
        eq(monitoringEvents.locationId, locationId),
        gt(monitoringEvents.version, after),
        lte(monitoringEvents.version, upTo),
      ),
    )
    .orderBy(asc(monitoringEvents.version))
  return rows.map((row) => eventIn<StoredMonitoringEvent>(row))
}

/** The events of the payroll log of a location in order, after one version and up to another. */
export async function readPayrollEvents(
  { tx, organisationId, locationId }: Call<'organisationId' | 'locationId'>,
  after = 0,
  upTo = 2_147_483_647,
): Promise<StoredPayrollEvent[]> {
  const rows = await tx
    .select()
    .from(payrollEvents)
    .where(
      and(
        eq(payrollEvents.organisationId, organisationId),
        eq(payrollEvents.locationId, locationId),
        gt(payrollEvents.version, after),
        lte(payrollEvents.version, upTo),
      ),
    )
    .orderBy(asc(payrollEvents.version))
  return rows.map((row) => eventIn<StoredPayrollEvent>(row))
}
