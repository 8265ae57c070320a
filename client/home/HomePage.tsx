import { Navigate } from 'react-router'
import { reportReadPermissions } from '../../domain/people/permissions.ts'
import { useCoreData, usePermissionCheck } from '../shell/core.ts'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { PageSection } from '../shell/PageSection.tsx'
import { useSelection } from '../shell/selection.ts'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { CommentsCard } from './CommentsCard.tsx'
import { createGreeting } from './createGreeting.ts'
import { FirstSteps } from './FirstSteps.tsx'
import classes from './home.module.css'
import { NewsCard } from './NewsCard.tsx'
import { RecentScreens } from './RecentScreens.tsx'
import { RemindersCard } from './RemindersCard.tsx'
import { TasksCard } from './TasksCard.tsx'

const SchoolsCard = lazyComponent(() => import('./SchoolsCard.tsx'), 'SchoolsCard')
const SchoolCard = lazyComponent(() => import('./SchoolCard.tsx'), 'SchoolCard')
const PackCard = lazyComponent(() => import('./PackCard.tsx'), 'PackCard')

/**
 * The home page. For a trust, it begins with the schools, those with the most urgent state first, even if a school is selected. For a
 * single school, it begins with a few figures of its budget of record. The user's tasks follow.
 */
export function HomePage() {
  const { user, organisations, locations } = useCoreData()
  const { organisationId, locationId } = useSelection()
  const mayReport = usePermissionCheck()(reportReadPermissions)
  const isTrust = locations.length > 1 && mayReport
  if (organisationId === null || (locationId === null && !isTrust)) return <Navigate to="/welcome" replace />
  const where = [organisations.find((one) => one.id === organisationId)?.name, locations.find((one) => one.id === locationId)?.name].filter(
    Boolean,
  )
  return (
    <>
      <PageHead title={createGreeting(user.name)} documentTitle="Home" facts={where.join(' › ')} />
      <RecentScreens />
      <PageSection height={0}>
        <FirstSteps />
      </PageSection>
      {isTrust && (
        <PageSection height={260}>
          <SchoolsCard />
        </PageSection>
      )}
      {!isTrust && mayReport && (
        <PageSection key={locationId} height={132}>
          <SchoolCard />
        </PageSection>
      )}
      <div className={classes.home}>
        <PageSection height={160}>
          <TasksCard />
        </PageSection>
        <PageSection height={0}>
          <CommentsCard />
        </PageSection>
        {mayReport && (
          <PageSection height={0}>
            <PackCard />
          </PageSection>
        )}
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
