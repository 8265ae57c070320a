import { skipToken } from '@tanstack/react-query'
import { recalculationState } from '../../domain/lookups/lookupIds.ts'
import { budgetRecalculationPermissions, groupRecalculationPermissions } from '../../domain/people/permissions.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount } from '../../domain/values/format.ts'
import { trpc } from './api.ts'
import { useCoreData, usePermissionCheck } from './core.ts'
import { notifyFailure } from './notify.tsx'
import { useSelection } from './selection.ts'

/**
 * Returns whether the selected budget's costs are up to date, and the action that recalculates the budget's group or, if it has none, the
 * budget.
 */
export function useRecalculationState() {
  const { budgetId } = useSelection()
  const { locked } = useCoreData()
  const may = usePermissionCheck()
  const query = trpc.recalculating.state.useQuery(budgetId === null ? skipToken : { id: budgetId })
  const ofGroup = trpc.groups.recalculate.useMutation({ onError: notifyFailure })
  const ofBudget = trpc.recalculating.start.useMutation({ onError: notifyFailure })
  const group = query.data?.group ?? null
  const isRunning = query.data?.state === recalculationState.running || (group !== null && locked.budgetGroupIds.includes(group.id))
  return {
    costs: query.data,
    group,
    isRunning,
    isRequired: !isRunning && (query.data?.state === recalculationState.required || query.data?.state === recalculationState.failed),
    mayRecalculate: group ? !group.isShared && may(groupRecalculationPermissions) : may(budgetRecalculationPermissions),
    /** Label of the action. If the budget is in a group, the action recalculates the whole group. */
    label: group ? `Recalculate ${displayCount(group.budgets, 'budget')}` : 'Recalculate this budget',
    recalculate: () => (group ? ofGroup.mutate({ id: group.id }) : ofBudget.mutate({ id: assertDefined(budgetId) })),
    isStarting: ofGroup.isPending || ofBudget.isPending,
  }
}
