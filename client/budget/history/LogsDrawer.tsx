import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type LocationId, toLocationId } from '../../../domain/values/ids.ts'
import { useCoreData } from '../../shell/core.ts'
import { SideDialog } from '../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { Toolbar } from '../../ui/layout/Toolbar.tsx'

/** Which event log the user sees: that of one location, or the log that all locations share. */
type LogKind = 'location' | 'all'

/** A drawer with the change histories of an area that has a log for each location and one for all locations. */
export function ChangeHistoriesDrawer({
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
  /** The location shown first; null for the first location in the list. */
  startAt: LocationId | null
  /** Whether the user can choose another location. */
  isChosen: boolean
  /** Renders the log of a location; null is the log that all locations share. */
  children: (locationId: LocationId | null) => ReactNode
  onClose: () => void
}) {
  const { locations } = useCoreData()
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
