import { type ReactNode, Suspense, useEffect } from 'react'
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { HomePage } from './home/HomePage.tsx'
import { redirects, screens } from './screens.ts'
import { Shell } from './shell/frame/Shell.tsx'
import { lazyComponent } from './shell/lazyComponent.ts'
import { nameSelectionInLinks } from './shell/nameSelectionInLinks.ts'
import { CrashedPage } from './shell/screens/CrashedPage.tsx'
import { NotAllowed, NotFound, ScreenGuard } from './shell/screens/ScreenGuard.tsx'
import type { LazyPage, Screen } from './shell/screens/screen.ts'
import { useScreens } from './shell/screens/useScreens.ts'
import { recordVisitedPath } from './shell/screens/visitedPaths.ts'
import { PageSkeleton } from './ui/layout/PageSkeleton.tsx'

const WelcomePage = lazyComponent(() => import('./home/WelcomePage.tsx'), 'WelcomePage')
const BrowserSettingsPage = lazyComponent(() => import('./home/Account.tsx'), 'BrowserSettingsPage')
const VersionPage = lazyComponent(() => import('./home/Account.tsx'), 'VersionPage')
const ProfilePage = lazyComponent(() => import('./home/Account.tsx'), 'ProfilePage')
const StoredDataPage = lazyComponent(() => import('./home/StoredDataPage.tsx'), 'StoredDataPage')
const AreaLandingPage = lazyComponent(() => import('./shell/screens/AreaLandingPage.tsx'), 'AreaLandingPage')
const AssistPage = lazyComponent(() => import('./messages/AssistPage.tsx'), 'AssistPage')

/** Records a visit to a screen if the user may open the screen. */
function Visited({ screen, children }: { screen: Screen; children: ReactNode }) {
  useEffect(() => recordVisitedPath(screen.path), [screen.path])
  return children
}

/** Shows a skeleton while the code of a page loads. */
function withSkeleton(page: ReactNode): ReactNode {
  return <Suspense fallback={<PageSkeleton />}>{page}</Suspense>
}

function guarded(screen: Screen, { Component }: LazyPage, permissions: Screen['view'] | Screen['edit']): ReactNode {
  if (permissions === 'nobody') return <NotAllowed />
  return (
    <ScreenGuard view={permissions} needs={screen.needs}>
      <Visited screen={screen}>{withSkeleton(<Component key={screen.path} screen={screen} />)}</Visited>
    </ScreenGuard>
  )
}

function routesOf(screen: Screen): RouteObject[] {
  const path = screen.path.slice(1)
  return [
    { path, element: guarded(screen, screen.page, screen.view) },
    ...(screen.subPages ?? []).map((below) => ({
      path: `${path}/${below.path}`,
      element: guarded(screen, below.page, below.forReaders ? screen.view : screen.edit),
    })),
  ]
}

function guardedIndex(area: 'Console' | 'Administrator'): ReactNode {
  const [view, needs] = area === 'Console' ? (['signedIn', 'organisation'] as const) : (['administrator', 'nothing'] as const)
  return (
    <ScreenGuard view={view} needs={needs}>
      {withSkeleton(<AreaLandingPage area={area} />)}
    </ScreenGuard>
  )
}

/** Redirects to the first screen of an area that the user can open (behaviours B-034 and B-035). */
function RedirectToFirstScreen({ prefix }: { prefix: string }) {
  const first = useScreens().find((screen) => screen.path.startsWith(`${prefix}/`))
  return first ? <Navigate to={first.path} replace /> : <NotAllowed />
}

/** Creates the router with all routes inside the shell. */
export function createRouter() {
  const router = createBrowserRouter([
    {
      path: '/',
      element: <Shell />,
      errorElement: <CrashedPage />,
      children: [
        {
          errorElement: <CrashedPage />,
          children: [
            { index: true, element: <HomePage /> },
            { path: 'welcome', element: withSkeleton(<WelcomePage />) },
            { path: 'settings', element: withSkeleton(<BrowserSettingsPage />) },
            { path: 'version', element: withSkeleton(<VersionPage />) },
            { path: 'profile', element: withSkeleton(<ProfilePage />) },
            { path: 'what-is-kept', element: withSkeleton(<StoredDataPage />) },
            { path: 'assist/:slug', element: withSkeleton(<AssistPage />) },
            { path: 'console', element: guardedIndex('Console') },
            { path: 'administrator', element: guardedIndex('Administrator') },
            ...redirects.map((prefix) => ({ path: prefix.slice(1), element: <RedirectToFirstScreen prefix={prefix} /> })),
            ...screens.flatMap(routesOf),
            { path: '*', element: <NotFound /> },
          ],
        },
      ],
    },
  ])
  nameSelectionInLinks(router)
  return router
}
