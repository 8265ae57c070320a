import { recalculationState } from '../../../domain/lookupIds.ts'
import { recalculatingBudgets, recalculatingGroups } from '../../../domain/permissions.ts'
import { api, cache } from '../api.ts'
import { useMay } from '../core.ts'
import { failed, said } from '../notify.tsx'

/** Brings a budget up to date, with its group where it is in one, and says what happened. */
export function useRecalculate(): (budgetId: string, name: string) => Promise<void> {
  const may = useMay()
  return async (budgetId, name) => {
    try {
      const { state, group } = await api.recalculating.state.query({ id: budgetId })
      if (state !== recalculationState.required && state !== recalculationState.failed)
        return said(state === recalculationState.running ? `${name} is being recalculated.` : `The costs of ${name} are up to date.`)
      if (!may(group ? recalculatingGroups : recalculatingBudgets))
        throw new Error(`You may not recalculate ${group ? `the group ${group.name}` : 'this budget'}.`)
      if (group) await api.groups.recalculate.mutate({ id: group.id })
      else await api.recalculating.start.mutate({ id: budgetId })
      said(group ? `${name} is being recalculated with its group ${group.name}.` : `${name} is being recalculated.`)
      await cache.recalculating.state.invalidate()
    } catch (error) {
      failed(error)
    }
  }
}
