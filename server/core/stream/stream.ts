import { sql } from 'drizzle-orm'
import type { StoredEvent } from '../../../domain/budget/events.ts'
import type { StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import type { StoredPayrollEvent } from '../../../domain/payroll/events.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import type { Call } from '../calls/call.ts'
import { eventHash, genesisHash, type StreamId } from './hash.ts'

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

/** The table of each kind, and the column, field and type of its id. */
const tables: {
  [Name in StreamName]: {
    name: string
    idColumn: string
    idField: string
    idType: string
    named: (id: StreamKinds[Name]['id']) => StreamId
  }
} = {
  budget: {
    name: 'budget_events',
    idColumn: 'budget_id',
    idField: 'budgetId',
    idType: 'char(24)',
    named: (budgetId) => ({ budgetId }),
  },
  monitoring: {
    name: 'monitoring_events',
    idColumn: 'location_id',
    idField: 'locationId',
    idType: 'integer',
    named: (locationId) => ({ locationId }),
  },
  payroll: {
    name: 'payroll_events',
    idColumn: 'location_id',
    idField: 'locationId',
    idType: 'integer',
    named: (locationId) => ({ locationId }),
  },
}

/** The end of a stream that the caller has locked. */
export interface StreamHead<Name extends StreamName> {
  organisationId: OrganisationId
  id: StreamKinds[Name]['id']
  version: number
  lastHash: string
}

/** The head of a stream without events. */
export function emptyHead<Name extends StreamName>(organisationId: OrganisationId, id: StreamKinds[Name]['id']): StreamHead<Name> {
  return { organisationId, id, version: 0, lastHash: genesisHash }
}

/**
 * Appends events to a stream. The caller holds the lock of the stream's row, so `head` is its true end; the primary key (stream, version)
 * refuses a second event of the same version all the same.
 * @returns the events as they are stored
 */
export function append<Name extends StreamName>(
  call: Call<'actor'>,
  name: Name,
  { head, events }: { head: StreamHead<Name>; events: readonly DecidedEvent<Name>[] },
): Promise<StreamKinds[Name]['event'][]> {
  return appendEach(call, name, [{ head, events }])
}

/**
 * Appends events to each of many streams whose rows the caller has locked, in few statements.
 * @returns the events as they are stored, in the order of `changes`
 */
export async function appendEach<Name extends StreamName>(
  { tx, actor }: Call<'actor'>,
  name: Name,
  changes: readonly { head: StreamHead<Name>; events: readonly DecidedEvent<Name>[] }[],
): Promise<StreamKinds[Name]['event'][]> {
  const { name: table, idColumn, idField, idType, named } = tables[name]
  const rows = changes.flatMap(({ head, events }) => {
    let { version, lastHash } = head
    return events.map(({ type, data }) => {
      version++
      const body = {
        organisationId: head.organisationId,
        ...named(head.id),
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
  })
  const positions = new Map<string, number>()
  // One parameter for all rows of a statement: thousands of placeholders would cost more than the insert.
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const inserted = await tx.execute<{ hash: string; position: string }>(sql`
      insert into ${sql.identifier(table)} (organisation_id, ${sql.identifier(idColumn)}, version, type, data, actor_id, request_id, occurred_at,
        previous_hash, hash)
      select "organisationId", ${sql.identifier(idField)}, version, type, data, "actorId", "requestId", "occurredAt", "previousHash", hash
      from json_to_recordset(${JSON.stringify(rows.slice(start, start + rowsPerStatement))}::json) as row("organisationId" integer,
        ${sql.identifier(idField)} ${sql.raw(idType)}, version integer, type text, data jsonb, "actorId" integer, "requestId" text,
        "occurredAt" timestamptz, "previousHash" char(64), hash char(64))
      returning hash, position`)
    for (const { hash, position } of inserted) positions.set(hash, Number(position))
  }
  // Each row was made from one event, whose type and data belong together; the compiler lost that when they were taken apart.
  return rows.map((row) => ({ ...row, position: assertDefined(positions.get(row.hash)) }) as StreamKinds[Name]['event'])
}

const rowsPerStatement = 1000

/** A range of versions: after one, up to and including another. */
interface Versions {
  after?: number
  upTo?: number
}

/** The events of a stream, oldest first. */
export async function readStream<Name extends StreamName>(
  { tx, organisationId }: Call<'organisationId'>,
  stream: { name: Name; id: StreamKinds[Name]['id'] },
  { after = 0, upTo = 2_147_483_647 }: Versions = {},
): Promise<StreamKinds[Name]['event'][]> {
  const { name: table, idColumn, idField } = tables[stream.name]
  const rows = await tx.execute<EventRow>(sql`
    select organisation_id as "organisationId", ${sql.identifier(idColumn)} as ${sql.identifier(idField)}, version, position, type, data,
      actor_id as "actorId", request_id as "requestId", occurred_at as "occurredAt", previous_hash as "previousHash", hash
    from ${sql.identifier(table)}
    where organisation_id = ${organisationId} and ${sql.identifier(idColumn)} = ${stream.id} and version > ${after} and version <= ${upTo}
    order by version`)
  return rows.map((row) => toEvent<Name>(row))
}

/** A row of an events table as the driver or the query builder returns it. */
type EventRow = { type: string; occurredAt: string; position?: number | string; about?: string | null } & Record<string, unknown>

/** The stored event of a row, without the columns that the database derives. Times are ISO 8601, the form in which they were hashed. */
export function toEvent<Name extends StreamName>({ about: _derived, ...row }: EventRow): StreamKinds[Name]['event'] {
  // Only `appendEach` writes these rows; `npm run audit` proves that nobody changed them since.
  return {
    ...row,
    ...(row.position !== undefined && { position: Number(row.position) }),
    occurredAt: new Date(row.occurredAt).toISOString(),
  } as StreamKinds[Name]['event']
}
