import { ActionIcon, Button } from '@mantine/core'
import { useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconHelp, IconLayoutSidebarLeftCollapse, IconMenu2, IconSearch } from '@tabler/icons-react'
import clsx from 'clsx'
import { useEffect, useState } from 'react'
import { Link, Outlet, useLocation, useNavigationType } from 'react-router'
import { helpArticle, toggleHelp, tourStep } from '../help.ts'
import { lazyComponent } from '../lazyComponent.ts'
import { undoLatestDeletion } from '../notify.tsx'
import { PageSection } from '../PageSection.tsx'
import { UrlSelectionGate } from '../screens/AddressGate.tsx'
import { useSelection } from '../selection.ts'
import { hasSessionEnded } from '../session/sessionEnd.ts'
import { useConfirmLeaving } from '../unsavedChanges.ts'
import { CalculationStatus } from './CalculationStatus.tsx'
import { DeferredFrameParts } from './DeferredFrameParts.tsx'
import { LoadOnFirstUse } from './LoadOnFirstUse.tsx'
import { Navigation } from './menu/Navigation.tsx'
import { ProfileButton } from './menu/ProfileButton.tsx'
import { FlashMessages } from './notices/FlashMessages.tsx'
import { NoticeButton } from './notices/NoticeButton.tsx'
import { PresentUsers } from './PresentUsers.tsx'
import { PrintHeading } from './PrintHeading.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import classes from './Shell.module.css'

const readMenu = (): Promise<typeof import('./menu/ProfileMenu.tsx')> => import('./menu/ProfileMenu.tsx')
const readNotices = (): Promise<typeof import('./notices/NoticeList.tsx')> => import('./notices/NoticeList.tsx')
const NoticeList = lazyComponent(readNotices, 'NoticeList')
const ProfileMenu = lazyComponent(readMenu, 'ProfileMenu')
const NavigationDrawer = lazyComponent(() => import('./menu/NavigationDrawer.tsx'), 'NavigationDrawer')
const HelpPanel = lazyComponent(() => import('./HelpPanel.tsx'), 'HelpPanel')
const SessionEndedDialog = lazyComponent(() => import('./SessionEndedDialog.tsx'), 'SessionEndedDialog')
const Tour = lazyComponent(() => import('./Tour.tsx'), 'Tour')
const KeyboardShortcuts = lazyComponent(() => import('./KeyboardShortcuts.tsx'), 'KeyboardShortcuts')
const CommandPalette = lazyComponent(() => import('./search/CommandPalette.tsx'), 'CommandPalette')

/** Milliseconds to wait until the previous page has disappeared and the new page has had time to set the focus. */
const settleMs = 350

/**
 * Scrolls to the top on every navigation, including back and forward (behaviour B-033). If the user follows a link, opens a row or uses the
 * search, it also moves the focus into the page, so that Tab continues there and not in the bar. If the page has set the focus, the focus
 * does not move.
 */
function ScrollToTop() {
  const isOpened = useNavigationType() === 'PUSH'
  const isAdding = useLocation().pathname.endsWith('/add')
  useEffect(() => {
    if (!isOpened) return
    const timer = window.setTimeout(() => {
      if (document.activeElement !== document.body) return
      const page = document.getElementById('content')
      // On a page that adds a record, focus the first field.
      const field = isAdding ? page?.querySelector<HTMLElement>('[data-field] :is(input, textarea):enabled') : null
      const next = field ?? page
      next?.focus({ preventScroll: true })
    }, settleMs)
    return () => window.clearTimeout(timer)
  }, [isOpened, isAdding])
  useEffect(() => {
    // The browser would otherwise restore the scroll position of the previous page shortly after this.
    window.history.scrollRestoration = 'manual'
    window.scrollTo(0, 0)
  }, [])
  return null
}

