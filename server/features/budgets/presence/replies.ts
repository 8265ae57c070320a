import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'

const atRecord = z.strictObject({ record: z.string(), field: z.string() })

export const others = reply(z.array(z.strictObject({ name: z.string(), place: z.string(), records: z.array(atRecord) })))
