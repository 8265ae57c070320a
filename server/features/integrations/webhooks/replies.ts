import { z } from 'zod'
import { integrationEventTypes } from '../../../../domain/integrations/events.ts'
import { deliveryStates, testMessageType, webhookStates } from '../../../../domain/integrations/webhooks.ts'
import { reply } from '../../../core/calls/reply.ts'
import type { Webhook, WebhookDelivery } from '../../../shared/integrations/webhooks/queries.ts'

const fields = {
  id: z.int(),
  version: z.int(),
  created: z.string(),
  name: z.string(),
  address: z.string(),
  types: z.array(z.enum(integrationEventTypes)),
  state: z.enum(webhookStates),
  reason: z.string().nullable().describe('Why it was disabled.'),
  secretMade: z.string(),
  previousUntil: z.string().nullable().describe('When the previous secret stops signing messages; null if it no longer does.'),
  failingSince: z.string().nullable(),
  lastAccepted: z.string().nullable(),
}
const webhookShape = z.strictObject(fields).meta({ id: 'Webhook' }) satisfies z.ZodType<Webhook>

const delivery: z.ZodType<WebhookDelivery> = z
  .strictObject({
    id: z.int(),
    messageId: z.string().describe('The id of the event in the feed; the same at every attempt.'),
    type: z.enum([...integrationEventTypes, testMessageType]),
    occurredAt: z.string(),
    state: z.enum(deliveryStates),
    tries: z.int(),
    triedAt: z.string().nullable(),
    nextTry: z.string().nullable(),
    answerStatus: z.int().nullable().describe('The HTTP status of the last response.'),
    answer: z.string().nullable().describe('The result of the last attempt, in words.'),
  })
  .meta({ id: 'WebhookDelivery' })

export const webhook = reply(webhookShape)
export const webhooks = reply(z.array(webhookShape))
export const webhookWithSecret = reply(
  z
    .strictObject({ ...fields, secret: z.string().describe('The secret that signs messages; shown only once.') })
    .meta({ id: 'WebhookWithSecret' }),
)
export const deliveries = reply(z.array(delivery))
export const replayedDeliveries = reply(
  z.strictObject({ count: z.int().describe('The number of messages sent again.') }).meta({ id: 'Replayed' }),
)
