import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'

const shownFile = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    requestedAt: z.string(),
    state: z.enum(['making', 'made', 'failed', 'cancelled']),
    percent: z.number(),
    failure: z.string().nullable(),
    until: z.string(),
  })
  .meta({ id: 'MadeFile' })
export const file = reply(shownFile)
export const files = reply(z.array(shownFile))
/** The id of a file that a worker is creating. */
export const requestedFile = reply(z.strictObject({ id: z.string() }).meta({ id: 'AskedFile' }))
