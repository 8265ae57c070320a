import { recalculationState } from '../../../../domain/lookups/lookupIds.ts'
import { budgetRecalculationPermissions, groupRecalculationPermissions } from '../../../../domain/people/permissions.ts'
import type { BudgetId } from '../../../../domain/values/ids.ts'
import { api, trpc } from '../../api.ts'
import { usePermissionCheck } from '../../core.ts'
import { notifyFailure, notifySuccess } from '../../notify.tsx'

/** Returns a function that recalculates a budget, or the whole group of the budget if it has one, and shows a notice. */
export function useRecalculate(): (budgetId: BudgetId, name: string) => Promise<void> {
  const may = usePermissionCheck()
  const ofGroup = trpc.groups.recalculate.useMutation()
  const ofBudget = trpc.recalculating.start.useMutation()
  return async (budgetId, name) => {
    try {
      const { state, group } = await api.recalculating.state.query({ id: budgetId })
      if (state !== recalculationState.required && state !== recalculationState.failed)
        return notifySuccess(
          state === recalculationState.running ? `${name} is being recalculated.` : `The costs of ${name} are up to date.`,
        )
      if (group ? group.isShared || !may(groupRecalculationPermissions) : !may(budgetRecalculationPermissions))
        throw new Error(`You may not recalculate ${group ? `the group ${group.name}` : 'this budget'}.`)
      if (group) await ofGroup.mutateAsync({ id: group.id })
      else await ofBudget.mutateAsync({ id: budgetId })
      notifySuccess(group ? `${name} is being recalculated with its group ${group.name}.` : `${name} is being recalculated.`)
    } catch (error) {
      notifyFailure(error)
    }
  }
}
