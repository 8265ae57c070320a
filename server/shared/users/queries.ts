import { and, asc, eq, exists, inArray, isNotNull, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { BulkSelection, ExportRequest, ListRequest, Paged } from '../../../domain/lists/lists.ts'
import { flattenAccess, type Membership } from '../../../domain/people/memberships.ts'
import type { Permission } from '../../../domain/people/permissions.ts'
import { toPermissions } from '../../../domain/people/permissions.ts'
import { buildFileRows, listColumns } from '../../../domain/resources/columns.ts'
import { user as declaration } from '../../../domain/resources/entities/organisation/user.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { buildExportFileName, dayInLondon } from '../../../domain/values/format.ts'
import type { LocationId, OrganisationId, UserId } from '../../../domain/values/ids.ts'
import { DomainError, forbidden, invalid, notFound } from '../../../domain/words/errors.ts'
import { authenticatorApps, invitations, memberships, passkeys, userGroups, users } from '../../../drizzle/accessTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { FileReply } from '../../core/calls/reply.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import { type OrganisationTx, openStoreWithin } from '../../core/database/database.ts'
import { prepareReferenceNamer, writeCsvFile } from '../../resources/files.ts'
import { buildIntegerArray } from '../../resources/listConditions.ts'
import {
  buildLondonDayColumn,
  createTextSearch,
  type ListSource,
  orderByIds,
  readListIds,
  readListPage,
  resolveSelectedIds,
} from '../../resources/listPages.ts'
import { readTerms } from '../../resources/terms.ts'

const idList = z.array(z.int()).max(5000)

/** A user as API input: either flat lists, or separate memberships by organisation. */
export const userInput = z.looseObject({
  id: z.int().brand<'UserId'>().nullish(),
  version: z.int().nullish(),
  memberships: z
    .array(
      z.object({
        organisationId: z.int().brand<'OrganisationId'>(),
        locationIds: z.array(z.int().brand<'LocationId'>()).max(5000).default([]),
        userGroupIds: idList.default([]),
      }),
    )
    .max(500)
    .nullish(),
})
export type UserInput = z.infer<typeof userInput>

/** A user, as pages and the API show them (entities.json User), with separate `memberships` by organisation. */
export interface User {
  id: UserId
  version: number
  created: string
  email: string
  forename: string
  surname: string
  position: string | null
  phoneNumber: string | null
  avatarId: number | null
  isAdministrator: boolean
  active: boolean
  organisationIds: OrganisationId[]
  locationIds: LocationId[]
  userGroupIds: number[]
  lastSignIn: string | null
  memberships: Membership[]
  /** Whether they have set a password. */
  hasPassword: boolean
  /** Whether signing in requires an authenticator app. */
  hasSecondStep: boolean
  /** Whether the external issuer's id identifies them, so that their email address may change. */
  isLinkedOutside: boolean
  /** Whether they have a passkey. */
  hasPasskey: boolean
  /** Whether their personal data was erased. */
  isErased: boolean
}

type Row = typeof users.$inferSelect

function presentUser(row: Row, memberships: readonly Membership[], has: Pick<User, 'hasSecondStep' | 'hasPasskey'>): User {
  return {
    id: row.id,
    version: row.version,
    created: dayInLondon(row.created),
    email: row.erasedAt === null ? row.email : '',
    forename: row.forename,
    surname: row.surname,
    position: row.position,
    phoneNumber: row.phoneNumber,
    avatarId: row.avatarId,
    isAdministrator: row.isAdministrator,
    active: row.active,
    lastSignIn: row.lastSignIn && new Date(row.lastSignIn).toISOString(),
    memberships: [...memberships],
    hasPassword: row.passwordHash !== null,
    isLinkedOutside: row.outsideSubject !== null,
    isErased: row.erasedAt !== null,
    ...has,
    ...flattenAccess(memberships),
  }
}

/** A user's access as SQL expressions: in all organisations, or in one organisation. */
interface Access {
  organisationIds: SQL
  locationIds: SQL
  userGroupIds: SQL
}

/** The source of a list of users; `u` is the table alias. */
export function buildUserList({ from, where, access }: { from: SQL; where: SQL; access: Access }): ListSource {
  const shownEmail = sql`(case when u.erased_at is null then u.email else '' end)`
  return {
    from,
    where,
    id: sql`u.id`,
    columns: {
      id: { value: sql`u.id`, kind: 'number' },
      version: { value: sql`u.version`, kind: 'number' },
      created: buildLondonDayColumn(sql`u.created`),
      email: { value: shownEmail, kind: 'text' },
      forename: { value: sql`u.forename`, kind: 'text' },
      surname: { value: sql`u.surname`, kind: 'text' },
      position: { value: sql`u.position`, kind: 'text' },
      phoneNumber: { value: sql`u.phone_number`, kind: 'text' },
      avatarId: { value: sql`u.avatar_id`, kind: 'number' },
      isAdministrator: { value: sql`u.is_administrator`, kind: 'flag' },
      active: { value: sql`u.active`, kind: 'flag' },
      organisationIds: { value: access.organisationIds, kind: 'ids' },
      locationIds: { value: access.locationIds, kind: 'ids' },
      userGroupIds: { value: access.userGroupIds, kind: 'ids' },
      lastSignIn: { value: sql`u.last_sign_in`, kind: 'moment' },
      hasPassword: { value: sql`(u.password_hash is not null)`, kind: 'flag' },
      hasSecondStep: {
        value: sql`exists (select from second_steps step where step.user_id = u.id and step.confirmed_at is not null)`,
        kind: 'flag',
      },
      isLinkedOutside: { value: sql`(u.outside_subject is not null)`, kind: 'flag' },
      hasPasskey: { value: sql`exists (select from passkeys where passkeys.user_id = u.id)`, kind: 'flag' },
      isErased: { value: sql`(u.erased_at is not null)`, kind: 'flag' },
    },
    search: createTextSearch([shownEmail, sql`u.forename`, sql`u.surname`, sql`u.position`]),
    defaultSort: declaration.defaultSort,
    ties: sql`u.surname, u.id`,
  }
}

const inAny = (ids: 'location_ids' | 'user_group_ids'): SQL =>
  sql`array(select distinct one from memberships m, unnest(m.${sql.raw(ids)}) one where m.user_id = u.id order by one)`

/** Every user, for administrators. */
export const everyUserList: ListSource = buildUserList({
  from: sql`users u`,
  where: sql`true`,
  access: {
    organisationIds: sql`array(select m.organisation_id from memberships m where m.user_id = u.id order by m.organisation_id)`,
    locationIds: inAny('location_ids'),
    userGroupIds: inAny('user_group_ids'),
  },
})

/** One page of all users. */
export async function readUserPage(tx: OrganisationTx, request: ListRequest): Promise<Paged<User>> {
  const { ids, total } = await readListPage<UserId>(tx, everyUserList, request)
  return { rows: orderByIds(ids, await readUserRecords(tx, ids), ({ id }) => id), total }
}

/**
 * The users that a bulk action applies to.
 * @throws DomainError 404
 */
export async function resolveSelectedUsers(tx: OrganisationTx, selection: BulkSelection): Promise<UserId[]> {
  const ids = await resolveSelectedIds<UserId>(tx, everyUserList, selection)
  if (!ids) throw notFound('User')
  return ids
}

/** All users, or some. The transaction must have platform scope, because users are stored outside the tenants. */
export async function readUserRecords(tx: OrganisationTx, only?: readonly UserId[]): Promise<User[]> {
  const rows = await tx
    .select({
      user: users,
      hasSecondStep: sql<boolean>`${authenticatorApps.confirmedAt} is not null`,
      hasPasskey: sql<boolean>`exists (select from ${passkeys} where ${passkeys.userId} = ${users.id})`,
    })
    .from(users)
    .leftJoin(authenticatorApps, eq(authenticatorApps.userId, users.id))
    .where(only && sql`${users.id} = any(${buildIntegerArray(only)})`)
    .orderBy(asc(users.surname), asc(users.id))
  const membershipRows = await tx
    .select()
    .from(memberships)
    .where(only && sql`${memberships.userId} = any(${buildIntegerArray(only)})`)
    .orderBy(asc(memberships.organisationId))
  const byUser = new Map<number, Membership[]>()
  for (const { userId, ...membership } of membershipRows) byUser.set(userId, [...(byUser.get(userId) ?? []), membership])
  return rows.map(({ user, ...has }) => presentUser(user, byUser.get(user.id) ?? [], has))
}

/** The users whose personal data was not erased. */
export function excludeErasedUsers(all: readonly User[]): User[] {
  return all.filter(({ isErased }) => !isErased)
}

/** @throws DomainError 404 */
export async function readUser(tx: OrganisationTx, id: UserId): Promise<User> {
  const [user] = await readUserRecords(tx, [id])
  if (!user) throw notFound('User')
  return user
}

/** The combined permissions of user groups. */
export async function readPermissionsOfGroups(tx: OrganisationTx, groupIds: readonly number[]): Promise<Set<Permission>> {
  const rows = await tx
    .select()
    .from(userGroups)
    .where(inArray(userGroups.id, [-1, ...groupIds]))
  return new Set(rows.flatMap((row) => toPermissions(row.permissions)))
}

/** The names of other active people in an organisation with a permission at a location, for rules that require two people. */
export async function listOthersWithPermission(
  { tx, organisationId, locationId }: Call<'organisationId' | 'locationId'>,
  permission: Permission,
  userId: UserId | null,
): Promise<string[]> {
  const granting = sql`exists (select from ${userGroups} where ${userGroups.id} = any(${memberships.userGroupIds}) and ${permission} = any(${userGroups.permissions}))`
  const rows = await tx
    .select({ forename: users.forename, surname: users.surname })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.organisationId, organisationId),
        eq(users.active, true),
        userId === null ? undefined : ne(users.id, userId),
        sql`(${memberships.locationIds} = '{}' or ${locationId} = any(${memberships.locationIds}))`,
        granting,
      ),
    )
    .orderBy(asc(users.surname), asc(users.id))
    .limit(4)
  return rows.map(({ forename, surname }) => `${forename} ${surname}`)
}

