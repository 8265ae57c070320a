import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'

export const descriptionsByLocation = reply(
  z.array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), location: z.string(), altDescription: z.string().nullable() })),
)

const wordShape = z
  .strictObject({ id: z.int(), code: z.string(), description: z.string(), altDescription: z.string().nullable() })
  .meta({ id: 'AltDescription' })

export const altDescription = reply(wordShape)

export const altDescriptionPage = reply(z.strictObject({ rows: z.array(wordShape), total: z.number() }).meta({ id: 'AltDescriptionPage' }))
