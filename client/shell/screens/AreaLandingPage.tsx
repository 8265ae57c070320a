import clsx from 'clsx'
import { Link } from 'react-router'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import tilesStyles from '../../ui/layout/tiles.module.css'
import classes from './AreaIndex.module.css'
import { NotAllowed } from './ScreenGuard.tsx'
import type { Screen } from './screen.ts'
import { useScreens, useScreenTitle } from './useScreens.ts'

/** The landing page of an area: tiles for the screens that the user can open, by section. */
export function AreaLandingPage({ area }: { area: Screen['area'] }) {
  const screens = useScreens().filter((screen) => screen.area === area)
  const title = useScreenTitle()
  if (!screens.length) return <NotAllowed />
  const sections = [...new Set(screens.map((screen) => screen.section ?? ''))]
  return (
    <>
      <PageHead title={area} documentTitle={`${area} - ${area}`} />
      {sections.map((section) => (
        <section key={section} aria-label={section || area}>
          {section && <h2 className={classes.section}>{section}</h2>}
          <div className={clsx(tilesStyles.tiles, tilesStyles.small)}>
            {screens
              .filter((screen) => (screen.section ?? '') === section)
              .map((screen) => (
                <Link key={screen.path} to={screen.path} className={clsx(tilesStyles.tile, tilesStyles.row)}>
                  <screen.icon size={18} stroke={1.6} />
                  {title(screen)}
                </Link>
              ))}
          </div>
        </section>
      ))}
    </>
  )
}
