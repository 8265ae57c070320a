import type { LocationId } from '../../domain/values/ids.ts'
import { ChangeList } from '../budget/history/ChangeList.tsx'
import { ChangeHistoriesDrawer } from '../budget/history/LogsDrawer.tsx'
import { trpc } from '../shell/api.ts'

const kinds = [
  { value: 'location', label: 'Actuals, forecasts and month ends' },
  { value: 'all', label: 'Notes and adjustments' },
] as const

/**
 * The monitoring history: imports, clearances, explanations and adjustments. Users can undo their own changes.
 * @param locationId the location of the open budget; null lets the user choose a location
 */
export function MonitoringHistoryDrawer({ locationId, onClose }: { locationId: LocationId | null; onClose: () => void }) {
  return (
    <ChangeHistoriesDrawer
      title="Monitoring history"
      kinds={kinds}
      startWith={locationId === null ? 'all' : 'location'}
      startAt={locationId}
      isChosen={locationId === null}
      onClose={onClose}
    >
      {(locationId) => <Lines locationId={locationId} />}
    </ChangeHistoriesDrawer>
  )
}

function Lines({ locationId }: { locationId: LocationId | null }) {
  const { mutateAsync: sendUndo } = trpc.monitoring.undo.useMutation()
  const history = trpc.monitoring.history.useQuery({ locationId }, { staleTime: 0 })
  return <ChangeList history={history} onUndo={(version) => sendUndo({ locationId, version })} />
}
