import { z } from 'zod'
import type { FundingRow } from '../../calculation/nonStaffing/funding.ts'
import { fundingCategories, fundingGroups } from '../../calculation/nonStaffing/fundingCategories.ts'
import { fundingPhase } from '../../lookups/lookupIds.ts'
import { buildBoundedNumberSchema, buildShortTextSchema, mongoId } from '../budget.ts'
import { buildPoundsSchema, exactNumber } from './fields.ts'

/** A prediction of funding: rows that use the rates of one table, and the income code that the result is posted to. */
export interface FundingPrediction {
  id: string
  name: string
  /** Id of the admin table with the local authority funding rates. */
  versionId: number
  budgetCodeId: number
  rows: FundingRow[]
}

const categories = new Set<number>(fundingCategories.map((item) => item.id))

export const fundingRow = z.object({
  kind: z.enum(['Type', 'SubTotal', 'Total', 'Description', 'Inflation', 'Stream'], 'Kind is not one of the choices.'),
  category: z
    .number('Category is not one of the choices.')
    .int()
    .refine((id) => categories.has(id), 'Category is not one of the choices.')
    .nullish()
    .transform((id) => id ?? null),
  description: buildShortTextSchema('Description', 200).default(null),
  years: z
    .array(buildBoundedNumberSchema('A yearly value', { min: -999_999, max: 99_999_999, places: 6 }))
    .max(5, 'A row can have at most five years.')
    .nullish()
    .transform((years) => years ?? []),
  /**
   * Values of years that six decimals cannot hold, as exact text; null for other years. A value no longer applies once `years` holds
   * another number.
   */
  exact: z.array(exactNumber.nullable()).max(5).optional(),
  rate: buildPoundsSchema('Rate').default(null),
  isAwaited: z.boolean().optional(),
})

/** A prediction as sent by screens and the API (entities.json FundingPredictor). */
export const fundingPredictionInput = z.object({
  id: mongoId,
  version: z.number().int().nullish(),
  name: buildShortTextSchema('Name', 100),
  versionId: z.number('Version is required.').int().optional(),
  budgetCodeId: z.number('Budget code is required.').int(),
  rows: z.array(fundingRow).max(300, 'There can be at most 300 rows.'),
})
export type FundingPredictionInput = z.infer<typeof fundingPredictionInput>

/** The rows of a new prediction: a group for each block of the formula, and a funding stream for each category with a rate in the table. */
export function createPredictionRows(categoriesWithRates: ReadonlySet<number>, pupilPhases: ReadonlySet<number>): FundingRow[] {
  // Without pupil numbers the school's phases are unknown, so primary, key stage 3 and key stage 4 are assumed.
  const phases = pupilPhases.size ? pupilPhases : new Set<number>([fundingPhase.primary, fundingPhase.keyStage3, fundingPhase.keyStage4])
  const row = (kind: FundingRow['kind'], description: string | null, category: number | null = null): FundingRow => ({
    kind,
    category,
    description,
    years: [],
    rate: null,
  })
  const rows = fundingGroups.flatMap((title) => {
    const streams = fundingCategories
      .filter(
        ({ id, group, offeredTo }) => group === title && categoriesWithRates.has(id) && (offeredTo?.some((one) => phases.has(one)) ?? true),
      )
      .map(({ id }) => row('Stream', null, id))
    return streams.length ? [row('Type', title), ...streams, row('SubTotal', title)] : []
  })
  return [...rows, row('Inflation', 'Increase in the rates'), row('Total', 'Total')]
}
