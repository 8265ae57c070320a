import { Drawer, SegmentedControl, Select } from '@mantine/core'
import { useState } from 'react'
import { HistoryLines } from '../budget/HistoryLines.tsx'
import { trpc } from '../shell/api.ts'
import { useCore } from '../shell/core.ts'
import { Tools } from '../ui/Tools.tsx'

/**
 * Who imported, cleared, explained and adjusted what; one's own changes can be taken back.
 * @param locationId of the open budget; without one, the locations are chosen from
 */
export function HistoryDrawer({ locationId, onClose }: { locationId: number | null; onClose: () => void }) {
  const { locations } = useCore()
  const [of, setOf] = useState<'organisation' | 'location'>(locationId === null ? 'organisation' : 'location')
  const [chosen, setChosen] = useState(locationId ?? locations[0]?.id ?? null)
  const place = of === 'location' ? chosen : null
  const { mutateAsync: takeBack } = trpc.monitoring.undo.useMutation()
  const history = trpc.monitoring.history.useQuery({ locationId: place }, { staleTime: 0 })
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title="History of monitoring">
      <Tools>
        <SegmentedControl
          aria-label="History of"
          value={of}
          onChange={(value) => setOf(value as typeof of)}
          data={[
            { value: 'location', label: 'Actuals, forecasts and month ends' },
            { value: 'organisation', label: 'Notes and adjustments' },
          ]}
        />
        {of === 'location' && locationId === null && (
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
