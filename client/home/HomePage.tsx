import { Navigate } from 'react-router'
import { viewPermissions } from '../../domain/people/permissions.ts'
import { useCore, usePermissionCheck } from '../shell/core.ts'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { PageSection } from '../shell/PageSection.tsx'
import { useSelection } from '../shell/selection.ts'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { createGreeting } from './createGreeting.ts'
import classes from './home.module.css'
import { RecentScreens } from './RecentScreens.tsx'

const BudgetCard = lazyComponent(() => import('./BudgetCard.tsx'), 'BudgetCard')
const TasksCard = lazyComponent(() => import('./TasksCard.tsx'), 'TasksCard')
const CommentsCard = lazyComponent(() => import('./CommentsCard.tsx'), 'CommentsCard')
const RemindersCard = lazyComponent(() => import('./RemindersCard.tsx'), 'RemindersCard')
const FirstSteps = lazyComponent(() => import('./FirstSteps.tsx'), 'FirstSteps')
const NewsCard = lazyComponent(() => import('./NewsCard.tsx'), 'NewsCard')

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
