import { NavLink } from 'react-router'
import { homeIcon as HomeIcon } from './areas.ts'
import type { Screen } from './screens.ts'
import { useScreens, useTitle } from './useScreens.ts'

function groupsOf(screens: Screen[]): [string, Screen[]][] {
  const groups = new Map<string, Screen[]>()
  for (const screen of screens) {
    const name = screen.section ? `${screen.area}: ${screen.section.toLowerCase()}` : screen.area
    groups.set(name, [...(groups.get(name) ?? []), screen])
  }
  return [...groups]
}

/** Side navigation, grouped by area, with what the user may open and nothing else. */
export function Navigation({ narrow = false, onNavigate, label }: { narrow?: boolean; onNavigate?: () => void; label: string }) {
  const screens = useScreens()
  const title = useTitle()
  return (
    <nav
      className={narrow ? 'nav narrow' : 'nav'}
      aria-label={label}
      style={onNavigate ? { display: 'block', position: 'static', width: 'auto', border: 0 } : undefined}
    >
      <NavLink to="/" end title="Home" onClick={onNavigate}>
        <HomeIcon size={17} stroke={1.6} />
        <span>Home</span>
      </NavLink>
      {groupsOf(screens).map(([name, list]) => (
        <div key={name}>
          <h2>{name}</h2>
          {list.map((screen) => (
            <NavLink
              key={screen.path}
              to={screen.path}
              end={screen.path === '/console/budget-management'}
              title={title(screen)}
              onClick={onNavigate}
            >
              <screen.icon size={17} stroke={1.6} />
              <span>{title(screen)}</span>
            </NavLink>
          ))}
        </div>
      ))}
    </nav>
  )
}
