import { useEffect, useRef, useState } from 'react'
import { trpc } from '../shell/api.ts'
import { failed } from '../shell/notify.tsx'
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

/**
 * The causes of a month's differences. They are worked out by costing again and again, by a worker: begun when there is something to explain
 * and when a figure changes, not with each note; what was found stays in sight meanwhile.
 * @param figures what was calculated and paid, as a text that changes with it; null: nothing to explain
 */
export function useCauses(asked: Asked, figures: string | null): { explained: readonly Explained[]; search: Search } {
  const { mutateAsync: begin } = trpc.payroll.causes.begin.useMutation()
  const { mutate: cancel } = trpc.payroll.causes.cancel.useMutation()
  const [run, setRun] = useState<{ id: string; month: string } | null>(null)
  const [turn, setTurn] = useState(0)
  const kept = useRef<{ month: string; explained: readonly Explained[] }>({ month: '', explained: [] })
  const month = JSON.stringify(asked)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn is another search of the same
  useEffect(() => {
    if (figures === null) return
    let isCurrent = true
    begin(JSON.parse(month) as Asked).then(
      ({ id }) => isCurrent && setRun({ id, month }),
      (error) => isCurrent && failed(error),
    )
    return () => {
      isCurrent = false
    }
  }, [begin, month, figures, turn])
  const { data } = trpc.payroll.causes.found.useQuery(
    { id: run?.id ?? '' },
    { enabled: run !== null, refetchInterval: (query) => (query.state.data?.status === 'running' ? askMs : false) },
  )
  if (run && data?.explained) kept.current = { month: run.month, explained: data.explained }
  const isOfMonth = run?.month === month
  return {
    explained: kept.current.month === month ? kept.current.explained : [],
    search: {
      status: figures === null ? 'none' : isOfMonth && data ? data.status : 'running',
      done: (isOfMonth && data?.done) || 0,
      total: (isOfMonth && data?.total) || null,
      failure: data?.failure ?? null,
      cancel: () => run && cancel({ id: run.id }),
      again: () => setTurn(turn + 1),
    },
  }
}
