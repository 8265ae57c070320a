import { ActionIcon, Avatar, Button, Drawer, Loader, Menu, Modal, Text, useMantineColorScheme } from '@mantine/core'
import { useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import {
  IconLayoutSidebarLeftCollapse,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconSearch,
  IconSettings,
  IconSun,
  IconUser,
} from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link, Outlet, useLocation, useNavigate } from 'react-router'
import { signInAgain, signOut } from '../api/session.ts'
import { connectHub } from '../hub.ts'
import { Messages } from '../messages/Messages.tsx'
import { StoredImage } from '../resources/inputs/StoredImage.tsx'
import { selectBudget, useCore } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { sessionIsOver } from '../state/sessionEnd.ts'
import { mayDiscard, useUnsavedGuard } from '../state/unsaved.ts'
import { CostState } from './CostState.tsx'
import { Keys } from './Keys.tsx'
import { Navigation } from './Navigation.tsx'
import { News } from './News.tsx'
import { Presence } from './Presence.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { useScreens, useTitle } from './useScreens.ts'

function Palette() {
  const screens = useScreens()
  const title = useTitle()
  const navigate = useNavigate()
  const { budgets } = useCore()
  const go = screens.map((screen) => ({
    id: screen.path,
    label: title(screen),
    description: screen.section ? `${screen.area}, ${screen.section.toLowerCase()}` : screen.area,
    onClick: () => void navigate(screen.path),
  }))
  const choose = budgets.map((budget) => ({
    id: budget.mongoId,
    label: budget.name,
    description: 'Open this budget',
    onClick: async () => void ((await mayDiscard()) && selectBudget(budget.mongoId)),
  }))
  return (
    <Spotlight
      actions={[
        { group: 'Screens', actions: go },
        { group: 'Budgets', actions: choose },
      ]}
      nothingFound="Nothing matches."
      highlightQuery
      shortcut={['mod + K']}
      searchProps={{
        placeholder: 'Search or jump to a screen or budget',
        'aria-label': 'Search or jump to',
        leftSection: <IconSearch size={18} />,
      }}
    />
  )
}

function ProfileMenu() {
  const { user } = useCore()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const initials = user.name
    .split(' ')
    .map((part) => part[0])
    .join('')
    .slice(0, 2)
    .toUpperCase()
  const dark = colorScheme === 'dark'
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon variant="transparent" size={34} radius="xl" aria-label={`Profile of ${user.name}`}>
          <Avatar size={30} radius="xl" color="teal" variant="filled">
            {user.avatarId === null ? initials : <StoredImage id={user.avatarId} alt="" />}
          </Avatar>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name}
          <Text size="xs" c="dimmed">
            {user.email}
          </Text>
        </Menu.Label>
        <Menu.Item leftSection={<IconUser size={16} />} onClick={() => void navigate('/profile')}>
          Profile
        </Menu.Item>
        <Menu.Item leftSection={<IconSettings size={16} />} onClick={() => void navigate('/settings')}>
          Settings
        </Menu.Item>
        <Menu.Item
          leftSection={dark ? <IconSun size={16} /> : <IconMoon size={16} />}
          onClick={() => setColorScheme(dark ? 'light' : 'dark')}
        >
          {dark ? 'Light' : 'Dark'} appearance
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={async () => void ((await mayDiscard()) && signOut())}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Asks to sign in again while everything on the page stays as it is. */
function SessionQuestion() {
  const over = sessionIsOver.use()
  const [busy, setBusy] = useState(false)
  const again = async (): Promise<void> => {
    setBusy(true)
    if (await signInAgain()) sessionIsOver.set(false)
    setBusy(false)
  }
  return (
    <Modal
      opened={over}
      onClose={() => undefined}
      withCloseButton={false}
      title="Your session has ended"
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Text mb="md">Sign in again to go on. What you have typed on this page is kept.</Text>
      <Button loading={busy} onClick={() => void again()} data-autofocus>
        Sign in again
      </Button>
    </Modal>
  )
}

/** Every navigation begins at the top of the page, back and forward included (behaviour B-033). */
function ToTop() {
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  return null
}

/** The frame of every screen: bar, navigation, content. */
export function Shell() {
  const { organisationId } = useSelection()
  const [drawer, setDrawer] = useState(false)
  const [narrow, setNarrow] = useLocalStorage({ key: 'navigation', defaultValue: 'wide' })
  const [keys, setKeys] = useState(false)
  const small = useMediaQuery('(max-width: 900px)')
  const { pathname } = useLocation()
  useHotkeys([['shift+?', () => setKeys(true)]])
  useUnsavedGuard()
  useEffect(() => {
    void connectHub(organisationId)
    return () => void connectHub(null)
  }, [organisationId])
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="bar">
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
        <Link to="/" className="brand wide">
          Bursar
        </Link>
        <SelectionBar />
        <Presence />
        <CostState />
        <Button
          className="wide"
          variant="default"
          size="compact-md"
          c="dimmed"
          fw={400}
          leftSection={<IconSearch size={15} />}
          rightSection={<kbd>Ctrl K</kbd>}
          onClick={spotlight.open}
        >
          Search or jump to
        </Button>
        <News />
        <ProfileMenu />
      </header>
      {!small && <Navigation narrow={narrow === 'narrow'} label="Areas" />}
      <Drawer opened={drawer} onClose={() => setDrawer(false)} size={270} title="Bursar" zIndex={200}>
        <Navigation label="Areas, drawer" onNavigate={() => setDrawer(false)} />
      </Drawer>
      <main id="content" className={narrow === 'narrow' ? 'main narrow' : 'main'} tabIndex={-1}>
        <div className="content">
          <ToTop key={pathname} />
          <Messages />
          <Outlet />
        </div>
      </main>
      <Palette />
      <Keys opened={keys} onClose={() => setKeys(false)} />
      <SessionQuestion />
    </>
  )
}

export function Spinner() {
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '60vh' }}>
      <Loader role="status" aria-label="Loading" />
    </div>
  )
}
