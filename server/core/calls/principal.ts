import type { Permission } from '../../../domain/people/permissions.ts'
import type { LocationId, OrganisationId, UserId } from '../../../domain/values/ids.ts'

/** What a user may do in one organisation. */
export interface Membership {
  organisationId: OrganisationId
  /** Empty means every location (behaviour B-003). */
  locationIds: LocationId[]
  permissions: Permission[]
  userGroupIds: number[]
}

/** The caller: a person, or an external system bound to one organisation. */
export interface Principal {
  kind: 'user' | 'client'
  userId: UserId | null
  clientId: string | null
  /** The sign-in that a person's token comes from; null for tokens of an external issuer and for API clients. */
  signInId: string | null
  name: string
  email: string
  avatarId: number | null
  isAdministrator: boolean
  memberships: Membership[]
}
