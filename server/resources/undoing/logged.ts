import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import type { UserId } from '../../../domain/values/ids.ts'
import { isRecord } from '../../../domain/values/unknownValues.ts'
import { referenceChanges } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { notLeftOutLogCondition } from '../import/leftOut.ts'

/**
 * Identifies a change by one record that it changed and the version that it gave the record. Without a version, it is the record's latest
 * deletion.
 */
export interface ChangeReference {
  id: number
  version: number | null
}

/** How a change affected one record: its state before and after; null if it did not exist. */
export interface RecordTransition {
  resource: string
  id: number
  before: AnyRecord | null
  after: AnyRecord | null
}

/** All record changes that one transaction wrote. */
export interface LoggedTransaction {
  actorId: UserId | null
  at: Date
  steps: RecordTransition[]
}

/** The last change, made after the change to undo, to one of the same records: the record, and who changed it. */
export interface LaterChange {
  resource: string
  record: AnyRecord
  isDeleted: boolean
  actorId: UserId | null
  /** ISO 8601. */
  at: string
}

type Row = typeof referenceChanges.$inferSelect

// The log stores records in the shape they had when they were written.
const recordIn = (value: unknown): AnyRecord | null => value as AnyRecord | null

/** The log line that identifies a change. */
async function findLine(tx: OrganisationTx, resource: AnyResource, { id, version }: ChangeReference): Promise<Row | undefined> {
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
 * The log lines that the same transaction wrote. Transaction numbers start again when a backup is restored, so the time is compared too.
 */
const sameChangeCondition = ({ id, transaction, occurredAt }: Row) =>
  transaction === null
    ? eq(referenceChanges.id, id)
    : and(eq(referenceChanges.transaction, transaction), eq(referenceChanges.occurredAt, occurredAt))

/** Finds all log lines of a change. @returns null if the log has no such change */
export async function findLoggedChange(
  tx: OrganisationTx,
  resource: AnyResource,
  name: ChangeReference,
): Promise<(LoggedTransaction & { newer: LaterChange | null }) | null> {
  const line = await findLine(tx, resource, name)
  if (!line) return null
  const ofChange = and(sameChangeCondition(line), notLeftOutLogCondition)
  const rows = await tx.select().from(referenceChanges).where(ofChange).orderBy(asc(referenceChanges.id))
  const newer = await listLaterChanges(tx, rows)
  const last = new Map(rows.map((row) => [keyOf(row), row]))
  const steps = new Map<string, RecordTransition>()
  for (const row of rows) {
    const key = keyOf(row)
    const first = steps.get(key)
    const before = first ? first.before : recordIn(row.before)
    steps.set(key, { resource: row.resource, id: Number(row.recordId), before, after: recordIn(row.after) })
  }
  const standing: Row[] = []
  for (const [key, later] of byKey(newer)) {
    const change = assertDefined(last.get(key))
    // Later changes do not prevent undoing if the same person made them and the record is again as this change left it.
    const isBack = later.every((row) => row.actorId === line.actorId) && isSameRecord(assertDefined(later.at(-1)).after, change.after)
    if (isBack) Object.assign(assertDefined(steps.get(key)), { after: recordIn(assertDefined(later.at(-1)).after) })
    else standing.push(...later)
  }
  const newest = standing.sort((a, b) => a.id - b.id).at(-1)
  return { actorId: line.actorId, at: new Date(line.occurredAt), steps: [...steps.values()], newer: newest ? toldNewer(newest) : null }
}

const keyOf = ({ resource, recordId }: Row): string => `${resource} ${recordId}`

function byKey(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>()
  for (const row of rows) found.set(keyOf(row), [...(found.get(keyOf(row)) ?? []), row])
  return found
}

/** Whether two records have the same content, regardless of version and time. */
function isSameRecord(one: unknown, other: unknown): boolean {
  const values = (record: unknown): unknown => (isRecord(record) ? { ...record, version: null, savedAt: null, created: null } : record)
  return canonicalJson(values(one)) === canonicalJson(values(other))
}

/** The later changes to the records that a change affected, in order. */
async function listLaterChanges(tx: OrganisationTx, rows: readonly Row[]): Promise<Row[]> {
  const last = new Map(rows.map((row) => [keyOf(row), row]))
  const wanted = [...last.values()].map(({ resource, recordId, id }) => ({ resource, record: recordId, id }))
  const found = await tx
    .select()
    .from(referenceChanges)
    .innerJoin(
      sql`json_to_recordset(${JSON.stringify(wanted)}::json) as touched (resource text, record text, id bigint)`,
      sql`${referenceChanges.resource} = touched.resource and ${referenceChanges.recordId} = touched.record and ${referenceChanges.id} > touched.id`,
    )
    .orderBy(asc(referenceChanges.id))
  return found.map((row) => row.reference_changes)
}

function toldNewer({ resource, before, after, actorId, occurredAt }: Row): LaterChange {
  return {
    resource,
    record: assertDefined(recordIn(after ?? before)),
    isDeleted: after === null,
    actorId,
    at: new Date(occurredAt).toISOString(),
  }
}
