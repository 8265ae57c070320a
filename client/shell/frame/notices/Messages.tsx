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

// Rarely there: the first screen does not carry it.
const PasswordLinkNotice = lazyPart(() => import('./PasswordLinkNotice.tsx'), 'PasswordLinkNotice')
const IntegrationNotice = lazyPart(() => import('./IntegrationNotice.tsx'), 'IntegrationNotice')
const LogNotice = lazyPart(() => import('./LogNotice.tsx'), 'LogNotice')
const Banner = lazyPart(() => import('./Banner.tsx'), 'Banner')

type Kept = Answers['communications']['now']

/** So long a message stands in sight before it counts as seen, if its page is not left before. Milliseconds. */
const lookMs = 4000
/** A page that is left sooner showed a message to nobody: one that only leads on to another does not count as a look. Milliseconds. */
const glanceMs = 1000

/**
 * Notes which messages were seen: once their page is left, in whatever way, after more than a glance, or after they stood in sight for a while.
 * @returns those that were seen before this page; what is being read on it stays as it is
 */
function useSeen(shown: readonly string[]): readonly string[] {
  const { pathname } = useLocation()
  const [seen, setSeen] = useState(seenMessages)
  const all = shown.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was shown was seen once its page is left
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew for each page
  useLayoutEffect(() => setSeen(seenMessages()), [pathname])
  return seen
}

/**
 * The flash messages on top of every screen. One that was seen on a page before is one line from then on, unless it is critical; one that was
 * closed stays closed until it changes or the browser is.
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
