import { coalesceRuns } from '../server/core/coalesceRuns.ts'
import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import type { OpenedNetwork } from '../server/core/outside/addresses.ts'
import {
  createWebhookMessages,
  listDueWebhooks,
  listLaggingWebhooks,
  sendNextDelivery,
  type WebhookId,
} from '../server/features/integrations/webhooks/sending/commands.ts'

/** The most webhooks served at a time. A webhook gets one message at a time, so a slow receiver delays only its own messages. */
const maxConcurrent = 20
/** The most messages sent to one webhook before others have their turn. */
const maxMessagesInTurn = 100

/** The most batches of messages created for one webhook before others have their turn. A batch covers a few hundred commits. */
const maxBatchesInTurn = 20

/** Sends webhooks. The database records which messages are due, so a lost job or a crashed worker loses none of them. */
export function createWebhookSender({ store, networks }: { store: Store; networks: readonly OpenedNetwork[] }) {
  const running = new Map<string, Promise<void>>()
  let closing = false

  async function sendDueMessages(target: WebhookId): Promise<void> {
    for (let sent = 0; sent < maxMessagesInTurn && !closing; sent++) if (!(await sendNextDelivery(store, target, networks))) return
  }

  async function createMessages(target: WebhookId): Promise<void> {
    for (let batches = 0; batches < maxBatchesInTurn && !closing; batches++) if (!(await createWebhookMessages(store, target))) return
  }

  /** Creates messages for new events and starts sending due ones. It skips webhooks to which a message is being sent. */
  const sweep = coalesceRuns(async () => {
    try {
      if (closing) return
      // A failure for one webhook must not stop the others.
      for (const target of await listLaggingWebhooks(store))
        await createMessages(target).catch((error) => log.warn({ err: error, ...target }, 'creating messages for a webhook failed'))
      for (const target of await listDueWebhooks(store)) {
        const key = `${target.organisationId} ${target.id}`
        if (running.size >= maxConcurrent) return
        if (running.has(key) || closing) continue
        const work = sendDueMessages(target)
          // Another webhook may be waiting for the free slot, and this one may have more messages. If sending failed, the message stays due
          // for the next sweep.
          .then(
            () => void setImmediate(sweep),
            (error) => log.warn({ err: error }, 'sending to a webhook failed'),
          )
          .finally(() => running.delete(key))
        running.set(key, work)
      }
    } catch (error) {
      log.warn({ err: error }, 'the sweep of webhooks failed')
    }
  })

  return {
    sweep,
    /** Stops sending and waits for the sends in progress. */
    async drain(): Promise<void> {
      closing = true
      await sweep()
      await Promise.all(running.values())
    },
  }
}
