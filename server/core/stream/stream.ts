import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { budgetEventShapes } from '../../../domain/budget/eventSchemas.ts'
import type { StoredEvent } from '../../../domain/budget/events.ts'
import { monitoringEventShapes } from '../../../domain/monitoring/eventSchemas.ts'
import type { StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import { payrollEventShapes } from '../../../domain/payroll/eventSchemas.ts'
import type { StoredPayrollEvent } from '../../../domain/payroll/events.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { DamagedEventError, type EventShapeReaders, getNewestSchema, readEventData } from '../../../domain/values/eventSchema.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { DomainError } from '../../../domain/words/errors.ts'
import { monitoringEvents } from '../../../drizzle/monitoringTables.ts'
import { payrollEvents } from '../../../drizzle/payrollTables.ts'
import { budgetEvents } from '../../../drizzle/schema.ts'
import type { Call } from '../calls/call.ts'
import { insertRows } from '../database/insertRows.ts'
import { log } from '../log.ts'
import { genesisHash, type HashedEvent, hashEvent, type StreamId } from './hash.ts'

/** The kinds of event streams, with the stored event and the id of each. */
export interface StreamKinds {
  budget: { event: StoredEvent; id: BudgetId }
  monitoring: { event: StoredMonitoringEvent; id: LocationId }
  payroll: { event: StoredPayrollEvent; id: LocationId }
}
export type StreamName = keyof StreamKinds

/** An event before it is stored: its type and its data. */
type Decided<Event> = Event extends { type: infer Type; data: infer Data } ? { type: Type; data: Data } : never
export type DecidedEvent<Name extends StreamName> = Decided<StreamKinds[Name]['event']>

/** For each kind: its table, the column of its id, the schemas of its events, and its name in sentences. */
const tables: {
  [Name in StreamName]: {
    table: PgTable
    id: PgColumn
    shapes: Readonly<Record<string, EventShapeReaders<object>>>
    word: string
    named: (id: StreamKinds[Name]['id']) => StreamId
  }
} = {
  budget: {
    table: budgetEvents,
    id: budgetEvents.budgetId,
    shapes: budgetEventShapes,
    word: 'this budget',
    named: (budgetId) => ({ budgetId }),
  },
  monitoring: {
    table: monitoringEvents,
    id: monitoringEvents.locationId,
    shapes: monitoringEventShapes,
    word: 'the monitoring of this location',
    named: (locationId) => ({ locationId }),
  },
  payroll: {
    table: payrollEvents,
    id: payrollEvents.locationId,
    shapes: payrollEventShapes,
    word: 'the payroll of this location',
    named: (locationId) => ({ locationId }),
  },
}

/** The last event of a stream that the caller has locked. */
export interface StreamHead<Name extends StreamName> {
  organisationId: OrganisationId
  id: StreamKinds[Name]['id']
  version: number
  lastHash: string
}

/** The head of a stream without events. */
export function createEmptyHead<Name extends StreamName>(organisationId: OrganisationId, id: StreamKinds[Name]['id']): StreamHead<Name> {
  return { organisationId, id, version: 0, lastHash: genesisHash }
}

/**
 * Appends events to a stream. The caller holds the lock on the stream's row, so `head` is its latest version. Without that lock, the
 * primary key (stream, version) would still refuse a second event with the same version.
 * @returns the events as they are stored
 */
export function appendEvents<Name extends StreamName>(
  call: Call<'actor'>,
  name: Name,
  { head, events }: { head: StreamHead<Name>; events: readonly DecidedEvent<Name>[] },
): Promise<StreamKinds[Name]['event'][]> {
  return appendEventsToStreams(call, name, [{ head, events }])
}

/**
 * Appends events to each of many streams whose rows the caller has locked, in few statements.
 * @returns the events as they are stored, in the order of `changes`
 */
export async function appendEventsToStreams<Name extends StreamName>(
  { tx, actor }: Call<'actor'>,
  name: Name,
  changes: readonly { head: StreamHead<Name>; events: readonly DecidedEvent<Name>[] }[],
): Promise<StreamKinds[Name]['event'][]> {
  const { table, shapes, named } = tables[name]
  const rows = changes.flatMap(({ head, events }) => {
    let { version, lastHash } = head
    return events.map(({ type, data }) => {
      version++
      const schema = getNewestSchema(shapes, type)
      // Refuses an event that could not be read back, because its stream could then never be opened again.
      readEventData(shapes, { type, schema, data })
      const body = {
        organisationId: head.organisationId,
        ...named(head.id),
        version,
        type,
        schema,
        data,
        actorId: actor.userId,
        requestId: actor.requestId,
        occurredAt: actor.now.toISOString(),
      }
      const previousHash = lastHash
      lastHash = hashEvent(previousHash, body)
      return { ...body, previousHash, hash: lastHash }
    })
  })
  const inserted = await insertRows<PgTable>(tx, table, { rows, ending: sql`returning hash, position` })
  const positions = new Map(inserted.map(({ hash, position }) => [String(hash), Number(position)]))
  return rows.map(({ schema: _schema, ...row }) => {
    // Each row was made from one event, whose type and data belong together; the compiler cannot follow that through the rows.
    return { ...row, position: assertDefined(positions.get(row.hash)) } as StreamKinds[Name]['event']
  })
}

/** Which versions of a stream to read: those after one version, up to and including another, or only those listed. */
interface Versions {
  after?: number
  upTo?: number
  only?: readonly number[]
}

/** An event as its row stores it: hashes and exports need the data as it was written, whatever its schema version. */
export type StoredEventRow = HashedEvent & { position: number; previousHash: string; hash: string }

/** The events of a stream, oldest first. @throws DomainError 409 for a damaged event */
export async function readStream<Name extends StreamName>(
  call: Call<'organisationId'>,
  stream: { name: Name; id: StreamKinds[Name]['id'] },
  versions?: Versions,
): Promise<StreamKinds[Name]['event'][]> {
  return (await readStoredEventRows(call, stream, versions)).map((record) => toStreamEvent(stream.name, record))
}

/** The events of a stream as they are stored, oldest first. */
export async function readStoredEventRows<Name extends StreamName>(
  { tx, organisationId }: Call<'organisationId'>,
  stream: { name: Name; id: StreamKinds[Name]['id'] },
  { after = 0, upTo = 2_147_483_647, only, data = sql`data` }: Versions & { data?: SQL } = {},
): Promise<StoredEventRow[]> {
  const { table, id, named } = tables[stream.name]
  const [field] = Object.keys(named(stream.id))
  const rows = await tx.execute<StoredEventRow>(sql`
    select organisation_id as "organisationId", ${id} as ${sql.identifier(assertDefined(field))}, version, position, type, schema, ${data} as data,
      actor_id as "actorId", request_id as "requestId", occurred_at as "occurredAt", previous_hash as "previousHash", hash
    from ${table}
    where organisation_id = ${organisationId} and ${id} = ${stream.id} and version > ${after} and version <= ${upTo}
      ${only ? sql`and version = any(${sql.param(`{${only.join(',')}}`)}::integer[])` : sql``}
    order by version`)
  // Times as ISO 8601, the form over which the hash was computed.
  return rows.map((row) => ({ ...row, position: Number(row.position), occurredAt: new Date(row.occurredAt).toISOString() }))
}

/** A row of an events table, or the columns of one that a query reads. */
type EventRow = { type: string; schema: number; data: unknown; version: number; occurredAt: string } & Partial<
  Record<'position' | 'about' | 'organisationId' | 'budgetId' | 'locationId' | 'actorId' | 'requestId' | 'previousHash' | 'hash', unknown>
>

/**
 * The event of a row in the current schema version, without the columns that the database derives.
 * @throws DomainError 409 for a damaged event
 */
export function toStreamEvent<Name extends StreamName>(name: Name, row: EventRow): StreamKinds[Name]['event'] {
  try {
    return parseEvent(name, row)
  } catch (error) {
    if (!(error instanceof DamagedEventError)) throw error
    const { organisationId, budgetId, locationId, version } = row
    log.error({ stream: name, organisationId, budgetId, locationId, version, problem: error.message }, 'an event is damaged')
    throw new DomainError(
      'conflict',
      'damagedEvent',
      `The history of ${tables[name].word} is damaged at version ${version}. Ask the people who run Bursar to run the audit.`,
    )
  }
}

/** The event of a row in the current schema version. @throws DamagedEvent if its data does not match the schema that the row names */
function parseEvent<Name extends StreamName>(name: Name, { about: _derived, schema, data, ...row }: EventRow): StreamKinds[Name]['event'] {
  // The data was parsed by the schema of the type; the compiler does not connect the two.
  return {
    ...row,
    data: readEventData(tables[name].shapes, { type: row.type, schema, data }),
    ...(row.position !== undefined && { position: Number(row.position) }),
    occurredAt: new Date(row.occurredAt).toISOString(),
  } as StreamKinds[Name]['event']
}

/** The events of a stream before the first damaged one, and what is wrong with that one. */
export interface ReadableEvents<Name extends StreamName> {
  events: StreamKinds[Name]['event'][]
  damaged: { version: number; problem: string } | null
}

/** Parses events up to the first damaged one, so that an audit can report it and continue with the next stream. */
export function parseReadableEvents<Name extends StreamName>(name: Name, records: readonly StoredEventRow[]): ReadableEvents<Name> {
  const events: StreamKinds[Name]['event'][] = []
  for (const record of records)
    try {
      events.push(parseEvent(name, record))
    } catch (error) {
      if (!(error instanceof DamagedEventError)) throw error
      return { events, damaged: { version: record.version, problem: `It cannot be read. ${error.message}` } }
    }
  return { events, damaged: null }
}
