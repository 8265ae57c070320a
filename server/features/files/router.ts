import { z } from 'zod'
import { mongoId } from '../../../domain/budget/budget.ts'
import { defineRestPaths, inOrganisation, router } from '../../core/calls/procedures.ts'
import { emptyReply, pdfReply } from '../../core/calls/reply.ts'
import { cancelFile } from '../../shared/files/commands.ts'
import { fetchFile, listFilesOfUser, readFileOfUser } from '../../shared/files/queries.ts'
import * as replies from '../../shared/files/replies.ts'

const byId = z.object({ id: mongoId })
const at = defineRestPaths('/api/Files', { term: { singular: 'File', plural: 'Files' } })

/** Files made for the caller. Users see their own, and can download them as long as they may see the contents. */
export const fileRouter = router({
  list: inOrganisation('signedIn', 'short')
    .output(replies.files)
    .query(({ ctx }) => ctx.inTransaction((tx) => listFilesOfUser(tx, ctx))),
  get: inOrganisation('signedIn', 'short')
    .input(byId)
    .output(replies.file)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readFileOfUser(tx, ctx, input.id))),
  fetch: inOrganisation('signedIn', 'file', at('GET', '/{id:mongoId}', { mayConflict: true, summary: 'Download a file you requested' }))
    .input(byId)
    .output(pdfReply)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => fetchFile(tx, ctx, input.id))),
  cancel: inOrganisation('signedIn', 'short')
    .input(byId)
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => cancelFile(tx, ctx, input.id))),
})
