import { type Day, findBirthdayAtAge, findBudgetBounds, type IsoDate, toIsoDate } from '../../values/calendar.ts'
import type { AgesReached, CalculationInputs } from '../inputs.ts'

/** Every age at which a row of the national insurance tables begins or ends. */
export function listAgeLimits(tables: Record<string, readonly { minAge: number; maxAge: number | null }[]>): number[] {
  const limits = new Set<number>()
  for (const rows of Object.values(tables))
    for (const row of rows) {
      if (row.minAge > 0) limits.add(row.minAge)
      if (row.maxAge !== null) limits.add(row.maxAge)
    }
  return [...limits].sort((a, b) => a - b)
}

/**
 * The only facts about a person's age that a calculation receives: the days within the budget on which they reach an age limit.
 * @returns null if the date of birth is not known
 */
export function calculateAgesReached(
  dateOfBirth: IsoDate | null,
  limits: readonly number[],
  budget: CalculationInputs['budget'],
): AgesReached {
  if (dateOfBirth === null) return null
  return listAgesReachedWithin(dateOfBirth, limits, findBudgetBounds(budget.firstYear, budget.years, budget.startMonth))
}

interface Bounds {
  first: Day
  last: Day
}

function listAgesReachedWithin(dateOfBirth: IsoDate, limits: readonly number[], { first, last }: Bounds): NonNullable<AgesReached> {
  return Object.fromEntries(
    limits.map((age) => {
      const day = findBirthdayAtAge(dateOfBirth, age)
      return [age, day <= first ? 'always' : day > last ? 'never' : toIsoDate(day)]
    }),
  )
}

/**
 * The only facts retained about the age of an erased person, for the budgets that the person is in: the days on which they reach each age
 * limit.
 */
export interface RetainedAges {
  /** The first and last day of all budgets the person is in. */
  first: IsoDate
  last: IsoDate
  reached: NonNullable<AgesReached>
}

/**
 * Calculates the facts to retain about the age of a person who is being erased.
 * @returns null without a date of birth or a budget
 */
export function calculateRetainedAges(
  dateOfBirth: IsoDate | null,
  limits: readonly number[],
  budgets: readonly CalculationInputs['budget'][],
): RetainedAges | null {
  if (dateOfBirth === null || !budgets.length) return null
  const all = budgets.map((budget) => findBudgetBounds(budget.firstYear, budget.years, budget.startMonth))
  const bounds = { first: Math.min(...all.map((one) => one.first)), last: Math.max(...all.map((one) => one.last)) }
  return { first: toIsoDate(bounds.first), last: toIsoDate(bounds.last), reached: listAgesReachedWithin(dateOfBirth, limits, bounds) }
}

/**
 * Finds the days on which an erased person reaches age limits within one budget, from the facts retained about them. The result equals
 * that of `calculateAgesReached`.
 * @returns null if the budget extends beyond those the person was in, or if the day of an age limit was not retained
 */
export function restoreAgesReached(
  retained: RetainedAges | null,
  limits: readonly number[],
  budget: CalculationInputs['budget'],
): AgesReached {
  if (retained === null) return null
  const { first, last } = findBudgetBounds(budget.firstYear, budget.years, budget.startMonth)
  const [firstDay, lastDay] = [toIsoDate(first), toIsoDate(last)]
  const ages: NonNullable<AgesReached> = {}
  for (const age of limits) {
    const day = retained.reached[age]
    if (day === undefined || (day === 'always' && firstDay < retained.first) || (day === 'never' && lastDay > retained.last)) return null
    ages[age] = day === 'always' || day === 'never' ? day : day <= firstDay ? 'always' : day > lastDay ? 'never' : day
  }
  return ages
}
