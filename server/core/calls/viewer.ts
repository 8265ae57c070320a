import type { PermissionHolder } from '../../../domain/people/permissions.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'

/** The permissions and locations of a caller who reads across an organisation. */
export interface Viewer {
  organisationId: OrganisationId
  /** `locationIds`: the locations the caller is limited to; null means all. */
  holder: PermissionHolder & { locationIds: LocationId[] | null }
}
