import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'

export const otherUsers = reply(z.array(z.strictObject({ name: z.string(), place: z.string(), fields: z.array(z.string()) })))
