import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'

/** The part of an organisation that a user may reach. */
export interface Reach {
  organisationId: OrganisationId
  /** The locations the user is limited to; null: all. */
  locationIds: LocationId[] | null
}

/** The rows that a call may touch. Only the context creates it, from headers and memberships. */
export interface RowScope {
  organisationId: OrganisationId | null
  /** The locations a user is limited to; null: all. */
  locationIds: LocationId[] | null
  /** What the user reaches in each organisation, for calls not made within one of them. */
  reaches?: Reach[]
  isAdministrator: boolean
  /** Only the organisation's own rows of a list that also has national ones. */
  ownOnly?: boolean
  /** Only what is shown now (behaviour B-258). */
  shownOnly?: boolean
}
