import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'

/** One organisation, as far as a user reaches into it. */
export interface Reach {
  organisationId: OrganisationId
  /** The locations the user is limited to; null: all. */
  locationIds: LocationId[] | null
}

/** Whose rows a call may touch; the context makes it from headers and memberships, nobody else. */
export interface RowScope {
  organisationId: OrganisationId | null
  /** The locations a user is limited to; null: all. */
  locationIds: LocationId[] | null
  /** What the user reaches in each organisation, where a call is not made within one of them. */
  reaches?: Reach[]
  isAdministrator: boolean
  /** Only the organisation's own rows of a list that has national ones too. */
  ownOnly?: boolean
  /** Only what shows now (behaviour B-258). */
  shownOnly?: boolean
}
