import { birthday, boundsOf, type IsoDate, isoOf } from '../calendar.ts'
import type { AgesReached, CalculationInputs } from './inputs.ts'

/** Every age at which a row of the national insurance tables begins or ends. */
export function ageLimits(tables: CalculationInputs['tables']['nationalInsurance']): number[] {
  const limits = new Set<number>()
  for (const rows of Object.values(tables))
    for (const row of rows) {
      if (row.minAge > 0) limits.add(row.minAge)
      if (row.maxAge !== null) limits.add(row.maxAge)
    }
  return [...limits].sort((a, b) => a - b)
}

/**
 * What a calculation may know of a person's age: the days within the budget on which a limit is reached, and nothing else.
 * @returns null when the date of birth is not known
 */
export function agesReached(dateOfBirth: IsoDate | null, limits: readonly number[], budget: CalculationInputs['budget']): AgesReached {
  if (dateOfBirth === null) return null
  const { first, last } = boundsOf(budget.firstYear, budget.years, budget.startMonth)
  return Object.fromEntries(
    limits.map((age) => {
      const day = birthday(dateOfBirth, age)
      return [age, day <= first ? 'always' : day > last ? 'never' : isoOf(day)]
    }),
  )
}
