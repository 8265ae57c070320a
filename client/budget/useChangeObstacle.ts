import { budgetState } from '../../domain/lookups/lookupIds.ts'
import { useCoreData } from '../shell/core.ts'
import { useSelection } from '../shell/selection.ts'

/** Returns the reason why the budget cannot be changed now; null if it can be. */
export function useChangeObstacle(): string | null {
  const { budgets, locked } = useCoreData()
  const { budgetId } = useSelection()
  const budget = budgets.find((one) => one.mongoId === budgetId)
  if (budget?.state === budgetState.locked) return 'This budget is locked and can no longer be changed.'
  if (budget?.isBeingMade) return 'This budget is still being created. Your changes are kept; save them in a moment.'
  if (budget?.budgetGroupId && locked.budgetGroupIds.includes(budget.budgetGroupId))
    return 'Staff contracts are being recalculated. Your changes are kept; save them when the recalculation has finished.'
  return null
}

/** Whether the selected budget is permanently locked and therefore read-only (behaviour B-158). */
export function useIsBudgetLocked(): boolean {
  const { budgets } = useCoreData()
  const { budgetId } = useSelection()
  return budgets.find((one) => one.mongoId === budgetId)?.state === budgetState.locked
}
