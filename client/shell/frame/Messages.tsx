import { useLocalStorage, useSessionStorage } from '@mantine/hooks'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { severity } from '../../../domain/lookupIds.ts'
import { trpc } from '../api.ts'
import { lazyPart } from '../loadPart.ts'
import { failed } from '../notify.tsx'
import { Part } from '../Part.tsx'
import { useMessages } from '../useMessages.ts'

// Rarely there: the first screen does not carry it.
const PasswordLinkNotice = lazyPart(() => import('./PasswordLinkNotice.tsx'), 'PasswordLinkNotice')
const IntegrationNotice = lazyPart(() => import('./IntegrationNotice.tsx'), 'IntegrationNotice')
const LogNotice = lazyPart(() => import('./LogNotice.tsx'), 'LogNotice')
const Banner = lazyPart(() => import('./Banner.tsx'), 'Banner')

/**
 * The flash messages on top of every screen. One that was seen on a page before is one line from then on, unless it is critical; one that was
 * closed stays closed until it changes or the browser is.
 */
export function Messages() {
  const messages = useMessages()
  const [closed, setClosed] = useSessionStorage<string[]>({ key: 'closedMessages', defaultValue: [] })
  const keyOf = (row: { id: number; version: number }): string => `${row.id} ${row.version}`
  const shown = (messages.data?.messages ?? []).filter((row) => !closed.includes(keyOf(row)))
  const [seen, setSeen] = useLocalStorage<string[]>({ key: 'seenMessages', defaultValue: [], getInitialValueInEffect: false })
  const { pathname } = useLocation()
  const all = shown.map(keyOf).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was shown was seen once its page is left
  useEffect(
    () => () => {
      if (all) setSeen((before) => [...new Set([...before, ...all.split(',')])].slice(-50))
    },
    [pathname, all],
  )
  const know = trpc.communications.knowLink.useMutation({ onError: failed })
  return (
    <>
      {messages.data?.passwordLinks.map((link) => (
        <Part key={link.number} height={90}>
          <PasswordLinkNotice link={link} onKnown={() => know.mutate({ number: link.number })} />
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