/** The frame of every screen: bar, navigation and content. */
export function Shell() {
  const [drawer, setDrawer] = useState(false)
  const [narrow, setNarrow] = useLocalStorage({ key: 'navigation', defaultValue: 'wide' })
  const [keys, setKeys] = useState(false)
  const small = useMediaQuery('(max-width: 900px)')
  const { pathname } = useLocation()
  const [paletteRequests, setPaletteRequests] = useState(0)
  const ask = (): void => setPaletteRequests((times) => times + 1)
  useHotkeys([
    ['shift+?', () => setKeys(true)],
    ['mod+Z', undoLatestDeletion],
  ])
  // Links contain the selection at the time they render, so they render again when it changes.
  useSelection()
  const isSessionEnded = hasSessionEnded.use()
  const isHelpOpen = helpArticle.use() !== null
  const isTourRunning = tourStep.use() !== null
  useHotkeys(
    [
      ['mod+K', ask],
      ['F1', toggleHelp],
    ],
    [],
    true,
  )
  useConfirmLeaving()
  return (
    <>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <header className={classes.bar}>
        {small ? (
          <ActionIcon variant="subtle" color="gray" aria-label="Open navigation" onClick={() => setDrawer(true)}>
            <IconMenu2 size={20} />
          </ActionIcon>
        ) : (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={narrow === 'narrow' ? 'Widen navigation' : 'Narrow navigation'}
            onClick={() => setNarrow(narrow === 'narrow' ? 'wide' : 'narrow')}
          >
            <IconLayoutSidebarLeftCollapse size={19} stroke={1.6} />
          </ActionIcon>
        )}
        <Link to="/" className={clsx(classes.brand, classes.wide)}>
          Bursar
        </Link>
        <SelectionBar />
        <PresentUsers />
        <CalculationStatus />
        {small && (
          <ActionIcon variant="subtle" color="gray" aria-label="Search or jump to" data-search onClick={ask}>
            <IconSearch size={18} />
          </ActionIcon>
        )}
        <Button
          className={classes.wide}
          data-search
          variant="default"
          size="compact-md"
          c="dimmed"
          fw={400}
          leftSection={<IconSearch size={15} />}
          rightSection={<kbd>Ctrl K</kbd>}
          onClick={ask}
        >
          Search or jump to
        </Button>
        <ActionIcon
          className={classes.wide}
          variant="subtle"
          color="gray"
          size={34}
          data-help
          aria-label="Help"
          aria-expanded={isHelpOpen}
          onClick={toggleHelp}
        >
          <IconHelp size={19} stroke={1.6} />
        </ActionIcon>
        <LoadOnFirstUse read={readNotices} button={(props) => <NoticeButton aria-haspopup="dialog" aria-expanded={false} {...props} />}>
          <NoticeList />
        </LoadOnFirstUse>
        <LoadOnFirstUse read={readMenu} button={(props) => <ProfileButton aria-haspopup="menu" aria-expanded={false} {...props} />}>
          <ProfileMenu />
        </LoadOnFirstUse>
      </header>
      {!small && <Navigation narrow={narrow === 'narrow'} label="Areas" />}
      {drawer && (
        <PageSection height={0}>
          <NavigationDrawer onClose={() => setDrawer(false)} />
        </PageSection>
      )}
      <main id="content" className={clsx(classes.main, narrow === 'narrow' && classes.narrow, isHelpOpen && classes.helped)} tabIndex={-1}>
        <div className={classes.content}>
          <ScrollToTop key={pathname} />
          <PrintHeading />
          <div className={classes.unprinted}>
            <FlashMessages />
          </div>
          <UrlSelectionGate>
            <Outlet />
          </UrlSelectionGate>
        </div>
      </main>
      {paletteRequests > 0 && (
        <PageSection height={0}>
          <CommandPalette requests={paletteRequests} />
        </PageSection>
      )}
      {isHelpOpen && (
        <PageSection height={0}>
          <HelpPanel />
        </PageSection>
      )}
      {isTourRunning && (
        <PageSection height={0}>
          <Tour />
        </PageSection>
      )}
      {keys && (
        <PageSection height={0}>
          <KeyboardShortcuts onClose={() => setKeys(false)} />
        </PageSection>
      )}
      <DeferredFrameParts />
      {isSessionEnded && (
        <PageSection height={0}>
          <SessionEndedDialog />
        </PageSection>
      )}
    </>
  )
}
