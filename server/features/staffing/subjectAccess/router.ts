import { z } from 'zod'
import { buildExportFileName } from '../../../../domain/values/format.ts'
import { defineRestPaths, inOrganisation, router } from '../../../core/calls/procedures.ts'
import { pdfReply } from '../../../core/calls/reply.ts'
import { renderPdf } from '../../../core/paper/paper.ts'
import { makeAccessPack } from './commands.ts'
import { layOutAccessPack } from './paper.ts'
import * as replies from './replies.ts'

const byId = z.object({ id: z.int().positive().brand<'StaffId'>() })
/** Callers who may erase a person may also hand over the data held about them. */
const handing = ['ConsoleStaffMembersReadUpdate'] as const
const at = defineRestPaths('/api/Staff', { entity: 'StaffMember' })

/** All data held about a person, for subject access requests. */
export const subjectAccessRouter = router({
  pack: inOrganisation(
    handing,
    'export',
    at('POST', '/{id:integer}/access-pack', { summary: 'Read all data held about a person; this is recorded in the person’s history' }),
  )
    .input(byId)
    .output(replies.pack)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction((tx) => makeAccessPack({ tx, store: ctx.services.store, actor: ctx.actor }, ctx, input.id)),
    ),
  paper: inOrganisation(
    handing,
    'export',
    at('POST', '/{id:integer}/access-pack/paper', { summary: 'Download all data held about a person as PDF' }),
  )
    .input(byId)
    .output(pdfReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const pack = await makeAccessPack({ tx, store: ctx.services.store, actor: ctx.actor }, ctx, input.id)
        const name = buildExportFileName('Subject-access pack', ctx.now).replace(/\.csv$/, '.pdf')
        return renderPdf(name, layOutAccessPack(pack, ctx.principal.name))
      }),
    ),
})
