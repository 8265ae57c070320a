import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'

const shape = z
  .strictObject({ id: z.string(), version: z.int(), created: z.string(), value: z.number(), description: z.string(), type: z.number() })
  .meta({ id: 'OpeningBalance' })

export const openingBalance = reply(shape)

export const page = reply(z.strictObject({ rows: z.array(shape), total: z.number() }).meta({ id: 'OpeningBalancePage' }))
