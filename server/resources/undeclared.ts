import { and, eq } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { AnyRecord } from '../../domain/resources/resource.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { staleRecord } from '../../domain/words/errors.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { logRecordChange } from './referenceLog.ts'

/** A record of an organisation that is stored in its own table and not declared as a resource. */
export interface UndeclaredRow {
  organisationId: OrganisationId
  id: number
  version: number
}

/** A kind of undeclared record: its table, how to read a record, and what the log stores of it. */
export interface UndeclaredKind<Row extends UndeclaredRow> {
  name: string
  table: PgTable & { organisationId: PgColumn; id: PgColumn; version: PgColumn }
  /** @throws DomainError 404 for a record of another organisation */
  get: (tx: OrganisationTx, organisationId: OrganisationId, id: number) => Promise<Row>
  /** What the log stores of a row; never a secret. */
  toLogged: (row: Row) => AnyRecord
}

const recordCondition = <Row extends UndeclaredRow>(
  { table }: UndeclaredKind<Row>,
  { organisationId, id }: Pick<UndeclaredRow, 'organisationId' | 'id'>,
) => and(eq(table.organisationId, organisationId), eq(table.id, id))

/**
 * Reads a record and locks it until the end of the transaction.
 * @param version the version that the caller read; omit it if the change is valid for any version
 * @throws DomainError 404; 409 if someone else has saved it since
 */
export async function lockUndeclaredRecord<Row extends UndeclaredRow>(
  tx: OrganisationTx,
  recordKind: UndeclaredKind<Row>,
  { organisationId, id, version }: { organisationId: OrganisationId; id: number; version?: number },
): Promise<Row> {
  await tx
    .select({ id: recordKind.table.id })
    .from(recordKind.table)
    .where(recordCondition(recordKind, { organisationId, id }))
    .for('update')
  const row = await recordKind.get(tx, organisationId, id)
  if (version !== undefined && version !== row.version) throw staleRecord(null)
  return row
}

/**
 * Writes a new version of a locked record and logs who did it.
 * @returns the record as stored now
 */
export async function updateUndeclaredRecord<Row extends UndeclaredRow>(
  call: Call<'actor'>,
  recordKind: UndeclaredKind<Row>,
  { before, set }: { before: Row; set: Partial<Row> },
): Promise<Row> {
  const { tx } = call
  await tx
    .update(recordKind.table)
    .set({ ...set, version: before.version + 1 })
    .where(recordCondition(recordKind, before))
  const after = await recordKind.get(tx, before.organisationId, before.id)
  await logRecordChange(call, recordKind, { action: 'updated', before: recordKind.toLogged(before), after: recordKind.toLogged(after) })
  return after
}

/** Deletes a locked record. Its history remains. */
export async function deleteUndeclaredRecord<Row extends UndeclaredRow>(
  call: Call<'actor'>,
  recordKind: UndeclaredKind<Row>,
  before: Row,
): Promise<void> {
  const { tx } = call
  await tx.delete(recordKind.table).where(recordCondition(recordKind, before))
  await logRecordChange(call, recordKind, { action: 'deleted', before: recordKind.toLogged(before), after: null })
}
