import { type Stale, staleAfterSilence } from '../../domain/live.ts'
import type { AppRouter } from '../../server/features/appRouter.ts'
import { queries } from './api.ts'
import { reloadBudgets, reloadLocked, reloadPlaces, reloadTerms } from './core.ts'

type Routers = AppRouter['_def']['record']
/** A router, or a procedure of one. */
type CallName = { [R in keyof Routers & string]: R | `${R}.${keyof Routers[R] & string}` }[keyof Routers & string]

const reload = { places: reloadPlaces, budgets: reloadBudgets, terms: reloadTerms, locked: reloadLocked }

/** Has the answers of these read again, at once where they are shown. */
export async function invalidate(names: readonly CallName[]): Promise<void> {
  await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name.split('.')] })))
}

/** Reads again what is stale: at once what is shown, the rest when it is looked at. What cannot be read stays as it was. */
export async function refresh({ answers, core }: Stale): Promise<void> {
  const results = await Promise.allSettled([
    ...core.map((part) => reload[part]()),
    answers === 'all' ? queries.invalidateQueries() : invalidate(answers),
  ])
  for (const result of results) if (result.status === 'rejected') console.warn(result.reason)
}

/** Reads again what others may have changed while nothing was heard. */
export const refreshAll = (): Promise<void> => refresh(staleAfterSilence)
