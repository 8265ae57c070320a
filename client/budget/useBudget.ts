import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import { type BudgetItem, useCore } from '../shell/core.ts'
import { useSelection } from '../shell/selection.ts'

/** The selected budget. Screens that use this are only shown once a budget is selected. */
export function useBudget(): BudgetItem {
  const { budgets } = useCore()
  const { budgetId } = useSelection()
  return assertDefined(budgets.find((one) => one.mongoId === budgetId))
}

/** The selected location. Screens that use this are only shown once a location is selected. */
export function useLocationId(): LocationId {
  return assertDefined(useSelection().locationId)
}
