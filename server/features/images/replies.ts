import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'

export const image = reply(
  z
    .strictObject({
      created: z.string(),
      id: z.int(),
      version: z.int(),
      size: z.number(),
      fileName: z.string(),
      contentType: z.string(),
      width: z.number().nullable(),
      height: z.number().nullable(),
    })
    .meta({ id: 'Image' }),
)
