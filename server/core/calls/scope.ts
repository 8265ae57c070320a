import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'

/** The part of an organisation that a user may reach. */
export interface ReachableLocations {
  organisationId: OrganisationId
  /** The locations the user is limited to; null for all. */
  locationIds: LocationId[] | null
}

/** The rows that a call may read and change. Only the call context creates it, from headers and memberships. */
export interface RowScope {
  organisationId: OrganisationId | null
  /** The locations the user is limited to; null for all. */
  locationIds: LocationId[] | null
  /** The locations that the user may reach in each organisation, for calls outside any organisation. */
  reaches?: ReachableLocations[]
  isAdministrator: boolean
  /** Only the organisation's own rows of a list that also has national rows. */
  ownOnly?: boolean
  /** Only the rows that are shown at present (behaviour B-258). */
  shownOnly?: boolean
}
