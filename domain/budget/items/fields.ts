import { z } from 'zod'
import { isExact } from '../../calculation/exact.ts'
import { hasDecimals } from '../../values/decimals.ts'
import { buildBoundedNumberSchema } from '../budget.ts'

const largest = 999_999_999.99

/** Pounds with at most two decimals; blank becomes null. */
export const buildPoundsSchema = (label: string) => buildBoundedNumberSchema(label, { min: -largest, max: largest, places: 2 })
/** Per cent with at most four decimals; blank becomes null. */
export const buildRateSchema = (label: string) => buildBoundedNumberSchema(label, { min: -100, max: 1000, places: 4 })

/** An exact number in the format of `formatExact`. */
export const exactNumber = z.string().max(402).refine(isExact, 'Enter a number, such as 12 or 12.5.')

export const calculatorRow = z.object({
  kind: z.number('Kind is required.').int().min(1, 'Kind is not one of the choices.').max(8, 'Kind is not one of the choices.'),
  description: z
    .string()
    .trim()
    .max(200, 'Description can have at most 200 characters.')
    .nullish()
    .transform((text) => text || null),
  value: buildBoundedNumberSchema('Value', { min: -largest, max: largest, places: 6 }).default(null),
  exact: exactNumber.nullish(),
  years: z
    .array(buildBoundedNumberSchema('A yearly value', { min: -largest, max: largest, places: 6 }))
    .max(5, 'A row can have at most five years.')
    .nullish()
    .transform((years) => years ?? []),
  periods: z
    .array(
      z
        .number('A monthly weight must be a number.')
        .min(0, 'A monthly weight cannot be below zero.')
        .max(1_000_000, 'A monthly weight can be at most 1,000,000.')
        .refine((weight) => hasDecimals(weight, 6), 'A monthly weight can have at most 6 decimal places.'),
    )
    .refine((periods) => periods.length === 0 || periods.length === 12, 'A period row has twelve weights.')
    .nullish()
    .transform((periods) => periods ?? []),
})
export const calculatorRows = z.array(calculatorRow).max(300, 'There can be at most 300 rows.')
