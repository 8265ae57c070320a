import { Loader, Tooltip } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, queries } from '../api/api.ts'
import { failed } from '../api/notify.tsx'
import { hubState, progress } from '../hub.ts'
import { reloadLocked, useCore, useMay } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

/** The state of costs as a pill: up to date, to be recalculated (a press does it), or running with its progress. */
export function CostState() {
  const { organisationId, budgetId } = useSelection()
  const { locked } = useCore()
  const may = useMay()
  const steps = progress.use()
  const hub = hubState.use()
  const group = useQuery({
    queryKey: ['groups', 'byBudget', organisationId, budgetId],
    queryFn: () => api.groups.byBudget.query({ id: budgetId! }),
    enabled: budgetId !== null,
  })
  const recalculate = useMutation({
    mutationFn: (id: string) => api.groups.recalculate.mutate({ id }),
    onSuccess: () => Promise.all([reloadLocked(), queries.invalidateQueries({ queryKey: ['groups'] })]),
    onError: failed,
  })
  const own = group.data
  const running = own && (locked.budgetGroupIds.includes(own.id) || own.recalculationState === 3)
  const at = own ? steps[own.id] : undefined
  return (
    <>
      {hub === 'lost' && (
        <Tooltip label="Live updates are interrupted. Load the page again to see what others change.">
          <span className="pill warn" role="status">
            offline
          </span>
        </Tooltip>
      )}
      {own &&
        (running ? (
          <span className="pill" role="status">
            <Loader size={12} /> Recalculating{at ? ` ${at.done} of ${at.of}` : ''}
          </span>
        ) : own.recalculationState >= 2 ? (
          may(['BudgetingStaffingReadUpdate', 'ConsoleBudgetGroupReadUpdate']) ? (
            <button
              type="button"
              className="pill warn"
              onClick={() => recalculate.mutate(own.id)}
              disabled={recalculate.isPending}
              title={own.requiredReason ?? undefined}
            >
              Recalculate {own.items.length} {own.items.length === 1 ? 'budget' : 'budgets'}
            </button>
          ) : (
            <span className="pill warn">Costs out of date</span>
          )
        ) : (
          <span className="pill good wide">Costs up to date</span>
        ))}
    </>
  )
}
