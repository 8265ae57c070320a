import { z } from 'zod'
import { budgetMongoId } from '../budget/budget.ts'
import { locationIdSchema, momentSchema, schemaOf, userIdSchema } from '../values/eventSchema.ts'
import type { PackItem } from './pack.ts'

/*
 * The governors' packs as events store them. A change to the stored fields of a pack needs a new schema version of its events, unless the
 * field is optional.
 */

/** Whole pennies; null if not known. */
const figure = z.int().nullable()
const missing = z.int().optional()

const line = z.object({
  kind: z.enum(['Data', 'Description', 'SectionHeader', 'SectionFooter', 'Total']),
  total: z.enum(['income', 'staff', 'other', 'expenditure', 'inYear', 'broughtForward', 'carriedForward']).nullish(),
  budgetCodeId: z.int().nullable(),
  code: z.string().nullable(),
  description: z.string(),
  budgetToDate: z.number(),
  actualToDate: z.number(),
  commitments: z.number(),
  variance: z.number(),
  variancePercent: z.number().nullable(),
  fullYearBudget: z.number(),
  forecast: z.number(),
  forecastVariance: z.number(),
  adjustmentToDate: z.number().optional(),
  adjustmentOfYear: z.number().optional(),
  missing: z.int(),
})

const figures = z.object({
  organisation: z.string(),
  place: z.object({ name: z.string(), dfeNumber: z.string().nullable() }).nullable(),
  schools: z.int(),
  budgets: z.array(z.object({ id: budgetMongoId, location: z.string(), name: z.string(), words: z.string() })),
  leftOut: z.array(z.string()),
  year: z.string().nullable(),
  period: z.int().nullable(),
  monthsIn: z.array(z.int()),
  threshold: z.object({ explainOver: z.number(), explainOverPercent: z.number(), explainAlwaysOver: z.number() }),
  lines: z.array(line),
  transfers: z.enum(['none', 'apart', 'partly']).optional(),
  staffing: z
    .array(
      z.object({
        name: z.string(),
        isTotal: z.boolean(),
        contracts: z.int().nullable(),
        fte: z.number().nullable(),
        cost: figure,
        missing,
      }),
    )
    .nullable(),
  cash: z
    .object({
      months: z.array(
        z.object({ year: z.int(), month: z.int(), opening: figure, receipts: figure, payments: figure, closing: figure, missing }),
      ),
      floor: figure,
    })
    .nullable(),
  years: z.array(
    z.object({
      name: z.string(),
      income: figure,
      staff: figure,
      inYear: figure,
      reserve: figure,
      pupils: z.number().nullable(),
      missing,
    }),
  ),
  reserveFloor: z.number().nullish(),
  comparators: z
    .object({
      year: z.string(),
      rows: z.array(
        z.object({
          label: z.string(),
          type: z.enum(['money', 'percent', 'ratio']),
          own: z.number().nullable(),
          place: z.string(),
          median: z.number().nullable(),
        }),
      ),
      note: z.string(),
    })
    .optional(),
  warnings: z.array(z.string()),
})

const position = { version: z.int(), hash: z.string() }
const finished = {
  pins: z.object({
    budgets: z.array(z.object({ ...position, id: budgetMongoId })),
    logs: z.array(z.object({ ...position, locationId: locationIdSchema })),
  }),
  figures,
  sealedRemarks: z.string(),
}

const chapter = z.enum([
  'cover',
  'summary',
  'monitoring',
  'explanations',
  'staffing',
  'cash',
  'balances',
  'measures',
  'decisions',
  'signature',
])
const content = { code: z.string(), chapters: z.array(chapter), sealedWords: z.string() }
const start = { ...content, year: z.int(), month: z.int(), from: z.string().nullable() }
const doneBy = { by: userIdSchema.nullable(), at: momentSchema }

export const packContentSchema = z.object(content)
export const packStartSchema = z.object(start)
export const packFinishedSchema = z.object({ code: z.string(), ...finished })
export const packItemSchema = schemaOf<PackItem>()(
  z.object({
    kind: z.literal('pack'),
    ...start,
    started: z.object(doneBy),
    finished: z.object({ ...doneBy, ...finished }).nullable(),
  }),
)
