import { and, eq, lt, ne, sql } from 'drizzle-orm'
import {
  answerTimeoutMs,
  calculateRetryDelayMs,
  hasFailedTooLong,
  maximumTries,
  parseRetryAfter,
  testMessageType,
} from '../../../../../domain/integrations/webhooks.ts'
import { assertDefined } from '../../../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../../../domain/values/ids.ts'
import { webhookDeliveries, webhooks } from '../../../../../drizzle/integrationTables.ts'
import type { Call } from '../../../../core/calls/call.ts'
import type { CallerRights } from '../../../../core/calls/context.ts'
import type { OrganisationTx, Store } from '../../../../core/database/database.ts'
import { decryptText, ensureOrganisationKey } from '../../../../core/database/vault.ts'
import { log } from '../../../../core/log.ts'
import { type OpenedNetwork, OutsideError } from '../../../../core/outside/addresses.ts'
import { sendRequest } from '../../../../core/outside/request.ts'
import { findFeedPositionBefore, readEventFeed } from '../../../../shared/events/queries.ts'
import { type DeliveryRow, type WebhookRow, webhookCondition } from '../../../../shared/integrations/webhooks/queries.ts'
import { disableWebhook } from '../commands.ts'
import { buildSignedHeaders } from './signature.ts'

/** A webhook and its organisation. */
export type WebhookId = { organisationId: OrganisationId; id: number }

/** The most commits read at once. */
const mostCommits = 200
/** The most webhooks processed at once. */
const mostAtOnce = 50
/** The most webhooks of one organisation that are processed at once, so that its slow receivers cannot delay other organisations. */
const mostOfOne = 3

/** How long a receiver's other messages wait at most after it did not accept one, in milliseconds. */
const mostHeldMs = 10 * 60_000

/** A webhook has all permissions when reading, because its rights were checked when its events were chosen. */
const allPermissions: CallerRights = { isAdministrator: true, permissions: [], locationIds: null }

/** Active webhooks with commits that have no messages yet, those furthest behind first. */
export async function listLaggingWebhooks(store: Store): Promise<WebhookId[]> {
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
 * Creates messages for the events after the cursor. The messages and the new cursor are written in one transaction, so even if the worker
 * is killed, no message is missed or created twice.
 * @returns whether there may be more events
 */
export async function createWebhookMessages(store: Store, { organisationId, id }: WebhookId): Promise<boolean> {
  return store.inOrganisation(organisationId, async (tx) => {
    const [webhook] = await tx
      .select()
      .from(webhooks)
      .where(and(webhookCondition({ organisationId, id }), eq(webhooks.state, 'active')))
      .for('update', { skipLocked: true })
    if (!webhook) return false
    // Read the position before the feed: the feed can no longer change up to here.
    const head = await findFeedPositionBefore(tx, organisationId)
    const { events, next } = await readEventFeed(
      tx,
      { organisationId, holder: allPermissions },
      { after: webhook.position, most: mostCommits },
    )
    const now = new Date().toISOString()
    const rows = events
      .filter(({ type }) => webhook.types.includes(type))
      .map((event) => ({
        organisationId,
        webhookId: id,
        messageId: event.id,
        type: event.type,
        body: JSON.stringify({ type: event.type, timestamp: event.occurredAt, data: event }),
        occurredAt: event.occurredAt,
        madeAt: now,
        dueAt: now,
      }))
    if (rows.length) await tx.insert(webhookDeliveries).values(rows).onConflictDoNothing()
    const position = next === webhook.position ? head : next
    await tx.update(webhooks).set({ position }).where(webhookCondition(webhook))
    return position < head
  })
}

/** The webhooks with a message that is due. */
export async function listDueWebhooks(store: Store): Promise<WebhookId[]> {
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

/** How long a worker may hold one message before another claims it: longer than any answer takes. */
const claimedFor = sql`interval '2 minutes'`

interface ClaimedDelivery {
  webhook: WebhookRow
  delivery: DeliveryRow
  /** The valid secrets, newest first. */
  secrets: string[]
}

/** Claims the oldest due message, so that no other worker sends it. If the worker is killed, another sends the message. */
async function claimDelivery(store: Store, { organisationId, id }: WebhookId): Promise<ClaimedDelivery | null> {
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
    const [webhook] = await tx.select().from(webhooks).where(webhookCondition({ organisationId, id }))
    if (!delivery || !webhook) return null
    const key = await ensureOrganisationKey(tx, organisationId)
    const { secret, previousSecret, previousUntil } = webhook
    const isOldGood = previousSecret && previousUntil && new Date(previousUntil) > new Date()
    return { webhook, delivery, secrets: [secret, ...(isOldGood ? [previousSecret] : [])].map((sealed) => decryptText(key, sealed)) }
  })
}

