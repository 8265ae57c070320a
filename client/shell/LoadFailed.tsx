import { Button } from '@mantine/core'
import { Empty } from '../ui/Empty.tsx'
import { problemOf } from './api.ts'

/** Shown where a read failed: the reason, and a retry button. */
export function LoadFailed({ query }: { query: { error: unknown; refetch: () => Promise<unknown> } }) {
  return (
    <Empty role="alert">
      <p>{problemOf(query.error).message}</p>
      <Button variant="default" onClick={() => void query.refetch()}>
        Try again
      </Button>
    </Empty>
  )
}
