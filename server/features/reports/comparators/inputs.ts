import { z } from 'zod'

const name = z.string().trim().min(1, 'Name is required.').max(100, 'Name can have at most 100 characters.')
const year = z.string().trim().max(20, 'A year can have at most 20 characters.').nullable()

export const comparatorImport = z.object({
  name,
  source: z.string().trim().min(1).max(200).describe('The name of the file.'),
  year: year.describe('The year of the figures; null if not given.'),
  rows: z
    .array(z.string().max(20_000))
    .max(20_000, 'The file has more than 20,000 rows. Download fewer schools.')
    .describe('The rows of the file, with cells separated by tabs.'),
})
export type ComparatorImport = z.infer<typeof comparatorImport>

export const comparatorId = z.object({ id: z.int().positive() })

export const comparatorChange = comparatorId.extend({
  version: z.int(),
  name,
  year,
  chosen: z.array(z.string().max(300)).max(2000).describe('The keys of the schools that belong to the set.'),
  isUsed: z.boolean().describe('Whether reports compare schools with it, instead of the previous set.'),
})
export type ComparatorChange = z.infer<typeof comparatorChange>
