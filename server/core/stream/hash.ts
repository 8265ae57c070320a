import { hash } from 'node:crypto'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import type { BudgetId, LocationId, OrganisationId, UserId } from '../../../domain/values/ids.ts'

/** SHA-256 of a text or of bytes, as 64 hexadecimal digits. */
export function sha256(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex')
}

/** SHA-256 of a value's canonical JSON. */
export function hashValue(value: unknown): string {
  return sha256(canonicalJson(value))
}

/** The previous hash for the first event of a stream. */
export const genesisHash = '0'.repeat(64)

/** The id of a stream: each budget has one, each location one for its monitoring and one for its payroll. */
export type StreamId = { budgetId: BudgetId } | { locationId: LocationId }

export type HashedEvent = StreamId & {
  organisationId: OrganisationId
  version: number
  type: string
  /** The schema version of `data`. */
  schema: number
  /** The data as it was first written. */
  data: unknown
  actorId: UserId | null
  requestId: string
  occurredAt: string
}

/**
 * The hash of an event, over the previous hash and the canonical JSON of the event without its position. Schema version 1 is left out,
 * because events from before schema versions have none.
 */
export function hashEvent(previousHash: string, event: HashedEvent): string {
  const { organisationId, version, type, schema, data, actorId, requestId, occurredAt } = event
  const of = 'budgetId' in event ? { budgetId: event.budgetId } : { locationId: event.locationId }
  const shape = schema > 1 ? { schema } : {}
  return sha256(previousHash + canonicalJson({ organisationId, ...of, version, type, ...shape, data, actorId, requestId, occurredAt }))
}
