import { and, eq, lt, ne, sql } from 'drizzle-orm'
import {
  answerTimeoutMs,
  hasFailedTooLong,
  maximumTries,
  parseRetryAfter,
  retryDelayMs,
  testMessageType,
} from '../../../../../domain/integrations/webhooks.ts'
import { assertDefined } from '../../../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../../../domain/values/ids.ts'
import { webhookDeliveries, webhooks } from '../../../../../drizzle/integrationTables.ts'
import type { Call } from '../../../../core/calls/call.ts'
import type { Holder } from '../../../../core/calls/context.ts'
import type { OrganisationTx, Store } from '../../../../core/database/database.ts'
import { organisationKey, unseal } from '../../../../core/database/vault.ts'
import { log } from '../../../../core/log.ts'
import { type Network, OutsideError } from '../../../../core/outside/addresses.ts'
import { ask } from '../../../../core/outside/request.ts'
import { feed, placeBefore } from '../../../../shared/events/queries.ts'
import { type DeliveryRow, ofWebhook, type WebhookRow } from '../../../../shared/integrations/webhooks/queries.ts'
import { disableWebhook } from '../commands.ts'
import { signedHeaders } from './signature.ts'

/** Which webhook of which organisation. */
export type WebhookId = { organisationId: OrganisationId; id: number }

/** The commits that are gone through at once. */
const mostCommits = 200
/** The webhooks that are looked after at once. */
const mostAtOnce = 50
/** Most of one organisation among them, so that its receivers that never answer hold up nobody else. */
const mostOfOne = 3

/** Milliseconds that the other messages of a receiver rest at most after one was not accepted. */
const mostHeldMs = 10 * 60_000

/** Who a webhook reads as: what it may be told of was decided when its types were chosen. */
const everything: Holder = { isAdministrator: true, permissions: [], locationIds: null }

/** The active webhooks of whose organisation something was committed since messages were made last, those that are furthest behind first. */
export async function laggingWebhooks(store: Store): Promise<WebhookId[]> {
  return store.asPlatform(
    (tx) =>
      tx.execute<WebhookId>(sql`
      select organisation_id as "organisationId", id from webhooks
      where state = 'active' and position < (select max(sequence) from log_chain where log_chain.organisation_id = webhooks.organisation_id)
      order by position limit ${mostAtOnce}`),
    'look',
  )
}

/**
 * Makes messages of what happened since the last were made. They and the place up to which they go are written together: a worker that is killed
 * has made all of them or none, and another makes none twice.
 * @returns whether there may be more
 */
export async function makeMessages(store: Store, { organisationId, id }: WebhookId): Promise<boolean> {
  return store.inOrganisation(organisationId, async (tx) => {
    const [webhook] = await tx
      .select()
      .from(webhooks)
      .where(and(ofWebhook({ organisationId, id }), eq(webhooks.state, 'active')))
      .for('update', { skipLocked: true })
    if (!webhook) return false
    // Read first: what the feed does not tell of up to here is nothing that it tells of.
    const head = await placeBefore(tx, organisationId)
    const { events, next } = await feed(tx, { organisationId, holder: everything }, { after: webhook.position, most: mostCommits })
    const now = new Date().toISOString()
    const rows = events
      .filter(({ type }) => webhook.types.includes(type))
      .map((told) => ({
        organisationId,
        webhookId: id,
        messageId: told.id,
        type: told.type,
        body: JSON.stringify({ type: told.type, timestamp: told.occurredAt, data: told }),
        occurredAt: told.occurredAt,
        madeAt: now,
        dueAt: now,
      }))
    if (rows.length) await tx.insert(webhookDeliveries).values(rows).onConflictDoNothing()
    const position = next === webhook.position ? head : next
    await tx.update(webhooks).set({ position }).where(ofWebhook(webhook))
    return position < head
  })
}

