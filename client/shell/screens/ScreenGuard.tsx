import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import type { Permission } from '../../../domain/people/permissions.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { useCoreData, usePermissionCheck } from '../core.ts'
import { SelectionBar } from '../frame/SelectionBar.tsx'
import { useSelection } from '../selection.ts'

/** Shown instead of a screen for which the user has no permission. The screen makes no calls (behaviour B-036). */
export function NotAllowed() {
  return (
    <EmptyState>
      <PageHead title="Not allowed" />
      <p>You do not have permission to open this. Ask the person who manages your user group.</p>
      <Button component={Link} to="/" variant="default">
        Home
      </Button>
    </EmptyState>
  )
}

export function NotFound({ back }: { back?: { to: string; label: string } }) {
  return (
    <EmptyState>
      <PageHead title="Page not found" />
      <p>There is nothing at this address, or it belongs to a school that you do not have access to.</p>
      <Button component={Link} to={back?.to ?? '/'} variant="default">
        {back?.label ?? 'Home'}
      </Button>
    </EmptyState>
  )
}

/** Renders a screen only if the user has the permissions and the selection that it needs. */
export function ScreenGuard({
  view,
  needs,
  children,
}: {
  view: readonly Permission[] | 'administrator' | 'signedIn'
  needs: 'budget' | 'organisation' | 'nothing'
  children: ReactNode
}) {
  const may = usePermissionCheck()
  const { pathname, search } = useLocation()
  const { organisationId, locationId, budgetId } = useSelection()
  const { budgets } = useCoreData()
  if (needs !== 'nothing' && (organisationId === null || (needs === 'budget' && locationId === null)))
    return <Navigate to="/welcome" replace state={{ from: `${pathname}${search}` }} />
  if (!may(view)) return <NotAllowed />
  if (needs === 'budget' && budgetId === null)
    return (
      <EmptyState>
        <PageHead title="Choose a budget" />
        {budgets.length ? (
          <>
            <p>This screen shows one budget. Choose it here or in the bar above.</p>
            <div style={{ display: 'inline-flex' }}>
              <SelectionBar />
            </div>
          </>
        ) : (
          <>
            <p>This location has no budget yet.</p>
            {may(['ConsoleBudgetManagementReadUpdate']) ? (
              <Button component={Link} to="/console/budget-management/create">
                Add budget
              </Button>
            ) : (
              <p>Ask the person who manages budgets to add one, or choose another location above.</p>
            )}
          </>
        )}
      </EmptyState>
    )
  return children
}
