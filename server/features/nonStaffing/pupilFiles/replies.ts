import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'

export const taken = reply(
  z
    .strictObject({
      rows: z.int(),
      message: z.string().describe('What was written, what stays as somebody typed it or took it back, and what has no place.'),
    })
    .meta({ id: 'PupilsTaken' }),
)