/** A person who can be notified. */
export interface NotifiablePerson {
  id: UserId
  name: string
  email: string
}

/**
 * The active people of an organisation, including administrators, with access to all the given locations and at least one permission of
 * each set.
 */
export async function listPeopleWithPermissions(
  tx: OrganisationTx,
  needed: readonly (readonly Permission[])[],
  { organisationId, locationIds }: { organisationId: OrganisationId; locationIds: readonly LocationId[] },
): Promise<NotifiablePerson[]> {
  const granting = sql.join(
    needed.map(
      (anyOf) =>
        sql`exists (select from ${userGroups} where ${userGroups.id} = any(${memberships.userGroupIds}) and ${userGroups.permissions} && ${sql.param(`{${anyOf.join(',')}}`)}::text[])`,
    ),
    sql` and `,
  )
  const there = sql`${sql.param(`{${locationIds.join(',')}}`)}::integer[] <@ ${memberships.locationIds}`
  const rows = await tx
    .select({ id: users.id, forename: users.forename, surname: users.surname, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.organisationId, organisationId),
        eq(users.active, true),
        sql`(${users.isAdministrator} or ((${memberships.locationIds} = '{}' or ${there}) and ${granting}))`,
      ),
    )
    .orderBy(asc(users.surname), asc(users.id))
  return rows.map(({ id, forename, surname, email }) => ({ id, name: `${forename} ${surname}`, email }))
}

