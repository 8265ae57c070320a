import { z } from 'zod'
import { type IsoDate, isDate } from '../../values/calendar.ts'
import type { ContractId } from '../../values/ids.ts'
import type { Percent } from '../../values/units.ts'
import { contractMongoId, mongoId } from '../budget.ts'

/** One change of a scenario, applied to the current budget each time the scenario is viewed. */
export type ScenarioChange =
  | { kind: 'award'; contractTypeIds: number[]; effectiveDate: IsoDate; rate: number }
  | { kind: 'removePost'; contractId: ContractId; from: IsoDate }
  | { kind: 'hours'; contractId: ContractId; from: IsoDate; percentage: Percent }
  | { kind: 'entry'; entryId: string; percentage: Percent }
  | { kind: 'newEntry'; description: string; budgetCodeId: number; costCentreId: number | null; amount: number; firstYear: number }
  | { kind: 'pupils'; yearGroup: number; firstYear: number; by: number }

/** A named list of changes. It contains no copy of the budget. */
export interface Scenario {
  id: string
  name: string
  changes: ScenarioChange[]
}

const date = z.string('Date is required.').refine(isDate, 'Date is not a valid date.')
const percentage = (label: string, min: number, max: number) =>
  z
    .number(`${label} is required.`)
    .min(min, `${label} must be between ${min} and ${max}.`)
    .max(max, `${label} must be between ${min} and ${max}.`)
const year = z.number('Year is required.').int().min(0).max(4)

export const awardChange = z.object({
  kind: z.literal('award'),
  contractTypeIds: z.array(z.number().int()).min(1, 'Choose at least one contract type.').max(500),
  effectiveDate: date,
  rate: percentage('Award', -20, 20),
})

export const scenarioChange = z.discriminatedUnion('kind', [
  awardChange,
  z.object({ kind: z.literal('removePost'), contractId: contractMongoId, from: date }),
  z.object({ kind: z.literal('hours'), contractId: contractMongoId, from: date, percentage: percentage('Percentage of hours', 0, 200) }),
  z.object({ kind: z.literal('entry'), entryId: mongoId, percentage: percentage('Change', -100, 1000) }),
  z.object({
    kind: z.literal('newEntry'),
    description: z.string().trim().min(1, 'Description is required.').max(200, 'Description can have at most 200 characters.'),
    budgetCodeId: z.number('Budget code is required.').int(),
    costCentreId: z.number().int().nullable().default(null),
    /** Whole pennies in its first year. */
    amount: z.number('Amount is required.').int().min(-99_999_999_999).max(99_999_999_999),
    firstYear: year,
  }),
  z.object({
    kind: z.literal('pupils'),
    yearGroup: z.number('Year group is required.').int().min(1).max(16),
    firstYear: year,
    by: z.number('Number of pupils is required.').int().min(-5000).max(5000),
  }),
])

export const scenarioInput = z.object({
  id: mongoId.nullish(),
  version: z.number().int().nullish(),
  name: z.string('Name is required.').trim().min(1, 'Name is required.').max(100, 'Name can have at most 100 characters.'),
  changes: z.array(scenarioChange).max(50, 'A scenario can have at most 50 changes.'),
})
export type ScenarioInput = z.infer<typeof scenarioInput>
