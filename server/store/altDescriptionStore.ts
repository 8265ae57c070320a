import { and, eq } from 'drizzle-orm'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { altDescriptions } from '../../drizzle/consoleTables.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { recordChange } from './referenceLog.ts'

type Kind = 'budgetCode' | 'costCentre'

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

/** Keeps what a location calls a code; nothing takes its own words away again. */
export async function saveAltDescription(
  tx: OrganisationTx,
  organisationId: number,
  locationId: number,
  resource: AnyResource,
  recordId: number,
  altDescription: string | null,
  actor: Actor,
): Promise<void> {
  const kind = resource.name as Kind
  const place = and(
    eq(altDescriptions.organisationId, organisationId),
    eq(altDescriptions.locationId, locationId),
    eq(altDescriptions.resource, kind),
    eq(altDescriptions.recordId, recordId),
  )
  const [before] = await tx.select().from(altDescriptions).where(place).for('update')
  if ((before?.altDescription ?? null) === altDescription) return
  const version = (before?.version ?? 0) + 1
  if (altDescription === null) await tx.delete(altDescriptions).where(place)
  else
    await tx
      .insert(altDescriptions)
      .values({ organisationId, locationId, resource: kind, recordId, altDescription, version })
      .onConflictDoUpdate({
        target: [altDescriptions.organisationId, altDescriptions.locationId, altDescriptions.resource, altDescriptions.recordId],
        set: { altDescription, version },
      })
  const logged = (text: string | null, at: number): AnyRecord => ({
    id: recordId,
    version: at,
    created: actor.now.toISOString(),
    organisationId,
    locationId,
    altDescription: text,
  })
  await recordChange(
    tx,
    { name: `${kind}AltDescription` },
    before ? 'updated' : 'created',
    before ? logged(before.altDescription, before.version) : null,
    logged(altDescription, version),
    actor,
  )
}
