import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Suspense } from 'react'
import { relativeTime } from '../../../../domain/values/format.ts'
import historyStyles from '../../../ui/history.module.css'
import textStyles from '../../../ui/labels/text.module.css'
import { CardHead } from '../../../ui/layout/Card.tsx'
import { lazyComponent } from '../../lazyComponent.ts'
import { markNoticesRead, pastNotices } from '../../pastNotices.ts'

const UserFiles = lazyComponent(() => import('../../files/UserFiles.tsx'), 'UserFiles')

/** Finished files, and the notices of this visit, so that missed ones can be read again. */
export function NoticeHistory() {
  const { items, unread } = pastNotices.use()
  return (
    <Popover position="bottom-end" width={340} onOpen={markNoticesRead} trapFocus>
      <Indicator disabled={!unread} label={unread > 9 ? '9+' : unread} size={16} offset={5} color="red.8">
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" size={34} aria-label={unread ? `Notifications, ${unread} new` : 'Notifications'}>
            <IconBell size={19} stroke={1.6} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0}>
        <CardHead style={{ padding: '10px 14px', fontWeight: 600 }}>Notifications</CardHead>
        <Suspense fallback={null}>
          <UserFiles isAlone={!items.length} />
        </Suspense>
        {items.length > 0 && (
          <ul
            className={historyStyles.history}
            style={{ maxHeight: 360, overflowY: 'auto' }}
            aria-label="Notifications since you opened Bursar"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
            tabIndex={0}
          >
            {items.map((item) => (
              <li key={item.id}>
                <span className={item.tone === 'bad' ? textStyles.up : undefined}>{item.text}</span>
                <div className={textStyles.dim} style={{ fontSize: 12.5 }}>
                  {relativeTime(item.at, new Date())}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
