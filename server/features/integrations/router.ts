import { z } from 'zod'
import type { Services } from '../../core/calls/context.ts'
import { inOrganisation, type RestDetails, router } from '../../core/calls/procedures.ts'
import { emptyReply } from '../../core/calls/reply.ts'
import type { RestMeta } from '../../core/calls/restMeta.ts'
import { addActorNames, readRecordHistory } from '../../resources/referenceLog.ts'
import { history } from '../../resources/replies.ts'
import {
  beginLinkAction,
  createCredential,
  credentialInput,
  credentialUpdateInput,
  deleteCredential,
  parametersInput,
  saveParameters,
  updateCredential,
} from './commands.ts'
import { type LinkFeatures, listCredentials, listParameters, presentCredential, readCredential, readLinkStatus } from './queries.ts'
import * as replies from './replies.ts'

const writing = ['ConsoleOrganisationsReadUpdate'] as const
const offeredBy = ({ services }: { services: Services }): LinkFeatures => ({ hasFolder: services.config.exchangeDir !== null })
const byId = z.object({ id: z.int().positive() })
const restRoute = (method: RestMeta['method'], path: string, details: RestDetails): RestMeta => ({
  method,
  path: `/api/integrations${path}`,
  also: [`/integrations${path}`],
  entity: 'IntegrationCredential',
  ...details,
})

/**
 * Links from an organisation to other systems (2 §7.10). Every signed-in user sees that they exist; organisation managers configure them.
 */
export const integrationRouter = router({
  list: inOrganisation('signedIn', 'short', restRoute('GET', '/organisation/credentials', { summary: 'List integration credentials' }))
    .output(replies.credentials)
    .query(({ ctx }) => ctx.inTransaction(async (tx) => (await listCredentials(tx, ctx)).map(presentCredential))),
  get: inOrganisation('signedIn', 'short', restRoute('GET', '/credentials/{id:integer}', { summary: 'Read an integration credential' }))
    .input(byId)
    .output(replies.credentialReply)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => presentCredential(await readCredential(tx, ctx, input.id)))),
  clientStatus: inOrganisation(
    'signedIn',
    'short',
    restRoute('GET', '/clientstatus', { summary: 'Read the status of the links to other systems' }),
  )
    .output(replies.statuses)
    .query(({ ctx }) => ctx.inTransaction((tx) => readLinkStatus(tx, ctx))),
  create: inOrganisation(writing, 'short', restRoute('POST', '/credentials', { status: 201, summary: 'Add an integration credential' }))
    .input(credentialInput)
    .output(replies.credentialReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => presentCredential(await createCredential({ ...ctx, tx }, input, offeredBy(ctx)))),
    ),
  update: inOrganisation(writing, 'short')
    .input(credentialUpdateInput)
    .output(replies.credentialReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => presentCredential(await updateCredential({ ...ctx, tx }, input, offeredBy(ctx)))),
    ),
  delete: inOrganisation(writing, 'short')
    .input(byId)
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => deleteCredential({ ...ctx, tx }, input.id))),
  parameters: inOrganisation(
    writing,
    'short',
    restRoute('GET', '/credentials/{id:integer}/parameters', {
      summary: 'List the settings and actions of a link to another system, with secrets masked',
    }),
  )
    .input(byId)
    .output(replies.parameters)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => listParameters(tx, await readCredential(tx, ctx, input.id), offeredBy(ctx))),
    ),
  saveParameters: inOrganisation(
    writing,
    'short',
    restRoute('PUT', '/credentials/parameters', { isList: true, summary: 'Save and test the settings of a link to another system' }),
  )
    .input(parametersInput)
    .output(replies.parameters)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => saveParameters({ ...ctx, tx }, input, offeredBy(ctx)))),
  action: inOrganisation(
    writing,
    'short',
    restRoute('POST', '/credentials/{id:integer}/actions/{action}', {
      also: [],
      summary: 'Start an action of a link to another system; clientstatus returns the outcome',
    }),
  )
    .input(
      z.object({
        id: z.int().positive(),
        action: z
          .string()
          .max(50)
          .meta({ description: 'Name of an action that the link offers.', examples: ['test'] }),
      }),
    )
    .output(replies.actionResult)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => beginLinkAction({ ...ctx, tx }, input))),
  history: inOrganisation(writing, 'short')
    .input(byId)
    .output(history)
    .query(async ({ ctx, input }) => {
      const entries = await ctx.inTransaction(async (tx) => {
        await readCredential(tx, ctx, input.id)
        return readRecordHistory(tx, { name: 'integrationCredential' }, input.id)
      })
      return addActorNames(ctx.services.store, entries)
    }),
})