/** The webhooks to which a message is due. */
export async function dueWebhooks(store: Store): Promise<WebhookId[]> {
  return store.asPlatform(
    (tx) =>
      tx.execute<WebhookId>(sql`
      select "organisationId", id from (
        select organisation_id as "organisationId", webhook_id as id, min(due_at) as first,
          row_number() over (partition by organisation_id order by min(due_at)) as place
        from webhook_deliveries where due_at <= now() and (claimed_until is null or claimed_until <= now()) group by organisation_id, webhook_id) as due
      where place <= ${mostOfOne} order by first limit ${mostAtOnce}`),
    'look',
  )
}

/** How long a worker has for one message before another takes it up: longer than any answer takes. */
const claimedFor = sql`interval '2 minutes'`

interface Claimed {
  webhook: WebhookRow
  delivery: DeliveryRow
  /** Those that are good now, the newest first. */
  secrets: string[]
}

/** Takes up the oldest message that is due, so that no other worker sends it; one that is killed meanwhile leaves it to be sent again. */
async function claim(store: Store, { organisationId, id }: WebhookId): Promise<Claimed | null> {
  return store.inOrganisation(organisationId, async (tx) => {
    const [found] = await tx.execute<{ id: string }>(sql`
      update webhook_deliveries set claimed_until = now() + ${claimedFor}, due_at = now() + ${claimedFor}, tries = tries + 1
      where organisation_id = ${organisationId} and id = (
        select id from webhook_deliveries where organisation_id = ${organisationId} and webhook_id = ${id} and due_at <= now()
          and (claimed_until is null or claimed_until <= now())
        order by id limit 1 for update skip locked)
      returning id`)
    if (!found) return null
    const [delivery] = await tx
      .select()
      .from(webhookDeliveries)
      .where(ofDelivery({ organisationId, id: Number(found.id) }))
    const [webhook] = await tx.select().from(webhooks).where(ofWebhook({ organisationId, id }))
    if (!delivery || !webhook) return null
    const key = await organisationKey(tx, organisationId)
    const { secret, previousSecret, previousUntil } = webhook
    const isOldGood = previousSecret && previousUntil && new Date(previousUntil) > new Date()
    return { webhook, delivery, secrets: [secret, ...(isOldGood ? [previousSecret] : [])].map((sealed) => unseal(key, sealed)) }
  })
}

const ofDelivery = ({ organisationId, id }: Pick<DeliveryRow, 'organisationId' | 'id'>) =>
  and(eq(webhookDeliveries.organisationId, organisationId), eq(webhookDeliveries.id, id))

/** What a try came to. */
interface Outcome {
  isAccepted: boolean
  status: number | null
  /** For people; null where it was accepted. */
  answer: string | null
  restMs: number
}

/**
 * Sends the oldest message that is due to a webhook and writes down what came of it. No transaction is open while the other system takes its time.
 * @returns whether one was sent and accepted, so that the next may follow at once
 */
export async function sendNext(store: Store, target: WebhookId, networks: readonly Network[]): Promise<boolean> {
  const claimed = await claim(store, target)
  if (!claimed) return false
  const isTooMany = claimed.delivery.tries > maximumTries
  // What ended a worker at every try is not given to all of them in turn.
  const outcome = isTooMany
    ? { isAccepted: false, status: null, answer: 'It could not be sent.', restMs: 0 }
    : await send(claimed, networks)
  await store.inOrganisation(target.organisationId, (tx) => endTry({ tx, now: new Date() }, claimed, outcome))
  return outcome.isAccepted
}

