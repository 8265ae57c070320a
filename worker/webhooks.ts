import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import type { Network } from '../server/core/outside/addresses.ts'
import {
  dueWebhooks,
  laggingWebhooks,
  makeMessages,
  sendNext,
  type WebhookId,
} from '../server/features/integrations/webhooks/sending/commands.ts'
import { oneAtATime } from './oneAtATime.ts'

/** How many receivers a worker waits for at once; each is sent one message at a time, so that a slow one holds up itself alone. */
const mostAtOnce = 20
/** How many messages follow each other to one receiver before the others are looked at again. */
const mostInTurn = 100

/** How often in turn messages are made for one, a few hundred commits each time, before the others are looked at. */
const mostMakings = 20

/** What a worker does for webhooks. The rows say what is to be made and what is due, so nothing is lost with a job, a queue or a worker. */
export function webhookSender({ store, networks }: { store: Store; networks: readonly Network[] }) {
  const running = new Map<string, Promise<void>>()
  let closing = false

  async function sendInTurn(target: WebhookId): Promise<void> {
    for (let sent = 0; sent < mostInTurn && !closing; sent++) if (!(await sendNext(store, target, networks))) return
  }

  async function makeAll(target: WebhookId): Promise<void> {
    for (let made = 0; made < mostMakings && !closing; made++) if (!(await makeMessages(store, target))) return
  }

  /** Makes messages of what happened and begins to send what is due; one that is under way is not begun again. */
  const sweep = oneAtATime(async () => {
    try {
      if (closing) return
      // One of which no messages can be made holds up nobody else.
      for (const target of await laggingWebhooks(store))
        await makeAll(target).catch((error) => log.warn({ err: error, ...target }, 'making messages of a webhook'))
      for (const target of await dueWebhooks(store)) {
        const key = `${target.organisationId} ${target.id}`
        if (running.size >= mostAtOnce) return
        if (running.has(key) || closing) continue
        const work = sendInTurn(target)
          // Others may have waited for this place, and more for this one. What could not be begun is due still, and waits for the next look.
          .then(
            () => void setImmediate(sweep),
            (error) => log.warn({ err: error }, 'sending to a webhook'),
          )
          .finally(() => running.delete(key))
        running.set(key, work)
      }
    } catch (error) {
      log.warn({ err: error }, 'sweep of webhooks')
    }
  })

  return {
    sweep,
    /** Once what was begun has ended. */
    async ended(): Promise<void> {
      closing = true
      await sweep()
      await Promise.all(running.values())
    },
  }
}
