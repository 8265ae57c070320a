import { z } from 'zod'
import type { PupilRow } from '../../calculation/nonStaffing/pupils.ts'
import { buildBoundedNumberSchema, buildShortTextSchema, mongoId } from '../budget.ts'

/** The pupil numbers of a budget. A budget has one set. */
export interface PupilNumbers {
  id: string
  rows: PupilRow[]
  /** One for each year of the budget; absent if nobody has entered a timetable. */
  lessons?: LessonYear[]
  /** The latest counts reported by another system. `rows` differs from them where a user entered another count. */
  said?: ReportedCount[]
}

/** The number of pupils in a year group in one October, as another system reported it. */
export interface ReportedCount {
  yearGroup: number
  /** Calendar year of the October. */
  october: number
  count: number
  /** Set if the count was imported and then undone, so that it is not imported again. */
  isTakenBack?: true
}

/** The timetable of a year, for teaching measures (rules.md §20). */
export interface LessonYear {
  /** Lessons a week in a class timetable: the most that a full-time teacher could teach. */
  week: number | null
  /** Lessons a week taught by all teachers together. */
  taught: number | null
  weeks: number | null
}

export const emptyLessonYear: LessonYear = { week: null, taught: null, weeks: null }

const choice = (label: string, most: number) =>
  z
    .number(`${label} is not one of the choices.`)
    .int()
    .min(1, `${label} is not one of the choices.`)
    .max(most, `${label} is not one of the choices.`)
    .nullish()
    .transform((id) => id ?? null)

/** At most two decimals: a pupil who attends half the time counts as half. */
const pupils = () => buildBoundedNumberSchema('Pupils', { min: 0, max: 99_999_999, places: 2 })

const pupilRow = z.object({
  kind: z.enum(['Phase', 'Total', 'Description', 'HighNeeds'], 'Kind is not one of the choices.'),
  phase: choice('Phase', 6),
  yearGroup: choice('Year group', 16),
  description: buildShortTextSchema('Description', 200).default(null),
  before: pupils().default(null),
  years: z
    .array(pupils())
    .max(5, 'A row can have at most five years.')
    .nullish()
    .transform((years) => years ?? []),
})

/**
 * All pupil numbers, as sent by screens and the API (entities.json PupilNumbers). Totals are calculated; totals in the input are ignored.
 */
export const pupilNumbersInput = z.object({
  id: mongoId.nullish(),
  version: z.number().int().nullish(),
  rows: z.array(pupilRow, 'Rows are required.').max(100, 'There can be at most 100 rows.'),
  lessons: z
    .array(
      z.object({
        week: buildBoundedNumberSchema('Lessons per class each week', { min: 0, max: 200, places: 2 }).default(null),
        taught: buildBoundedNumberSchema('Lessons taught each week', { min: 0, max: 99_999, places: 2 }).default(null),
        weeks: buildBoundedNumberSchema('Teaching weeks in the year', { min: 0, max: 53, places: 2 }).default(null),
      }),
    )
    .max(5, 'You can enter lessons for five years at most.')
    .nullish()
    .describe('The lessons of each year. Leave the list out to keep the lessons that are saved.'),
})
export type PupilNumbersInput = z.infer<typeof pupilNumbersInput>
