import { Menu, Text, useMantineColorScheme } from '@mantine/core'
import { IconHelp, IconLogout, IconMoon, IconSettings, IconSun, IconUser } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useCoreData } from '../../core.ts'
import { toggleHelp } from '../../help.ts'
import { signOut } from '../../session/session.ts'
import { confirmDiscard } from '../../unsavedChanges.ts'
import { ProfileButton } from './ProfileButton.tsx'

/** The user's menu. It opens as soon as its code has loaded. */
export function ProfileMenu() {
  const { user } = useCoreData()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const dark = colorScheme === 'dark'
  // The user pressed a placeholder that is now gone. This button therefore gets the focus before the menu opens, so that the focus returns
  // to it afterwards.
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
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={async () => void ((await confirmDiscard()) && signOut())}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
