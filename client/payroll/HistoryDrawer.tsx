import { Drawer, SegmentedControl, Select } from '@mantine/core'
import { useState } from 'react'
import { HistoryLines } from '../budget/HistoryLines.tsx'
import { trpc } from '../shell/api.ts'
import { useCore } from '../shell/core.ts'
import { useSelection } from '../shell/selection.ts'
import { Tools } from '../ui/Tools.tsx'

/** Who imported, noted, carried forward, completed and reopened what. */
export function HistoryDrawer({ onClose }: { onClose: () => void }) {
  const { locations } = useCore()
  const { locationId } = useSelection()
  const [of, setOf] = useState<'level' | 'location'>('level')
  const [chosen, setChosen] = useState(locationId ?? locations[0]?.id ?? null)
  const place = of === 'location' ? chosen : null
  const { mutateAsync: takeBack } = trpc.payroll.undo.useMutation()
  const history = trpc.payroll.history.useQuery({ locationId: place }, { staleTime: 0 })
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title="History of payroll">
      <Tools>
        <SegmentedControl
          aria-label="History of"
          value={of}
          onChange={(value) => setOf(value as typeof of)}
          data={[
            { value: 'level', label: 'Notes, carrying and months' },
            { value: 'location', label: 'Files' },
          ]}
        />
        {of === 'location' && (
          <Select
            aria-label="Location"
            searchable
            allowDeselect={false}
            data={locations.map((one) => ({ value: String(one.id), label: one.name }))}
            value={chosen === null ? null : String(chosen)}
            onChange={(value) => setChosen(Number(value))}
          />
        )}
      </Tools>
      <HistoryLines history={history} onUndo={(version) => takeBack({ locationId: place, version })} />
    </Drawer>
  )
}
