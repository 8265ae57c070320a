import { SegmentedControl, Select } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type LocationId, toLocationId } from '../../domain/values/ids.ts'
import { useCore } from '../shell/core.ts'
import { SideDialog } from '../ui/dialogs/Dialog.tsx'
import { Tools } from '../ui/layout/Tools.tsx'

/** What is kept in a log of each location, and what in one for all of them. */
type Kind = 'location' | 'all'

/** The histories of an area that keeps a log for each location and one for all of them. */
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
  kinds: readonly { value: Kind; label: string }[]
  startWith: Kind
  /** The location that is shown first; null: the first of all. */
  startAt: LocationId | null
  /** Whether another location can be chosen. */
  isChosen: boolean
  /** The lines of one log; null: that of all locations. */
  children: (locationId: LocationId | null) => ReactNode
  onClose: () => void
}) {
  const { locations } = useCore()
  const [of, setOf] = useState(startWith)
  const [chosen, setChosen] = useState(startAt ?? locations[0]?.id ?? null)
  return (
    <SideDialog onClose={onClose} position="right" size="lg" title={title}>
      <Tools>
        <SegmentedControl aria-label="History of" value={of} onChange={setOf} data={[...kinds]} />
        {of === 'location' && isChosen && (
          <Select
            aria-label="Location"
            searchable
            allowDeselect={false}
            data={locations.map((one) => ({ value: String(one.id), label: one.name }))}
            value={chosen === null ? null : String(chosen)}
            onChange={(value) => setChosen(toLocationId(Number(value)))}
          />
        )}
      </Tools>
      {children(of === 'location' ? chosen : null)}
    </SideDialog>
  )
}
