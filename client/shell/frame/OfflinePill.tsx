import { Tooltip } from '@mantine/core'
import { Pill } from '../../ui/labels/Pill.tsx'

/** Says that live updates are interrupted. */
export function OfflinePill() {
  return (
    <Tooltip label="Live updates are interrupted. They resume automatically, with any changes made by others.">
      <Pill tone="warn" role="status">
        offline
      </Pill>
    </Tooltip>
  )
}
