import { type InvalidateQueryFilters, partialMatchKey } from '@tanstack/react-query'
import { allSchoolQueries, type Invalidation, invalidatedByCall, invalidatedByReconnect } from '../../../domain/changes/live.ts'
import { onSavedBefore, queries } from '../api.ts'
import { reloadBudgets, reloadLocked, reloadPlaces, reloadTerms } from '../core.ts'

const reload = { places: reloadPlaces, budgets: reloadBudgets, terms: reloadTerms, locked: reloadLocked }

const routerOf = (name: string): string[][] => [name.split('.')]

/** Milliseconds between two readings of what shows every school: somebody saves a cell somewhere all the time. */
const ofAllMs = 15_000
const keysOfAll = allSchoolQueries.map(routerOf)
let ofAllAt = Number.NEGATIVE_INFINITY
let ofAllWaits = false

/** Has what shows every school asked for anew where it is shown: at once after a quiet time, otherwise once the time is over. */
async function askOfAllAgain(): Promise<void> {
  await Promise.all(keysOfAll.map((queryKey) => queries.invalidateQueries({ queryKey, refetchType: 'none' })))
  if (ofAllWaits) return
  const waitMs = ofAllAt + ofAllMs - performance.now()
  if (waitMs > 0) {
    ofAllWaits = true
    await new Promise((done) => setTimeout(done, waitMs))
    ofAllWaits = false
  }
  ofAllAt = performance.now()
  await Promise.all(keysOfAll.map((queryKey) => askAgain({ queryKey })))
}

/**
 * Has answers asked for anew, at once where they are shown. One that is asked for just now may have been made before the change: it is not
 * waited for. React Query does so by itself only where an answer was there before, and is shown; one that nobody looks at any more it would
 * take for fresh.
 */
async function askAgain(filters: InvalidateQueryFilters): Promise<void> {
  const isFirst: InvalidateQueryFilters['predicate'] = (query) =>
    query.state.data === undefined && query.state.fetchStatus === 'fetching' && (filters.predicate?.(query) ?? true)
  void queries.cancelQueries({ ...filters, type: 'active', predicate: isFirst }, { silent: true, revert: false })
  void queries.cancelQueries({ ...filters, type: 'inactive', fetchStatus: 'fetching' }, { silent: true })
  await queries.invalidateQueries(filters)
}

/** Reads again what is stale: at once what is shown, the rest when it is looked at. What cannot be read stays as it was. */
export async function refresh({ queries: answers, immediately: atOnce = [], except = [], core }: Invalidation): Promise<void> {
  const isStale: InvalidateQueryFilters['predicate'] = ({ queryKey }) =>
    ![...except, ...allSchoolQueries].some((name) => partialMatchKey(queryKey, routerOf(name)))
  const isOfAll = answers !== 'all' && answers.some((name) => keysOfAll.some((key) => partialMatchKey(key, routerOf(name))))
  const results = await Promise.allSettled([
    ...core.map((part) => reload[part]()),
    ...(answers === 'all' ? [askAgain({})] : answers.map((name) => askAgain({ queryKey: routerOf(name), predicate: isStale }))),
    ...atOnce.map((name) => askAgain({ queryKey: routerOf(name) })),
    ...(isOfAll ? [askOfAllAgain()] : []),
  ])
  for (const result of results) if (result.status === 'rejected') console.warn(result.reason)
}

/** Reads again what others may have changed while nothing was heard. */
export const refreshAll = (): Promise<void> => refresh(invalidatedByReconnect)

/** Has every call of this page that changes something followed by reading again what it made stale. @returns what ends that */
export function followCalls(): () => void {
  const answered = new Set<string>()
  const readAgain = (): void => {
    for (const path of answered) void refresh(invalidatedByCall(path))
    answered.clear()
  }
  return queries.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const path = event.mutation.options.mutationKey?.[0]
    if (!Array.isArray(path)) return
    // Of calls that are answered together each is followed once.
    if (!answered.size) setTimeout(readAgain)
    answered.add(path.join('.'))
  })
}

onSavedBefore(() => void refreshAll())
