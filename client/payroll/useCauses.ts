import { useEffect, useRef, useState } from 'react'
import { problemOf, trpc } from '../shell/api.ts'
import { failed } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'
import type { Explained } from './employees.ts'

/** How often is asked how far a search is. */
const askMs = 500

type Asked = Parameters<ReturnType<typeof trpc.payroll.causes.begin.useMutation>['mutateAsync']>[0]

/** A search for causes as the screen shows it. */
export interface Search {
  status: 'none' | 'running' | 'done' | 'cancelled' | 'failed'
  /** Employees looked at, and to look at; null while nobody has begun. */
  done: number
  total: number | null
  failure: string | null
  cancel: () => void
  again: () => void
}

/** How long who comes back to a month with the same figures finds what was found: contracts may have changed that leave the figures alone. */
const keptMs = 10 * 60_000

/** The search of each month that was last shown, for which figures and since when. */
const lastSearches = new Map<string, { figures: string; id: string; at: number }>()

/** How a search ended before it had an id. */
interface Ending {
  month: string
  status: 'cancelled' | 'failed'
  failure: string | null
}

/**
 * The causes of a month's differences. They are worked out by costing again and again, by a worker: begun when there is something to explain
 * and when a figure changes, not with each note; what was found stays in sight meanwhile. One that nobody waits for any more is stopped.
 * @param figures what was calculated and paid, as a text that changes with it; null: nothing to explain
 */
export function useCauses(asked: Asked, figures: string | null): { explained: readonly Explained[]; search: Search } {
  const { organisationId } = useSelection()
  const { mutateAsync: begin } = trpc.payroll.causes.begin.useMutation()
  const { mutate: cancel } = trpc.payroll.causes.cancel.useMutation()
  const [run, setRun] = useState<{ id: string; month: string } | null>(null)
  const [ending, setEnding] = useState<Ending | null>(null)
  const [turn, setTurn] = useState(0)
  const isUnwanted = useRef(false)
  const over = useRef<string | null>(null)
  const kept = useRef<{ month: string; explained: readonly Explained[] }>({ month: '', explained: [] })
  const month = JSON.stringify(asked)
  const place = `${organisationId} ${month}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn is another search of the same
  useEffect(() => {
    if (figures === null) return
    setEnding(null)
    isUnwanted.current = false
    const last = lastSearches.get(place)
    if (last?.figures === figures && Date.now() - last.at < keptMs) {
      setRun({ id: last.id, month })
      return
    }
    setRun(null)
    let isCurrent = true
    let begun: string | null = null
    const wanted: Asked = JSON.parse(month)
    begin(wanted).then(
      ({ id }) => {
        if (!isCurrent || isUnwanted.current) return cancel({ id })
        begun = id
        lastSearches.set(place, { figures, id, at: Date.now() })
        setRun({ id, month })
      },
      (error) => isCurrent && setEnding({ month, status: 'failed', failure: problemOf(error).message }),
    )
    return () => {
      isCurrent = false
      if (begun === null || over.current === begun) return
      cancel({ id: begun })
      lastSearches.delete(place)
    }
  }, [begin, cancel, place, month, figures, turn])
  const { data, error } = trpc.payroll.causes.found.useQuery(
    { id: run?.id ?? '' },
    {
      enabled: run !== null,
      refetchInterval: ({ state }) => {
        if (state.data && state.data.status !== 'running') return false
        if (!state.error) return askMs
        // What the server refuses it refuses again; a lost answer is asked for again, not quite as often.
        return problemOf(state.error).kind === 'unexpected' ? 4 * askMs : false
      },
    },
  )
  const isOver = data !== undefined && data.status !== 'running'
  useEffect(() => {
    if (run && isOver) over.current = run.id
  }, [run, isOver])
  if (run && data?.explained) kept.current = { month: run.month, explained: data.explained }
  const own = run?.month === month ? data : undefined
  const isLost = run?.month === month && error !== null && !isOver
  const ended = ending?.month === month ? ending : isLost ? { status: 'failed' as const, failure: problemOf(error).message } : null
  return {
    explained: kept.current.month === month ? kept.current.explained : [],
    search: {
      status: figures === null ? 'none' : (ended?.status ?? own?.status ?? 'running'),
      done: own?.done ?? 0,
      total: own?.total ?? null,
      failure: ended ? ended.failure : (own?.failure ?? null),
      cancel: () => {
        isUnwanted.current = true
        if (run?.month === month) cancel({ id: run.id }, { onError: failed })
        else setEnding({ month, status: 'cancelled', failure: null })
      },
      again: () => {
        lastSearches.delete(place)
        setTurn(turn + 1)
      },
    },
  }
}
