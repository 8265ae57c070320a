import { store } from './store.ts'

/** Which help stands beside the screen: an article by its slug, what there is for the screen (''), or none. */
export const help = store<string | null>(null)

/** Shows or hides the help beside the screen. */
export function toggleHelp(): void {
  help.set(help.get() === null ? '' : null)
}
