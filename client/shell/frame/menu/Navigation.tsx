import { ActionIcon } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconArrowLeft, IconChevronDown, IconChevronRight, IconHome, IconStar, IconStarFilled } from '@tabler/icons-react'
import clsx from 'clsx'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { answerCache } from '../../api.ts'
import { createPrefetchHandlers } from '../../screens/prefetchOnHover.ts'
import type { Screen } from '../../screens/screen.ts'
import { areaLandingPaths, useScreens, useScreenTitle } from '../../screens/useScreens.ts'
import { readVisitedPaths } from '../../screens/visitedPaths.ts'
import classes from './Navigation.module.css'

/** A menu group: its screens and its named sections. */
interface Group {
  /** Identifies the group in the browser's storage. */
  id: string
  name: string
  /** The URL of the group's landing page, if it has one. */
  index?: string | undefined
  screens: Screen[]
  sections: Group[]
}

function groupsOf(screens: readonly Screen[]): Group[] {
  const areas = new Map<string, Group>()
  for (const screen of screens) {
    const area: Group = areas.get(screen.area) ?? {
      id: screen.area,
      name: screen.area,
      index: areaLandingPaths[screen.area],
      screens: [],
      sections: [],
    }
    areas.set(screen.area, area)
    if (!screen.section) {
      area.screens.push(screen)
      continue
    }
    const id = `${screen.area}: ${screen.section}`
    const section = area.sections.find((one) => one.id === id)
    if (section) section.screens.push(screen)
    else area.sections.push({ id, name: screen.section, screens: [screen], sections: [] })
  }
  return [...areas.values()]
}

const firstOf = ({ screens, sections }: Group): Screen | undefined => screens[0] ?? sections[0]?.screens[0]

/** Areas that do not concern the open budget and have many screens. When the user is in such an area, the menu shows only that area. */
const areasWithOwnMenu: readonly Screen['area'][] = ['Console', 'Administrator']

/** Prefetches the tasks on the home page. */
function prepareHome(): void {
  void answerCache.home.waiting.prefetch()
  void answerCache.home.month.prefetch()
  void answerCache.home.comments.prefetch()
}

/**
 * The side navigation: the screens that the user can open, favourites first. An area links to its first screen. An area that the user has
 * visited stays expanded until the user collapses it or reloads the page; a pinned area stays expanded until it is unpinned.
 */
