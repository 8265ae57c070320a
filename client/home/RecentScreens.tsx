import { Link } from 'react-router'
import { useScreens, useScreenTitle } from '../shell/screens/useScreens.ts'
import { readVisitedPaths } from '../shell/screens/visitedPaths.ts'
import classes from './home.module.css'

/** The screens last visited in this browser, latest first. */
export function RecentScreens() {
  const screens = useScreens()
  const title = useScreenTitle()
  const last = readVisitedPaths().flatMap((path) => screens.find((screen) => screen.path === path) ?? [])
  if (!last.length) return null
  return (
    <nav className={classes.last} aria-label="Recent pages">
      <span>Recent pages</span>
      {last.map((screen) => (
        <Link key={screen.path} to={screen.path}>
          <screen.icon size={15} stroke={1.6} />
          {title(screen)}
        </Link>
      ))}
    </nav>
  )
}
