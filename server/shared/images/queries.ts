import { inflateSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { allResources, resources } from '../../../domain/resources/all.ts'
import { assertDefined, onlyRow } from '../../../domain/values/assertDefined.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import { users } from '../../../drizzle/accessTables.ts'
import { images } from '../../../drizzle/consoleTables.ts'
import type { FileReply } from '../../core/calls/reply.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { getTable, readResourceRecords } from '../../core/database/tables.ts'

/**
 * An image to be displayed.
 * @throws DomainError 404
 */
export async function getImage(tx: OrganisationTx, id: number): Promise<FileReply<Buffer>> {
  const [row] = await tx.select().from(images).where(eq(images.id, id))
  if (!row) throw notFound('Image')
  return { fileName: row.fileName, contentType: row.contentType, body: row.body, inline: true }
}

/** An image with more pixels takes too long to decode for a printed page. */
const mostPrintedPixels = 4_000_000

/**
 * The logo for a printed page: that of the location, otherwise that of its organisation. Null if there is none, or none that can be printed.
 * @param locationId 0 for the whole organisation
 */
export async function readLogo(tx: OrganisationTx, organisationId: OrganisationId, locationId: LocationId): Promise<Buffer | null> {
  const [place] = locationId ? await readResourceRecords(tx, resources.location, { column: 'id', ids: [locationId] }) : []
  const organisation = onlyRow(await readResourceRecords(tx, resources.organisation, { column: 'id', ids: [organisationId] }))
  const id = place?.logoId ?? organisation.logoId
  if (!id) return null
  const [row] = await tx.select().from(images).where(eq(images.id, id))
  if (!row || (row.width ?? 0) * (row.height ?? 0) > mostPrintedPixels) return null
  return canBePrinted(row) ? row.body : null
}

/** Whether an image can be embedded in a PDF. The pixels of a PNG must unpack, because PDFKit would throw where nothing can catch it. */
function canBePrinted({ contentType, body }: { contentType: string; body: Buffer }): boolean {
  if (contentType !== 'image/png') return contentType === 'image/jpeg'
  const parts: Buffer[] = []
  for (let at = 8; at + 8 <= body.length; at += body.readUInt32BE(at) + 12)
    if (body.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(body.subarray(at + 8, at + 8 + body.readUInt32BE(at)))
  try {
    return inflateSync(Buffer.concat(parts), { maxOutputLength: 8 * mostPrintedPixels + 8_000_000 }).length > 0
  } catch {
    return false
  }
}

/** Whether any record or user that the transaction can see uses an image. */
export async function isImageUsed(tx: OrganisationTx, id: number): Promise<boolean> {
  for (const resource of allResources)
    for (const [name, field] of Object.entries(resource.fields)) {
      if (field.kind !== 'image') continue
      const { table, columns } = getTable(resource)
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
