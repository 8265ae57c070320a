import { store } from '../store.ts'

/** Whether the session has ended while the page is open: a question asks to sign in again, nothing on the page is lost. */
export const sessionIsOver = store(false)

export function sessionEnded(): void {
  if (!window.location.pathname.startsWith('/auth')) sessionIsOver.set(true)
}
