import { and, eq } from 'drizzle-orm'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { altDescriptions } from '../../../drizzle/consoleTables.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

export type Kind = 'budgetCode' | 'costCentre'

/** What a location calls codes of a kind, by the id of the code. */
export async function altDescriptionsOf(tx: OrganisationTx, resource: AnyResource, locationId: number): Promise<Map<number, string>> {
  const rows = await tx
    .select()
    .from(altDescriptions)
    .where(and(eq(altDescriptions.locationId, locationId), eq(altDescriptions.resource, resource.name as Kind)))
  return new Map(rows.map((row) => [row.recordId, row.altDescription]))
}

/** What the locations call one code, by the id of the location. */
export async function wordsOfCode(tx: OrganisationTx, resource: AnyResource, recordId: number): Promise<Map<number, string>> {
  const rows = await tx
    .select()
    .from(altDescriptions)
    .where(and(eq(altDescriptions.recordId, recordId), eq(altDescriptions.resource, resource.name as Kind)))
  return new Map(rows.map((row) => [row.locationId, row.altDescription]))
}

/** Codes with the words of a location in place of the organisation's (behaviour B-164). */
export async function withAltDescriptions(
  tx: OrganisationTx,
  resource: AnyResource,
  locationId: number,
  records: readonly AnyRecord[],
): Promise<AnyRecord[]> {
  const words = await altDescriptionsOf(tx, resource, locationId)
  return records.map((record) => (words.has(record.id) ? { ...record, altDescription: words.get(record.id) } : record))
}
