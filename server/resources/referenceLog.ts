import { and, desc, eq } from 'drizzle-orm'
import type { AnyResource } from '../../domain/resources/resource.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { type OrganisationId, toOrganisationId, type UserId } from '../../domain/values/ids.ts'
import { referenceChanges } from '../../drizzle/schema.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { insertRows } from '../core/database/insertRows.ts'
import { nameActor, readUserNames } from '../core/database/userNames.ts'
import { createChangeOpener, createChangeSealer, isSealedChangeKind, toChangedUserId } from '../core/database/userSeal.ts'

/** What a log line is about: a declared resource, or another kind of record that has its own table. */
type LoggedKind = Pick<AnyResource, 'name' | 'reach'>
/** A record as it is logged. Declared records have numeric ids; budget groups have text ids. */
export type LoggedRecord = { id: number | string; version: number; organisationId: OrganisationId | null } & Record<string, unknown>
type Action = 'created' | 'updated' | 'deleted' | 'restored' | 'imported' | 'erased'

/**
 * Name under which the platform log records that an organisation was deleted together with its own log. The entry stores the organisation
 * and the last link of its chain, so that the audit does not expect the log to continue.
 */
export const removedOrganisationLog = { name: 'removedOrganisation' } as const

/** Logs a change to a reference record, in the transaction that makes it. */
export async function logRecordChange(call: Call<'actor'>, resource: LoggedKind, change: RecordChange): Promise<void> {
  await logRecordChanges(call, resource, [change])
}

export interface RecordChange {
  action: Action
  before: LoggedRecord | null
  after: LoggedRecord | null
}

export async function logRecordChanges(
  { tx, actor }: Call<'actor'>,
  resource: LoggedKind,
  changes: readonly RecordChange[],
): Promise<void> {
  const changed = (): UserId[] => changes.map(({ before, after }) => toChangedUserId(assertDefined(after ?? before).id))
  const seal = isSealedChangeKind(resource.name) ? await createChangeSealer(tx, resource.name, changed()) : null
  const rows = changes.map(({ action, before, after }) => {
    const record = assertDefined(after ?? before)
    return {
      organisationId: resource.reach === 'organisation' ? toOrganisationId(Number(record.id)) : record.organisationId,
      resource: resource.name,
      recordId: String(record.id),
      version: after ? after.version : record.version + 1,
      action,
      ...(seal ? seal(toChangedUserId(record.id), { before, after }) : { before, after }),
      actorId: actor.userId,
      requestId: actor.requestId,
    }
  })
  await insertRows(tx, referenceChanges, { rows })
}

export interface HistoryEntry {
  version: number
  action: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  actorId: UserId | null
  occurredAt: string
  /** What happened, as a sentence, if it was not a change to the record's own fields. */
  sentence?: string
}

/** The changes of a record, newest first. Encrypted personal values are decrypted; for an erased user, `before` and `after` are empty. */
export async function readRecordHistory(
  tx: OrganisationTx,
  resource: Pick<AnyResource, 'name'>,
  id: number | string,
): Promise<HistoryEntry[]> {
  const rows = await tx
    .select()
    .from(referenceChanges)
    .where(and(eq(referenceChanges.resource, resource.name), eq(referenceChanges.recordId, String(id))))
    .orderBy(desc(referenceChanges.id))
    .limit(500)
  const open = rows.length && isSealedChangeKind(resource.name) ? await createChangeOpener(tx, toChangedUserId(id)) : null
  return rows.map((row) => ({
    version: row.version,
    action: row.action,
    ...(open ? open(row) : { before: row.before, after: row.after }),
    actorId: row.actorId,
    occurredAt: new Date(row.occurredAt).toISOString(),
  }))
}

/** A history with the names of the people who made each change. */
export async function addActorNames(store: Store, entries: readonly HistoryEntry[]): Promise<(HistoryEntry & { actor: string })[]> {
  const names = await readUserNames(
    store,
    entries.map((entry) => entry.actorId),
  )
  return entries.map((entry) => ({ ...entry, actor: nameActor(names, entry.actorId) }))
}

/** A change to how files from one source are read and mapped, as a sentence. */
export interface FileMappingHistoryLine {
  version: number
  /** ISO 8601. */
  at: string
  actor: string
  sentence: string
}

/**
 * Lists the changes to how files from one source are read and mapped, newest first.
 * @param name the name under which they are logged
 * @param tell describes a change, given the values before and after it
 */
export async function readFileMappingHistory<Kept>(
  { tx, store }: Call<'store'>,
  { name, id }: { name: string; id: number },
  tell: (change: { before: Kept | null; after: Kept | null }) => string,
): Promise<FileMappingHistoryLine[]> {
  // Only one command logs under this name, always in the same form, so the type is known.
  const asStoredValues = (value: Record<string, unknown> | null): Kept | null => value as Kept | null
  const entries = await addActorNames(store, await readRecordHistory(tx, { name }, id))
  return entries.map(({ version, actor, occurredAt, before, after }) => ({
    version,
    at: occurredAt,
    actor,
    sentence: tell({ before: asStoredValues(before), after: asStoredValues(after) }),
  }))
}
