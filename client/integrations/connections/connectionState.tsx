import { type RouterOutputs, trpc } from '../../shell/api.ts'
import { Pill } from '../../ui/labels/Pill.tsx'

export type Connection = RouterOutputs['connections']['get']
export type FileRunResult = RouterOutputs['connections']['runs'][number]

/** Polling interval while a run is in progress. */
export const activePollMs = 1500
/** Polling interval while no run is in progress. */
export const idlePollMs = 15_000

/** A connection's state as a one-word label. */
export function ConnectionStateLabel({ connection: { state, problem, isUnderWay } }: { connection: Connection }) {
  if (isUnderWay) return <Pill>Running</Pill>
  if (problem) return <Pill tone="bad">Failing</Pill>
  return state === 'paused' ? <Pill>Paused</Pill> : <Pill tone="good">Active</Pill>
}

const outcomeLabels: Record<FileRunResult['outcome'], { label: string; tone?: 'good' | 'warn' | 'bad' }> = {
  done: { label: 'Done', tone: 'good' },
  nothing: { label: 'Nothing to do' },
  failed: { label: 'Failed', tone: 'bad' },
  tried: { label: 'Test only' },
  tryFailed: { label: 'Test only: would fail', tone: 'warn' },
}

/** The result of a run as a short label. */
export function RunOutcomeLabel({ run: { outcome } }: { run: FileRunResult }) {
  const { label, tone } = outcomeLabels[outcome]
  return <Pill tone={tone}>{label}</Pill>
}

/** Loads the organisation's connections, and polls faster while one is running. */
export function useConnections() {
  return trpc.connections.list.useQuery(undefined, {
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(({ isUnderWay }) => isUnderWay) ? activePollMs : idlePollMs),
  })
}
