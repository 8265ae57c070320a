import { Button, Drawer, SegmentedControl, Select, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { displayDateTime } from '../../domain/format.ts'
import { notices } from '../../domain/notices.ts'
import { trpc } from '../shell/api.ts'
import { useCore } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { failed, said } from '../shell/notify.tsx'
import { Card } from '../ui/Card.tsx'
import { Empty } from '../ui/Empty.tsx'
import historyStyles from '../ui/history.module.css'
import { Tools } from '../ui/Tools.tsx'
import textStyles from '../ui/text.module.css'

/**
 * Who imported, cleared, explained and adjusted what; one's own changes can be taken back.
 * @param locationId of the open budget; without one, the locations are chosen from
 */
export function HistoryDrawer({ locationId, onClose }: { locationId: number | null; onClose: () => void }) {
  const { locations } = useCore()
  const [of, setOf] = useState<'organisation' | 'location'>(locationId === null ? 'organisation' : 'location')
  const [chosen, setChosen] = useState(locationId ?? locations[0]?.id ?? null)
  const [isUndoing, setUndoing] = useState<number | null>(null)
  const place = of === 'location' ? chosen : null
  const { mutateAsync: takeBack } = trpc.monitoring.undo.useMutation()
  const history = trpc.monitoring.history.useQuery({ locationId: place }, { staleTime: 0 })
  const undo = async (version: number): Promise<void> => {
    setUndoing(version)
    try {
      await takeBack({ locationId: place, version })
      said(notices.saved)
    } catch (error) {
      failed(error)
    }
    setUndoing(null)
  }
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
      {history.isError ? (
        <LoadFailed query={history} />
      ) : !history.data ? (
        <Skeleton height={160} />
      ) : history.data.length === 0 ? (
        <Empty>Nothing has happened yet.</Empty>
      ) : (
        <Card>
          <ul className={historyStyles.history}>
            {history.data.map((line) => (
              <li key={line.version}>
                <b>{line.actor}</b> {line.sentence}
                <span className={textStyles.dim}> · {displayDateTime(line.at)}</span>
                {line.undoable && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    ml="xs"
                    loading={isUndoing === line.version}
                    onClick={() => void undo(line.version)}
                  >
                    Undo
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Drawer>
  )
}
