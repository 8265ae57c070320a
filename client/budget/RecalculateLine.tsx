import { Button, Loader } from '@mantine/core'
import { recalculationState } from '../../domain/lookups/lookupIds.ts'
import { relativeTime } from '../../domain/values/format.ts'
import { useCosts } from '../shell/useCosts.ts'

/** Says that the figures of the budget are not up to date, why, and brings them up to date by a press; nothing while they are. */
export function RecalculateLine() {
  const { costs, group, isRunning, isRequired, mayRecalculate, label, recalculate, isStarting } = useCosts()
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
      {/* Some reasons are things that changed, others say what was done: both stand after a colon. */}
      To be recalculated: {costs.reason}
      {costs.since ? `, ${relativeTime(costs.since, new Date())}` : ''}.{' '}
      {mayRecalculate && (
        <Button size="compact-xs" variant="light" onClick={recalculate} loading={isStarting}>
          {label}
        </Button>
      )}
    </span>
  )
}
