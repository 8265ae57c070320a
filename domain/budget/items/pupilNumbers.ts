import { z } from 'zod'
import type { PupilRow } from '../../calculation/nonStaffing/pupils.ts'
import { mongoId, numberWithin, shortText } from '../budget.ts'

/** The pupil numbers of a budget: one set. */
export interface PupilNumbers {
  id: string
  rows: PupilRow[]
}

const choice = (label: string, most: number) =>
  z
    .number(`${label} is not one of the choices.`)
    .int()
    .min(1, `${label} is not one of the choices.`)
    .max(most, `${label} is not one of the choices.`)
    .nullish()
    .transform((id) => id ?? null)

/** Pupils are counted with two decimals at most: somebody who is here half of the time is half. */
const pupils = () => numberWithin('Pupils', 0, 99_999_999, 2)

const pupilRow = z.object({
  kind: z.enum(['Phase', 'Total', 'Description', 'HighNeeds'], 'Kind is not one of the choices.'),
  phase: choice('Phase', 6),
  yearGroup: choice('Year group', 16),
  description: shortText('Description', 200).default(null),
  before: pupils().default(null),
  years: z
    .array(pupils())
    .max(5, 'A row has at most five years.')
    .nullish()
    .transform((years) => years ?? []),
})

/** Pupil numbers as screens and the API send them, as a whole (entities.json PupilNumbers). Totals are worked out, what is sent for them is not kept. */
export const pupilNumbersInput = z.object({
  id: mongoId.nullish(),
  version: z.number().int().nullish(),
  rows: z.array(pupilRow, 'Rows is required.').max(100, 'There can be at most 100 rows.'),
})
export type PupilNumbersInput = z.infer<typeof pupilNumbersInput>
