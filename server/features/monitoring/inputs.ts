import { z } from 'zod'
import { hasDecimals } from '../../../domain/values/decimals.ts'

export const year = z.int().min(2000, 'Year must be 2000 or later.').max(2199, 'Year must be before 2200.')
const month = z.int().min(1, 'Month must be 1 to 12.').max(12, 'Month must be 1 to 12.')
export const calendarMonth = { year, month }
export const id = z.int().positive()
export const locationId = id.brand<'LocationId'>()
export const pounds = z
  .number('Value must be a number.')
  .min(-9_999_999_999, 'Value is too large.')
  .max(9_999_999_999, 'Value is too large.')
  .refine((value) => hasDecimals(value, 2), 'Value can have at most two decimals.')
