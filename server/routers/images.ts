import { eq, sql } from 'drizzle-orm'
import { imageSize } from 'image-size'
import { z } from 'zod'
import { conflict, DomainError, invalid, notFound } from '../../domain/errors.ts'
import { imageTypes, largestImageBytes } from '../../domain/notices.ts'
import { allResources } from '../../domain/resources/all.ts'
import { users } from '../../drizzle/accessTables.ts'
import { images } from '../../drizzle/consoleTables.ts'
import type { OrganisationTx } from '../store/database.ts'
import { tableFor } from '../store/tables.ts'
import { type FileReply, inOrganisationOrGlobal, router } from '../trpc/procedures.ts'

const writing = [
  'ConsoleOrganisationsReadUpdate',
  'ConsoleLocationsReadUpdate',
  'ConsoleFlashMessagesReadUpdate',
  'ConsoleNewsReadUpdate',
] as const
const path = '/api/Images'

const wrongType = (): DomainError => new DomainError('wrongType', 'fileType', 'This kind of file is not accepted.')

/** What the bytes are, whatever the file calls itself. @throws DomainError 415 for anything that is no picture of ours */
function measured(bytes: Uint8Array): { contentType: string; width: number | null; height: number | null } {
  try {
    const { type, width, height } = imageSize(bytes)
    const contentType = `image/${type === 'jpg' ? 'jpeg' : type}`
    if (imageTypes.includes(contentType)) return { contentType, width: width ?? null, height: height ?? null }
  } catch {
    // It is no picture at all: the same answer.
  }
  throw wrongType()
}

async function isUsed(tx: OrganisationTx, id: number): Promise<boolean> {
  for (const resource of allResources)
    for (const [name, field] of Object.entries(resource.fields)) {
      if (field.kind !== 'image') continue
      const { table, columns } = tableFor(resource)
      if ((await tx.select({ id: columns.id! }).from(table).where(eq(columns[name]!, id)).limit(1)).length) return true
    }
  return (await tx.select({ id: users.id }).from(users).where(eq(users.avatarId, id)).limit(1)).length > 0
}

/** Pictures: logos, avatars, the pictures of help articles (notices K-30). */
export const imageRouter = router({
  upload: inOrganisationOrGlobal(writing, { method: 'POST', path, status: 201, entity: 'Image' })
    .input(
      z.object({
        fileName: z.string().max(300).default('image'),
        bytes: z.instanceof(Uint8Array).optional(),
        isForm: z.boolean().default(true),
      }),
    )
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { bytes, isForm } = input
        if (!isForm) throw wrongType()
        if (!bytes?.length) throw invalid([{ field: 'file', message: 'File is required.' }])
        if (bytes.length > largestImageBytes) throw new DomainError('tooLarge', 'fileTooLarge', 'The file is larger than 2 MB.')
        const kind = measured(bytes)
        const [row] = await tx
          .insert(images)
          .values({
            ...kind,
            organisationId: ctx.rows.organisationId,
            fileName: input.fileName,
            size: bytes.length,
            body: Buffer.from(bytes),
          })
          .returning()
        const { body: _body, organisationId: _owner, ...shown } = row!
        return { ...shown, created: new Date(shown.created).toISOString().slice(0, 10) }
      }),
    ),
  get: inOrganisationOrGlobal('signedIn', { method: 'GET', path: `${path}/{id:integer}`, entity: 'Image' })
    .input(z.object({ id: z.int().positive() }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx): Promise<FileReply<Buffer>> => {
        const [row] = await tx.select().from(images).where(eq(images.id, input.id))
        if (!row) throw notFound('Image')
        return { fileName: row.fileName, contentType: row.contentType, body: row.body, inline: true }
      }),
    ),
  delete: inOrganisationOrGlobal(writing, { method: 'DELETE', path: `${path}/{id:integer}`, status: 204, entity: 'Image' })
    .input(z.object({ id: z.int().positive() }))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const mine = ctx.holder.isAdministrator ? sql`true` : sql`${images.organisationId} = ${ctx.rows.organisationId}`
        const [row] = await tx.select({ id: images.id }).from(images).where(sql`${images.id} = ${input.id} and ${mine}`)
        if (!row) throw notFound('Image')
        if (await ctx.services.store.asPlatform((all) => isUsed(all, input.id)))
          throw conflict('inUse', 'Image is in use and cannot be deleted.')
        await tx.delete(images).where(eq(images.id, input.id))
      }),
    ),
})
