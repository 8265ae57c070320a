import { ActionIcon, Indicator } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import type { ComponentProps, ReactElement } from 'react'
import { pastNotices } from '../../pastNotices.ts'

/**
 * The bell, with the number of unread notices.
 * @param around wraps the button, but not the number; a list that opens below the button uses the wrapped button as its target
 */
export function NoticeButton({
  around = (button) => button,
  ...props
}: ComponentProps<'button'> & { around?: (button: ReactElement) => ReactElement }) {
  const { unread } = pastNotices.use()
  return (
    <Indicator disabled={!unread} label={unread > 9 ? '9+' : unread} size={16} offset={5} color="red.8">
      {around(
        <ActionIcon
          {...props}
          variant="subtle"
          color="gray"
          size={34}
          aria-label={unread ? `Notifications, ${unread} new` : 'Notifications'}
        >
          <IconBell size={19} stroke={1.6} />
        </ActionIcon>,
      )}
    </Indicator>
  )
}
