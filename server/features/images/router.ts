import { z } from 'zod'
import { hasAnyPermission } from '../../../domain/people/permissions.ts'
import { refuseLimitedCaller } from '../../core/calls/context.ts'
import { defineRestPaths, inOrganisationOrGlobal, router } from '../../core/calls/procedures.ts'
import { emptyReply, imageReply } from '../../core/calls/reply.ts'
import { readImage } from '../../shared/images/queries.ts'
import { deleteImage, storeImage } from './commands.ts'
import * as replies from './replies.ts'

const writing = [
  'ConsoleOrganisationsReadUpdate',
  'ConsoleLocationsReadUpdate',
  'ConsoleFlashMessagesReadUpdate',
  'ConsoleNewsReadUpdate',
] as const
const at = defineRestPaths('/api/Images', { entity: 'Image' })
const byId = z.object({ id: z.int().positive() })

/** Images: logos, avatars, pictures of help articles (notices K-30). */
export const imageRouter = router({
  upload: inOrganisationOrGlobal(writing, 'picture', at('POST', '', { status: 201, form: 'file', summary: 'Add an image' }))
    .input(
      z.object({
        fileName: z.string().max(300).default('image'),
        bytes: z.instanceof(Uint8Array).optional(),
        isForm: z.boolean().default(true),
      }),
    )
    .output(replies.image)
    .mutation(({ ctx, input }) => {
      // A location has its own image; all others belong to the organisation.
      if (!hasAnyPermission(ctx.holder, ['ConsoleLocationsReadUpdate'])) refuseLimitedCaller(ctx.holder)
      return ctx.inTransaction((tx) => storeImage(tx, ctx.rows.organisationId, input))
    }),
  get: inOrganisationOrGlobal('signedIn', 'short', at('GET', '/{id:integer}', { summary: 'Read an image' }))
    .input(byId)
    .output(imageReply)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readImage(tx, input.id))),
  delete: inOrganisationOrGlobal(writing, 'short', at('DELETE', '/{id:integer}', { status: 204, summary: 'Delete an image' }))
    .input(byId)
    .output(emptyReply)
    .mutation(({ ctx, input }) => {
      refuseLimitedCaller(ctx.holder)
      return ctx.inTransaction((tx) => deleteImage({ tx, store: ctx.services.store }, ctx.rows, input.id))
    }),
})
