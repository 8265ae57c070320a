import { createStore } from './store.ts'

/** The slug of the article that the help panel shows; empty for the list of articles, null if the panel is closed. */
export const helpArticle = createStore<string | null>(null)

export function toggleHelp(): void {
  helpArticle.set(helpArticle.get() === null ? '' : null)
}

/** The current step of the tour; null if the tour is not running. */
export const tourStep = createStore<number | null>(null)

/** Storage key for the organisations whose first steps the user has hidden. */
export const hiddenFirstStepsStorageKey = 'firstStepsPutAway'
