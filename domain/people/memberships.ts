import type { LocationId, OrganisationId } from '../values/ids.ts'
import { type FieldProblem, invalid } from '../words/errors.ts'

/** A user's membership of one organisation, with locations (an empty list means all, behaviour B-003) and user groups. */
export interface Membership {
  organisationId: OrganisationId
  locationIds: LocationId[]
  userGroupIds: number[]
}

/** A user's memberships as the API shows them: one list of locations and one of groups for all organisations (entities.json User). */
export interface FlatAccess {
  organisationIds: readonly OrganisationId[]
  locationIds: readonly LocationId[]
  userGroupIds: readonly number[]
}

const union = <Id extends number>(lists: readonly (readonly Id[])[]): Id[] => [...new Set(lists.flat())].sort((a, b) => a - b)
const without = <Id extends number>(list: readonly Id[], other: readonly Id[]): Id[] => list.filter((one) => !other.includes(one))

export function flattenAccess(
  memberships: readonly Membership[],
): FlatAccess & { organisationIds: OrganisationId[]; locationIds: LocationId[]; userGroupIds: number[] } {
  return {
    organisationIds: union([memberships.map((one) => one.organisationId)]),
    locationIds: union(memberships.map((one) => one.locationIds)),
    userGroupIds: union(memberships.map((one) => one.userGroupIds)),
  }
}

/**
 * Applies the flat lists of the API to memberships. Only differences from the current lists are applied, so that access in one organisation
 * never spreads to another. A new location is added to its own organisation, a new group to every organisation. A new organisation starts
 * with the new groups only.
 * @param owners the organisation of each location
 * @throws DomainError 400 for a location outside the user's organisations, or if removing the last location would give access to all
 */
export function applyFlatAccess(
  before: readonly Membership[],
  wanted: FlatAccess,
  owners: ReadonlyMap<LocationId, OrganisationId>,
): Membership[] {
  const stood = flattenAccess(before)
  const added = { locations: without(wanted.locationIds, stood.locationIds), groups: without(wanted.userGroupIds, stood.userGroupIds) }
  const problems: FieldProblem[] = []
  const isChosen = (owner: OrganisationId | undefined): boolean => owner !== undefined && wanted.organisationIds.includes(owner)
  if (wanted.locationIds.some((id) => !isChosen(owners.get(id))))
    problems.push({ field: 'locationIds', message: 'Locations must belong to the chosen organisations.' })
  const result = union([wanted.organisationIds]).map((organisationId): Membership => {
    const existing = before.find((one) => one.organisationId === organisationId)
    const locationIds = union([
      (existing?.locationIds ?? []).filter((id) => wanted.locationIds.includes(id)),
      added.locations.filter((id) => owners.get(id) === organisationId),
    ])
    if (existing?.locationIds.length && !locationIds.length && wanted.locationIds.length)
      problems.push({
        field: 'locationIds',
        message: 'Keep at least one location in each organisation. To give access to all locations, remove every location.',
      })
    const userGroupIds = union([(existing?.userGroupIds ?? []).filter((id) => wanted.userGroupIds.includes(id)), added.groups])
    return { organisationId, locationIds, userGroupIds }
  })
  if (problems.length) throw invalid(problems)
  return result
}

export function areSameMemberships(a: readonly Membership[], b: readonly Membership[]): boolean {
  const tidy = (list: readonly Membership[]): string =>
    JSON.stringify(
      [...list]
        .sort((x, y) => x.organisationId - y.organisationId)
        .map((one) => [one.organisationId, union([one.locationIds]), union([one.userGroupIds])]),
    )
  return tidy(a) === tidy(b)
}
