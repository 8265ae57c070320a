import type { OrganisationId, UserId } from '../values/ids.ts'

/** What every stored event has in addition to its type, its data and the id of its stream. */
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
