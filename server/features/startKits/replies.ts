import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'
import type { KitListResult } from './commands.ts'

const part: z.ZodType<KitListResult> = z.strictObject({
  resource: z.string(),
  added: z.int(),
  left: z.array(z.string()).describe('The codes or names of the records that the organisation already had.'),
})

export const kitResults = reply(z.array(part))
