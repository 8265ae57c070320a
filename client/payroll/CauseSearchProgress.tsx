import { Button, Group, Progress, Text } from '@mantine/core'
import { displayCount, displayNumber } from '../../domain/values/format.ts'
import type { CauseSearch } from './useCauseSearch.ts'

/**
 * The progress of a search for causes, with a button to cancel or repeat it. Renders nothing once the search is
 * complete.
 */
export function CauseSearchProgress({ search }: { search: CauseSearch }) {
  const { status, done, total, failure } = search
  if (status === 'none' || status === 'done') return null
  if (status !== 'running')
    return (
      <Group gap="sm" mb="xs">
        <Text size="sm">{failure ?? 'The search for causes was stopped.'}</Text>
        <Button variant="default" size="xs" onClick={search.again}>
          Look for causes
        </Button>
      </Group>
    )
  return (
    <Group gap="sm" mb="xs">
      <Text size="sm" role="status">
        Looking for causes{total === null ? ' …' : `: ${displayNumber(done)} of ${displayCount(total, 'employee')}`}
      </Text>
      <Progress
        value={total ? (100 * done) / total : 0}
        aria-label="Looking for causes"
        style={{ flex: '1 1 8rem', maxWidth: '20rem' }}
        transitionDuration={200}
      />
      <Button variant="default" size="xs" onClick={search.cancel}>
        Stop
      </Button>
    </Group>
  )
}
