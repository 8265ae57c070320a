import { Button } from '@mantine/core'
import { EmptyState } from '../ui/EmptyState.tsx'
import { toPublicError } from './api.ts'

/** Shown where a read failed: the reason, and a retry button. */
export function LoadFailed({ query }: { query: { error: unknown; refetch: () => Promise<unknown> } }) {
  return (
    <EmptyState role="alert">
      <p>{toPublicError(query.error).message}</p>
      <Button variant="default" onClick={() => void query.refetch()}>
        Try again
      </Button>
    </EmptyState>
  )
}
