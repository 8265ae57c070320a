import { z } from 'zod'
import { listRequest } from '../../../domain/lists/lists.ts'
import { termKeys } from '../../../domain/words/terms.ts'
import { refuseLimitedCaller } from '../../core/calls/context.ts'
import { defineRestPaths, inOrganisation, router } from '../../core/calls/procedures.ts'
import { emptyReply } from '../../core/calls/reply.ts'
import { readTermPage, readTerms } from '../../resources/terms.ts'
import { deleteTerm, saveTerm } from './commands.ts'
import * as replies from './replies.ts'

const word = (label: string) =>
  z.string(`${label} is required.`).trim().min(1, `${label} is required.`).max(50, `${label} can have at most 50 characters.`)
const termInput = z.object({
  term: z.enum(termKeys, 'Term was not found.'),
  singular: word('Singular'),
  plural: word('Plural'),
  version: z.int().nullish(),
})
const writing = ['ConsoleOrganisationsReadUpdate'] as const
const at = defineRestPaths('/api/Terminology', { entity: 'TerminologyTerm' })

/** The terminology of an organisation: its own words for things. */
export const termRouter = router({
  dictionary: inOrganisation('signedIn', 'short', at('GET', '', { summary: 'Read the organisation’s own terms' }))
    .output(replies.dictionary)
    .query(({ ctx }) => ctx.inTransaction((tx) => readTerms(tx, ctx.organisationId))),
  list: inOrganisation('signedIn', 'short', at('POST', '/list', { summary: 'List terms' }))
    .input(listRequest)
    .output(replies.page)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readTermPage(tx, ctx.organisationId, input))),
  update: inOrganisation(writing, 'short', at('PUT', '', { summary: 'Change a term' }))
    .input(termInput)
    .output(replies.termReply)
    .mutation(({ ctx, input }) => {
      refuseLimitedCaller(ctx.holder)
      return ctx.inTransaction((tx) => saveTerm({ ...ctx, tx }, { ...input, version: input.version ?? null }))
    }),
  delete: inOrganisation(writing, 'short', at('DELETE', '/{id:integer}', { status: 204, summary: 'Delete a term' }))
    .input(z.object({ id: z.int().positive() }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => {
      refuseLimitedCaller(ctx.holder)
      return ctx.inTransaction((tx) => deleteTerm({ ...ctx, tx }, input.id))
    }),
})
