import { useSessionStorage } from '@mantine/hooks'
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

/** The flash messages on top of every screen; one that was closed stays closed until it changes or the browser is. */
export function Messages() {
  const messages = useMessages()
  const [closed, setClosed] = useSessionStorage<string[]>({ key: 'closedMessages', defaultValue: [] })
  const keyOf = (row: { id: number; version: number }): string => `${row.id} ${row.version}`
  const shown = (messages.data?.messages ?? []).filter((row) => !closed.includes(keyOf(row)))
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
        <Part key={row.id} height={64}>
          <Banner
            title={String(row.title)}
            message={String(row.message)}
            type={Number(row.type)}
            onClose={() => setClosed([...closed, keyOf(row)])}
          />
        </Part>
      ))}
    </>
  )
}
