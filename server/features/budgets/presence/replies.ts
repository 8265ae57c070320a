import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'

export const here = reply(z.array(z.strictObject({ name: z.string(), place: z.string() })))
