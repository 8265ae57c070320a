import { and, asc, eq, gt, lte } from 'drizzle-orm'
import type { BudgetEvent, StoredEvent } from '../../../domain/budget/events.ts'
import type { MonitoringEvent, StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import { must } from '../../../domain/must.ts'
import type { PayrollEvent, StoredPayrollEvent } from '../../../domain/payroll/events.ts'
import { monitoringEvents } from '../../../drizzle/monitoringTables.ts'
import { payrollEvents } from '../../../drizzle/payrollTables.ts'
import { budgetEvents } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../database/database.ts'
import { eventHash, genesisHash, type LogOf } from './hash.ts'

/** Who does something, in which request (it only traces), and when. */
export interface Actor {
  userId: number | null
  requestId: string
  now: Date
}

/** Where a log ends that is written to. */
interface Stream {
  organisationId: number
  version: number
  lastHash: string
}

/** Appends events to a budget whose row the caller has locked. @returns the events as they stand in the log */
export function append(
  tx: OrganisationTx,
  { budgetId, ...stream }: Stream & { budgetId: string },
  events: readonly BudgetEvent[],
  actor: Actor,
): Promise<StoredEvent[]> {
  return appendTo(stream, { budgetId }, events, actor, (rows) =>
    tx.insert(budgetEvents).values(rows).returning({ version: budgetEvents.version, position: budgetEvents.position }),
  ) as Promise<StoredEvent[]>
}

/** Appends events to the monitoring log of a location whose row the caller has locked. @returns the events as they stand in the log */
export function appendMonitoring(
  tx: OrganisationTx,
  { locationId, ...stream }: Stream & { locationId: number },
  events: readonly MonitoringEvent[],
  actor: Actor,
): Promise<StoredMonitoringEvent[]> {
  return appendTo(stream, { locationId }, events, actor, (rows) =>
    tx.insert(monitoringEvents).values(rows).returning({ version: monitoringEvents.version, position: monitoringEvents.position }),
  ) as Promise<StoredMonitoringEvent[]>
}

/** Appends events to the payroll log of a location whose row the caller has locked. @returns the events as they stand in the log */
export function appendPayroll(
  tx: OrganisationTx,
  { locationId, ...stream }: Stream & { locationId: number },
  events: readonly PayrollEvent[],
  actor: Actor,
): Promise<StoredPayrollEvent[]> {
  return appendTo(stream, { locationId }, events, actor, (rows) =>
    tx.insert(payrollEvents).values(rows).returning({ version: payrollEvents.version, position: payrollEvents.position }),
  ) as Promise<StoredPayrollEvent[]>
}

/** Chains events to the end of a log and writes them. */
async function appendTo<Of extends LogOf, Event extends { type: string; data: unknown }>(
  { organisationId, ...stream }: Stream,
  of: Of,
  events: readonly Event[],
  actor: Actor,
  write: (rows: (Of & Chained<Event>)[]) => Promise<{ version: number; position: number }[]>,
): Promise<(Of & Chained<Event> & { position: number })[]> {
  let { version, lastHash } = stream
  const rows = events.map((event): Of & Chained<Event> => {
    version++
    const body = {
      organisationId,
      ...of,
      version,
      type: event.type,
      data: event.data,
      actorId: actor.userId,
      requestId: actor.requestId,
      occurredAt: actor.now.toISOString(),
    }
    const previousHash = lastHash
    lastHash = eventHash(previousHash, body)
    return { ...body, previousHash, hash: lastHash } as Of & Chained<Event>
  })
  const position = new Map<number, number>()
  for (let start = 0; start < rows.length; start += 1000)
    for (const row of await write(rows.slice(start, start + 1000))) position.set(row.version, row.position)
  return rows.map((row) => ({ ...row, position: must(position.get(row.version)) }))
}

interface Chained<Event extends { type: string; data: unknown }> {
  organisationId: number
  version: number
  type: Event['type']
  data: Event['data']
  actorId: number | null
  requestId: string
  occurredAt: string
  previousHash: string
  hash: string
}

export const newStream = (organisationId: number, budgetId: string) => ({ organisationId, budgetId, version: 0, lastHash: genesisHash })

/** The events of a budget in order, from after one version and up to another. */
export async function readEvents(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
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

/** A row of the log as an event, without what the database works out of it; moments as ISO 8601, so that hashes are taken of what was written. */
export function asStored({ about: _workedOut, ...row }: typeof budgetEvents.$inferSelect): StoredEvent {
  return { ...row, occurredAt: new Date(row.occurredAt).toISOString() } as StoredEvent
}

/** The events of the monitoring log of a location in order, after one version and up to another. */
export async function readMonitoringEvents(
  tx: OrganisationTx,
  organisationId: number,
  locationId: number,
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
  return rows.map((row) => ({ ...row, occurredAt: new Date(row.occurredAt).toISOString() }) as StoredMonitoringEvent)
}

/** The events of the payroll log of a location in order, after one version and up to another. */
export async function readPayrollEvents(
  tx: OrganisationTx,
  organisationId: number,
  locationId: number,
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
  return rows.map((row) => ({ ...row, occurredAt: new Date(row.occurredAt).toISOString() }) as StoredPayrollEvent)
}
