import { z } from 'zod'
import { printableRequest } from '../inputs.ts'

export const layoutInput = z.object({
  name: z.string().trim().min(1, 'Name is required.').max(100, 'Name can have at most 100 characters.'),
  isShared: z.boolean().describe('Everyone in the organisation who can read reports can choose it.'),
  isOverOpen: z.boolean().describe('The layout uses the budget that is open when the layout is chosen: no budgets or years are stored.'),
  request: printableRequest,
})
export type LayoutInput = z.infer<typeof layoutInput>

export const layoutUpdateInput = layoutInput.extend({ id: z.int().positive(), version: z.int() })
export const layoutIdInput = z.object({ id: z.int().positive() })
