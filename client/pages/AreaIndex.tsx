import { Link } from 'react-router'
import { NotAllowed } from '../shell/Guard.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import type { Screen } from '../shell/screens.ts'
import { useScreens, useTitle } from '../shell/useScreens.ts'

/** The landing of an area: a tile for each of its screens the user may open, in their sections. */
export function AreaIndex({ area }: { area: Screen['area'] }) {
  const screens = useScreens().filter((screen) => screen.area === area)
  const title = useTitle()
  if (!screens.length) return <NotAllowed />
  const sections = [...new Set(screens.map((screen) => screen.section ?? ''))]
  return (
    <>
      <PageHead title={area} documentTitle={`${area} - ${area}`} />
      {sections.map((section) => (
        <section key={section} aria-label={section || area}>
          {section && <h2 className="section">{section}</h2>}
          <div className="tiles small">
            {screens
              .filter((screen) => (screen.section ?? '') === section)
              .map((screen) => (
                <Link key={screen.path} to={screen.path} className="tile row">
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
