import { z } from 'zod'
import { returnLineKeyPattern } from '../../../../domain/reports/returns/returnReasons.ts'

export const reasonInput = z.object({
  locationId: z.int().positive().brand<'LocationId'>().nullable().describe('Null for the return of several locations together.'),
  firstYear: z.int().min(1990).max(2100),
  line: z.string().regex(returnLineKeyPattern, 'The return does not have that line.'),
  text: z.string().trim().max(1000, 'A reason can have at most 1,000 characters.').describe('Leave empty to remove it.'),
  version: z.int().min(0).describe('The version of the reason that was read; 0 if there was none.'),
})
export type ReasonInput = z.infer<typeof reasonInput>