async function send({ webhook, delivery, secrets }: Claimed, networks: readonly Network[]): Promise<Outcome> {
  const { messageId, body } = delivery
  const headers = signedHeaders(secrets, { id: messageId, seconds: Math.floor(Date.now() / 1000), body })
  const host = new URL(webhook.address).hostname
  try {
    const { status, retryAfter } = await ask({ method: 'POST', url: webhook.address, headers, body, timeoutMs: answerTimeoutMs }, networks)
    const isAccepted = status >= 200 && status < 300
    return {
      isAccepted,
      status,
      answer: isAccepted ? null : `${host} answered ${status}.`,
      restMs: parseRetryAfter(retryAfter, Date.now()),
    }
  } catch (error) {
    if (!(error instanceof OutsideError)) log.error({ err: error, webhook: webhook.id }, 'sending to a webhook')
    const [answer, status] = error instanceof OutsideError ? [error.message, error.status] : ['It could not be sent.', null]
    return { isAccepted: false, status, answer, restMs: 0 }
  }
}

/** The receiver says that it is gone for good (Standard Webhooks 1.0.0, Delivery success and failure). */
const gone = 410

async function endTry({ tx, now }: Call<'now'>, { delivery }: Claimed, outcome: Outcome): Promise<void> {
  const { organisationId, webhookId, tries } = delivery
  const [webhook] = await tx
    .select()
    .from(webhooks)
    .where(ofWebhook({ organisationId, id: webhookId }))
    .for('update')
  // Deleted meanwhile, with its messages.
  if (!webhook) return
  // Another has taken it up since, because this one was too slow to be still at work: what becomes of it is for that one to say.
  const own = and(ofDelivery(delivery), eq(webhookDeliveries.claimedUntil, assertDefined(delivery.claimedUntil)))
  const left = await tx.update(webhookDeliveries).set({ claimedUntil: null }).where(own).returning({ turn: webhookDeliveries.turn })
  // Begun anew meanwhile, it is sent again from now on, and this answer is none to that.
  if (left[0]?.turn !== delivery.turn) return
  const { isAccepted, status, answer, restMs } = outcome
  const isTest = delivery.type === testMessageType
  const wait = isTest ? null : retryDelayMs(tries, Math.random(), restMs)
  const next = wait === null ? null : new Date(now.getTime() + wait).toISOString()
  await tx
    .update(webhookDeliveries)
    .set({
      state: isAccepted ? 'accepted' : wait === null ? 'failed' : 'waiting',
      dueAt: isAccepted || webhook.state !== 'active' ? null : next,
      triedAt: now.toISOString(),
      answerStatus: status,
      answer,
    })
    .where(ofDelivery(delivery))
  if (isAccepted) {
    await tx.update(webhooks).set({ failingSince: null, lastAccepted: now.toISOString() }).where(ofWebhook(webhook))
    return
  }
  if (isTest || webhook.state !== 'active') return
  const failingSince = webhook.failingSince ?? now.toISOString()
  await tx.update(webhooks).set({ failingSince }).where(ofWebhook(webhook))
  await holdOthers(tx, webhook, new Date(Math.min(now.getTime() + (wait ?? mostHeldMs), now.getTime() + mostHeldMs)))
  const reason =
    status === gone
      ? 'It answered that it is gone (410).'
      : hasFailedTooLong(Date.parse(failingSince), now.getTime())
        ? `Nothing was accepted for three days. The last try: ${answer}`
        : null
  if (reason)
    await disableWebhook({ tx, actor: { userId: null, requestId: `webhook-${webhook.id}`, now } }, { ...webhook, failingSince }, reason)
}

/** Lets the other messages of a webhook rest until a moment, so that a receiver that is down takes nobody else's turn. */
async function holdOthers(tx: OrganisationTx, webhook: WebhookRow, until: Date): Promise<void> {
  const { organisationId, id } = webhook
  await tx
    .update(webhookDeliveries)
    .set({ dueAt: until.toISOString() })
    .where(
      and(
        eq(webhookDeliveries.organisationId, organisationId),
        eq(webhookDeliveries.webhookId, id),
        eq(webhookDeliveries.state, 'waiting'),
        ne(webhookDeliveries.type, testMessageType),
        lt(webhookDeliveries.dueAt, until.toISOString()),
      ),
    )
}
