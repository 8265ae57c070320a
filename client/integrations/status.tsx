import { useEffect } from 'react'
import { integrationState } from '../../domain/lookups/lookupIds.ts'
import { lookups } from '../../domain/lookups/lookups.ts'
import { displayDateTime } from '../../domain/values/format.ts'
import { type Answers, trpc } from '../shell/api.ts'
import { Pill } from '../ui/labels/Pill.tsx'

type Status = Answers['integrations']['clientStatus'][number]

export const integrationsPath = '/console/integrations'

/**
 * For the query of a record that a worker changes without a new version. A change may be over before it is read again: what is read is then
 * equal to what was read before it, and has to come in all the same, in place of what the server answered in between.
 */
export const eachReading = { structuralSharing: false } as const

/** What the server says while a worker tries a link. */
const trying = 'Being tried.'
/** How often it is asked how links stand, in milliseconds: while one is tried, and else. */
const whileTryingMs = 1500
const elseMs = 15_000

/** How the links stand, asked again and again; when that fails it is logged, and the screen says nothing of it (behaviour B-250). */
export function useStatuses(): { statuses: ReadonlyMap<number, Status>; readAgain: () => Promise<unknown> } {
  const { data, error, refetch } = trpc.integrations.clientStatus.useQuery(undefined, {
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(({ message }) => message === trying) ? whileTryingMs : elseMs),
  })
  useEffect(() => {
    if (error) console.warn('How the integrations stand could not be read.', error.message)
  }, [error])
  return { statuses: new Map(data?.map((status) => [status.credentialId, status])), readAgain: refetch }
}

/** How a link stands, in a word. */
export function StatePill({ status }: { status: Status | undefined }) {
  if (!status) return null
  if (status.message === trying) return <Pill>Being tried</Pill>
  const name = lookups.integrationStates.find(({ id }) => id === status.state)?.name
  const tone = status.state === integrationState.connected ? 'good' : status.state === integrationState.failing ? 'bad' : undefined
  return <Pill tone={tone}>{name}</Pill>
}

/** What the last try came to, and when that was. */
export function LastTry({ status }: { status: Status | undefined }) {
  if (!status?.checkedAt || status.message === trying) return null
  return (
    <>
      {status.message} {displayDateTime(status.checkedAt)}
    </>
  )
}
