import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'

export const importedPupils = reply(
  z
    .strictObject({
      rows: z.int(),
      message: z.string().describe('What was saved, what was kept because someone entered or undid it, and what has no matching budget.'),
    })
    .meta({ id: 'PupilsTaken' }),
)
