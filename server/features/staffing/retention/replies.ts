import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import type { Leavers } from './queries.ts'

const leaver = {
  id: z.int().brand<'StaffId'>(),
  employeeNumber: z.string(),
  name: z.string(),
  locations: z.string(),
  left: z.string().describe('The last day they worked, as far as Bursar knows.'),
}

const shape: z.ZodType<Leavers> = z
  .strictObject({
    years: z.int().nullable(),
    due: z.array(z.strictObject({ ...leaver, since: z.string() })),
    kept: z.array(z.strictObject({ ...leaver, until: z.string().nullable(), reason: z.string() })),
    working: z.int(),
  })
  .meta({ id: 'Leavers' })

export const list = reply(shape)
export const erasedLeavers = reply(z.strictObject({ erased: z.int() }).meta({ id: 'ErasedLeavers' }))
