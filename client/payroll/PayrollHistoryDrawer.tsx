import type { LocationId } from '../../domain/values/ids.ts'
import { ChangeList } from '../budget/history/ChangeList.tsx'
import { ChangeHistoriesDrawer } from '../budget/history/LogsDrawer.tsx'
import { trpc } from '../shell/api.ts'
import { useSelection } from '../shell/selection.ts'

const kinds = [
  { value: 'all', label: 'Notes, carry forwards and months' },
  { value: 'location', label: 'Files' },
] as const

/** The payroll history: imports, notes, amounts carried forward, completed and reopened months. */
export function PayrollHistoryDrawer({ onClose }: { onClose: () => void }) {
  const { locationId } = useSelection()
  return (
    <ChangeHistoriesDrawer title="Payroll history" kinds={kinds} startWith="all" startAt={locationId} isChosen onClose={onClose}>
      {(locationId) => <Lines locationId={locationId} />}
    </ChangeHistoriesDrawer>
  )
}

function Lines({ locationId }: { locationId: LocationId | null }) {
  const { mutateAsync: sendUndo } = trpc.payroll.undo.useMutation()
  const history = trpc.payroll.history.useQuery({ locationId }, { staleTime: 0 })
  return <ChangeList history={history} onUndo={(version) => sendUndo({ locationId, version })} />
}
