import { useEffect } from 'react'
import { integrationState } from '../../domain/lookups/lookupIds.ts'
import { lookups } from '../../domain/lookups/lookups.ts'
import { displayDateTime } from '../../domain/values/format.ts'
import { type RouterOutputs, trpc } from '../shell/api.ts'
import { Pill } from '../ui/labels/Pill.tsx'

type Status = RouterOutputs['integrations']['clientStatus'][number]

export const integrationsPath = '/console/integrations'

/**
 * Query options for a record that a worker changes without a new version. A change can finish between two polls and leave the same data as
 * before. Without structural sharing, React still sees a new result, and discards what another call returned in between.
 */
export const withoutStructuralSharing = { structuralSharing: false } as const

/** The server's message while a worker tests a credential. */
const testingMessage = 'Being tested.'
/** Polling interval while a credential is being tested. */
const testingPollMs = 1500
/** Polling interval while no credential is being tested. */
const idlePollMs = 15_000

/** Polls the status of all credentials. A failed poll is logged and not shown (behaviour B-250). */
export function useCredentialStatuses(): { statuses: ReadonlyMap<number, Status>; readAgain: () => Promise<unknown> } {
  const { data, error, refetch } = trpc.integrations.clientStatus.useQuery(undefined, {
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(({ message }) => message === testingMessage) ? testingPollMs : idlePollMs),
  })
  useEffect(() => {
    if (error) console.warn('The status of the integrations could not be loaded.', error.message)
  }, [error])
  return { statuses: new Map(data?.map((status) => [status.credentialId, status])), readAgain: refetch }
}

/** A credential's status as a short label. */
export function CredentialStatusLabel({ status }: { status: Status | undefined }) {
  if (!status) return null
  if (status.message === testingMessage) return <Pill>Being tested</Pill>
  const name = lookups.integrationStates.find(({ id }) => id === status.state)?.name
  const tone = status.state === integrationState.connected ? 'good' : status.state === integrationState.failing ? 'bad' : undefined
  return <Pill tone={tone}>{name}</Pill>
}

/** The result of the last test, and when it ran. */
export function LastTestResult({ status }: { status: Status | undefined }) {
  if (!status?.checkedAt || status.message === testingMessage) return null
  return (
    <>
      {status.message} {displayDateTime(status.checkedAt)}
    </>
  )
}