const ofDelivery = ({ organisationId, id }: Pick<DeliveryRow, 'organisationId' | 'id'>) =>
  and(eq(webhookDeliveries.organisationId, organisationId), eq(webhookDeliveries.id, id))

/** The result of an attempt. */
interface DeliveryOutcome {
  isAccepted: boolean
  status: number | null
  /** Why the message was not accepted, for users; null if it was. */
  answer: string | null
  restMs: number
}

/**
 * Sends a webhook's oldest due message and records the result. No transaction is open while it waits for the other
 * system.
 * @returns whether a message was accepted, so that the next may follow at once
 */
export async function sendNextDelivery(store: Store, target: WebhookId, networks: readonly OpenedNetwork[]): Promise<boolean> {
  const claimed = await claimDelivery(store, target)
  if (!claimed) return false
  const isTooMany = claimed.delivery.tries > maximumTries
  // Give up a message that killed several workers, before it kills more.
  const outcome = isTooMany
    ? { isAccepted: false, status: null, answer: 'It could not be sent.', restMs: 0 }
    : await sendDelivery(claimed, networks)
  await store.inOrganisation(target.organisationId, (tx) => endTry({ tx, now: new Date() }, claimed, outcome))
  return outcome.isAccepted
}

async function sendDelivery({ webhook, delivery, secrets }: ClaimedDelivery, networks: readonly OpenedNetwork[]): Promise<DeliveryOutcome> {
  const { messageId, body } = delivery
  const headers = buildSignedHeaders(secrets, { id: messageId, seconds: Math.floor(Date.now() / 1000), body })
  const host = new URL(webhook.address).hostname
  try {
    const { status, retryAfter } = await sendRequest(
      { method: 'POST', url: webhook.address, headers, body, timeoutMs: answerTimeoutMs },
      networks,
    )
    const isAccepted = status >= 200 && status < 300
    return {
      isAccepted,
      status,
      answer: isAccepted ? null : `${host} responded with ${status}.`,
      restMs: parseRetryAfter(retryAfter, Date.now()),
    }
  } catch (error) {
    if (!(error instanceof OutsideError)) log.error({ err: error, webhook: webhook.id }, 'a webhook message could not be sent')
    const [answer, status] = error instanceof OutsideError ? [error.message, error.status] : ['It could not be sent.', null]
    return { isAccepted: false, status, answer, restMs: 0 }
  }
}

/** HTTP status with which a receiver says that it is permanently gone (Standard Webhooks 1.0.0, Delivery success and failure). */
const goneStatus = 410

async function endTry({ tx, now }: Call<'now'>, { delivery }: ClaimedDelivery, outcome: DeliveryOutcome): Promise<void> {
  const { organisationId, webhookId, tries } = delivery
  const [webhook] = await tx
    .select()
    .from(webhooks)
    .where(webhookCondition({ organisationId, id: webhookId }))
    .for('update')
  // The webhook was deleted during the attempt, with its messages.
  if (!webhook) return
  // If this worker was too slow and another has claimed the message since, that worker records its own result.
  const claimedDelivery = and(ofDelivery(delivery), eq(webhookDeliveries.claimedUntil, assertDefined(delivery.claimedUntil)))
  const left = await tx
    .update(webhookDeliveries)
    .set({ claimedUntil: null })
    .where(claimedDelivery)
    .returning({ turn: webhookDeliveries.turn })
  // A user has asked to send the message again during the attempt, so this answer does not count.
  if (left[0]?.turn !== delivery.turn) return
  const { isAccepted, status, answer, restMs } = outcome
  const isTest = delivery.type === testMessageType
  const wait = isTest ? null : calculateRetryDelayMs(tries, Math.random(), restMs)
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
    await tx.update(webhooks).set({ failingSince: null, lastAccepted: now.toISOString() }).where(webhookCondition(webhook))
    return
  }
  if (isTest || webhook.state !== 'active') return
  const failingSince = webhook.failingSince ?? now.toISOString()
  await tx.update(webhooks).set({ failingSince }).where(webhookCondition(webhook))
  await holdOthers(tx, webhook, new Date(Math.min(now.getTime() + (wait ?? mostHeldMs), now.getTime() + mostHeldMs)))
  const reason =
    status === goneStatus
      ? 'The receiver responded that the address no longer exists (410).'
      : hasFailedTooLong(Date.parse(failingSince), now.getTime())
        ? `No message was accepted for three days. The last attempt: ${answer}`
        : null
  if (reason)
    await disableWebhook({ tx, actor: { userId: null, requestId: `webhook-${webhook.id}`, now } }, { ...webhook, failingSince }, reason)
}

/** Postpones a webhook's other messages, so that a receiver that is down does not delay messages to other receivers. */
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
