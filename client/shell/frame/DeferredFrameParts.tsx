import { useIsFetching } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { lazyComponent } from '../lazyComponent.ts'
import { PageSection } from '../PageSection.tsx'

const ConfirmationProvider = lazyComponent<'ConfirmationProvider', object>(
  () => import('../../ui/dialogs/Dialog.tsx'),
  'ConfirmationProvider',
)
const LiveUpdates = lazyComponent(() => import('../live/LiveUpdates.tsx'), 'LiveUpdates')
const Notices = lazyComponent(() => import('./notices/Notices.tsx'), 'Notices')

/** After this many milliseconds without a call, the first screen counts as shown. */
const quietMs = 100
/** After this many milliseconds, the first screen counts as shown even if calls are still in progress. */
const timeLimitMs = 5000

/** Calls `onShown` when the first screen has its data, or when the user presses a key or the pointer. */
function FirstScreen({ onShown }: { onShown: () => void }) {
  const isWaiting = useIsFetching() > 0
  useEffect(() => {
    const timer = window.setTimeout(onShown, timeLimitMs)
    const ends = new AbortController()
    for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, onShown, { signal: ends.signal })
    return () => {
      window.clearTimeout(timer)
      ends.abort()
    }
  }, [onShown])
  useEffect(() => {
    if (isWaiting) return
    const timer = window.setTimeout(onShown, quietMs)
    return () => window.clearTimeout(timer)
  }, [isWaiting, onShown])
  return null
}

/**
 * The parts of the frame that are not visible at first: confirmation dialogs, notices and the connection for live updates. Their code loads
 * only after the first screen is shown, so that it does not delay that screen.
 */
export function DeferredFrameParts() {
  const [isShown, setShown] = useState(false)
  const show = useCallback(() => setShown(true), [])
  if (!isShown) return <FirstScreen onShown={show} />
  return (
    <>
      <PageSection height={0}>
        <LiveUpdates />
      </PageSection>
      <PageSection height={0}>
        <ConfirmationProvider />
        <Notices />
      </PageSection>
    </>
  )
}
