import { sql } from 'drizzle-orm'
import { entryFile } from '../../../domain/budget/items/entryFile.ts'
import { pupilFile } from '../../../domain/budget/items/pupilFile.ts'
import { hasAnyPermission } from '../../../domain/people/permissions.ts'
import { allResources, separatelyStoredResources } from '../../../domain/resources/all.ts'
import { staffContract } from '../../../domain/resources/entities/budget/staffContract.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { forbidden } from '../../../domain/words/errors.ts'
import { importColumnChoices } from '../../../drizzle/fileTables.ts'
import { type CallerRights, refuseLimitedCaller } from '../../core/calls/context.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { type ChosenColumn, readChosenColumns } from '../../shared/importColumns/queries.ts'

/** The most headings remembered for an entity; the oldest are dropped. */
const maximumHeadings = 500

const imported: AnyResource[] = [...allResources, ...Object.values(separatelyStoredResources), staffContract, entryFile, pupilFile]

/** Whether a caller may import files of an entity; false for one without imports. */
export function mayImport(holder: CallerRights, entity: string): boolean {
  const resource = imported.find(({ name }) => name === entity)
  if (!resource) return false
  const { write } = resource.access
  const writers = [
    ...(write === 'administrator' ? [] : write),
    ...(resource.own && resource.own.write !== 'administrator' ? resource.own.write : []),
  ]
  return holder.isAdministrator || (writers.length > 0 && hasAnyPermission(holder, writers))
}

/**
 * Remembers the chosen column for each heading of a file, replacing earlier choices.
 * @throws DomainError 403 for a caller who may not import the entity or is limited to some locations, and for an entity
 * without imports
 */
export async function storeImportColumns(
  tx: OrganisationTx,
  { organisationId, holder }: { organisationId: OrganisationId; holder: CallerRights },
  { entity, columns }: { entity: string; columns: readonly ChosenColumn[] },
): Promise<void> {
  if (!mayImport(holder, entity)) throw forbidden()
  refuseLimitedCaller(holder)
  // The row is created first and then locked, so that concurrent imports wait for each other.
  await tx
    .insert(importColumnChoices)
    .values({ organisationId, entity, columns: [] })
    .onConflictDoUpdate({
      target: [importColumnChoices.organisationId, importColumnChoices.entity],
      set: { columns: sql`${importColumnChoices.columns}` },
    })
  const last = new Map((await readChosenColumns(tx, organisationId, entity)).map((one) => [one.heading, one]))
  for (const one of columns) {
    last.delete(one.heading)
    last.set(one.heading, one)
  }
  const newest = [...last.values()].slice(-maximumHeadings)
  await tx
    .insert(importColumnChoices)
    .values({ organisationId, entity, columns: newest })
    .onConflictDoUpdate({
      target: [importColumnChoices.organisationId, importColumnChoices.entity],
      set: { columns: newest },
    })
}
