import { z } from 'zod'
import type { Pennies } from '../../values/units.ts'
import { mongoId } from '../budget.ts'
import { buildPoundsSchema } from './fields.ts'

/** An opening balance; whole pennies, negative for a deficit. */
export interface OpeningBalance {
  id: string
  description: string
  type: number
  value: Pennies
}

/** An opening balance as sent by screens and the API (entities.json OpeningBalance). */
export const openingBalanceInput = z.object({
  id: mongoId.nullish(),
  version: z.number().int().nullish(),
  description: z
    .string('Description is required.')
    .trim()
    .min(1, 'Description is required.')
    .max(200, 'Description can have at most 200 characters.'),
  type: z.union([z.literal(1), z.literal(2), z.literal(3)], 'Type is not one of the choices.').default(1),
  value: buildPoundsSchema('Value').refine((value) => value !== null, 'Value is required.'),
})
export type OpeningBalanceInput = z.infer<typeof openingBalanceInput>
