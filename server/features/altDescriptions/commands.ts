import { and, eq } from 'drizzle-orm'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { altDescriptions } from '../../../drizzle/consoleTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { logRecordChange } from '../../resources/referenceLog.ts'
import { findDescriptionKind } from '../../shared/altDescriptions/queries.ts'

/** Saves a location's own description of a code. Once set, it can be changed but not removed. */
export async function saveAltDescription(
  call: Call<'actor'> & { organisationId: OrganisationId; locationId: LocationId; resource: AnyResource; recordId: number },
  altDescription: string | null,
): Promise<void> {
  const { tx, organisationId, locationId, resource, recordId, actor } = call
  const kind = findDescriptionKind(resource)
  const sameDescription = and(
    eq(altDescriptions.organisationId, organisationId),
    eq(altDescriptions.locationId, locationId),
    eq(altDescriptions.resource, kind),
    eq(altDescriptions.recordId, recordId),
  )
  const [before] = await tx.select().from(altDescriptions).where(sameDescription).for('update')
  if ((before?.altDescription ?? null) === altDescription) return
  const version = (before?.version ?? 0) + 1
  if (altDescription === null) await tx.delete(altDescriptions).where(sameDescription)
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
  await logRecordChange(
    call,
    { name: `${kind}AltDescription` },
    {
      action: before ? 'updated' : 'created',
      before: before ? logged(before.altDescription, before.version) : null,
      after: logged(altDescription, version),
    },
  )
}
