import type { IntegrationEventType } from './events.ts'

/**
 * Event messages to other systems, following Standard Webhooks 1.0.0 (github.com/standard-webhooks/standard-webhooks,
 * spec/standard-webhooks.md).
 */

/** An active webhook receives messages. After a pause, or after it was disabled because it kept failing, it continues where it stopped. */
export const webhookStates = ['active', 'paused', 'disabled'] as const
export type WebhookState = (typeof webhookStates)[number]

/** A message waits until the receiver accepts it, or fails after the last try. */
export const deliveryStates = ['waiting', 'accepted', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const testMessageType = 'webhook.test'
export type MessageType = IntegrationEventType | typeof testMessageType

export const maximumWebhooks = 20
/** Days until messages are deleted. Until then they can be sent again. */
export const messageRetentionDays = 30
export const answerTimeoutMs = 15_000
/** The time for which the previous secret still signs messages after a new one is created. */
export const secretOverlapMs = 24 * 3_600_000
/** The time of continuous failure after which a webhook is disabled. */
export const disableAfterMs = 3 * 24 * 3_600_000
/** The longest delay that a receiver may request. */
const maximumRetryAfterMs = 24 * 3_600_000

const [second, minute, hour] = [1000, 60_000, 3_600_000]
/** The delays after each try: ten tries within 75 hours and 36 minutes, as in the example in the specification. */
const retryDelaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

export const maximumTries = retryDelaysMs.length + 1

/**
 * Delay before the next try, in milliseconds; null after the last try.
 * @param tries number of tries so far
 * @param chance a random number from 0 to 1, which adds up to a tenth to the delay, so that failed messages are not all retried at once
 * @param askedMs delay that the receiver requested with Retry-After
 */
export function calculateRetryDelayMs(tries: number, chance: number, askedMs = 0): number | null {
  const waitMs = retryDelaysMs[tries - 1]
  if (waitMs === undefined) return null
  return Math.max(Math.round(waitMs * (1 + chance / 10)), Math.min(askedMs, maximumRetryAfterMs))
}

/**
 * Parses a Retry-After header (RFC 9110 §10.2.3: seconds or a date) to milliseconds; 0 if it is invalid.
 * @param now milliseconds since 1970
 */
export function parseRetryAfter(header: string | undefined, now: number): number {
  if (!header) return 0
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * second : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

/**
 * Whether a webhook has failed for so long that it is disabled.
 * @param since when it began to fail; both times in milliseconds since 1970
 */
export function hasFailedTooLong(since: number, now: number): boolean {
  return now - since >= disableAfterMs
}
