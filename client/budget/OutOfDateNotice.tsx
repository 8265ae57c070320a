import { Button, Loader } from '@mantine/core'
import { recalculationState } from '../../domain/lookups/lookupIds.ts'
import { formatRelativeTime } from '../../domain/values/format.ts'
import { useRecalculationState } from '../shell/useRecalculationState.ts'

/**
 * A notice that the budget's figures are out of date, with the reason and a button to recalculate. Renders nothing if
 * they are up to date.
 */
export function OutOfDateNotice() {
  const { costs, group, isRunning, isRequired, mayRecalculate, label, recalculate, isStarting } = useRecalculationState()
  if (!costs || (!isRequired && !isRunning)) return null
  if (isRunning)
    return (
      <span role="status">
        <Loader size={12} /> {group ? `The group ${group.name} is` : 'This budget is'} being recalculated.
      </span>
    )
  return (
    <span role="status">
      {costs.state === recalculationState.failed && 'The last recalculation failed. '}
      {/* Some reasons name what changed and others say what was done. Both read correctly after a colon. */}
      To be recalculated. Reason: {costs.reason}
      {costs.since ? `, ${formatRelativeTime(costs.since, new Date())}` : ''}.{' '}
      {mayRecalculate && (
        <Button size="compact-xs" variant="light" onClick={recalculate} loading={isStarting}>
          {label}
        </Button>
      )}
    </span>
  )
}
