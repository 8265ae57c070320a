import { createStore } from '../store.ts'

/**
 * Whether the session has ended while the page is open. A dialog then asks to sign in again, and nothing on the page is
 * lost.
 */
export const hasSessionEnded = createStore(false)

export function markSessionEnded(): void {
  if (!window.location.pathname.startsWith('/auth')) hasSessionEnded.set(true)
}
