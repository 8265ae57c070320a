import type { LessonYear } from '../../budget/items/pupilNumbers.ts'
import { divideRounded } from '../../monitoring/figures.ts'
import type { Pennies, Percent } from '../../values/units.ts'

/**
 * Calculates a share in per cent with one decimal, with halves rounded away from zero; null if either amount is unknown or the whole is 0.
 * Amounts are whole pennies.
 */
export function calculateShare(part: Pennies | null, whole: Pennies | null): Percent | null {
  return part === null || !whole ? null : divideRounded(part * 1000, Math.abs(whole)) / 10
}

/**
 * Calculates whole pennies per pupil; null if the amount or the number of pupils is unknown, or there are no pupils.
 * @param pupils with at most two decimals
 */
export function dividePerPupil(value: Pennies | null, pupils: number | null): Pennies | null {
  return value === null || !pupils ? null : divideRounded(value * 100, Math.round(pupils * 100))
}

/**
 * Divides and rounds to `decimals` decimals, halves away from zero; null if either number is unknown or the divisor is 0.
 * @param by a number with at most six decimals
 */
export function divideToDecimals(part: number | null, by: number | null, decimals: number): number | null {
  if (part === null || !by) return null
  return divideRounded(Math.round(part * 10 ** decimals) * 1_000_000, Math.round(by * 1_000_000)) / 10 ** decimals
}

/** Converts a number with at most two decimals to whole hundredths. */
const toHundredths = (value: number): number => Math.round(value * 100)

/**
 * Calculates the lessons taught as a share of the lessons that teachers could teach, with two decimals (rules.md §20).
 * @param fte of all teachers
 */
export function calculateContactRatio(lessons: LessonYear | undefined, fte: number | null): number | null {
  if (lessons?.taught == null || !lessons.week || !fte) return null
  return divideRounded(toHundredths(lessons.taught) * 100_000_000, Math.round(fte * 1_000_000) * toHundredths(lessons.week)) / 100
}

/** Calculates the average class size with two decimals: pupil lessons a week divided by lessons taught (rules.md §20). */
export function calculateClassSize(lessons: LessonYear | undefined, pupils: number | null): number | null {
  if (!lessons?.taught || lessons.week === null || pupils === null) return null
  return divideRounded(toHundredths(pupils) * toHundredths(lessons.week), toHundredths(lessons.taught)) / 100
}

/**
 * Calculates what a lesson costs in teachers' pay, in whole pennies (rules.md §20).
 * @param cost of all teachers in the year, whole pennies
 */
export function calculateLessonCost(lessons: LessonYear | undefined, cost: Pennies | null): Pennies | null {
  if (!lessons?.taught || !lessons.weeks || cost === null) return null
  return divideRounded(cost * 10_000, toHundredths(lessons.taught) * toHundredths(lessons.weeks))
}
