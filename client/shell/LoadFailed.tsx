import { Button } from '@mantine/core'
import { EmptyState } from '../ui/EmptyState.tsx'
import { toPublicError } from './api.ts'

/** Shown if data could not be loaded: the reason, and a button to retry. */
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
