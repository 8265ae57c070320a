import { Popover } from '@mantine/core'
import { Suspense, useEffect, useState } from 'react'
import { formatRelativeTime } from '../../../../domain/values/format.ts'
import historyStyles from '../../../ui/history.module.css'
import textStyles from '../../../ui/labels/text.module.css'
import { CardHead } from '../../../ui/layout/Card.tsx'
import { lazyComponent } from '../../lazyComponent.ts'
import { markNoticesRead, pastNotices } from '../../pastNotices.ts'
import { NoticeButton } from './NoticeButton.tsx'

const UserFiles = lazyComponent(() => import('../../files/UserFiles.tsx'), 'UserFiles')

/** Finished files, and the notices since the page was loaded, so that the user can read a missed notice. */
export function NoticeList() {
  const { items } = pastNotices.use()
  // The user pressed a placeholder that is now gone. This button therefore gets the focus before the list opens, so that the focus returns
  // to it afterwards.
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(true), [])
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={340} onOpen={markNoticesRead} trapFocus>
      <NoticeButton
        around={(button) => <Popover.Target>{button}</Popover.Target>}
        autoFocus
        onClick={() => setOpened((before) => !before)}
      />
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
                  {formatRelativeTime(item.at, new Date())}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
