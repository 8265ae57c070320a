import { Progress, Text } from '@mantine/core'
import { displayNumber } from '../../../domain/values/format.ts'
import { trpc } from '../../shell/api.ts'

/** Shows the progress of an import: first checking the rows, then saving them one by one. */
export function ImportProgress({ progressKey, rows }: { progressKey: string; rows: number }) {
  const { data } = trpc.startup.importProgress.useQuery({ key: progressKey }, { refetchInterval: 250, staleTime: 0 })
  const isSaving = data?.phase === 'saving'
  const words = isSaving
    ? `Saving ${displayNumber(data.done)} of ${displayNumber(data.total)} rows`
    : `Checking ${displayNumber(rows)} rows`
  const share = isSaving ? 10 + (90 * data.done) / Math.max(1, data.total) : data ? 10 : 3
  return (
    <div style={{ padding: '44px 8px' }}>
      <Text role="status" mb="xs">
        {words}. All are saved, or none.
      </Text>
      <Progress value={share} animated aria-label="Import" />
    </div>
  )
}
