import type { OrganisationId, UserId } from '../values/ids.ts'

/** What every event has once it is stored, beside its type, its data and the id of its stream. */
export interface EventEnvelope {
  organisationId: OrganisationId
  version: number
  position: number
  actorId: UserId | null
  requestId: string
  occurredAt: string
  previousHash: string
  hash: string
}
