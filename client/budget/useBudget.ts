import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import { type SelectableBudget, useCoreData } from '../shell/core.ts'
import { useSelection } from '../shell/selection.ts'

/** Returns the selected budget. Screens that use this are only shown if a budget is selected. */
export function useSelectedBudget(): SelectableBudget {
  const { budgets } = useCoreData()
  const { budgetId } = useSelection()
  return assertDefined(budgets.find((one) => one.mongoId === budgetId))
}

/** Returns the id of the selected location. Screens that use this are only shown if a location is selected. */
export function useSelectedLocationId(): LocationId {
  return assertDefined(useSelection().locationId)
}
