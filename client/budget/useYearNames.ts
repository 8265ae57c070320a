import { listYearNames } from '../../domain/budget/items/decideEntry.ts'
import { useSelectedBudget } from './useBudget.ts'

/** Returns the names of the selected budget's years. */
export function useBudgetYearNames(): string[] {
  return listYearNames(useSelectedBudget())
}
