import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type LocationId, toLocationId } from '../../../domain/values/ids.ts'
import { useCore } from '../../shell/core.ts'
import { SideDialog } from '../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { Toolbar } from '../../ui/layout/Toolbar.tsx'

/** Which event log the user sees: one location's, or the one shared by all locations. */
type LogKind = 'location' | 'all'

/** The change histories of an area that has one log per location and one for all locations. */
export function LogsDrawer({
  title,
  kinds,
  startWith,
  startAt,
  isChosen,
  children,
  onClose,
}: {
  title: string
  kinds: readonly { value: LogKind; label: string }[]
  startWith: LogKind
  /** The location shown first; null for the first in the list. */
  startAt: LocationId | null
  /** Whether the user can choose another location. */
  isChosen: boolean
  /** Renders one log; null is the log of all locations. */
  children: (locationId: LocationId | null) => ReactNode
  onClose: () => void
}) {
  const { locations } = useCore()
  const [of, setOf] = useState(startWith)
  const [chosen, setChosen] = useState(startAt ?? locations[0]?.id ?? null)
  return (
    <SideDialog onClose={onClose} position="right" size="lg" title={title}>
      <Toolbar>
        <SegmentedControl aria-label="History of" value={of} onChange={setOf} data={[...kinds]} />
        {of === 'location' && isChosen && (
          <Choice
            aria-label="Location"
            data={locations.map((one) => ({ value: String(one.id), label: one.name }))}
            value={chosen === null ? null : String(chosen)}
            onChange={(value) => setChosen(toLocationId(Number(value)))}
          />
        )}
      </Toolbar>
      {children(of === 'location' ? chosen : null)}
    </SideDialog>
  )
}