/**
 * Refuses changes to people who have permissions or locations that the caller does not have: otherwise the caller could lock them out, or
 * take over their accounts.
 * @param standing the person's membership in the organisation
 * @throws DomainError 403
 */
export async function refuseUserBeyondCallerRights(
  tx: OrganisationTx,
  holder: { permissions: readonly Permission[]; locationIds: readonly LocationId[] | null },
  standing: Membership,
): Promise<void> {
  const rights = await readPermissionsOfGroups(tx, standing.userGroupIds)
  const { locationIds } = holder
  const isElsewhere = locationIds && (!standing.locationIds.length || standing.locationIds.some((id) => !locationIds.includes(id)))
  if (isElsewhere || [...rights].some((name) => !holder.permissions.includes(name)))
    throw new DomainError(
      'forbidden',
      'beyond',
      'This user has more permissions than you, or other locations. Ask someone who has all of them.',
    )
}

/**
 * @throws DomainError 403 if a console user would grant rights that they do not have, or change the administrator flag (behaviour B-273)
 */
export async function refuseGrantBeyondCallerRights(
  tx: OrganisationTx,
  holder: { permissions: readonly Permission[]; locationIds: readonly LocationId[] | null },
  { before, after }: { before: Membership; after: Membership },
): Promise<void> {
  const added = after.userGroupIds.filter((id) => !before.userGroupIds.includes(id))
  for (const permission of await readPermissionsOfGroups(tx, added)) if (!holder.permissions.includes(permission)) throw forbidden()
  if (!holder.locationIds) return
  const touched = [
    ...after.locationIds.filter((id) => !before.locationIds.includes(id)),
    ...before.locationIds.filter((id) => !after.locationIds.includes(id)),
  ]
  const widened = before.locationIds.length > 0 && after.locationIds.length === 0
  if (widened || touched.some((id) => !assertDefined(holder.locationIds).includes(id)))
    throw invalid([{ field: 'locationIds', message: 'Choose only your own locations.' }])
}