export function Navigation({ narrow = false, onNavigate, label }: { narrow?: boolean; onNavigate?: () => void; label: string }) {
  const screens = useScreens()
  const title = useScreenTitle()
  const { pathname } = useLocation()
  const [unfolded, setUnfolded] = useLocalStorage<string[]>({ key: 'unfolded', defaultValue: [], getInitialValueInEffect: false })
  const [starred, setStarred] = useLocalStorage<string[]>({ key: 'favourites', defaultValue: [], getInitialValueInEffect: false })
  const menu = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the entry of each new page
  useEffect(() => {
    menu.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  // The current screen is the matching screen with the longest path.
  const current = screens
    .filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0]
  const holdsCurrent = ({ screens: groupScreens, sections }: Group): boolean =>
    current !== undefined && (groupScreens.includes(current) || sections.some(holdsCurrent))
  const holdsPage = (group: Group): boolean => holdsCurrent(group) || group.index === pathname
  const groups = groupsOf(screens)
  // The area that the user leaves stays expanded, because collapsing it would move the entries below it under the pointer.
  const [visited, setVisited] = useState<readonly string[]>([])
  const fresh = groups.flatMap((area) => [area, ...area.sections]).filter((group) => holdsPage(group) && !visited.includes(group.id))
  if (fresh.length) setVisited([...visited, ...fresh.map((group) => group.id)])
  const toggle = (id: string, isOpen: boolean): void => {
    setVisited(visited.filter((one) => one !== id))
    setUnfolded(isOpen ? unfolded.filter((one) => one !== id) : [...unfolded, id])
  }
  const shown = (group: Group): ReactNode => {
    const { id, name, screens: groupScreens, sections } = group
    const isCurrent = holdsPage(group)
    const isOpen = isCurrent || unfolded.includes(id) || visited.includes(id)
    const first = firstOf(group)
    if (!first) return null
    return (
      <div key={id} className={classes.group}>
        <div className={classes.head}>
          <Link
            to={group.index ?? first.path}
            aria-current={group.index === pathname ? 'page' : undefined}
            title={name}
            onClick={onNavigate}
            {...createPrefetchHandlers(() => first.page.preload(first))}
          >
            {narrow && <first.icon size={17} stroke={1.6} />}
            <span>{name}</span>
          </Link>
          {!isCurrent && !narrow && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-expanded={isOpen}
              aria-label={isOpen ? `Collapse ${name}` : `Expand ${name}`}
              onClick={() => toggle(id, isOpen)}
            >
              {isOpen ? <IconChevronDown size={15} stroke={1.6} /> : <IconChevronRight size={15} stroke={1.6} />}
            </ActionIcon>
          )}
        </div>
        {isOpen && groupScreens.map((screen) => entry(screen))}
        {isOpen && sections.length > 0 && <div className={classes.sections}>{sections.map(shown)}</div>}
      </div>
    )
  }
  const entry = (screen: Screen, isAgain = false): ReactNode => {
    const isStarred = starred.includes(screen.path)
    const { path } = screen
    return (
      <div key={path} className={classes.entry}>
        <NavLink
          to={path}
          // If a screen is listed twice, only one entry is marked as current.
          end={isAgain || screen !== current}
          aria-current={isAgain ? 'false' : undefined}
          title={title(screen)}
          onClick={onNavigate}
          {...createPrefetchHandlers(() => screen.page.preload(screen))}
        >
          <screen.icon size={17} stroke={1.6} />
          <span>{title(screen)}</span>
        </NavLink>
        {!narrow && (screen === current || isAgain) && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            className={classes.star}
            aria-pressed={isStarred}
            aria-label={`${title(screen)} in favourites`}
            onClick={() => setStarred(isStarred ? starred.filter((one) => one !== path) : [...starred, path])}
          >
            {isStarred ? <IconStarFilled size={14} /> : <IconStar size={14} stroke={1.6} />}
          </ActionIcon>
        )}
      </div>
    )
  }
  const favourites = starred.flatMap((path) => screens.find((screen) => screen.path === path) ?? [])
  const areaGroup = groups.find((group) => areasWithOwnMenu.some((area) => area === group.id) && holdsPage(group))
  const others = groups.filter((group) => group !== areaGroup && areasWithOwnMenu.some((area) => area === group.id))
  const back =
    readVisitedPaths().find((path) => screens.some((screen) => screen.path === path && !areasWithOwnMenu.includes(screen.area))) ?? '/'
  return (
    <nav
      ref={menu}
      className={clsx(classes.nav, narrow && classes.narrow)}
      aria-label={label}
      style={onNavigate ? { display: 'block', position: 'static', width: 'auto', border: 0 } : undefined}
    >
      <NavLink to="/" end title="Home" onClick={onNavigate} {...createPrefetchHandlers(prepareHome)}>
        <IconHome size={17} stroke={1.6} />
        <span>Home</span>
      </NavLink>
      {areaGroup && (
        <Link to={back} title="Back to the budget" onClick={onNavigate}>
          <IconArrowLeft size={17} stroke={1.6} />
          <span>Back to the budget</span>
        </Link>
      )}
      {favourites.length > 0 && !narrow && <div className={classes.name}>Favourites</div>}
      {favourites.map((screen) => entry(screen, true))}
      {areaGroup ? (
        <>
          {areaGroup.index && !narrow && (
            <div className={classes.own}>
              <Link to={areaGroup.index} aria-current={areaGroup.index === pathname ? 'page' : undefined} onClick={onNavigate}>
                <span>{areaGroup.name}</span>
              </Link>
            </div>
          )}
          {areaGroup.screens.map((screen) => entry(screen))}
          {areaGroup.sections.map(shown)}
          {others.map(({ id, name, index = '/' }) => (
            <div key={id} className={classes.own}>
              <Link to={index} onClick={onNavigate}>
                <span>{name}</span>
              </Link>
            </div>
          ))}
        </>
      ) : (
        groups.map(shown)
      )}
    </nav>
  )
}
