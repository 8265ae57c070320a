import { type InvalidateQueryFilters, partialMatchKey } from '@tanstack/react-query'
import { allSchoolQueries, type Invalidation, invalidatedByReconnect, listQueriesForCall } from '../../../domain/changes/live.ts'
import { queryClient, setEarlierSaveHandler } from '../api.ts'
import { reloadBudgets, reloadOrganisationsAndLocations, reloadRunningRecalculations, reloadTerms } from '../core.ts'

const reloadCore = {
  places: reloadOrganisationsAndLocations,
  budgets: reloadBudgets,
  terms: reloadTerms,
  locked: reloadRunningRecalculations,
}

const toQueryKey = (name: string): string[][] => [name.split('.')]

/** Minimum number of milliseconds between two loads of data about all schools, because this data changes all the time. */
const allSchoolsRefetchMs = 15_000
const allSchoolKeys = allSchoolQueries.map(toQueryKey)
let lastAllSchoolsRefetch = Number.NEGATIVE_INFINITY
let isAllSchoolsRefetchDue = false

/**
 * Marks data about all schools as stale. The data is loaded again at once if the last load was long enough ago, otherwise when the interval
 * ends.
 */
async function refetchAllSchools(): Promise<void> {
  await Promise.all(allSchoolKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey, refetchType: 'none' })))
  if (isAllSchoolsRefetchDue) return
  const waitMs = lastAllSchoolsRefetch + allSchoolsRefetchMs - performance.now()
  if (waitMs > 0) {
    isAllSchoolsRefetchDue = true
    await new Promise((done) => setTimeout(done, waitMs))
    isAllSchoolsRefetchDue = false
  }
  lastAllSchoolsRefetch = performance.now()
  await Promise.all(allSchoolKeys.map((queryKey) => refetch({ queryKey })))
}

/**
 * Marks queries as stale and loads those that are on the screen again. A first fetch that is still running may have started before the
 * change, so it is restarted. React Query restarts a fetch only if the query already has a result, and would treat the result for a query
 * that is not on the screen as fresh.
 */
async function refetch(filters: InvalidateQueryFilters): Promise<void> {
  const isFirst: InvalidateQueryFilters['predicate'] = (query) =>
    query.state.data === undefined && query.state.fetchStatus === 'fetching' && (filters.predicate?.(query) ?? true)
  void queryClient.cancelQueries({ ...filters, type: 'active', predicate: isFirst }, { silent: true, revert: false })
  void queryClient.cancelQueries({ ...filters, type: 'inactive', fetchStatus: 'fetching' }, { silent: true })
  await queryClient.invalidateQueries(filters)
}

/**
 * Marks cached replies as stale. Those on the screen are loaded again now, and the others when they are next shown. If loading fails, the
 * old reply stays.
 */
export async function invalidateAnswers({
  queries: answers,
  immediately: immediateQueries = [],
  except = [],
  core,
}: Invalidation): Promise<void> {
  const isStale: InvalidateQueryFilters['predicate'] = ({ queryKey }) =>
    ![...except, ...allSchoolQueries].some((name) => partialMatchKey(queryKey, toQueryKey(name)))
  const concernsAllSchools =
    answers !== 'all' && answers.some((name) => allSchoolKeys.some((key) => partialMatchKey(key, toQueryKey(name))))
  const results = await Promise.allSettled([
    ...core.map((part) => reloadCore[part]()),
    ...(answers === 'all' ? [refetch({})] : answers.map((name) => refetch({ queryKey: toQueryKey(name), predicate: isStale }))),
    ...immediateQueries.map((name) => refetch({ queryKey: toQueryKey(name) })),
    ...(concernsAllSchools ? [refetchAllSchools()] : []),
  ])
  for (const result of results) if (result.status === 'rejected') console.warn(result.reason)
}

/** Loads everything again that may have changed while the connection was down. */
export const refetchAfterReconnect = (): Promise<void> => invalidateAnswers(invalidatedByReconnect)

/**
 * After each mutation of this page, loads again what the mutation made stale.
 * @returns a function that stops this
 */
export function refetchAfterMutations(): () => void {
  const answered = new Set<string>()
  const readAgain = (): void => {
    for (const path of answered) void invalidateAnswers(listQueriesForCall(path))
    answered.clear()
  }
  return queryClient.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const path = event.mutation.options.mutationKey?.[0]
    if (!Array.isArray(path)) return
    // Handle all mutations that were answered in one batch together.
    if (!answered.size) setTimeout(readAgain)
    answered.add(path.join('.'))
  })
}

setEarlierSaveHandler(() => void refetchAfterReconnect())
