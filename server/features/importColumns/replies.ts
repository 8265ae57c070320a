import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'
import type { ImportWithLeftOutRows } from '../../resources/import/leftOut.ts'
import type { ChosenColumn } from '../../shared/importColumns/queries.ts'

const chosen: z.ZodType<ChosenColumn> = z.strictObject({ heading: z.string(), column: z.string().nullable() })
const leftOut: z.ZodType<ImportWithLeftOutRows> = z.strictObject({
  at: z.string(),
  actor: z.string(),
  fileName: z.string(),
  rows: z.array(z.int()),
})
export const earlierFiles = reply(z.strictObject({ columns: z.array(chosen), leftOut: z.array(leftOut) }))
