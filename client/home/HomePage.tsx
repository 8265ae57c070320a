import { Navigate } from 'react-router'
import { viewPermissions } from '../../domain/people/permissions.ts'
import { useCore, usePermissionCheck } from '../shell/core.ts'
import { PageSection } from '../shell/PageSection.tsx'
import { useSelection } from '../shell/selection.ts'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { BudgetCard } from './BudgetCard.tsx'
import { CommentsCard } from './CommentsCard.tsx'
import { createGreeting } from './createGreeting.ts'
import { FirstSteps } from './FirstSteps.tsx'
import classes from './home.module.css'
import { NewsCard } from './NewsCard.tsx'
import { RecentScreens } from './RecentScreens.tsx'
import { RemindersCard } from './RemindersCard.tsx'
import { TasksCard } from './TasksCard.tsx'

/** The home page: key figures, tasks and recent screens. */
export function HomePage() {
  const { user, organisations, locations, budgets } = useCore()
  const { organisationId, locationId, budgetId } = useSelection()
  const may = usePermissionCheck()
  if (organisationId === null || locationId === null) return <Navigate to="/welcome" replace />
  const where = [
    organisations.find((one) => one.id === organisationId)?.name,
    locations.find((one) => one.id === locationId)?.name,
    budgets.find((one) => one.mongoId === budgetId)?.name ?? 'no budget',
  ].join(' › ')
  return (
    <>
      <PageHead title={createGreeting(user.name)} documentTitle="Home" facts={where} />
      <RecentScreens />
      <PageSection height={0}>
        <FirstSteps />
      </PageSection>
      {budgetId !== null && may(viewPermissions('BudgetingOverview')) && (
        <PageSection key={budgetId} height={132}>
          <BudgetCard />
        </PageSection>
      )}
      <div className={classes.home}>
        <PageSection height={160}>
          <TasksCard />
        </PageSection>
        <PageSection height={0}>
          <CommentsCard />
        </PageSection>
        <PageSection height={160}>
          <RemindersCard />
        </PageSection>
        <PageSection height={0}>
          <NewsCard />
        </PageSection>
      </div>
    </>
  )
}
