import { Navigate } from 'react-router'
import { viewPermissions } from '../../domain/people/permissions.ts'
import { useCore, useMay } from '../shell/core.ts'
import { lazyPart } from '../shell/loadPart.ts'
import { Part } from '../shell/Part.tsx'
import { useSelection } from '../shell/selection.ts'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { greet } from './greet.ts'
import classes from './home.module.css'
import { LastScreens } from './LastScreens.tsx'

const BudgetCard = lazyPart(() => import('./BudgetCard.tsx'), 'BudgetCard')
const WaitingCard = lazyPart(() => import('./WaitingCard.tsx'), 'WaitingCard')
const CommentsCard = lazyPart(() => import('./CommentsCard.tsx'), 'CommentsCard')
const RemindersCard = lazyPart(() => import('./RemindersCard.tsx'), 'RemindersCard')
const FirstSteps = lazyPart(() => import('./FirstSteps.tsx'), 'FirstSteps')
const NewsCard = lazyPart(() => import('./NewsCard.tsx'), 'NewsCard')

/** The home page: key figures, tasks and recent screens. */
export function HomePage() {
  const { user, organisations, locations, budgets } = useCore()
  const { organisationId, locationId, budgetId } = useSelection()
  const may = useMay()
  if (organisationId === null || locationId === null) return <Navigate to="/welcome" replace />
  const where = [
    organisations.find((one) => one.id === organisationId)?.name,
    locations.find((one) => one.id === locationId)?.name,
    budgets.find((one) => one.mongoId === budgetId)?.name ?? 'no budget',
  ].join(' › ')
  return (
    <>
      <PageHead title={greet(user.name)} documentTitle="Home" facts={where} />
      <LastScreens />
      <Part height={0}>
        <FirstSteps />
      </Part>
      {budgetId !== null && may(viewPermissions('BudgetingOverview')) && (
        <Part key={budgetId} height={132}>
          <BudgetCard />
        </Part>
      )}
      <div className={classes.home}>
        <Part height={160}>
          <WaitingCard />
        </Part>
        <Part height={0}>
          <CommentsCard />
        </Part>
        <Part height={160}>
          <RemindersCard />
        </Part>
        <Part height={0}>
          <NewsCard />
        </Part>
      </div>
    </>
  )
}
