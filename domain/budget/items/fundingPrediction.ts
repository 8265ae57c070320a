import { z } from 'zod'
import type { FundingRow } from '../../calculation/funding.ts'
import { lookups } from '../../lookups.ts'
import { mongoId, numberWithin, shortText } from '../budget.ts'
import { exactNumber, poundsField } from './fields.ts'

/** A prediction of funding: the rows over the rates of one version, and the income code its result goes to. */
export interface FundingPrediction {
  id: string
  name: string
  /** The admin table of local authority funding rates it is made with. */
  versionId: number
  budgetCodeId: number
  rows: FundingRow[]
}

const categories = new Set<number>(lookups.localAuthorityFundingRateCategories.map((item) => item.id))

export const fundingRow = z.object({
  kind: z.enum(['Type', 'SubTotal', 'Total', 'Description', 'Inflation', 'Stream'], 'Kind is not one of the choices.'),
  category: z
    .number('Category is not one of the choices.')
    .int()
    .refine((id) => categories.has(id), 'Category is not one of the choices.')
    .nullish()
    .transform((id) => id ?? null),
  description: shortText('Description', 200).default(null),
  years: z
    .array(numberWithin('A year of a row', -999_999, 99_999_999, 6))
    .max(5, 'A row has at most five years.')
    .nullish()
    .transform((years) => years ?? []),
  /** Exact numbers of years that are no decimals, as they were handed out; one counts while its year is not typed over. */
  exact: z.array(exactNumber.nullable()).max(5).optional(),
  rate: poundsField('Rate').default(null),
  isAwaited: z.boolean().optional(),
})

/** A prediction as screens and the API send it (entities.json FundingPredictor). */
export const fundingPredictionInput = z.object({
  id: mongoId,
  version: z.number().int().nullish(),
  name: shortText('Name', 100),
  versionId: z.number('Version is required.').int().optional(),
  budgetCodeId: z.number('Budget code is required.').int(),
  rows: z.array(fundingRow).max(300, 'There can be at most 300 rows.'),
})
export type FundingPredictionInput = z.infer<typeof fundingPredictionInput>

/** The rows a new prediction starts with: a group for each block of the formula, a stream for each category that the table has a rate for. */
export function startingRows(categoriesWithRates: ReadonlySet<number>, pupilPhases: ReadonlySet<number>): FundingRow[] {
  // Without pupil numbers nothing says what kind of school it is.
  const phases = pupilPhases.size ? pupilPhases : new Set([2, 3, 4])
  const row = (kind: FundingRow['kind'], description: string | null, category: number | null = null): FundingRow => ({
    kind,
    category,
    description,
    years: [],
    rate: null,
  })
  const hasPrimary = phases.has(2)
  const hasSecondary = phases.has(3) || phases.has(4)
  const fits = (id: number): boolean => {
    const name = lookups.localAuthorityFundingRateCategories.find((item) => item.id === id)!.name
    if (id === 2) return phases.has(3)
    if (id === 3) return phases.has(4)
    if (name.endsWith('primary')) return hasPrimary
    if (name.endsWith('secondary')) return hasSecondary
    if (id === 35) return phases.has(6)
    return id === 37 ? phases.has(5) : id === 36 ? phases.has(1) : true
  }
  const groups: [string, number[]][] = [
    ['Pupils', [1, 2, 3]],
    ['Additional needs', Array.from({ length: 22 }, (_unused, index) => index + 4)],
    ['School and premises', [26, 27, 28, 29, 30, 31, 32]],
    ['Minimum per-pupil level', [33, 34]],
    ['Other grants', [35, 36, 37, 38, 39]],
  ]
  const rows = groups.flatMap(([title, ids]) => {
    const streams = ids.filter((id) => categoriesWithRates.has(id) && fits(id)).map((id) => row('Stream', null, id))
    return streams.length ? [row('Type', title), ...streams, row('SubTotal', title)] : []
  })
  return [...rows, row('Inflation', 'Rise of the rates'), row('Total', 'Total')]
}
