import { sql } from 'drizzle-orm'
import type { ListRequest, Paged } from '../../../../domain/lists/lists.ts'
import type { Membership } from '../../../../domain/people/memberships.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { OrganisationId, UserId } from '../../../../domain/values/ids.ts'
import { DomainError, notFound } from '../../../../domain/words/errors.ts'
import type { CallerRights } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { buildIntegerArray } from '../../../resources/listConditions.ts'
import { type ListSource, orderByIds, readListIds, readListPage } from '../../../resources/listPages.ts'
import { buildUserList, readUser, readUserRecords, refuseUserBeyondCallerRights, type User } from '../../../shared/users/queries.ts'

export interface OrganisationUsersCaller {
  organisationId: OrganisationId
  holder: CallerRights
}

export const findMembership = (user: User, organisationId: OrganisationId): Membership | undefined =>
  user.memberships.find((one) => one.organisationId === organisationId)

/** A user without memberships of other organisations. */
function limitToOrganisation(user: User, organisationId: OrganisationId): User {
  const membership = assertDefined(findMembership(user, organisationId))
  return {
    ...user,
    memberships: [membership],
    organisationIds: [organisationId],
    locationIds: membership.locationIds,
    userGroupIds: membership.userGroupIds,
  }
}

/**
 * The users of the organisation that the caller may see. A caller limited to some locations sees people with access to at least one of
 * those locations or to all locations.
 */
export function listUsersOfOrganisation({ organisationId, holder: { locationIds } }: OrganisationUsersCaller): ListSource {
  const isNear = locationIds ? sql`(m.location_ids = '{}' or m.location_ids && ${buildIntegerArray(locationIds)})` : sql`true`
  return buildUserList({
    from: sql`users u join memberships m on m.user_id = u.id`,
    where: sql`m.organisation_id = ${organisationId} and ${isNear}`,
    access: { organisationIds: sql`array[m.organisation_id]`, locationIds: sql`m.location_ids`, userGroupIds: sql`m.user_group_ids` },
  })
}

/** Loads users of the organisation without their other memberships. */
export async function loadUsersOfOrganisation(
  tx: OrganisationTx,
  { organisationId }: OrganisationUsersCaller,
  ids: readonly UserId[],
): Promise<User[]> {
  return (await readUserRecords(tx, ids)).map((user) => limitToOrganisation(user, organisationId))
}

/** One page of the organisation's users. */
export async function readUserPageOfOrganisation(
  tx: OrganisationTx,
  reach: OrganisationUsersCaller,
  request: ListRequest,
): Promise<Paged<User>> {
  const { ids, total } = await readListPage<UserId>(tx, listUsersOfOrganisation(reach), request)
  return { rows: orderByIds(ids, await loadUsersOfOrganisation(tx, reach, ids), ({ id }) => id), total }
}

/** @throws DomainError 404 for a user of another organisation or location */
export async function readUserOfOrganisation(tx: OrganisationTx, reach: OrganisationUsersCaller, id: UserId): Promise<User> {
  const list = listUsersOfOrganisation(reach)
  const [found] = await loadUsersOfOrganisation(
    tx,
    reach,
    await readListIds<UserId>(tx, { ...list, where: sql`${list.where} and u.id = ${id}` }, {}),
  )
  if (!found) throw notFound('User')
  return found
}

/**
 * Refuses an action that would let the caller act as a user with more permissions.
 * @throws DomainError 404 for a user of another organisation or location, 403 for one with more permissions
 */
export async function refuseMorePrivilegedUser(tx: OrganisationTx, reach: OrganisationUsersCaller, id: UserId): Promise<void> {
  await readUserOfOrganisation(tx, reach, id)
  const { isAdministrator, memberships: all } = await readUser(tx, id)
  if (reach.holder.isAdministrator) return
  if (isAdministrator || all.length > 1)
    throw new DomainError('forbidden', 'beyond', 'This user has more permissions than you. Ask a Bursar administrator.')
  await refuseUserBeyondCallerRights(tx, reach.holder, assertDefined(all[0]))
}

/**
 * Refuses to erase a shared account: erasure affects every organisation, so one alone may not do it.
 * @throws DomainError 404 for a user of another organisation or location, 403 for a user of several organisations
 */
export async function refuseSharedAccount(tx: OrganisationTx, reach: OrganisationUsersCaller, id: UserId): Promise<void> {
  await readUserOfOrganisation(tx, reach, id)
  const { memberships: all } = await readUser(tx, id)
  if (all.length > 1)
    throw new DomainError(
      'forbidden',
      'shared',
      'This user belongs to other organisations too. A Bursar administrator can erase the account under Administrator → Users.',
    )
}
