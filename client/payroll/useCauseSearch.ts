import { useEffect, useRef, useState } from 'react'
import { toPublicError, trpc } from '../shell/api.ts'
import { notifyFailure } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'
import type { EmployeeCauses } from './employees.ts'

/** Polling interval of a search, in milliseconds. */
const pollMs = 500

type SearchScope = Parameters<ReturnType<typeof trpc.payroll.causes.begin.useMutation>['mutateAsync']>[0]

/** The state of a search for causes. */
export interface CauseSearch {
  status: 'none' | 'running' | 'done' | 'cancelled' | 'failed'
  /** The number of employees examined, followed by their total number; null before the search starts. */
  done: number
  total: number | null
  failure: string | null
  cancel: () => void
  again: () => void
}

/**
 * For how many milliseconds a result is reused while the figures of the month are the same. It is bounded because a contract can change
 * without changing a figure.
 */
const reuseMs = 10 * 60_000

/** The last search of each month, with the figures that it explained and when it began. */
const lastSearches = new Map<string, { figures: string; id: string; at: number }>()

/** Why a search did not start. */
interface StartFailure {
  month: string
  status: 'cancelled' | 'failed'
  failure: string | null
}

/**
 * The causes of a month's differences. A worker finds them by calculating costs repeatedly. A search starts when there are differences and
 * again when a figure changes, but not when a note changes. Until it ends, the last result stays visible. Searches that no screen needs are
 * cancelled.
 * @param figures a text that changes whenever a calculated or paid amount changes; null if there is no difference to explain
 */
export function useCauseSearch(scope: SearchScope, figures: string | null): { explained: readonly EmployeeCauses[]; search: CauseSearch } {
  const { organisationId } = useSelection()
  const { mutateAsync: startSearch } = trpc.payroll.causes.begin.useMutation()
  const { mutate: cancel } = trpc.payroll.causes.cancel.useMutation()
  const [run, setRun] = useState<{ id: string; month: string } | null>(null)
  const [ending, setEnding] = useState<StartFailure | null>(null)
  const [attempt, setAttempt] = useState(0)
  const isCancelled = useRef(false)
  const over = useRef<string | null>(null)
  const lastResult = useRef<{ month: string; explained: readonly EmployeeCauses[] }>({ month: '', explained: [] })
  const month = JSON.stringify(scope)
  const searchKey = `${organisationId} ${month}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn starts the same search again
  useEffect(() => {
    if (figures === null) return
    setEnding(null)
    isCancelled.current = false
    const last = lastSearches.get(searchKey)
    if (last?.figures === figures && Date.now() - last.at < reuseMs) {
      setRun({ id: last.id, month })
      return
    }
    setRun(null)
    let isCurrent = true
    let searchId: string | null = null
    const searchScope: SearchScope = JSON.parse(month)
    startSearch(searchScope).then(
      ({ id }) => {
        if (!isCurrent || isCancelled.current) return cancel({ id })
        searchId = id
        lastSearches.set(searchKey, { figures, id, at: Date.now() })
        setRun({ id, month })
      },
      (error) => isCurrent && setEnding({ month, status: 'failed', failure: toPublicError(error).message }),
    )
    return () => {
      isCurrent = false
      if (searchId === null || over.current === searchId) return
      cancel({ id: searchId })
      lastSearches.delete(searchKey)
    }
  }, [startSearch, cancel, searchKey, month, figures, attempt])
  const { data, error } = trpc.payroll.causes.found.useQuery(
    { id: run?.id ?? '' },
    {
      enabled: run !== null,
      refetchInterval: ({ state }) => {
        if (state.data && state.data.status !== 'running') return false
        if (!state.error) return pollMs
        // Another request would be refused too, so polling stops. After an unexpected error, polling continues more slowly.
        return toPublicError(state.error).kind === 'unexpected' ? 4 * pollMs : false
      },
    },
  )
  const isFinished = data !== undefined && data.status !== 'running'
  useEffect(() => {
    if (run && isFinished) over.current = run.id
  }, [run, isFinished])
  if (run && data?.explained) lastResult.current = { month: run.month, explained: data.explained }
  const result = run?.month === month ? data : undefined
  const isLost = run?.month === month && error !== null && !isFinished
  const ended = ending?.month === month ? ending : isLost ? { status: 'failed' as const, failure: toPublicError(error).message } : null
  return {
    explained: lastResult.current.month === month ? lastResult.current.explained : [],
    search: {
      status: figures === null ? 'none' : (ended?.status ?? result?.status ?? 'running'),
      done: result?.done ?? 0,
      total: result?.total ?? null,
      failure: ended ? ended.failure : (result?.failure ?? null),
      cancel: () => {
        isCancelled.current = true
        if (run?.month === month) cancel({ id: run.id }, { onError: notifyFailure })
        else setEnding({ month, status: 'cancelled', failure: null })
      },
      again: () => {
        lastSearches.delete(searchKey)
        setAttempt(attempt + 1)
      },
    },
  }
}
