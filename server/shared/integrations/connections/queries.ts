import { and, asc, desc, eq, isNotNull, lt, sql } from 'drizzle-orm'
import { type ConnectionKindName, findConnectionKind } from '../../../../domain/integrations/connections/all.ts'
import type { ConnectionState, ExchangeFormat, RunOutcome } from '../../../../domain/integrations/connections/connection.ts'
import {
  type FieldMapping,
  type MappedColumn,
  type RecordList,
  suggestColumns,
} from '../../../../domain/integrations/connections/mapping.ts'
import type { Schedule } from '../../../../domain/integrations/connections/schedule.ts'
import type { FileSelection } from '../../../../domain/integrations/files/connections.ts'
import { hasAnyPermission } from '../../../../domain/people/permissions.ts'
import type { OrganisationId, UserId } from '../../../../domain/values/ids.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import { connectionRuns, connections } from '../../../../drizzle/integrationTables.ts'
import type { CallerRights } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { ensureOrganisationKey, unsealBytes } from '../../../core/database/vault.ts'
import { readChosenColumns } from '../../importColumns/queries.ts'

export type ConnectionRow = typeof connections.$inferSelect
type RunRow = typeof connectionRuns.$inferSelect

/** A connection, as pages and the API show it. */
export interface Connection {
  id: number
  version: number
  created: string
  name: string
  kind: ConnectionKindName
  credentialId: number
  path: string
  format: ExchangeFormat
  schedule: Schedule
  file: FileSelection | null
  mapping: FieldMapping | null
  /** The system that its credential connected to when it was saved. */
  destination: string
  state: ConnectionState
  /** Null if it has no schedule. */
  nextRun: string | null
  /** Whether a worker is running the connection, or is about to. */
  isUnderWay: boolean
  problem: string | null
}

/** The result of a run for one file. */
export interface FileRunResult {
  id: number
  at: string
  askedById: UserId | null
  outcome: RunOutcome
  file: string | null
  rows: number | null
  message: string
}

/** The version and author are those of the last save; runs do not count as saves. */
export const presentConnection = (row: ConnectionRow): Connection => ({
  id: row.id,
  version: row.version,
  created: row.created,
  name: row.name,
  kind: row.kind,
  credentialId: row.credentialId,
  path: row.path,
  format: row.format,
  schedule: row.schedule,
  file: row.file,
  mapping: row.mapping,
  destination: row.destination,
  state: row.state,
  nextRun: row.dueAt && !row.asked ? new Date(row.dueAt).toISOString() : null,
  isUnderWay: row.asked !== null || row.claimedUntil !== null,
  problem: row.problem,
})

const shownRun = ({ id, at, askedById, outcome, file, rows, message }: RunRow): FileRunResult => ({
  id,
  at,
  askedById,
  outcome,
  file,
  rows,
  message,
})

export const connectionCondition = ({ organisationId, id }: Pick<ConnectionRow, 'organisationId' | 'id'>) =>
  and(eq(connections.organisationId, organisationId), eq(connections.id, id))

/** The connections of an organisation, in order of name. */
export async function listConnections(tx: OrganisationTx, organisationId: OrganisationId): Promise<ConnectionRow[]> {
  return tx
    .select()
    .from(connections)
    .where(eq(connections.organisationId, organisationId))
    .orderBy(asc(sql`lower(${connections.name})`))
}

/** @throws DomainError 404 for a connection of another organisation */
export async function readConnection(tx: OrganisationTx, organisationId: OrganisationId, id: number): Promise<ConnectionRow> {
  const [row] = await tx.select().from(connections).where(connectionCondition({ organisationId, id }))
  if (!row) throw notFound('Connection')
  return row
}

/**
 * The results of a connection's runs, newest first.
 * @param before the id of the oldest run the caller already has, to get earlier ones
 */
export async function listFileRunResults(
  tx: OrganisationTx,
  { organisationId, id }: ConnectionRow,
  { before, most }: { before?: number | null; most: number },
): Promise<FileRunResult[]> {
  const rows = await tx
    .select()
    .from(connectionRuns)
    .where(
      and(
        eq(connectionRuns.organisationId, organisationId),
        eq(connectionRuns.connectionId, id),
        before ? lt(connectionRuns.id, before) : undefined,
      ),
    )
    .orderBy(desc(connectionRuns.id))
    .limit(most)
  return rows.map(shownRun)
}

/** Whether a user may configure a kind of connection: only users who may do the same by hand may. */
export function mayConfigureConnection(holder: CallerRights, kind: ConnectionKindName): boolean {
  return hasAnyPermission(holder, [findConnectionKind(kind).permission])
}

/** The data found when a connection was last tried: lists of records, with the fields from which each column could be read. */
export interface ConnectionSample {
  at: string
  lists: (RecordList & { suggested: MappedColumn[] })[]
}

/**
 * The sample of a connection.
 * @returns null if it was not tried in the last day, or if the caller may not do the same by hand, because the sample may name people
 */
export async function readConnectionSample(
  tx: OrganisationTx,
  { holder }: { holder: CallerRights },
  row: ConnectionRow,
): Promise<ConnectionSample | null> {
  const { organisationId, sample, sampleAt } = row
  if (!sample || !sampleAt || !mayConfigureConnection(holder, row.kind)) return null
  const lists: RecordList[] = JSON.parse(unsealBytes(await ensureOrganisationKey(tx, organisationId), sample).toString('utf8'))
  const kind = findConnectionKind(row.kind)
  // The headings that were matched when files of this kind were imported by hand.
  const learned = kind.record ? await readChosenColumns(tx, organisationId, kind.record.name) : []
  const known = new Map(learned.map(({ heading, column }) => [heading, column]))
  return { at: sampleAt, lists: lists.map((list) => ({ ...list, suggested: suggestColumns(kind, list.fields, known) })) }
}

/** The connections whose last run failed, for callers who can fix them. */
export async function listFailingConnections(
  tx: OrganisationTx,
  { organisationId, holder }: { organisationId: OrganisationId | null; holder: CallerRights },
): Promise<{ id: number; name: string; reason: string }[]> {
  if (organisationId === null || holder.locationIds || !hasAnyPermission(holder, ['ConsoleOrganisationsReadUpdate'])) return []
  const rows = await tx
    .select({ id: connections.id, name: connections.name, problem: connections.problem })
    .from(connections)
    .where(and(eq(connections.organisationId, organisationId), eq(connections.state, 'active'), isNotNull(connections.problem)))
    .orderBy(asc(connections.id))
  return rows.map(({ problem, ...row }) => ({ ...row, reason: problem ?? '' }))
}
