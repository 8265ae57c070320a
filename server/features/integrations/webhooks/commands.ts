import { randomBytes } from 'node:crypto'
import { and, eq, gte, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import { checkAddress } from '../../../../domain/integrations/credentials.ts'
import { type IntegrationEventType, integrationEventTypes } from '../../../../domain/integrations/events.ts'
import { maximumWebhooks, messageRetentionDays, secretOverlapMs, testMessageType } from '../../../../domain/integrations/webhooks.ts'
import type { AnyRecord } from '../../../../domain/resources/resource.ts'
import { requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { conflict, DomainError, invalid, notFound, staleRecord } from '../../../../domain/words/errors.ts'
import { webhookDeliveries, webhooks } from '../../../../drizzle/integrationTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { encryptText, ensureOrganisationKey } from '../../../core/database/vault.ts'
import { findAddressProblem, type OpenedNetwork } from '../../../core/outside/addresses.ts'
import { logRecordChange } from '../../../resources/referenceLog.ts'
import { deleteUndeclaredRecord, type UndeclaredKind, updateUndeclaredRecord } from '../../../resources/undeclared.ts'
import { findFeedPositionBefore, mayReceiveEvents } from '../../../shared/events/queries.ts'
import { listWebhooks, readWebhook, type WebhookRow, webhookCondition } from '../../../shared/integrations/webhooks/queries.ts'
import { type IntegrationEditor, refuseLimitedEditor } from '../commands.ts'
import { lockSharedRecord } from '../sharedRecords/commands.ts'

export const webhookInput = z.object({
  name: z.string().trim().min(1, 'Name is required.').max(100, 'Name can have at most 100 characters.'),
  address: z
    .string()
    .trim()
    .max(500, 'Address can have at most 500 characters.')
    .superRefine((value, context) => {
      const problem = checkAddress(value)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    }),
  types: z
    .array(z.enum(integrationEventTypes))
    .min(1, 'Choose at least one event.')
    .max(integrationEventTypes.length, 'Choose each event once.')
    .refine((types) => new Set(types).size === types.length, 'Choose each event once.'),
})
export type WebhookInput = z.infer<typeof webhookInput>

/** What the log stores of a webhook: never the secret, only when the secret was created. */
function toLogRecord({ organisationId, id, version, created, name, address, types, state, reason, secretMade }: WebhookRow): AnyRecord {
  return { organisationId, id, version, created, name, address, types, state, reason, secretMade }
}

const recordKind: UndeclaredKind<WebhookRow> = { name: 'webhook', table: webhooks, get: readWebhook, toLogged: toLogRecord }

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** @throws DomainError 400 for events that the caller may not read, because the webhook would send them to the caller's system */
function refuseUnreadableEvents({ holder }: IntegrationEditor, types: readonly IntegrationEventType[]): void {
  if (types.some((type) => !mayReceiveEvents(holder, type)))
    throw invalid([{ field: 'types', message: 'Choose only events that you can read yourself.' }])
}

/**
 * Refuses an address to which nothing may be sent. Call this before creating or changing a webhook, outside any
 * transaction, because a DNS lookup may be slow.
 * @throws DomainError 400 at the address if nothing may be sent there; 403 for a caller limited to some locations
 */
export async function refuseAddress(caller: IntegrationEditor, address: string, networks: readonly OpenedNetwork[]): Promise<void> {
  refuseLimitedEditor(caller)
  const message = await findAddressProblem(address, networks)
  if (message) throw invalid([{ field: 'address', message }])
}

/**
 * Creates a webhook, which receives events from now on.
 * @returns the webhook with its secret, which is shown only now
 * @throws DomainError 400 at its field; 409 for a name that is taken, or at the maximum number of webhooks
 */
export async function createWebhook(call: Call & IntegrationEditor, input: WebhookInput): Promise<{ row: WebhookRow; secret: string }> {
  const { tx } = call
  refuseLimitedEditor(call)
  refuseUnreadableEvents(call, input.types)
  const { organisationId, actor } = call
  if ((await listWebhooks(tx, organisationId)).length >= maximumWebhooks)
    throw conflict('tooMany', `You can have at most ${maximumWebhooks} webhooks. Delete one that is no longer needed.`)
  const secret = newSecret()
  const row = requireSingleRow(
    await tx
      .insert(webhooks)
      .values({
        ...input,
        organisationId,
        created: actor.now.toISOString(),
        secret: encryptText(await ensureOrganisationKey(tx, organisationId), secret),
        secretMade: actor.now.toISOString(),
        position: await findFeedPositionBefore(tx, organisationId),
      })
      .returning(),
  )
  await logRecordChange({ tx, actor }, recordKind, { action: 'created', before: null, after: toLogRecord(row) })
  return { row: row, secret }
}

/**
 * Locks and changes a webhook and logs who did it.
 * @throws DomainError 404; 403 if the caller may not read all of the webhook's events, because a new address would send those events to
 * them
 */
async function change(
  call: Call & IntegrationEditor,
  id: number,
  work: (before: WebhookRow) => Promise<Partial<WebhookRow>> | Partial<WebhookRow>,
): Promise<WebhookRow> {
  const before = await lockWebhook(call, id)
  return updateUndeclaredRecord(call, recordKind, { before, set: await work(before) })
}

async function lockWebhook(call: Call & IntegrationEditor, id: number): Promise<WebhookRow> {
  const row = await lockSharedRecord(call, recordKind, { id })
  if (!row.types.every((type) => mayReceiveEvents(call.holder, type)))
    throw new DomainError(
      'forbidden',
      'beyond',
      'This webhook sends events that you may not see. Ask someone who may see all of them to make the change.',
    )
  return row
}

/**
 * Changes a webhook's name, address and events.
 * @throws DomainError as createWebhook; 409 if someone else has saved it since the caller read it
 */
export function updateWebhook(
  call: Call & IntegrationEditor,
  { id, version, ...input }: WebhookInput & { id: number; version: number },
): Promise<WebhookRow> {
  return change(call, id, (before) => {
    if (version !== before.version) throw staleRecord(null)
    refuseUnreadableEvents(call, input.types)
    return input
  })
}

/** Deletes a webhook and its messages. Its history remains. */
export async function deleteWebhook(call: Call & IntegrationEditor, id: number): Promise<void> {
  await deleteUndeclaredRecord(call, recordKind, await lockWebhook(call, id))
}

/**
 * Creates a new secret. For a day, messages are signed with the previous one too.
 * @returns the webhook with its secret, shown only now
 */
export async function rotateWebhookSecret(call: Call & IntegrationEditor, id: number): Promise<{ row: WebhookRow; secret: string }> {
  const { tx, organisationId, actor } = call
  const secret = newSecret()
  const row = await change(call, id, async (before) => ({
    secret: encryptText(await ensureOrganisationKey(tx, organisationId), secret),
    secretMade: actor.now.toISOString(),
    previousSecret: before.secret,
    previousUntil: new Date(actor.now.getTime() + secretOverlapMs).toISOString(),
  }))
  return { row, secret }
}

const messagesOf = ({ organisationId, id }: Pick<WebhookRow, 'organisationId' | 'id'>) =>
  and(eq(webhookDeliveries.organisationId, organisationId), eq(webhookDeliveries.webhookId, id))
const waitingOf = (webhook: WebhookRow) => and(messagesOf(webhook), eq(webhookDeliveries.state, 'waiting'))

/** Stops sending. Events during the pause are sent after it resumes. */
export async function pauseWebhook(call: Call & IntegrationEditor, id: number): Promise<WebhookRow> {
  const { tx } = call
  const row = await change(call, id, (before) => {
    if (before.state !== 'active') throw conflict('notActive', 'This webhook is not active.')
    return { state: 'paused' }
  })
  await holdMessages(tx, row)
  return row
}

/** Keeps the messages of an inactive webhook, but makes none of them due. */
async function holdMessages(tx: OrganisationTx, webhook: WebhookRow): Promise<void> {
  await tx.update(webhookDeliveries).set({ dueAt: null }).where(waitingOf(webhook))
}

const oldest = (now: Date): Date => new Date(now.getTime() - messageRetentionDays * 24 * 3_600_000)

/** Resumes sending with the first event after the webhook was paused or disabled, if that is still stored. */
export async function resumeWebhook(call: Call & IntegrationEditor, id: number): Promise<WebhookRow> {
  const { tx } = call
  const { now } = call.actor
  const row = await change(call, id, async (before) => {
    if (before.state === 'active') throw conflict('active', 'This webhook is already active.')
    const position = Math.max(before.position, await findFeedPositionBefore(tx, before.organisationId, oldest(now)))
    return { state: 'active', reason: null, failingSince: null, position }
  })
  await tx.update(webhookDeliveries).set({ dueAt: now.toISOString() }).where(waitingOf(row))
  return row
}

/**
 * Queues a test message that checks whether the webhook can be reached. It is not retried.
 * @throws DomainError 409 while another test message is waiting
 */
export async function testWebhook(call: Call & IntegrationEditor, id: number): Promise<WebhookRow> {
  const { tx } = call
  const webhook = await lockWebhook(call, id)
  const { organisationId, actor } = call
  const tests = and(waitingOf(webhook), eq(webhookDeliveries.type, testMessageType))
  if (await tx.$count(webhookDeliveries, tests)) throw conflict('waiting', 'A test message is on its way.')
  const messageId = `${organisationId}-test-${randomBytes(9).toString('hex')}`
  const now = actor.now.toISOString()
  await tx.insert(webhookDeliveries).values({
    organisationId,
    webhookId: id,
    messageId,
    type: testMessageType,
    body: JSON.stringify({ type: testMessageType, timestamp: now, data: { id: messageId, type: testMessageType, occurredAt: now } }),
    occurredAt: now,
    madeAt: now,
    dueAt: now,
  })
  return webhook
}

async function lockActiveWebhook(call: Call & IntegrationEditor, id: number): Promise<WebhookRow> {
  const webhook = await lockWebhook(call, id)
  if (webhook.state !== 'active') throw conflict('notActive', 'This webhook is not active. Resume it first.')
  return webhook
}

/**
 * The new state of a message that is to be sent again, with the same id and a fresh count of attempts. A worker that is sending it now
 * keeps its claim until it has an answer, so that the message is never sent twice at once. That answer is ignored, because `turn` has
 * changed.
 */
const resetForResending = (now: Date) => ({
  state: 'waiting' as const,
  tries: 0,
  turn: sql`${webhookDeliveries.turn} + 1`,
  dueAt: now.toISOString(),
  madeAt: now.toISOString(),
  answerStatus: null,
  answer: null,
})

/**
 * Sends one message again, whatever its result.
 * @throws DomainError 404 for a message of another webhook; 409 while the webhook is inactive
 */
export async function replayDelivery(
  call: Call & IntegrationEditor,
  { id, deliveryId }: { id: number; deliveryId: number },
): Promise<{ count: number }> {
  const { tx } = call
  const webhook = await lockActiveWebhook(call, id)
  const done = await tx
    .update(webhookDeliveries)
    .set(resetForResending(call.actor.now))
    .where(and(messagesOf(webhook), eq(webhookDeliveries.id, deliveryId)))
    .returning({ id: webhookDeliveries.id })
  if (!done.length) throw notFound('Delivery')
  return { count: done.length }
}

/**
 * Sends all events since a time again, including those from before the webhook existed or subscribed to them.
 * @returns how many existing messages are sent again
 * @throws DomainError 400 for a time too long ago; 409 while the webhook is inactive
 */
export async function replayDeliveriesSince(
  call: Call & IntegrationEditor,
  { id, since }: { id: number; since: string },
): Promise<{ count: number }> {
  const { tx } = call
  const webhook = await lockActiveWebhook(call, id)
  const { now } = call.actor
  const from = new Date(since)
  if (from < oldest(now) || from > now)
    throw invalid([
      { field: 'since', message: `Choose a time in the last ${messageRetentionDays} days. Older events are in the events feed.` },
    ])
  const done = await tx
    .update(webhookDeliveries)
    .set(resetForResending(now))
    .where(and(messagesOf(webhook), gte(webhookDeliveries.occurredAt, from.toISOString()), ne(webhookDeliveries.type, testMessageType)))
    .returning({ id: webhookDeliveries.id })
  const before = await findFeedPositionBefore(tx, webhook.organisationId, from)
  await tx
    .update(webhooks)
    .set({ position: sql`least(${webhooks.position}, ${before}::bigint)` })
    .where(webhookCondition(webhook))
  return { count: done.length }
}

/** Disables a webhook whose receiver no longer accepts messages. Its managers see a warning until they act. */
export async function disableWebhook(call: Call<'actor'>, before: WebhookRow, reason: string): Promise<void> {
  const { tx } = call
  await holdMessages(tx, await updateUndeclaredRecord(call, recordKind, { before, set: { state: 'disabled', reason } }))
}

/** Deletes messages that are too old to be sent again, in all organisations. */
export async function deleteOldDeliveries(tx: OrganisationTx, now: Date): Promise<void> {
  await tx.execute(sql`delete from webhook_deliveries where made_at < ${oldest(now).toISOString()}::timestamptz`)
}
