import { finishSignIn, getUserManager, hasSession, hasStoredSession, signIn } from './shell/session/session.ts'

/**
 * Paths that are shown without a session, such as the page after signing out. For other paths, the product's code loads only when there is
 * a session, so that loading it does not delay signing in.
 */
const signedOutPaths = ['/auth/expired-session', '/auth/access-fail', '/loggedout', '/offline']

async function showProduct(): Promise<void> {
  const { renderProduct } = await import('./product.tsx')
  renderProduct()
}

async function start(): Promise<void> {
  const { pathname, search } = window.location
  const path = pathname.toLowerCase().replace(/\/+$/, '')
  // This is the hidden iframe that renews a session. It only passes the response to the page that contains it.
  if (path === '/auth/silent-renew') return (await getUserManager()).signinSilentCallback()
  if (path === '/auth/callback') {
    const to = await finishSignIn().catch(() => '/auth/access-fail')
    return window.location.replace(to)
  }
  if (signedOutPaths.includes(path) || hasStoredSession()) return showProduct()
  try {
    if (await hasSession()) return await showProduct()
    await signIn()
  } catch {
    window.location.replace(`/offline?to=${encodeURIComponent(pathname + search)}`)
  }
}

void start()
