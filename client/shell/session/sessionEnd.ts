import { createStore } from '../store.ts'

/** Whether the session has ended while the page is open. If so, a dialog asks to sign in again, and the page keeps its content. */
export const hasSessionEnded = createStore(false)

export function markSessionEnded(): void {
  if (!window.location.pathname.startsWith('/auth')) hasSessionEnded.set(true)
}
