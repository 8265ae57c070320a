import { trpc } from './api.ts'

/** Minutes after which messages are read again: one may begin or end while a page stays open. */
const readAgainMinutes = 5

/** The messages and the news that show now and are meant for the user. */
export function useMessages() {
  return trpc.communications.now.useQuery(undefined, { staleTime: 60_000, refetchInterval: readAgainMinutes * 60_000 })
}
