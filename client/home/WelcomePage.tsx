import { Button } from '@mantine/core'
import { Link, Navigate, useLocation } from 'react-router'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { useCoreData } from '../shell/core.ts'
import { SelectionBar } from '../shell/frame/SelectionBar.tsx'
import { PageSection } from '../shell/PageSection.tsx'
import { areaLandingPaths, useScreens, useScreenTitle } from '../shell/screens/useScreens.ts'
import { useSelection } from '../shell/selection.ts'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import tilesStyles from '../ui/layout/tiles.module.css'
import { createGreeting } from './createGreeting.ts'
import { FirstSteps } from './FirstSteps.tsx'

const setUp = '/administrator/set-up'

/** A tile for each area that the user can open with the current selection. */
function AreaTiles() {
  const { organisationId, locationId } = useSelection()
  const screens = useScreens().filter(
    ({ needs }) => needs === 'nothing' || (organisationId !== null && (needs === 'organisation' || locationId !== null)),
  )
  const title = useScreenTitle()
  const areas = [...new Set(screens.map((screen) => screen.area))]
  return (
    <div className={tilesStyles.tiles}>
      {areas.map((area) => {
        const areaScreens = screens.filter((screen) => screen.area === area)
        return (
          <Link key={area} to={areaLandingPaths[area] ?? assertDefined(areaScreens[0]).path} className={tilesStyles.tile}>
            <strong style={{ fontSize: 16 }}>{area}</strong>
            <span className={textStyles.dim}>
              {areaScreens
                .slice(0, 4)
                .map((screen) => title(screen))
                .join(', ')}
            </span>
          </Link>
        )
      })}
    </div>
  )
}

/** Finds the next step for a user without a selection. An administrator of an empty installation adds an organisation or location. */
function findNextStep({
  isAdministrator,
  organisations,
  locations,
  organisationId,
  locationId,
}: Pick<ReturnType<typeof useCoreData>, 'isAdministrator' | 'organisations' | 'locations'> &
  Pick<ReturnType<typeof useSelection>, 'organisationId' | 'locationId'>): {
  hint: string
  add?: { to: string; label: string }
} {
  if (!organisations.length)
    return isAdministrator
      ? {
          hint: 'There is no organisation yet. Set up the first one, then its locations and its users.',
          add: { to: setUp, label: 'Set up your organisation' },
        }
      : { hint: 'You do not belong to an organisation yet. Ask the person who manages your users.' }
  if (organisationId === null) return { hint: 'Choose your organisation to begin.' }
  if (locationId !== null) return { hint: 'Choose where to go.' }
  if (locations.length) return { hint: 'Choose a location to begin.' }
  return isAdministrator
    ? { hint: 'This organisation has no locations yet.', add: { to: setUp, label: 'Set up its locations' } }
    : { hint: 'This organisation has no locations yet. Ask an administrator to add them.' }
}

/** The page shown before a location is selected: a greeting, the selection, and the areas that can already be opened. */
export function WelcomePage() {
  const { user, locations, organisations, isAdministrator } = useCoreData()
  const { organisationId, locationId } = useSelection()
  const { state }: { state: { from?: string } | null } = useLocation()
  const requestedPath = state?.from
  if (requestedPath && organisationId !== null && locationId !== null) return <Navigate to={requestedPath} replace />
  const next = findNextStep({ isAdministrator, organisations, locations, organisationId, locationId })
  // A user who was redirected here from another screen wants to return to that screen.
  const hint = requestedPath && !next.add && locations.length ? 'Choose a location to open the page you asked for.' : next.hint
  return (
    <>
      <PageHead title={createGreeting(user.name)} documentTitle="Welcome" facts={hint} />
      {next.add ? (
        <Button component={Link} to={next.add.to} style={{ marginBottom: 16 }}>
          {next.add.label}
        </Button>
      ) : (
        <Card style={{ padding: 14, marginBottom: 16, overflow: 'visible' }}>
          <SelectionBar wraps />
        </Card>
      )}
      {locationId === null && (
        <PageSection height={0}>
          <FirstSteps />
        </PageSection>
      )}
      <AreaTiles />
    </>
  )
}
