import { z } from 'zod'
import { deliveryStates } from '../../../../domain/integrations/webhooks.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { forbidden } from '../../../../domain/words/errors.ts'
import type { CallContext } from '../../../core/calls/context.ts'
import { defineRestPaths, inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { addActorNames, readRecordHistory } from '../../../resources/referenceLog.ts'
import { history } from '../../../resources/replies.ts'
import { listWebhookDeliveries, listWebhooks, presentWebhook, readWebhook } from '../../../shared/integrations/webhooks/queries.ts'
import { refuseLimitedEditor } from '../commands.ts'
import {
  createWebhook,
  deleteWebhook,
  pauseWebhook,
  refuseAddress,
  replayDeliveriesSince,
  replayDelivery,
  resumeWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  webhookInput,
} from './commands.ts'
import * as replies from './replies.ts'

const reading = listViewPermissions('ConsoleOrganisations')
const writing = ['ConsoleOrganisationsReadUpdate'] as const
const byId = z.object({ id: z.int().positive() })
const restRoute = defineRestPaths('/api/integrations/webhooks', { entity: 'Webhook', term: { singular: 'Webhook', plural: 'Webhooks' } })

/**
 * An API client may not create webhooks; otherwise a stolen secret could keep receiving messages after its revocation.
 * @throws DomainError 403
 */
function refuseApiClient({ principal }: Pick<CallContext, 'principal'>): void {
  if (principal?.kind !== 'user') throw forbidden()
}

const deliveryInput = byId.extend({
  state: z.enum(deliveryStates).nullish().describe('Only messages with this status.'),
  before: z.int().positive().max(Number.MAX_SAFE_INTEGER).nullish().describe('The id of the last one received, to get earlier ones.'),
  most: z.int().min(1, 'Request 1 to 200.').max(200, 'Request 1 to 200.').default(50).describe('The maximum number returned.'),
})

/** The systems that receive events, signed as in Standard Webhooks. The events are the same as in the feed. */
export const webhookRouter = router({
  list: inOrganisation(reading, 'short', restRoute('GET', '', { summary: 'List the webhooks' }))
    .output(replies.webhooks)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        // A webhook covers every location, so callers limited to some do not see it.
        const rows = ctx.holder.locationIds ? [] : await listWebhooks(tx, ctx.organisationId)
        return rows.map((row) => presentWebhook(row, ctx.now))
      }),
    ),
  get: inOrganisation(reading, 'short', restRoute('GET', '/{id:integer}', { summary: 'Read a webhook' }))
    .input(byId)
    .output(replies.webhook)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        refuseLimitedEditor(ctx)
        return presentWebhook(await readWebhook(tx, ctx.organisationId, input.id), ctx.now)
      }),
    ),
  create: inOrganisation(
    writing,
    'short',
    restRoute('POST', '', { status: 201, summary: 'Add a webhook; the reply shows its signing secret, once' }),
  )
    .input(webhookInput)
    .output(replies.webhookWithSecret)
    .mutation(async ({ ctx, input }) => {
      refuseApiClient(ctx)
      await refuseAddress(ctx, input.address, ctx.services.config.outboundNetworks)
      return ctx.inTransaction(async (tx) => {
        const { row, secret } = await createWebhook({ ...ctx, tx }, input)
        return { ...presentWebhook(row, ctx.now), secret }
      })
    }),
  update: inOrganisation(writing, 'short', restRoute('PUT', '', { summary: 'Change a webhook' }))
    .input(webhookInput.extend({ id: z.int().positive(), version: z.int() }))
    .output(replies.webhook)
    .mutation(async ({ ctx, input }) => {
      refuseApiClient(ctx)
      await refuseAddress(ctx, input.address, ctx.services.config.outboundNetworks)
      return ctx.inTransaction(async (tx) => presentWebhook(await updateWebhook({ ...ctx, tx }, input), ctx.now))
    }),
  delete: inOrganisation(writing, 'short', restRoute('DELETE', '/{id:integer}', { status: 204, summary: 'Delete a webhook' }))
    .input(byId)
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => deleteWebhook({ ...ctx, tx }, input.id))),
  rotate: inOrganisation(
    writing,
    'short',
    restRoute('POST', '/{id:integer}/secret', {
      status: 201,
      summary: 'Give a webhook a new signing secret; the previous one also signs for a day',
    }),
  )
    .input(byId)
    .output(replies.webhookWithSecret)
    .mutation(({ ctx, input }) => {
      refuseApiClient(ctx)
      return ctx.inTransaction(async (tx) => {
        const { row, secret } = await rotateWebhookSecret({ ...ctx, tx }, input.id)
        return { ...presentWebhook(row, ctx.now), secret }
      })
    }),
  pause: inOrganisation(writing, 'short', restRoute('POST', '/{id:integer}/pause', { summary: 'Pause a webhook' }))
    .input(byId)
    .output(replies.webhook)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => presentWebhook(await pauseWebhook({ ...ctx, tx }, input.id), ctx.now))),
  resume: inOrganisation(writing, 'short', restRoute('POST', '/{id:integer}/resume', { summary: 'Resume a webhook from where it stopped' }))
    .input(byId)
    .output(replies.webhook)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => presentWebhook(await resumeWebhook({ ...ctx, tx }, input.id), ctx.now))),
  test: inOrganisation(writing, 'short', restRoute('POST', '/{id:integer}/test', { summary: 'Send a test message to a webhook' }))
    .input(byId)
    .output(replies.webhook)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => presentWebhook(await testWebhook({ ...ctx, tx }, input.id), ctx.now))),
  deliveries: inOrganisation(
    reading,
    'short',
    restRoute('GET', '/{id:integer}/deliveries', { summary: 'List the messages to a webhook and their delivery status' }),
  )
    .input(deliveryInput)
    .output(replies.deliveries)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        refuseLimitedEditor(ctx)
        return listWebhookDeliveries(tx, await readWebhook(tx, ctx.organisationId, input.id), input)
      }),
    ),
  replay: inOrganisation(
    writing,
    'short',
    restRoute('POST', '/{id:integer}/deliveries/{deliveryId:integer}/replay', { summary: 'Resend one message to a webhook' }),
  )
    .input(byId.extend({ deliveryId: z.int().positive().max(Number.MAX_SAFE_INTEGER).describe('Id of a message to the webhook.') }))
    .output(replies.replayedDeliveries)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => replayDelivery({ ...ctx, tx }, input))),
  replaySince: inOrganisation(
    writing,
    'short',
    restRoute('POST', '/{id:integer}/replay', { summary: 'Resend all messages since a given time to a webhook' }),
  )
    .input(byId.extend({ since: z.iso.datetime({ offset: true, message: 'Enter a time such as 2026-11-23T09:00:00Z.' }) }))
    .output(replies.replayedDeliveries)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => replayDeliveriesSince({ ...ctx, tx }, input))),
  history: inOrganisation(writing, 'short')
    .input(byId)
    .output(history)
    .query(async ({ ctx, input }) => {
      const entries = await ctx.inTransaction(async (tx) => {
        refuseLimitedEditor(ctx)
        await readWebhook(tx, ctx.organisationId, input.id)
        return readRecordHistory(tx, { name: 'webhook' }, input.id)
      })
      return addActorNames(ctx.services.store, entries)
    }),
})
