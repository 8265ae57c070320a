import type { RouterOutputs } from '../../shell/api.ts'
import { Pill } from '../../ui/labels/Pill.tsx'

export type Webhook = RouterOutputs['webhooks']['get']
export type WebhookDelivery = RouterOutputs['webhooks']['deliveries'][number]

/** A webhook's state as a short label. */
export function WebhookStateLabel({ webhook: { state, failingSince } }: { webhook: Webhook }) {
  if (state === 'disabled') return <Pill tone="bad">Switched off</Pill>
  if (state === 'paused') return <Pill>Paused</Pill>
  return failingSince ? <Pill tone="warn">Failing</Pill> : <Pill tone="good">Active</Pill>
}

/** A delivery's state as a short label. */
export function DeliveryStateLabel({ delivery: { state, tries, nextTry } }: { delivery: WebhookDelivery }) {
  if (state === 'accepted') return <Pill tone="good">Accepted</Pill>
  if (state === 'failed') return <Pill tone="bad">Failed</Pill>
  if (!nextTry) return <Pill>Held</Pill>
  return tries ? <Pill tone="warn">Will be retried</Pill> : <Pill>On its way</Pill>
}
