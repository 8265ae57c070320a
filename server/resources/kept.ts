import { and, eq } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { AnyRecord } from '../../domain/resources/resource.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { staleRecord } from '../../domain/words/errors.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { recordChange } from './referenceLog.ts'

/** A record of an organisation that is kept in a table of its own, without a declaration. */
export interface KeptRow {
  organisationId: OrganisationId
  id: number
  version: number
}

/** A kind of such records: where they are, how one is read, and what the log says of it. */
export interface Kept<Row extends KeptRow> {
  name: string
  table: PgTable & { organisationId: PgColumn; id: PgColumn; version: PgColumn }
  /** @throws DomainError 404 for one of another organisation */
  get: (tx: OrganisationTx, organisationId: OrganisationId, id: number) => Promise<Row>
  /** What the log says of one: never a secret. */
  logged: (row: Row) => AnyRecord
}

const own = <Row extends KeptRow>({ table }: Kept<Row>, { organisationId, id }: Pick<KeptRow, 'organisationId' | 'id'>) =>
  and(eq(table.organisationId, organisationId), eq(table.id, id))

/**
 * A record that is to be changed, locked until the end of the transaction.
 * @param version the one that was read; left out where what is done fits any
 * @throws DomainError 404; 409 where somebody else saved it in between
 */
export async function lockRecord<Row extends KeptRow>(
  tx: OrganisationTx,
  kept: Kept<Row>,
  { organisationId, id, version }: { organisationId: OrganisationId; id: number; version?: number },
): Promise<Row> {
  await tx.select({ id: kept.table.id }).from(kept.table).where(own(kept, { organisationId, id })).for('update')
  const row = await kept.get(tx, organisationId, id)
  if (version !== undefined && version !== row.version) throw staleRecord(null)
  return row
}

/** Writes a new version of a record that is locked, and who did it. @returns it as it stands then */
export async function changeRecord<Row extends KeptRow>(
  call: Call<'actor'>,
  kept: Kept<Row>,
  { before, set }: { before: Row; set: Partial<Row> },
): Promise<Row> {
  const { tx } = call
  await tx
    .update(kept.table)
    .set({ ...set, version: before.version + 1 })
    .where(own(kept, before))
  const after = await kept.get(tx, before.organisationId, before.id)
  await recordChange(call, kept, { action: 'updated', before: kept.logged(before), after: kept.logged(after) })
  return after
}

/** Deletes a record that is locked; its history stays. */
export async function deleteRecord<Row extends KeptRow>(call: Call<'actor'>, kept: Kept<Row>, before: Row): Promise<void> {
  const { tx } = call
  await tx.delete(kept.table).where(own(kept, before))
  await recordChange(call, kept, { action: 'deleted', before: kept.logged(before), after: null })
}
