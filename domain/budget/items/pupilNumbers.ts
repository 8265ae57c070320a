import { z } from 'zod'
import type { PupilRow } from '../../calculation/nonStaffing/pupils.ts'
import { mongoId, numberWithin, shortText } from '../budget.ts'

/** The pupil numbers of a budget: one set. */
export interface PupilNumbers {
  id: string
  rows: PupilRow[]
  /** Of each year from the first; a budget of which nobody has typed any has none. */
  lessons?: LessonYear[]
  /** What another system said last; what stands differs from it where somebody typed something else. */
  said?: SaidCount[]
}

/** The pupils of a year group that another system counts in an October. */
export interface SaidCount {
  yearGroup: number
  /** The calendar year of the October. */
  october: number
  count: number
  /** That it stood so, and somebody took it back: it is not written again. */
  isTakenBack?: true
}

/** The timetable of a year, of which measures of teaching are made (rules.md §20). */
export interface LessonYear {
  /** Lessons in the week of a class, which is what a full-time teacher could teach at most. */
  week: number | null
  /** Lessons that all teachers together teach in a week. */
  taught: number | null
  /** Weeks of teaching in the year. */
  weeks: number | null
}

export const noLessons: LessonYear = { week: null, taught: null, weeks: null }

const choice = (label: string, most: number) =>
  z
    .number(`${label} is not one of the choices.`)
    .int()
    .min(1, `${label} is not one of the choices.`)
    .max(most, `${label} is not one of the choices.`)
    .nullish()
    .transform((id) => id ?? null)

/** Pupils are counted with two decimals at most: somebody who is here half of the time is half. */
const pupils = () => numberWithin('Pupils', { min: 0, max: 99_999_999, places: 2 })

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
  lessons: z
    .array(
      z.object({
        week: numberWithin('Lessons in a week', { min: 0, max: 200, places: 2 }).default(null),
        taught: numberWithin('Lessons taught in a week', { min: 0, max: 99_999, places: 2 }).default(null),
        weeks: numberWithin('Weeks of teaching', { min: 0, max: 53, places: 2 }).default(null),
      }),
    )
    .max(5, 'Lessons have at most five years.')
    .nullish()
    .describe('The timetable of each year; left out, it stays.'),
})
export type PupilNumbersInput = z.infer<typeof pupilNumbersInput>
