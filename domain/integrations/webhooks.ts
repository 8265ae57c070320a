import type { ToldType } from './events.ts'

/**
 * Messages to other systems of what happened, in the form of Standard Webhooks 1.0.0
 * (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md).
 */

/** A webhook is told of things while it is active; a paused one goes on where it stood, and so does one that was disabled by long failure. */
export const webhookStates = ['active', 'paused', 'disabled'] as const
export type WebhookState = (typeof webhookStates)[number]

/** A message waits until it was accepted, or is given up after the last try. */
export const deliveryStates = ['waiting', 'accepted', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The type of the message that only shows whether a webhook is reached. */
export const testType = 'webhook.test'
export type MessageType = ToldType | typeof testType

/** The webhooks that an organisation may have at once. */
export const mostWebhooks = 20
/** Days after which messages are forgotten, and for which they can be sent again. */
export const daysKept = 30
/** How long another system has for its answer. */
export const answerMs = 15_000
/** How long the secret before signs beside a new one. */
export const overlapMs = 24 * 3_600_000
/** How long nothing is accepted until a webhook is disabled. */
export const longFailureMs = 3 * 24 * 3_600_000
/** The longest that a receiver may ask to be left alone. */
const longestRestMs = 24 * 3_600_000

const [second, minute, hour] = [1000, 60_000, 3_600_000]
/** What is waited after each try: ten tries within 75 hours and 36 minutes, as the example of the specification has them. */
const waitsMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

export const mostTries = waitsMs.length + 1

/**
 * How long to wait after a try that failed, in milliseconds; null: it was the last.
 * @param tries how often it was tried @param chance from 0 to 1: up to a tenth is added, so that what failed together does not come back together
 * @param askedMs what the receiver asked for by Retry-After
 */
export function waitAfter(tries: number, chance: number, askedMs = 0): number | null {
  const waitMs = waitsMs[tries - 1]
  if (waitMs === undefined) return null
  return Math.max(Math.round(waitMs * (1 + chance / 10)), Math.min(askedMs, longestRestMs))
}

/**
 * What a Retry-After header asks for (RFC 9110 §10.2.3: seconds, or a date), in milliseconds; 0 for anything else.
 * @param now milliseconds since 1970
 */
export function askedRest(header: string | undefined, now: number): number {
  if (!header) return 0
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * second : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

/** Whether a webhook of which nothing was accepted for so long is disabled. Milliseconds since 1970. */
export function isLongFailing(since: number, now: number): boolean {
  return now - since >= longFailureMs
}
