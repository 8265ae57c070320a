import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { getResource } from '../../domain/resources/all.ts'
import { type Field, getSingularName } from '../../domain/resources/fields.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import { findMissingBySettings, type RecordValues } from '../../domain/resources/schema.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { type LocationId, toLocationId } from '../../domain/values/ids.ts'
import { requireNumber, requireNumbers } from '../../domain/values/unknownValues.ts'
import type { FieldProblem } from '../../domain/words/errors.ts'
import { images } from '../../drizzle/consoleTables.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { getResourceTable } from '../core/database/tables.ts'

type ReferencingField = Extract<Field, { kind: 'reference' | 'references' }>

/** The fields of a resource that refer to records of other resources. */
export function listReferenceFields(resource: AnyResource): [string, ReferencingField][] {
  return Object.entries(resource.fields).filter(
    (entry): entry is [string, ReferencingField] =>
      (entry[1].kind === 'reference' || entry[1].kind === 'references') && entry[0] !== 'organisationId',
  )
}

/** The ids that a reference field holds. */
export function listIdsInField(field: ReferencingField, value: unknown): number[] {
  if (value === null || value === undefined) return []
  return field.kind === 'reference' ? [requireNumber(value)] : requireNumbers(value)
}

/**
 * For each record to be written, finds the references to records that do not exist, belong to another organisation, or are of the wrong
 * kind. Row-level security hides other tenants' records, but the platform sees all, so the owner is checked too. Referenced records of the
 * organisation stay locked until the transaction ends: a concurrent deletion waits, and then finds them in use. A tenant's database role
 * cannot lock national records; foreign keys protect those.
 */
export async function findReferenceProblems(
  tx: OrganisationTx,
  resource: AnyResource,
  { records, owner }: { records: readonly RecordValues[]; owner: number | null },
): Promise<FieldProblem[][]> {
  const problems: FieldProblem[][] = records.map(() => [])
  for (const [name, field] of listReferenceFields(resource)) {
    const wanted = [...new Set(records.flatMap((record) => listIdsInField(field, record[name])))]
    if (!wanted.length) continue
    const target = getResource(field.to)
    const { table, columns } = getResourceTable(target)
    const conditions: SQL[] = [inArray(columns.id, wanted)]
    for (const [key, value] of Object.entries(field.kind === 'reference' ? (field.where ?? {}) : {}))
      conditions.push(eq(assertDefined(columns[key]), value))
    if (columns.organisationId && owner !== null)
      conditions.push(sql`(${columns.organisationId} is null or ${columns.organisationId} = ${owner})`)
    const query = tx
      .select({ id: columns.id, locations: columns.locations ?? sql<null>`null` })
      .from(table)
      .where(and(...conditions))
      .orderBy(columns.id)
    const rows = await (target.scope === 'organisation' ? query.for('key share') : query)
    const found = new Map(rows.map((row) => [row.id, requireNumbers(row.locations).map(toLocationId)]))
    records.forEach((record, index) => {
      const ids = listIdsInField(field, record[name])
      if (ids.some((id) => !found.has(id)))
        assertDefined(problems[index]).push({ field: name, message: `${getSingularName(field)} was not found.` })
      else if (!(field.kind === 'reference' && field.anyLocation) && ids.some((id) => isAtOtherLocations(record, found.get(id) ?? null)))
        assertDefined(problems[index]).push({ field: name, message: `${getSingularName(field)} belongs to another location.` })
    })
  }
  await findSettingProblems(tx, resource, { records, owner, problems })
  await findImageProblems(tx, resource, { records, problems })
  return problems
}

/** Whether a referenced record applies at none of the locations of the record that refers to it (behaviour B-131). */
function isAtOtherLocations(record: RecordValues, locations: readonly LocationId[] | null): boolean {
  if (!locations?.length) return false
  if (typeof record.locationId === 'number') return !locations.includes(toLocationId(record.locationId))
  const locationsOfRecord = record.locations
  return (
    Array.isArray(locationsOfRecord) && locationsOfRecord.length > 0 && !locationsOfRecord.some((id: LocationId) => locations.includes(id))
  )
}

/** Finds fields that the organisation's settings require and that are empty. */
async function findSettingProblems(
  tx: OrganisationTx,
  resource: AnyResource,
  { records, owner, problems }: { records: readonly RecordValues[]; owner: number | null; problems: FieldProblem[][] },
): Promise<void> {
  if (owner === null || !Object.values(resource.fields).some((field) => field.requiredWhen)) return
  const { table, columns } = getResourceTable(getResource('organisation'))
  const [settings] = await tx.select().from(table).where(eq(columns.id, owner))
  records.forEach((record, index) => assertDefined(problems[index]).push(...findMissingBySettings(resource, record, settings ?? {})))
}

/** References to images that do not exist or belong to another organisation, whose images row-level security hides. */
async function findImageProblems(
  tx: OrganisationTx,
  resource: AnyResource,
  { records, problems }: { records: readonly RecordValues[]; problems: FieldProblem[][] },
): Promise<void> {
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.kind !== 'image') continue
    const wanted = records.flatMap((record) => (typeof record[name] === 'number' ? [record[name]] : []))
    if (!wanted.length) continue
    const found = new Set((await tx.select({ id: images.id }).from(images).where(inArray(images.id, wanted))).map((row) => row.id))
    records.forEach((record, index) => {
      if (typeof record[name] === 'number' && !found.has(record[name]))
        assertDefined(problems[index]).push({ field: name, message: `${field.label} was not found.` })
    })
  }
}
