import { asc, eq } from 'drizzle-orm'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { LocationId, OrganisationId, UserId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import { memberships, userGroups, users } from '../../../drizzle/accessTables.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** All user groups, or only those with the given ids, in order of name. */
export async function listUserGroups(tx: OrganisationTx, ids: ReadonlySet<number> | null) {
  const rows = await tx.select().from(userGroups).orderBy(asc(userGroups.name))
  return rows
    .filter((row) => !ids || ids.has(row.id))
    .map((row) => ({
      id: row.id,
      name: row.name,
      permissions: row.permissions,
      created: dayInLondon(row.created),
      version: row.version,
    }))
}

interface Asking {
  organisationId: OrganisationId
  principal: { userId: UserId | null }
  holder: { isAdministrator: boolean; locationIds: LocationId[] | null }
}

/** A colleague's name and picture. @throws DomainError 404 for a user whom the caller may not see */
export async function readColleague(tx: OrganisationTx, { organisationId, principal, holder }: Asking, id: UserId) {
  const rows = await tx
    .select({
      email: users.email,
      forename: users.forename,
      surname: users.surname,
      avatarId: users.avatarId,
      organisationId: memberships.organisationId,
      locationIds: memberships.locationIds,
    })
    .from(users)
    .leftJoin(memberships, eq(memberships.userId, users.id))
    .where(eq(users.id, id))
  const { isAdministrator, locationIds } = holder
  // A caller limited to some locations sees people with access to at least one of those locations or to all locations.
  const isSeen =
    isAdministrator ||
    id === principal.userId ||
    rows.some(
      (row) =>
        row.organisationId === organisationId &&
        (!locationIds ||
          (locationIds.length > 0 && (!row.locationIds?.length || row.locationIds.some((one) => locationIds.includes(one))))),
    )
  const [person] = rows
  if (!person || !isSeen) throw notFound('User')
  return { id, name: `${person.forename} ${person.surname}`, email: person.email, avatarId: person.avatarId }
}
