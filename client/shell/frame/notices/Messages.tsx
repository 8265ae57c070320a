import { useSessionStorage } from '@mantine/hooks'
import { useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { severity } from '../../../../domain/lookups/lookupIds.ts'
import { type Answers, cache, trpc } from '../../api.ts'
import { atOnce } from '../../calls/atOnce.ts'
import { lazyPart } from '../../loadPart.ts'
import { failed } from '../../notify.tsx'
import { Part } from '../../Part.tsx'
import { useMessages } from '../../useMessages.ts'
import { keepSeen, seenMessages } from './seenMessages.ts'

// Lazy, because they are rarely shown.
const PasswordLinkNotice = lazyPart(() => import('./PasswordLinkNotice.tsx'), 'PasswordLinkNotice')
const IntegrationNotice = lazyPart(() => import('./IntegrationNotice.tsx'), 'IntegrationNotice')
const LogNotice = lazyPart(() => import('./LogNotice.tsx'), 'LogNotice')
const Banner = lazyPart(() => import('./Banner.tsx'), 'Banner')

type Kept = Answers['communications']['now']

/** Milliseconds in view after which a message counts as seen, even if the user stays on the page. */
const lookMs = 4000
/** Milliseconds that a page must be open for its messages to count as seen: some pages only redirect. */
const glanceMs = 1000

/**
 * Records which messages were seen: when the user leaves their page after more than a glance, or after enough time in
 * view.
 * @returns the messages seen before this page, unchanged while the user stays on it
 */
function useSeen(shown: readonly string[]): readonly string[] {
  const { pathname } = useLocation()
  const [seen, setSeen] = useState(seenMessages)
  const all = shown.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: messages count as seen when their page is left
  useLayoutEffect(() => {
    if (!all) return
    const note = (): void => keepSeen(all.split(','))
    let timer: number | undefined
    let since = Number.POSITIVE_INFINITY
    const isInSight = (): boolean => document.visibilityState === 'visible'
    const look = (): void => {
      window.clearTimeout(timer)
      if (!isInSight()) return
      since = performance.now()
      timer = window.setTimeout(note, lookMs)
    }
    const onLeave = (): void => {
      if (isInSight() && performance.now() - since >= glanceMs) note()
    }
    look()
    document.addEventListener('visibilitychange', look)
    window.addEventListener('pagehide', onLeave)
    return () => {
      window.clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }, [pathname, all])
  // After what was shown on the page before is noted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded again for each page
  useLayoutEffect(() => setSeen(seenMessages()), [pathname])
  return seen
}

/**
 * The flash messages above every screen. A message seen on an earlier page collapses to one line unless it is critical.
 * A closed message stays closed until it changes or the browser is closed.
 */
export function Messages() {
  const messages = useMessages()
  const [closed, setClosed] = useSessionStorage<string[]>({ key: 'closedMessages', defaultValue: [] })
  const keyOf = (row: { id: number; version: number }): string => `${row.id} ${row.version}`
  const shown = (messages.data?.messages ?? []).filter((row) => !closed.includes(keyOf(row)))
  const seen = useSeen(shown.map(keyOf))
  const { mutateAsync: know } = trpc.communications.knowLink.useMutation()
  const knowLink = (number: number): void => {
    const without = (now: Kept): Kept => ({ ...now, passwordLinks: now.passwordLinks.filter((link) => link.number !== number) })
    void atOnce({ kept: cache.communications.now, asked: undefined }, without, () => know({ number })).catch(failed)
  }
  return (
    <>
      {messages.data?.passwordLinks.map((link) => (
        <Part key={link.number} height={90}>
          <PasswordLinkNotice link={link} onKnown={() => knowLink(link.number)} />
        </Part>
      ))}
      {messages.data?.brokenLogs.map((broken) => (
        <Part key={`${broken.organisation}`} height={90}>
          <LogNotice broken={broken} />
        </Part>
      ))}
      {messages.data?.disabledWebhooks.map((webhook) => (
        <Part key={webhook.id} height={90}>
          <IntegrationNotice kind="webhook" one={webhook} />
        </Part>
      ))}
      {messages.data?.failingConnections.map((connection) => (
        <Part key={connection.id} height={90}>
          <IntegrationNotice kind="connection" one={connection} />
        </Part>
      ))}
      {shown.map((row) => (
        <Part key={row.id} height={seen.includes(keyOf(row)) ? 32 : 64}>
          <Banner
            title={String(row.title)}
            message={String(row.message)}
            type={Number(row.type)}
            isKnown={seen.includes(keyOf(row)) && row.type !== severity.critical}
            onClose={() => setClosed([...closed, keyOf(row)])}
          />
        </Part>
      ))}
    </>
  )
}
