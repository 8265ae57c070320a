import { z } from 'zod'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { defineRestPaths, inOrganisation, router } from '../../../core/calls/procedures.ts'
import { csvReply, emptyReply } from '../../../core/calls/reply.ts'
import { createLayout, deleteLayout, updateLayout } from './commands.ts'
import { fileInput, layoutInput } from './inputs.ts'
import { buildLedgerFile, listLayouts, presentFileLayout, readLayout, toFilePreview, toFileReply } from './queries.ts'
import * as replies from './replies.ts'

const making = ['BudgetingReportsRead'] as const
const reading = [...making, ...listViewPermissions('ConsoleOrganisations')]
const writing = ['ConsoleOrganisationsReadUpdate'] as const
const byId = z.object({ id: z.int().positive() })
const restRoute = defineRestPaths('/api/integrations/', {
  entity: 'FileLayout',
  term: { singular: 'Layout', plural: 'Files for the ledger' },
})

/** Budget files for importing into ledgers, in built-in layouts or those of the organisation. */
export const ledgerFileRouter = router({
  layouts: inOrganisation(reading, 'short', restRoute('GET', 'layouts', { summary: 'List the organisation’s own ledger file layouts' }))
    .output(replies.layouts)
    .query(({ ctx }) => ctx.inTransaction(async (tx) => (await listLayouts(tx, ctx.organisationId)).map(presentFileLayout))),
  layout: inOrganisation(reading, 'short', restRoute('GET', 'layouts/{id:integer}', { summary: 'Read a ledger file layout' }))
    .input(byId)
    .output(replies.layout)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => presentFileLayout(await readLayout(tx, ctx.organisationId, input.id)))),
  createLayout: inOrganisation(writing, 'short', restRoute('POST', 'layouts', { status: 201, summary: 'Add a ledger file layout' }))
    .input(layoutInput)
    .output(replies.layout)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => presentFileLayout(await createLayout({ ...ctx, tx }, input)))),
  updateLayout: inOrganisation(writing, 'short', restRoute('PUT', 'layouts', { summary: 'Change a ledger file layout' }))
    .input(layoutInput.extend({ id: z.int().positive(), version: z.int() }))
    .output(replies.layout)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => presentFileLayout(await updateLayout({ ...ctx, tx }, input)))),
  deleteLayout: inOrganisation(
    writing,
    'short',
    restRoute('DELETE', 'layouts/{id:integer}', { status: 204, summary: 'Delete a ledger file layout' }),
  )
    .input(byId)
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => deleteLayout({ ...ctx, tx }, input.id))),
  /** The preview of a file: its rows, totals and problems. */
  tryFile: inOrganisation(making, 'short', restRoute('POST', 'files/try', { summary: 'Preview a ledger file and list what prevents it' }))
    .input(fileInput)
    .output(replies.filePreview)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => toFilePreview(await buildLedgerFile({ ...ctx, tx }, input)))),
  file: inOrganisation(making, 'file', restRoute('POST', 'files', { summary: 'Download a budget as a ledger file' }))
    .input(fileInput)
    .output(csvReply)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => toFileReply(await buildLedgerFile({ ...ctx, tx }, input), ctx.now))),
})
