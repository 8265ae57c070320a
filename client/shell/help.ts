import { store } from './store.ts'

/** What the help panel shows: an article by its slug, the articles for the screen (''), or closed (null). */
export const help = store<string | null>(null)

export function toggleHelp(): void {
  help.set(help.get() === null ? '' : null)
}

/** The current step of the tour; null when it is not running. */
export const tour = store<number | null>(null)

/** Storage key for the organisations whose first steps the user has hidden. */
export const putAwaySteps = 'firstStepsPutAway'
