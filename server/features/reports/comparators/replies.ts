import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import type { ComparatorRow, ListedComparators } from '../../../shared/reports/comparators/queries.ts'

const listed: z.ZodType<ListedComparators> = z.strictObject({
  id: z.int(),
  version: z.int(),
  name: z.string(),
  source: z.string(),
  year: z.string().nullable(),
  created: z.string(),
  isUsed: z.boolean(),
  schools: z.int(),
  chosen: z.int().describe('How many of them belong to the set.'),
})
export const comparatorSets = reply(z.array(listed))

/** A set with its schools, from which users choose those to compare with. */
export interface ShownComparators {
  id: number
  version: number
  name: string
  source: string
  year: string | null
  isUsed: boolean
  schools: { key: string; name: string; measures: number; isChosen: boolean }[]
  unused: { row: number; text: string; why: string }[]
}

export function presentComparators({ id, version, name, source, year, isUsed, schools, unused, chosen }: ComparatorRow): ShownComparators {
  const chosenUrns = new Set(chosen)
  return {
    id,
    version,
    name,
    source,
    year,
    isUsed,
    schools: schools.map((school) => ({
      key: school.key,
      name: school.name,
      measures: Object.keys(school.figures).length,
      isChosen: chosenUrns.has(school.key),
    })),
    unused,
  }
}

const shown: z.ZodType<ShownComparators> = z
  .strictObject({
    id: z.int(),
    version: z.int(),
    name: z.string(),
    source: z.string(),
    year: z.string().nullable(),
    isUsed: z.boolean(),
    schools: z.array(z.strictObject({ key: z.string(), name: z.string(), measures: z.int(), isChosen: z.boolean() })),
    unused: z.array(z.strictObject({ row: z.int(), text: z.string(), why: z.string() })).describe('Rows of the file that were not used.'),
  })
  .meta({ id: 'ComparatorSet' })
export const comparatorSet = reply(shown)
