import { and, asc, desc, eq, lt, sql } from 'drizzle-orm'
import type { IntegrationEventType } from '../../../../domain/integrations/events.ts'
import type { DeliveryState, MessageType, WebhookState } from '../../../../domain/integrations/webhooks.ts'
import { hasAnyPermission } from '../../../../domain/people/permissions.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import { webhookDeliveries, webhooks } from '../../../../drizzle/integrationTables.ts'
import type { CallerRights } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'

export type WebhookRow = typeof webhooks.$inferSelect
export type DeliveryRow = typeof webhookDeliveries.$inferSelect

/** A webhook, as pages and the API show it. The secret is shown only when it is created. */
export interface Webhook {
  id: number
  version: number
  created: string
  name: string
  address: string
  types: IntegrationEventType[]
  state: WebhookState
  /** Why the webhook was disabled. */
  reason: string | null
  secretMade: string
  /** Until when messages are also signed with the previous secret; null if they are not. */
  previousUntil: string | null
  failingSince: string | null
  lastAccepted: string | null
}

/** A message to a webhook, and its result. */
export interface WebhookDelivery {
  id: number
  /** The event's id in the feed, which stays the same for every attempt. */
  messageId: string
  type: MessageType
  occurredAt: string
  state: DeliveryState
  tries: number
  triedAt: string | null
  /** Null if no attempt is due: the delivery is finished, or its webhook is inactive. */
  nextTry: string | null
  answerStatus: number | null
  answer: string | null
}

export const presentWebhook = (row: WebhookRow, now: Date): Webhook => ({
  id: row.id,
  version: row.version,
  created: row.created,
  name: row.name,
  address: row.address,
  types: row.types,
  state: row.state,
  reason: row.reason,
  secretMade: row.secretMade,
  previousUntil: row.previousUntil && new Date(row.previousUntil) > now ? row.previousUntil : null,
  failingSince: row.failingSince,
  lastAccepted: row.lastAccepted,
})

const shownDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  messageId: row.messageId,
  type: row.type,
  occurredAt: row.occurredAt,
  state: row.state,
  tries: row.tries,
  triedAt: row.triedAt,
  nextTry: row.dueAt && new Date(row.dueAt).toISOString(),
  answerStatus: row.answerStatus,
  answer: row.answer,
})

export const webhookCondition = ({ organisationId, id }: Pick<WebhookRow, 'organisationId' | 'id'>) =>
  and(eq(webhooks.organisationId, organisationId), eq(webhooks.id, id))

/** The webhooks of an organisation, in order of name. */
export async function listWebhooks(tx: OrganisationTx, organisationId: OrganisationId): Promise<WebhookRow[]> {
  return tx
    .select()
    .from(webhooks)
    .where(eq(webhooks.organisationId, organisationId))
    .orderBy(asc(sql`lower(${webhooks.name})`))
}

/** @throws DomainError 404 for a webhook of another organisation */
export async function readWebhook(tx: OrganisationTx, organisationId: OrganisationId, id: number): Promise<WebhookRow> {
  const [row] = await tx.select().from(webhooks).where(webhookCondition({ organisationId, id }))
  if (!row) throw notFound('Webhook')
  return row
}

/**
 * The messages to a webhook, newest first.
 * @param before the id of the oldest message the caller already has, to get earlier ones
 */
export async function listWebhookDeliveries(
  tx: OrganisationTx,
  webhook: WebhookRow,
  { state, before, most }: { state?: DeliveryState | null; before?: number | null; most: number },
): Promise<WebhookDelivery[]> {
  const rows = await tx
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.organisationId, webhook.organisationId),
        eq(webhookDeliveries.webhookId, webhook.id),
        state ? eq(webhookDeliveries.state, state) : undefined,
        before ? lt(webhookDeliveries.id, before) : undefined,
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(most)
  return rows.map(shownDelivery)
}

/** The webhooks that were disabled because no message was accepted, for callers who can fix them. */
export async function listDisabledWebhooks(
  tx: OrganisationTx,
  { organisationId, holder }: { organisationId: OrganisationId | null; holder: CallerRights },
): Promise<{ id: number; name: string; reason: string }[]> {
  if (organisationId === null || holder.locationIds || !hasAnyPermission(holder, ['ConsoleOrganisationsReadUpdate'])) return []
  const rows = await tx
    .select({ id: webhooks.id, name: webhooks.name, reason: webhooks.reason })
    .from(webhooks)
    .where(and(eq(webhooks.organisationId, organisationId), eq(webhooks.state, 'disabled')))
    .orderBy(asc(webhooks.id))
  return rows.map(({ reason, ...row }) => ({ ...row, reason: reason ?? '' }))
}
