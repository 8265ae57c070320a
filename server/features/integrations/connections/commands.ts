import { lt, sql } from 'drizzle-orm'
import { type ConnectionKindName, findConnectionKind } from '../../../../domain/integrations/connections/all.ts'
import { maximumConnections, runRetentionDays } from '../../../../domain/integrations/connections/connection.ts'
import { findNextRun } from '../../../../domain/integrations/connections/schedule.ts'
import { describeDestination } from '../../../../domain/integrations/credentials.ts'
import { outgoingFileKinds } from '../../../../domain/integrations/files/connections.ts'
import { integrationType } from '../../../../domain/lookups/lookupIds.ts'
import { assertDefined, requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { conflict, DomainError, invalid } from '../../../../domain/words/errors.ts'
import { connections } from '../../../../drizzle/integrationTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { logRecordChange } from '../../../resources/referenceLog.ts'
import { deleteUndeclaredRecord, type UndeclaredKind, updateUndeclaredRecord } from '../../../resources/undeclared.ts'
import {
  type ConnectionRow,
  connectionCondition,
  listConnections,
  mayConfigureConnection,
  readConnection,
} from '../../../shared/integrations/connections/queries.ts'
import { type IntegrationEditor, refuseLimitedEditor } from '../commands.ts'
import { buildLedgerFile } from '../files/queries.ts'
import { readCredential, readParameterRows } from '../queries.ts'
import { lockSharedRecord } from '../sharedRecords/commands.ts'
import type { ConnectionInput } from './inputs.ts'

const recordKind: UndeclaredKind<ConnectionRow> = {
  name: 'connection',
  table: connections,
  get: readConnection,
  /** Log only what users save; the outcomes of runs have a list of their own. */
  toLogged: ({
    organisationId,
    id,
    version,
    created,
    name,
    kind,
    credentialId,
    path,
    format,
    schedule,
    file,
    mapping,
    destination,
    state,
  }) => ({
    organisationId,
    id,
    version,
    created,
    name,
    kind,
    credentialId,
    path,
    format,
    schedule,
    file,
    mapping,
    destination,
    state,
  }),
}

/** @throws DomainError 403 for a caller who lacks the permissions for what the connection does */
function refuseWithoutPermission({ holder }: IntegrationEditor, kind: ConnectionKindName): void {
  if (!mayConfigureConnection(holder, kind))
    throw new DomainError('forbidden', 'beyond', 'This connection needs more permissions than you have. Ask someone who has all of them.')
}

/** Validates the input and returns the values to store. @throws DomainError 400 at a field; 404 for an unknown link */
async function validateConnection(call: Call & IntegrationEditor, input: ConnectionInput) {
  const { tx } = call
  refuseWithoutPermission(call, input.kind)
  const { organisationId } = call
  const credential = await readCredential(tx, call, input.credentialId)
  const values = Object.fromEntries((await readParameterRows(tx, organisationId, credential.id)).map(({ name, value }) => [name, value]))
  const destination = describeDestination(credential.integrationType, values)
  if (credential.integrationType === integrationType.none || !destination || /^@/.test(destination))
    throw invalid([{ field: 'credentialId', message: 'This credential is not set up yet. Set it up first, or choose another.' }])
  const isOut = findConnectionKind(input.kind).direction === 'out'
  const given = isOut ? assertDefined(input.file) : null
  const file = given && {
    preset: given.preset ?? null,
    layoutId: given.layoutId ?? null,
    yearName: given.yearName,
    locationIds: given.locationIds?.length ? given.locationIds : null,
    from: given.from,
    to: given.to,
  }
  const connection = outgoingFileKinds.find((name) => name === input.kind)
  if (file && connection) {
    const { headings } = await buildLedgerFile({ ...call, now: call.actor.now }, { connection, ...file })
    if (input.format === 'json' && credential.integrationType === integrationType.webService && !headings.length)
      throw invalid([{ field: 'format', message: 'A JSON file needs a layout with headings, which name the values in each row.' }])
  }
  const { name, kind, path, format, schedule } = input
  const givenMapping = isOut ? null : (input.mapping ?? null)
  const mapping = givenMapping && (givenMapping.records || givenMapping.columns.length) ? givenMapping : null
  return { name, kind, credentialId: credential.id, path, format, schedule, file, mapping, destination }
}

/** When a connection's schedule runs it next; null if it is paused or has no schedule. */
export function calculateNextDue({ schedule, state }: Pick<ConnectionRow, 'schedule' | 'state'>, now: Date): string | null {
  return state === 'active' ? (findNextRun(schedule, now)?.toISOString() ?? null) : null
}

/**
 * Creates a connection, which runs by its schedule from now on.
 * @throws DomainError 400 at its field; 403 for what its creator may not do; 404; 409 for a name that is taken, or at the maximum number of
 * connections
 */
export async function createConnection(call: Call & IntegrationEditor, input: ConnectionInput): Promise<ConnectionRow> {
  const { tx } = call
  refuseLimitedEditor(call)
  const { organisationId, actor } = call
  const values = await validateConnection(call, input)
  if ((await listConnections(tx, organisationId)).length >= maximumConnections)
    throw conflict('tooMany', `You can have at most ${maximumConnections} connections. Delete one that is no longer needed.`)
  const row = requireSingleRow(
    await tx
      .insert(connections)
      .values({
        ...values,
        organisationId,
        created: actor.now.toISOString(),
        dueAt: calculateNextDue({ schedule: values.schedule, state: 'active' }, actor.now),
      })
      .returning(),
  )
  await logRecordChange({ tx, actor }, recordKind, { action: 'created', before: null, after: recordKind.toLogged(row) })
  return row
}

async function lockConnection(call: Call & IntegrationEditor, which: { id: number; version?: number }): Promise<ConnectionRow> {
  const row = await lockSharedRecord(call, recordKind, which)
  refuseWithoutPermission(call, row.kind)
  return row
}

/** @throws DomainError as createConnection; also 409 if someone else has saved the connection since, or if the kind would change */
export async function updateConnection(
  call: Call & IntegrationEditor,
  { id, version, ...input }: ConnectionInput & { id: number; version: number },
): Promise<ConnectionRow> {
  const before = await lockConnection(call, { id, version })
  if (input.kind !== before.kind)
    throw invalid([{ field: 'kind', message: 'The task of a connection cannot be changed. Add another connection for another task.' }])
  const values = await validateConnection(call, input)
  const dueAt = before.asked ? before.dueAt : calculateNextDue({ schedule: values.schedule, state: before.state }, call.actor.now)
  const isElsewhere = [before.credentialId, before.path, before.format].join() !== [values.credentialId, values.path, values.format].join()
  const set = { ...values, dueAt, ...(isElsewhere && { sample: null, sampleAt: null }) }
  // The problem may be solved now; if not, it shows again after the next run.
  return updateUndeclaredRecord(call, recordKind, { before, set: { ...set, problem: null, failures: 0 } })
}

/** Deletes a connection with its list of runs. Its history remains. The result of a run under way is discarded. */
export async function deleteConnection(call: Call & IntegrationEditor, id: number): Promise<void> {
  await deleteUndeclaredRecord(call, recordKind, await lockConnection(call, { id }))
}

/** Stops scheduled runs. The connection can still be run by hand. @throws DomainError 409 if it is already paused */
export async function pauseConnection(call: Call & IntegrationEditor, id: number): Promise<ConnectionRow> {
  const before = await lockConnection(call, { id })
  if (before.state !== 'active') throw conflict('notActive', 'This connection is already paused.')
  return updateUndeclaredRecord(call, recordKind, { before, set: { state: 'paused', dueAt: before.asked ? before.dueAt : null } })
}

/**
 * Resumes the schedule from now on.
 * @throws DomainError 409 if it is active
 */
export async function resumeConnection(call: Call & IntegrationEditor, id: number): Promise<ConnectionRow> {
  const before = await lockConnection(call, { id })
  if (before.state === 'active') throw conflict('active', 'This connection is already active.')
  const dueAt = before.asked ? before.dueAt : calculateNextDue({ schedule: before.schedule, state: 'active' }, call.actor.now)
  return updateUndeclaredRecord(call, recordKind, { before, set: { state: 'active', dueAt, problem: null, failures: 0 } })
}

/**
 * Makes a worker run a connection at once, or try it without sending, moving or saving anything.
 * @throws DomainError 409 while a run is under way
 */
export async function requestRun(
  call: Call & IntegrationEditor,
  { id, mode }: { id: number; mode: 'run' | 'try' },
): Promise<ConnectionRow> {
  const { tx, organisationId, actor } = call
  const before = await lockConnection(call, { id })
  const isClaimed = before.claimedUntil && new Date(before.claimedUntil) > actor.now
  if (before.asked || isClaimed) throw conflict('underWay', 'A run is in progress. Wait until it has finished.')
  await tx
    .update(connections)
    .set({ asked: mode, askedById: actor.userId, dueAt: actor.now.toISOString(), attempts: 0 })
    .where(connectionCondition(before))
  return readConnection(tx, organisationId, id)
}

/** Days for which the samples from trying a connection are stored. */
const daysOfSamples = 1

/** Deletes old samples from trying connections, in all organisations. They are needed only during setup. */
export async function deleteOldSamples(tx: OrganisationTx, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - daysOfSamples * 24 * 3_600_000).toISOString()
  await tx.update(connections).set({ sample: null, sampleAt: null }).where(lt(connections.sampleAt, oldest))
}

/** Deletes old run results in all organisations, except the last accepted file of each connection. */
export async function deleteOldRuns(tx: OrganisationTx, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - runRetentionDays * 24 * 3_600_000).toISOString()
  await tx.execute(sql`
    delete from connection_runs where at < ${oldest}::timestamptz
      and id not in (select max(id) from connection_runs where outcome = 'done' group by organisation_id, connection_id)`)
}
