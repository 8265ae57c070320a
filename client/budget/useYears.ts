import { yearNames } from '../../domain/budget/items/decideEntry.ts'
import { useBudget } from './useBudget.ts'

/** The names of the years of the selected budget. */
export function useYears(): string[] {
  return yearNames(useBudget())
}
