import { finishSignIn, getUserManager, hasSession, hasStoredSession, signIn } from './shell/session/session.ts'

/**
 * Pages that the product shows without a session, such as the one after signing out. All others need one, and the code
 * of the product loads only then: a visitor who has yet to sign in does not wait for it.
 */
const outside = ['/auth/expired-session', '/auth/access-fail', '/loggedout', '/offline']

async function showProduct(): Promise<void> {
  const { renderProduct } = await import('./product.tsx')
  renderProduct()
}

async function start(): Promise<void> {
  const { pathname, search } = window.location
  const path = pathname.toLowerCase().replace(/\/+$/, '')
  // The hidden iframe that renews a session passes the answer to the page around it.
  if (path === '/auth/silent-renew') return (await getUserManager()).signinSilentCallback()
  if (path === '/auth/callback') {
    const to = await finishSignIn().catch(() => '/auth/access-fail')
    return window.location.replace(to)
  }
  if (outside.includes(path) || hasStoredSession()) return showProduct()
  try {
    if (await hasSession()) return await showProduct()
    await signIn()
  } catch {
    window.location.replace(`/offline?to=${encodeURIComponent(pathname + search)}`)
  }
}

void start()
