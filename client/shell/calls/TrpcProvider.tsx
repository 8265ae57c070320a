import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { createTrpcClient, queryClient, trpc } from '../api.ts'
import { refetchAfterMutations } from '../live/invalidateAnswers.ts'
import { useSelection } from '../selection.ts'

/**
 * Provides the tRPC hooks to the components inside it, for the current selection. Changing the selection replaces the client. After a
 * mutation, queries that it made stale are loaded again.
 */
export function TrpcProvider({ children }: { children: ReactNode }) {
  const selection = useSelection()
  const client = useMemo(() => createTrpcClient(selection), [selection])
  useEffect(refetchAfterMutations, [])
  return (
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </trpc.Provider>
  )
}
