import { trpc } from './api.ts'

/** Polling interval in minutes, because messages start and end at set times. */
const readAgainMinutes = 5

/** The messages and news currently shown to the user. */
export function useMessagesAndNews() {
  return trpc.communications.now.useQuery(undefined, { staleTime: 60_000, refetchInterval: readAgainMinutes * 60_000 })
}
