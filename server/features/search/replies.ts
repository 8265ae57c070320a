import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'
import { commentSubject } from '../../shared/approval/replies.ts'
import { type SearchHit, searchableKinds } from './queries.ts'

const hit: z.ZodType<SearchHit> = z.strictObject({
  entity: z.enum(searchableKinds),
  id: z.string(),
  name: z.string(),
  detail: z.string(),
  place: z.strictObject({ locationId: z.int().brand<'LocationId'>(), budgetId: z.string().brand<'BudgetId'>() }).nullable(),
  about: commentSubject.optional(),
  monitored: z.strictObject({ versus: z.enum(['actuals', 'forecast']), month: z.string() }).optional(),
})
export const hits = reply(z.array(hit))