/**
 * Whether anyone besides the caller can use an organisation, or has been invited. An administrator's own invitation does not count.
 * @param isInvited whether users join by invitation; otherwise users who were added sign in with the external issuer
 */
export async function hasColleague(
  { tx, store, organisationId }: Call<'store' | 'organisationId'>,
  { userId, isInvited }: { userId: UserId | null; isInvited: boolean },
): Promise<boolean> {
  const isCaller = userId === null ? undefined : and(eq(users.isAdministrator, true), eq(users.id, userId))
  const [one] = await openStoreWithin(tx, store, organisationId).asPlatform((part) => {
    const canComeIn = or(isNotNull(users.passwordHash), exists(part.select().from(invitations).where(eq(invitations.userId, users.id))))
    return part
      .select({ id: users.id })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(and(eq(memberships.organisationId, organisationId), isInvited ? canComeIn : undefined, isCaller && not(isCaller)))
      .limit(1)
  })
  return one !== undefined
}

/**
 * A list of users as a CSV file, without erased users.
 * @param load reads users by id
 */
export async function writeUserFile(
  { tx, now }: Call<'now'>,
  rows: RowScope,
  { list, request, load }: { list: ListSource; request: ExportRequest; load: (ids: UserId[]) => Promise<User[]> },
): Promise<FileReply> {
  const columns = listColumns(declaration)
  const name = await prepareReferenceNamer(tx, declaration, rows)
  const ids = await readListIds<UserId>(tx, { ...list, where: sql`${list.where} and u.erased_at is null` }, request)
  return writeCsvFile(
    buildExportFileName((await readTerms(tx, rows.organisationId)).User.plural, now),
    columns.map((column) => column.heading),
    orderByIds(ids, await load(ids), ({ id }) => id).flatMap((user) => buildFileRows(declaration, { columns, record: { ...user }, name })),
  )
}
