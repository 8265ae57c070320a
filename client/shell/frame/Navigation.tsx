import { IconHome } from '@tabler/icons-react'
import clsx from 'clsx'
import { NavLink } from 'react-router'
import type { Screen } from '../screen.ts'
import { areaIndexes, useScreens, useTitle } from '../useScreens.ts'
import classes from './Navigation.module.css'

function groupsOf(screens: Screen[]): [string, Screen[]][] {
  const groups = new Map<string, Screen[]>()
  for (const screen of screens) {
    const name = screen.section ? `${screen.area}: ${screen.section.toLowerCase()}` : screen.area
    groups.set(name, [...(groups.get(name) ?? []), screen])
  }
  return [...groups]
}

/** Whether a screen is the first of an area that has a page of its own to begin with. */
function beginsArea(screens: readonly Screen[], screen: Screen): boolean {
  return areaIndexes[screen.area] !== undefined && screens.find((one) => one.area === screen.area) === screen
}

/** Side navigation, grouped by area, with what the user may open and nothing else. */
export function Navigation({ narrow = false, onNavigate, label }: { narrow?: boolean; onNavigate?: () => void; label: string }) {
  const screens = useScreens()
  const title = useTitle()
  return (
    <nav
      className={clsx(classes.nav, narrow && classes.narrow)}
      aria-label={label}
      style={onNavigate ? { display: 'block', position: 'static', width: 'auto', border: 0 } : undefined}
    >
      <NavLink to="/" end title="Home" onClick={onNavigate}>
        <IconHome size={17} stroke={1.6} />
        <span>Home</span>
      </NavLink>
      {groupsOf(screens).map(([name, list]) => (
        <div key={name}>
          <h2>{name}</h2>
          {beginsArea(screens, list[0]!) && (
            <NavLink to={areaIndexes[list[0]!.area]!} end title={list[0]!.area} onClick={onNavigate}>
              <IconHome size={17} stroke={1.6} />
              <span>{list[0]!.area}</span>
            </NavLink>
          )}
          {list.map((screen) => (
            <NavLink
              key={screen.path}
              to={screen.path}
              end={screen.path === '/console/budget-management'}
              title={title(screen)}
              onClick={onNavigate}
              onPointerEnter={screen.page.preload}
              onFocus={screen.page.preload}
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
