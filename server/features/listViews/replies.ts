import { z } from 'zod'
import type { ListView } from '../../../domain/lists/listViews.ts'
import { reply } from '../../core/calls/reply.ts'
import { listLook } from '../../shared/listViews/inputs.ts'

const view: z.ZodType<ListView> = z.strictObject({ id: z.int(), name: z.string(), look: listLook }).meta({ id: 'ListView' })

export const one = reply(view)
export const all = reply(z.array(view))
export const taken = reply(z.array(z.string()))
