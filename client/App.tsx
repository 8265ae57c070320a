import { useEffect, useState } from 'react'
import { RouterProvider } from 'react-router'
import { findEntityExtras } from './findEntityExtras.ts'
import { EntityExtrasContext } from './resources/entityExtras.ts'
import { createRouter } from './router.tsx'
import { screens } from './screens.ts'
import { loadCore, useCoreData } from './shell/core.ts'
import { ScreensContext } from './shell/screens/useScreens.ts'
import { hasSession, signIn } from './shell/session/session.ts'
import { hasSessionEnded } from './shell/session/sessionEnd.ts'
import { AccessRefusedPage, ExpiredPage, LoggedOutPage, OfflinePage, StartFailedPage } from './shell/session/signedOutPages.tsx'
import { Spinner } from './ui/Spinner.tsx'

async function start(): Promise<void> {
  try {
    if (!(await hasSession())) return await signIn()
    await loadCore()
    // The session ended in another tab. No page has rendered yet, so no unsaved input can be lost.
    if (hasSessionEnded.get()) await signIn()
  } catch {
    const { pathname, search } = window.location
    window.location.replace(`/offline?to=${encodeURIComponent(pathname + search)}`)
  }
}

/** The signed-in product. Shows a spinner until the core data has loaded (behaviour B-011). */
function Product() {
  const { state, error } = useCoreData()
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

/** Renders the application. Pages that need neither sign-in nor core data are rendered without the signed-in product. */
export function App() {
  switch (window.location.pathname.toLowerCase().replace(/\/+$/, '')) {
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
