import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'
import type { BinPage, BinRow } from './queries.ts'

const row: z.ZodType<BinRow> = z
  .strictObject({
    kind: z.string(),
    id: z.int(),
    name: z.string(),
    parts: z.int(),
    deletedBy: z.string(),
    deletedAt: z.string(),
    until: z.string(),
  })
  .meta({ id: 'BinRow' })

const shape: z.ZodType<BinPage> = z.strictObject({ rows: z.array(row), total: z.int(), kinds: z.array(z.string()) }).meta({ id: 'BinPage' })

export const page = reply(shape)
export const restored = reply(z.strictObject({ restored: z.int() }).meta({ id: 'RestoredFromBin' }))
