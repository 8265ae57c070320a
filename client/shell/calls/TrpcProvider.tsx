import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { createTrpcClient, queryClient, trpc } from '../api.ts'
import { refetchAfterMutations } from '../live/invalidateAnswers.ts'
import { useSelection } from '../selection.ts'

/**
 * Provides the tRPC hooks below it, bound to the selection: changing the selection replaces the client. Refetches
 * whatever a mutation has made stale.
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
