import { eq } from 'drizzle-orm'
import { allResources, resources } from '../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import { users } from '../../../drizzle/accessTables.ts'
import { images } from '../../../drizzle/consoleTables.ts'
import type { FileReply } from '../../core/calls/reply.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { getResourceTable, readResourceRecords } from '../../core/database/tables.ts'
import { isPrintableImage, mostPrintedPixels } from './printable.ts'

/**
 * An image to be displayed.
 * @throws DomainError 404
 */
export async function readImage(tx: OrganisationTx, id: number): Promise<FileReply<Buffer>> {
  const [row] = await tx.select().from(images).where(eq(images.id, id))
  if (!row) throw notFound('Image')
  return { fileName: row.fileName, contentType: row.contentType, body: row.body, inline: true }
}

/**
 * The logo for a printed page: that of the location, otherwise that of its organisation. Null if there is none, or none that can be printed.
 * @param locationId 0 for the whole organisation
 */
export async function readLogo(tx: OrganisationTx, organisationId: OrganisationId, locationId: LocationId): Promise<Buffer | null> {
  const [place] = locationId ? await readResourceRecords(tx, resources.location, { column: 'id', ids: [locationId] }) : []
  const organisation = requireSingleRow(await readResourceRecords(tx, resources.organisation, { column: 'id', ids: [organisationId] }))
  const id = place?.logoId ?? organisation.logoId
  if (!id) return null
  const [row] = await tx.select().from(images).where(eq(images.id, id))
  if (!row || (row.width ?? 0) * (row.height ?? 0) > mostPrintedPixels) return null
  return isPrintableImage(row) ? row.body : null
}

/** Whether any record or user that the transaction can see uses an image. */
export async function isImageUsed(tx: OrganisationTx, id: number): Promise<boolean> {
  for (const resource of allResources)
    for (const [name, field] of Object.entries(resource.fields)) {
      if (field.kind !== 'image') continue
      const { table, columns } = getResourceTable(resource)
      if (
        (
          await tx
            .select({ id: columns.id })
            .from(table)
            .where(eq(assertDefined(columns[name]), id))
            .limit(1)
        ).length
      )
        return true
    }
  return (await tx.select({ id: users.id }).from(users).where(eq(users.avatarId, id)).limit(1)).length > 0
}
