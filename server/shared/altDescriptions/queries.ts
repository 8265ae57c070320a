import { and, eq, sql } from 'drizzle-orm'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import { isOneOf } from '../../../domain/values/keysOf.ts'
import { altDescriptions } from '../../../drizzle/consoleTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

const kinds = ['budgetCode', 'costCentre'] as const
export type DescriptionKind = (typeof kinds)[number]

/** @throws Error for a kind of code that has no alternative descriptions */
export function findDescriptionKind({ name }: AnyResource): DescriptionKind {
  if (!isOneOf(kinds, name)) throw new Error(`Locations have no words of their own for ${name}`)
  return name
}

/** A location's alternative descriptions of codes of a kind, by code id. */
export async function readAltDescriptions(tx: OrganisationTx, resource: AnyResource, locationId: LocationId): Promise<Map<number, string>> {
  const rows = await tx
    .select()
    .from(altDescriptions)
    .where(and(eq(altDescriptions.locationId, locationId), eq(altDescriptions.resource, findDescriptionKind(resource))))
  return new Map(rows.map((row) => [row.recordId, row.altDescription]))
}

/**
 * A location's alternative descriptions of codes of a kind at a moment, from the change log.
 * @param until ISO 8601; changes before this moment are included
 */
export async function readAltDescriptionsAsOf(
  { tx, locationId }: Call<'locationId'>,
  resource: AnyResource,
  until: string,
): Promise<Map<number, string>> {
  const words = await readAltDescriptions(tx, resource, locationId)
  const changed = await tx.execute<{ id: number; text: string | null }>(sql`
    select distinct on (record_id) record_id::integer as id, before ->> 'altDescription' as text from reference_changes
    where resource = ${`${resource.name}AltDescription`} and occurred_at >= ${until}::timestamptz
      and (after ->> 'locationId')::integer = ${locationId}
    order by record_id, id`)
  for (const { id, text } of changed)
    if (text === null) words.delete(id)
    else words.set(id, text)
  return words
}

/** The alternative descriptions of one code, by location id. */
export async function readAltDescriptionsOfCode(tx: OrganisationTx, resource: AnyResource, recordId: number): Promise<Map<number, string>> {
  const rows = await tx
    .select()
    .from(altDescriptions)
    .where(and(eq(altDescriptions.recordId, recordId), eq(altDescriptions.resource, findDescriptionKind(resource))))
  return new Map(rows.map((row) => [row.locationId, row.altDescription]))
}

/** Codes with a location's alternative descriptions in place of the organisation's (behaviour B-164). */
export async function applyAltDescriptions(
  { tx, locationId }: Call<'locationId'>,
  resource: AnyResource,
  records: readonly AnyRecord[],
): Promise<AnyRecord[]> {
  const words = await readAltDescriptions(tx, resource, locationId)
  return records.map((record) => (words.has(record.id) ? { ...record, altDescription: words.get(record.id) } : record))
}
