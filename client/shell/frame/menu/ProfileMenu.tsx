import { Menu, Text, useMantineColorScheme } from '@mantine/core'
import { IconHelp, IconLogout, IconMoon, IconSettings, IconSun, IconUser } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useCore } from '../../core.ts'
import { toggleHelp } from '../../help.ts'
import { signOut } from '../../session/session.ts'
import { mayDiscard } from '../../unsaved.ts'
import { ProfileButton } from './ProfileButton.tsx'

/** What can be done as oneself: it opens as soon as it is there. */
export function ProfileMenu() {
  const { user } = useCore()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const dark = colorScheme === 'dark'
  // The button that was pressed is gone with what stood here until now: this one has the focus before the menu takes it, and gets it back.
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(true), [])
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={230}>
      <Menu.Target>
        <ProfileButton autoFocus />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name}
          <Text component="span" display="block" size="xs" c="dimmed">
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
        <Menu.Item leftSection={<IconHelp size={16} />} onClick={toggleHelp}>
          Help
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={async () => void ((await mayDiscard()) && signOut())}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
