import { useEffect, useState } from 'react'
import { RouterProvider } from 'react-router'
import { findEntityExtras } from './findEntityExtras.ts'
import { EntityExtrasContext } from './resources/entityExtras.ts'
import { createRouter } from './router.tsx'
import { screens } from './screens.ts'
import { loadCore, useCore } from './shell/core.ts'
import { ScreensContext } from './shell/screens/useScreens.ts'
import { finishSignIn, getUserManager, hasSession, signIn } from './shell/session/session.ts'
import { hasSessionEnded } from './shell/session/sessionEnd.ts'
import { AccessRefusedPage, ExpiredPage, LoggedOutPage, OfflinePage, StartFailedPage } from './shell/session/signedOutPages.tsx'
import { Spinner } from './ui/Spinner.tsx'

const { pathname } = window.location

/** Finishes a sign-in: returns to the page where it began, or shows why it was refused. */
function Callback() {
  useEffect(() => {
    finishSignIn().then(
      (to) => window.location.replace(to),
      () => window.location.replace('/auth/access-fail'),
    )
  }, [])
  return <Spinner />
}

/** Runs in the hidden iframe that renews a session, and passes the answer to the page around it. */
function SilentRenew() {
  useEffect(() => void getUserManager().then((manager) => manager.signinSilentCallback()), [])
  return <Spinner />
}

async function start(): Promise<void> {
  try {
    if (!(await hasSession())) return await signIn()
    await loadCore()
    // The session ended in another tab. No page has rendered yet, so no typed text can be lost.
    if (hasSessionEnded.get()) await signIn()
  } catch {
    window.location.replace(`/offline?to=${encodeURIComponent(pathname + window.location.search)}`)
  }
}

/** The signed-in product. Shows a spinner until the core data has loaded (behaviour B-011). */
function Product() {
  const { state, error } = useCore()
  const [router] = useState(createRouter)
  useEffect(() => void start(), [])
  if (state === 'failed') return <StartFailedPage error={error} onRetry={() => void start()} />
  if (state === 'loading') return <Spinner />
  return (
    <ScreensContext value={screens}>
      <EntityExtrasContext value={findEntityExtras}>
        <RouterProvider router={router} />
      </EntityExtrasContext>
    </ScreensContext>
  )
}

/** Pages that need neither sign-in nor core data bypass the product. */
export function App() {
  switch (pathname.toLowerCase().replace(/\/+$/, '')) {
    case '/auth/callback':
      return <Callback />
    case '/auth/silent-renew':
      return <SilentRenew />
    case '/auth/expired-session':
      return <ExpiredPage />
    case '/auth/access-fail':
      return <AccessRefusedPage />
    case '/loggedout':
      return <LoggedOutPage />
    case '/offline':
      return <OfflinePage />
    default:
      return <Product />
  }
}
