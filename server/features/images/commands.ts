import { and, eq, sql } from 'drizzle-orm'
import { imageSize } from 'image-size'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { dayInLondon, displayNumber } from '../../../domain/values/format.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { conflict, DomainError, invalid, notFound } from '../../../domain/words/errors.ts'
import { imageTypes, largestImageBytes, largestImageSide } from '../../../domain/words/notices.ts'
import { images } from '../../../drizzle/consoleTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { isImageUsed } from '../../shared/images/queries.ts'

const wrongType = (): DomainError => new DomainError('wrongType', 'fileType', 'This kind of file is not accepted.')

/**
 * The type and size of an image from its bytes, whatever the file name.
 * @throws DomainError 415 for anything that is not a supported image; 400 for one with more pixels than a browser
 * should decode
 */
function measureImage(bytes: Uint8Array): { contentType: string; width: number; height: number } {
  const { type, width, height } = measureSize(bytes)
  const contentType = `image/${type === 'jpg' ? 'jpeg' : type}`
  if (!imageTypes.includes(contentType)) throw wrongType()
  if (!(width >= 1 && height >= 1 && width <= largestImageSide && height <= largestImageSide))
    throw invalid([
      { field: 'file', message: `A picture can have at most ${displayNumber(largestImageSide)} pixels on each side. Make it smaller.` },
    ])
  return { contentType, width, height }
}

function measureSize(bytes: Uint8Array): ReturnType<typeof imageSize> {
  try {
    return imageSize(bytes)
  } catch {
    // Unreadable bytes get the same answer as an unsupported type.
    throw wrongType()
  }
}

/**
 * Stores an uploaded image.
 * @param organisationId the owner; null for a national image
 * @throws DomainError 400 without a file, 413 over 2 MB, 415 for anything that is not an image
 */
export async function storeImage(
  tx: OrganisationTx,
  organisationId: OrganisationId | null,
  { fileName, bytes, isForm }: { fileName: string; bytes?: Uint8Array; isForm: boolean },
) {
  if (!isForm) throw wrongType()
  if (!bytes?.length) throw invalid([{ field: 'file', message: 'File is required.' }])
  if (bytes.length > largestImageBytes) throw new DomainError('tooLarge', 'fileTooLarge', 'The file is larger than 2 MB.')
  const row = requireSingleRow(
    await tx
      .insert(images)
      .values({ ...measureImage(bytes), organisationId, fileName, size: bytes.length, body: Buffer.from(bytes) })
      .returning(),
  )
  const { body: _body, organisationId: _owner, ...shown } = row
  return { ...shown, created: dayInLondon(shown.created) }
}

/**
 * Deletes an unused image.
 * @throws DomainError 404 for another owner's, 409 for one in use anywhere
 */
export async function deleteImage({ tx, store }: Call<'store'>, { isAdministrator, organisationId }: RowScope, id: number): Promise<void> {
  const owned = isAdministrator ? undefined : organisationId === null ? sql`false` : eq(images.organisationId, organisationId)
  const [row] = await tx
    .select({ id: images.id })
    .from(images)
    .where(and(eq(images.id, id), owned))
  if (!row) throw notFound('Image')
  if (await store.asPlatform((all) => isImageUsed(all, id))) throw conflict('inUse', 'Image is in use and cannot be deleted.')
  await tx.delete(images).where(eq(images.id, id))
}
