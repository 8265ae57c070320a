import { eq } from 'drizzle-orm'
import type { Membership } from '../../../../domain/people/memberships.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { OrganisationId, UserId } from '../../../../domain/values/ids.ts'
import { DomainError, notFound } from '../../../../domain/words/errors.ts'
import { memberships } from '../../../../drizzle/accessTables.ts'
import type { Holder } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { allUsers, getUser, refuseBeyond, type User } from '../../../shared/users/queries.ts'

export interface Reach {
  organisationId: OrganisationId
  holder: Holder
}

export const membershipIn = (user: User, organisationId: OrganisationId): Membership | undefined =>
  user.memberships.find((one) => one.organisationId === organisationId)

/** A user as one organisation sees them: nothing of what they are elsewhere. */
function within(user: User, organisationId: OrganisationId): User {
  const own = assertDefined(membershipIn(user, organisationId))
  return { ...user, memberships: [own], organisationIds: [organisationId], locationIds: own.locationIds, userGroupIds: own.userGroupIds }
}

/** The users of the organisation whom the caller may see: somebody limited to some locations sees the people of these and of all. */
export async function ownUsers(tx: OrganisationTx, { organisationId, holder }: Reach): Promise<User[]> {
  const rows = await tx.select({ userId: memberships.userId }).from(memberships).where(eq(memberships.organisationId, organisationId))
  const users = (
    await allUsers(
      tx,
      rows.map((row) => row.userId),
    )
  ).map((user) => within(user, organisationId))
  const { locationIds } = holder
  return locationIds ? users.filter((user) => !user.locationIds.length || user.locationIds.some((id) => locationIds.includes(id))) : users
}

/** @throws DomainError 404 for somebody of another organisation or location */
export async function ownUser(tx: OrganisationTx, reach: Reach, id: UserId): Promise<User> {
  const found = (await ownUsers(tx, reach)).find((user) => user.id === id)
  if (!found) throw notFound('User')
  return found
}

/**
 * Makes sure that a person may do no more than the caller, who is about to do something by which the caller could be them.
 * @throws DomainError 404 for somebody of another organisation or location, 403 for one who may do more
 */
export async function refuseMayDoMore(tx: OrganisationTx, reach: Reach, id: UserId): Promise<void> {
  await ownUser(tx, reach, id)
  const { isAdministrator, memberships: all } = await getUser(tx, id)
  if (reach.holder.isAdministrator) return
  if (isAdministrator || all.length > 1)
    throw new DomainError('forbidden', 'beyond', 'This user may do more than you may. Ask an administrator of the product.')
  await refuseBeyond(tx, reach.holder, assertDefined(all[0]))
}

/**
 * An account is erased everywhere at once, so one organisation alone cannot do it to the others.
 * @throws DomainError 404 for somebody of another organisation or location, 403 for a user of several
 */
export async function refuseShared(tx: OrganisationTx, reach: Reach, id: UserId): Promise<void> {
  await ownUser(tx, reach, id)
  const { memberships: all } = await getUser(tx, id)
  if (all.length > 1)
    throw new DomainError(
      'forbidden',
      'shared',
      'This user belongs to other organisations too. An administrator of the product can erase the account under Administrator, Users.',
    )
}
