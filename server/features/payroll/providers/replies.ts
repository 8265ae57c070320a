import { z } from 'zod'
import { payLayouts, payMeanings } from '../../../../domain/payroll/provider/columns.ts'
import { reply } from '../../../core/calls/reply.ts'
import type { ProviderOptions } from './queries.ts'

const texts = z.array(z.strictObject({ text: z.string(), id: z.int().nullable() }))
const target = { id: z.int(), codes: z.array(z.string()), name: z.string() }

const openShape: z.ZodType<ProviderOptions> = z.strictObject({
  providers: z.array(
    z.strictObject({
      id: z.int(),
      name: z.string(),
      layout: z.enum(payLayouts),
      columns: z.array(z.strictObject({ heading: z.string(), meaning: z.enum(payMeanings) })),
      version: z.int(),
      texts: z.strictObject({ code: texts, location: texts }),
    }),
  ),
  codes: z.array(z.strictObject({ ...target, type: z.int(), element: z.int().nullable() })),
  locations: z.array(z.strictObject({ ...target, isArchived: z.boolean() })),
})
export const providerOptions = reply(openShape)
