import { listYearNames } from '../../domain/budget/items/decideEntry.ts'
import { useBudget } from './useBudget.ts'

/** Returns the names of the selected budget's years. */
export function useYearNames(): string[] {
  return listYearNames(useBudget())
}
