import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'

export const list = reply(
  z.array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), location: z.string(), altDescription: z.string().nullable() })),
)

const wordShape = z
  .strictObject({ id: z.int(), code: z.string(), description: z.string(), altDescription: z.string().nullable() })
  .meta({ id: 'AltDescription' })

export const word = reply(wordShape)

export const words = reply(z.strictObject({ rows: z.array(wordShape), total: z.number() }).meta({ id: 'AltDescriptionPage' }))
