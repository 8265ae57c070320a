import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { callerFor, queries, trpc } from '../api.ts'
import { followCalls } from '../live/stale.ts'
import { useSelection } from '../selection.ts'

/**
 * Provides the tRPC hooks below it, bound to the selection: changing the selection replaces the client. Refetches
 * whatever a mutation has made stale.
 */
export function Calls({ children }: { children: ReactNode }) {
  const selection = useSelection()
  const client = useMemo(() => callerFor(selection), [selection])
  useEffect(followCalls, [])
  return (
    <trpc.Provider client={client} queryClient={queries}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </trpc.Provider>
  )
}
