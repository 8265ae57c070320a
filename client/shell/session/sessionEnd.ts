import { store } from '../store.ts'

/**
 * Whether the session has ended while the page is open. A dialog then asks to sign in again, and nothing on the page is
 * lost.
 */
export const sessionIsOver = store(false)

export function sessionEnded(): void {
  if (!window.location.pathname.startsWith('/auth')) sessionIsOver.set(true)
}
