import { z } from 'zod'
import type { ListView } from '../../../domain/lists/listViews.ts'
import { reply } from '../../core/calls/reply.ts'
import { listViewSettings } from '../../shared/listViews/inputs.ts'

const view: z.ZodType<ListView> = z.strictObject({ id: z.int(), name: z.string(), look: listViewSettings }).meta({ id: 'ListView' })

export const viewReply = reply(view)
export const views = reply(z.array(view))
export const importedNames = reply(z.array(z.string()))
