import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import type { LocationsRow, LocationsTable } from './queries.ts'

const row: z.ZodType<LocationsRow> = z.strictObject({
  kind: z.enum(['Data', 'Description', 'SectionHeader', 'SectionFooter', 'Total']).describe('The kind of row.'),
  budgetCodeId: z.int().nullable(),
  code: z.string().nullable(),
  description: z.string(),
  missing: z.int(),
  values: z.array(z.number().nullable()).describe('In the order of `locations`; null if the actuals it needs are missing.'),
  total: z.number(),
})

const table: z.ZodType<LocationsTable> = z.strictObject({
  locations: z.array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), location: z.string() })),
  rows: z.array(row),
  leftOut: z.array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), location: z.string() })),
})
export const locations = reply(table)
