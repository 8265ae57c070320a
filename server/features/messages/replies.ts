import { z } from 'zod'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import { reply } from '../../core/calls/reply.ts'
import type { HelpArticleHead } from '../../shared/messages/queries.ts'

const anyRecord: z.ZodType<AnyRecord> = z.looseObject({
  id: z.int(),
  version: z.int(),
  created: z.string(),
  organisationId: z.int().brand<'OrganisationId'>().nullable(),
})

export const currentMessages = reply(
  z.strictObject({
    messages: z.array(anyRecord),
    passwordLinks: z
      .array(
        z.strictObject({
          by: z.string(),
          number: z.number(),
          kind: z.enum(['invite', 'reset']),
          mailed: z.boolean(),
          at: z.string(),
          usedAt: z.string().nullable(),
        }),
      )
      .describe('Links to set the caller’s password that others created; shown until the caller acknowledges them.'),
    brokenLogs: z
      .array(z.strictObject({ organisation: z.string().nullable(), finding: z.string(), at: z.string() }))
      .describe('Logs that failed their last check, for administrators.'),
    disabledWebhooks: z
      .array(z.strictObject({ id: z.int(), name: z.string(), reason: z.string() }))
      .describe('Webhooks whose messages were not accepted, for people who can correct them.'),
    failingConnections: z
      .array(z.strictObject({ id: z.int(), name: z.string(), reason: z.string() }))
      .describe('Connections whose last run failed, for people who can correct them.'),
    news: z.array(anyRecord),
  }),
)

const topic: z.ZodType<HelpArticleHead> = z.strictObject({ slug: z.string(), title: z.string(), screens: z.array(z.string()) })
export const help = reply(z.array(topic))
