import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'
import type { ChosenColumn } from '../../shared/importColumns/queries.ts'

const chosen: z.ZodType<ChosenColumn> = z.strictObject({ heading: z.string(), column: z.string().nullable() })
export const columns = reply(z.array(chosen))
