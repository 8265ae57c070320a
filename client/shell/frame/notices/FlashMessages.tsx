import { useSessionStorage } from '@mantine/hooks'
import { useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { severity } from '../../../../domain/lookups/lookupIds.ts'
import { answerCache, type RouterOutputs, trpc } from '../../api.ts'
import { updateOptimistically } from '../../calls/updateOptimistically.ts'
import { lazyComponent } from '../../lazyComponent.ts'
import { notifyFailure } from '../../notify.tsx'
import { PageSection } from '../../PageSection.tsx'
import { useMessagesAndNews } from '../../useMessagesAndNews.ts'
import { Banner } from './Banner.tsx'
import { readSeenMessages, recordSeenMessages } from './seenMessages.ts'

// Loaded lazily, because these notices are rarely shown.
const PasswordLinkNotice = lazyComponent(() => import('./PasswordLinkNotice.tsx'), 'PasswordLinkNotice')
const IntegrationNotice = lazyComponent(() => import('./IntegrationNotice.tsx'), 'IntegrationNotice')
const AlteredLogNotice = lazyComponent(() => import('./AlteredLogNotice.tsx'), 'AlteredLogNotice')

type ShownMessages = RouterOutputs['communications']['now']

/** After this many milliseconds in view, a message counts as seen, even if the user stays on the page. */
const inViewMs = 4000
/** For how many milliseconds a page must be open for its messages to count as seen, because some pages only redirect. */
const glanceMs = 1000

/**
 * Records which messages the user has seen: those of a page that was open long enough when the user leaves it, and those that were in view
 * long enough.
 * @returns the messages seen before this page was opened; the list does not change while the user stays on the page
 */
function useSeen(shown: readonly string[]): readonly string[] {
  const { pathname } = useLocation()
  const [seen, setSeen] = useState(readSeenMessages)
  const all = shown.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: messages count as seen when their page is left
  useLayoutEffect(() => {
    if (!all) return
    const note = (): void => recordSeenMessages(all.split(','))
    let timer: number | undefined
    let since = Number.POSITIVE_INFINITY
    const isVisible = (): boolean => document.visibilityState === 'visible'
    const recordIfSeen = (): void => {
      window.clearTimeout(timer)
      if (!isVisible()) return
      since = performance.now()
      timer = window.setTimeout(note, inViewMs)
    }
    const onLeave = (): void => {
      if (isVisible() && performance.now() - since >= glanceMs) note()
    }
    recordIfSeen()
    document.addEventListener('visibilitychange', recordIfSeen)
    window.addEventListener('pagehide', onLeave)
    return () => {
      window.clearTimeout(timer)
      document.removeEventListener('visibilitychange', recordIfSeen)
      window.removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }, [pathname, all])
  // Reads the list after the effect above has recorded the previous page's messages.
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded again for each page
  useLayoutEffect(() => setSeen(readSeenMessages()), [pathname])
  return seen
}

/**
 * The flash messages above every screen. A message that was seen on an earlier page is collapsed to one line unless it is critical. A
 * message that the user closed stays closed until the message changes or the browser is closed.
 */
export function FlashMessages() {
  const messages = useMessagesAndNews()
  const [closed, setClosed] = useSessionStorage<string[]>({ key: 'closedMessages', defaultValue: [] })
  const keyOf = (row: { id: number; version: number }): string => `${row.id} ${row.version}`
  const shown = (messages.data?.messages ?? []).filter((row) => !closed.includes(keyOf(row)))
  const seen = useSeen(shown.map(keyOf))
  const { mutateAsync: know } = trpc.communications.knowLink.useMutation()
  const knowLink = (number: number): void => {
    const removeLink = (now: ShownMessages): ShownMessages => ({
      ...now,
      passwordLinks: now.passwordLinks.filter((link) => link.number !== number),
    })
    void updateOptimistically({ query: answerCache.communications.now, input: undefined }, removeLink, () => know({ number })).catch(
      notifyFailure,
    )
  }
  return (
    <>
      {messages.data?.passwordLinks.map((link) => (
        <PageSection key={link.number} height={90}>
          <PasswordLinkNotice link={link} onKnown={() => knowLink(link.number)} />
        </PageSection>
      ))}
      {messages.data?.brokenLogs.map((broken) => (
        <PageSection key={`${broken.organisation}`} height={90}>
          <AlteredLogNotice broken={broken} />
        </PageSection>
      ))}
      {messages.data?.disabledWebhooks.map((webhook) => (
        <PageSection key={webhook.id} height={90}>
          <IntegrationNotice kind="webhook" one={webhook} />
        </PageSection>
      ))}
      {messages.data?.failingConnections.map((connection) => (
        <PageSection key={connection.id} height={90}>
          <IntegrationNotice kind="connection" one={connection} />
        </PageSection>
      ))}
      {shown.map((row) => (
        <Banner
          key={row.id}
          title={String(row.title)}
          message={String(row.message)}
          type={Number(row.type)}
          isKnown={seen.includes(keyOf(row)) && row.type !== severity.critical}
          onClose={() => setClosed([...closed, keyOf(row)])}
        />
      ))}
    </>
  )
}
