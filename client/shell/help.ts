import { store } from './store.ts'

/** Which help stands beside the screen: an article by its slug, what there is for the screen (''), or none. */
export const help = store<string | null>(null)

/** Shows or hides the help beside the screen. */
export function toggleHelp(): void {
  help.set(help.get() === null ? '' : null)
}

/** The stop of the tour that is shown; null: nobody takes it. */
export const tour = store<number | null>(null)

/** Under this name the browser keeps the organisations whose first steps somebody put away. */
export const putAwaySteps = 'firstStepsPutAway'
