import { ActionIcon, Avatar } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useCoreData } from '../../core.ts'
import { StoredImage } from '../../images/StoredImage.tsx'

/** A button with the user's picture or initials. */
export function ProfileButton(props: ComponentProps<'button'>) {
  const { user } = useCoreData()
  const initials = user.name
    .split(' ')
    .map((part) => part[0])
    .join('')
    .slice(0, 2)
    .toUpperCase()
  return (
    <ActionIcon {...props} variant="transparent" size={34} radius="xl" color={undefined} aria-label={`Profile of ${user.name}`}>
      <Avatar size={30} radius="xl" color="teal" variant="filled">
        {user.avatarId === null ? initials : <StoredImage id={user.avatarId} alt="" />}
      </Avatar>
    </ActionIcon>
  )
}
