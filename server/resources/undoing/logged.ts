import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { UserId } from '../../../domain/ids.ts'
import { must } from '../../../domain/must.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { referenceChanges } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** A change, named by one of the records that it touched: the version that it made of it; no version: its newest deletion. */
export interface ChangeName {
  id: number
  version: number | null
}

/** What a change made of one record, from how it stood before the change to how it stood after it; null: it was not there. */
export interface Step {
  resource: string
  id: number
  before: AnyRecord | null
  after: AnyRecord | null
}

/** Everything that one transaction wrote of records. */
export interface WholeChange {
  actorId: UserId | null
  at: Date
  steps: Step[]
}

/** Who was the last to touch one of the records of a change after it, and how the record is told. */
export interface Newer {
  resource: string
  record: AnyRecord
  isDeleted: boolean
  actorId: UserId | null
  /** ISO 8601. */
  at: string
}

type Row = typeof referenceChanges.$inferSelect

// The log holds records as they were written, in the shape that they had then.
const recordIn = (value: unknown): AnyRecord | null => value as AnyRecord | null

/** The line of the log by which a change is named. */
async function lineOf(tx: OrganisationTx, resource: AnyResource, { id, version }: ChangeName): Promise<Row | undefined> {
  const { resource: of, recordId, version: at, action } = referenceChanges
  const [row] = await tx
    .select()
    .from(referenceChanges)
    .where(and(eq(of, resource.name), eq(recordId, String(id)), version === null ? eq(action, 'deleted') : eq(at, version)))
    .orderBy(desc(referenceChanges.id))
    .limit(1)
  return row
}

/**
 * What belongs to the change of a line: whatever its transaction wrote. A copy of the database that was put back counts its transactions anew,
 * so their moment is part of what tells them apart.
 */
const sameChange = ({ id, transaction, occurredAt }: Row) =>
  transaction === null
    ? eq(referenceChanges.id, id)
    : and(eq(referenceChanges.transaction, transaction), eq(referenceChanges.occurredAt, occurredAt))

/** A whole change by the name of it. @returns null when the log has none of that name */
export async function changeNamed(
  tx: OrganisationTx,
  resource: AnyResource,
  name: ChangeName,
): Promise<(WholeChange & { newer: Newer | null }) | null> {
  const line = await lineOf(tx, resource, name)
  if (!line) return null
  const rows = await tx.select().from(referenceChanges).where(sameChange(line)).orderBy(asc(referenceChanges.id))
  const steps = new Map<string, Step>()
  for (const row of rows) {
    const key = `${row.resource} ${row.recordId}`
    const first = steps.get(key)
    const before = first ? first.before : recordIn(row.before)
    steps.set(key, { resource: row.resource, id: Number(row.recordId), before, after: recordIn(row.after) })
  }
  return { actorId: line.actorId, at: new Date(line.occurredAt), steps: [...steps.values()], newer: await newerThan(tx, rows) }
}

async function newerThan(tx: OrganisationTx, rows: readonly Row[]): Promise<Newer | null> {
  const last = new Map(rows.map((row) => [`${row.resource} ${row.recordId}`, row]))
  const wanted = [...last.values()].map(({ resource, recordId, id }) => ({ resource, record: recordId, id }))
  const [found] = await tx
    .select()
    .from(referenceChanges)
    .innerJoin(
      sql`json_to_recordset(${JSON.stringify(wanted)}::json) as touched (resource text, record text, id bigint)`,
      sql`${referenceChanges.resource} = touched.resource and ${referenceChanges.recordId} = touched.record and ${referenceChanges.id} > touched.id`,
    )
    .orderBy(desc(referenceChanges.id))
    .limit(1)
  if (!found) return null
  const { resource, before, after, actorId, occurredAt } = found.reference_changes
  return { resource, record: must(recordIn(after ?? before)), isDeleted: after === null, actorId, at: new Date(occurredAt).toISOString() }
}
