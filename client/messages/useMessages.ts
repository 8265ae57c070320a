import { useQuery } from '@tanstack/react-query'
import { api } from '../api/api.ts'
import { useSelection } from '../state/selection.ts'

/** Minutes after which messages are read again: one may begin or end while a page stays open. */
const readAgainMinutes = 5

/** The messages and the news that show now and are meant for the user. */
export function useMessages() {
  const { organisationId } = useSelection()
  return useQuery({
    queryKey: ['communications', organisationId],
    queryFn: () => api.communications.now.query(),
    staleTime: 60_000,
    refetchInterval: readAgainMinutes * 60_000,
  })
}
