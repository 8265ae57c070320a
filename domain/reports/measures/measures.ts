import type { LessonYear } from '../../budget/items/pupilNumbers.ts'
import { roundedQuotient } from '../../monitoring/figures.ts'
import type { Pennies, Percent } from '../../values/units.ts'

/** A share in per cent with one decimal, halves away from zero; null where either is not known or there is nothing to be a share of. Whole pennies. */
export function shareIn(part: Pennies | null, whole: Pennies | null): Percent | null {
  return part === null || !whole ? null : roundedQuotient(part * 1000, Math.abs(whole)) / 10
}

/** Whole pennies for each pupil; null where either is not known or there are none. @param pupils with two decimals at most */
export function perPupil(value: Pennies | null, pupils: number | null): Pennies | null {
  return value === null || !pupils ? null : roundedQuotient(value * 100, Math.round(pupils * 100))
}

/**
 * A quotient with some decimals, halves away from zero; null where either is not known or nothing is divided by.
 * @param by any number of six decimals at most
 */
export function ratioOf(part: number | null, by: number | null, decimals: number): number | null {
  if (part === null || !by) return null
  return roundedQuotient(Math.round(part * 10 ** decimals) * 1_000_000, Math.round(by * 1_000_000)) / 10 ** decimals
}

/** Numbers of two decimals at most as whole hundredths. */
const hundredths = (value: number): number => Math.round(value * 100)

/**
 * Lessons taught as a share of those that teachers could teach, two decimals (rules.md §20).
 * @param fte of all teachers
 */
export function contactRatio(lessons: LessonYear | undefined, fte: number | null): number | null {
  if (lessons?.taught == null || !lessons.week || !fte) return null
  return roundedQuotient(hundredths(lessons.taught) * 100_000_000, Math.round(fte * 1_000_000) * hundredths(lessons.week)) / 100
}

/** Pupils in a lesson, two decimals: what pupils have of lessons in a week by what is taught (rules.md §20). */
export function classSize(lessons: LessonYear | undefined, pupils: number | null): number | null {
  if (!lessons?.taught || lessons.week === null || pupils === null) return null
  return roundedQuotient(hundredths(pupils) * hundredths(lessons.week), hundredths(lessons.taught)) / 100
}

/** What a lesson costs in teachers, whole pennies (rules.md §20). @param cost of all teachers in the year, whole pennies */
export function costOfLesson(lessons: LessonYear | undefined, cost: Pennies | null): Pennies | null {
  if (!lessons?.taught || !lessons.weeks || cost === null) return null
  return roundedQuotient(cost * 10_000, hundredths(lessons.taught) * hundredths(lessons.weeks))
}
