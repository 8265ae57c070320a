import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { callerFor, queries, trpc } from '../api.ts'
import { followCalls } from '../live/stale.ts'
import { useSelection } from '../selection.ts'

/**
 * Gives what is below the server's procedures as hooks, each on what is selected: whoever selects something else is shown that. What a call
 * changes is read again wherever it is shown.
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
