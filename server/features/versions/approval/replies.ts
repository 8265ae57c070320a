import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'

export const state = reply(
  z.union([
    z.strictObject({ locked: z.boolean(), approval: z.null() }),
    z.strictObject({
      locked: z.boolean(),
      approval: z.strictObject({
        by: z.string(),
        comment: z.string().nullable(),
        state: z.enum(['submitted', 'approved', 'returned']),
        at: z.string(),
        version: z.int(),
      }),
    }),
  ]),
)

export const comments = reply(
  z.array(
    z.strictObject({
      id: z.string(),
      about: z.strictObject({
        kind: z.enum(['budget', 'code', 'entry', 'contract']),
        ref: z.string().nullable(),
        year: z.number().nullable(),
      }),
      name: z.string().nullable().describe('What the thing is called that it is about; nothing: the budget.'),
      text: z.string(),
      by: z.string(),
      isOwn: z.boolean(),
      at: z.string(),
      resolvedBy: z.string().nullable(),
      resolvedAt: z.string().nullable(),
    }),
  ),
)

export const readers = reply(z.array(z.strictObject({ id: z.int(), name: z.string() })))
