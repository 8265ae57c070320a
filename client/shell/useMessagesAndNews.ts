import { trpc } from './api.ts'

/** Polling interval in minutes, because messages start and end at set times. */
const pollMinutes = 5

/** Loads the messages and news that are currently shown to the user. */
export function useMessagesAndNews() {
  return trpc.communications.now.useQuery(undefined, { staleTime: 60_000, refetchInterval: pollMinutes * 60_000 })
}
