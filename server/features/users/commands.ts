import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { BulkSelection } from '../../../domain/lists/lists.ts'
import { applyFlatAccess, areSameMemberships, type FlatAccess, flattenAccess, type Membership } from '../../../domain/people/memberships.ts'
import { type Permission, toPermissions } from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import { administratorUser, user as declaration } from '../../../domain/resources/entities/organisation/user.ts'
import { userFile } from '../../../domain/resources/personFile.ts'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import { buildNewRecord, checkRecord, listChangedFields, type RecordValues } from '../../../domain/resources/schema.ts'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { type LocationId, type OrganisationId, toLocationId, type UserId } from '../../../domain/values/ids.ts'
import { keysOf, recordFromKeys } from '../../../domain/values/keysOf.ts'
import { requireNumbers } from '../../../domain/values/unknownValues.ts'
import { conflict, DomainError, invalid, staleRecord } from '../../../domain/words/errors.ts'
import { invitations, memberships, passkeys, userGroups, users } from '../../../drizzle/accessTables.ts'
import { monitoringEvents } from '../../../drizzle/monitoringTables.ts'
import { budgetEvents, referenceChanges } from '../../../drizzle/schema.ts'
import { createUserErasedError } from '../../auth/erasedUsers.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import { advisoryLocks } from '../../core/database/advisoryLocks.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { getResourceTable } from '../../core/database/tables.ts'
import { eraseUserKey } from '../../core/database/userSeal.ts'
import type { ImportProgressReporter } from '../../resources/import/commands.ts'
import { createImportNames } from '../../resources/import/names.ts'
import { parseImportRows, saveImportRows } from '../../resources/import/read.ts'
import { buildIntegerArray } from '../../resources/listConditions.ts'
import { logRecordChange, logRecordChanges } from '../../resources/referenceLog.ts'
import { deleteViewsOfFormerOrganisations } from '../../shared/listViews/commands.ts'
import { toFieldProblems } from '../../shared/staff/commands.ts'
import {
  excludeErasedUsers,
  readUser,
  readUserRecords,
  resolveSelectedUsers,
  type User,
  type UserInput,
} from '../../shared/users/queries.ts'

const plain = (user: User): RecordValues => recordFromKeys(keysOf(declaration.fields), (name) => user[name])

/** The parts of a user that decide whether somebody can still manage users. */
type ManagementRights = Pick<User, 'active' | 'isAdministrator' | 'memberships'>

/** The facts that the rules about users need. */
interface UserFacts {
  organisationIds: ReadonlySet<number>
  /** The organisation that each location in the input belongs to. */
  owners: ReadonlyMap<LocationId, OrganisationId>
  /** The permissions of each user group. */
  groups: ReadonlyMap<number, readonly Permission[]>
  /** Whether another user has the email address. */
  isTaken: (email: string, before: User | null) => Promise<boolean>
  /** Reads all users except one. */
  others: (than: User) => Promise<readonly ManagementRights[]>
}

/** Reads the facts that do not depend on existing users. @param locationIds the locations in the input; all locations if omitted */
async function readPlacesAndGroups(
  tx: OrganisationTx,
  locationIds?: readonly LocationId[],
): Promise<Pick<UserFacts, 'organisationIds' | 'owners' | 'groups'>> {
  const organisations = getResourceTable(resources.organisation)
  const { table, columns } = getResourceTable(resources.location)
  const locations = await tx
    .select({ id: columns.id, owner: columns.organisationId })
    .from(table)
    .where(locationIds && inArray(columns.id, [...locationIds]))
  // Locked, so that a concurrent deletion of a group waits and then finds it in use.
  const groups = await tx
    .select({ id: userGroups.id, permissions: userGroups.permissions })
    .from(userGroups)
    .orderBy(userGroups.id)
    .for('key share')
  return {
    organisationIds: new Set(
      (await tx.select({ id: organisations.columns.id }).from(organisations.table)).map((organisation) => organisation.id),
    ),
    owners: new Map(locations.map((location) => [location.id, location.owner])),
    groups: new Map(groups.map(({ id, permissions }) => [id, toPermissions(permissions)])),
  }
}

/** Refuses unknown organisations, locations of another organisation, and deleted groups. */
function checkMemberships({ organisationIds, owners, groups }: UserFacts, list: readonly Membership[]): void {
  const all = flattenAccess(list)
  if (all.organisationIds.some((id) => !organisationIds.has(id)) || list.length > all.organisationIds.length)
    throw invalid([{ field: 'organisationIds', message: 'Organisation was not found.' }])
  if (list.some((one) => one.locationIds.some((id) => owners.get(id) !== one.organisationId)))
    throw invalid([{ field: 'locationIds', message: 'Locations must belong to the chosen organisations.' }])
  if (all.userGroupIds.some((id) => !groups.has(id))) throw invalid([{ field: 'userGroupIds', message: 'User group was not found.' }])
}

/**
 * Refuses a change that leaves no administrator (behaviour B-274), or leaves an organisation's users without anyone who may manage users.
 * @param after the user after the change; null if deleted
 * @throws DomainError 409 (notices T-35)
 */
async function refuseIfNobodyManages(
  { groups, others }: Pick<UserFacts, 'groups' | 'others'>,
  before: User,
  after: ManagementRights | null,
): Promise<void> {
  if (!before.active) return
  const isLast = (): DomainError => conflict('lastAdministrator', 'The last administrator cannot be removed.')
  if (before.isAdministrator && !(after?.active && after.isAdministrator)) {
    if (!(await others(before)).some((one) => one.active && one.isAdministrator)) throw isLast()
  }
  const manages = ({ userGroupIds }: Membership): boolean => userGroupIds.some((id) => groups.get(id)?.includes('ConsoleUsersReadUpdate'))
  for (const { organisationId } of before.memberships.filter(manages)) {
    const here = ({ active, memberships: all }: ManagementRights): Membership[] =>
      active ? all.filter((one) => one.organisationId === organisationId) : []
    if (after && here(after).some(manages)) continue
    const left = (await others(before)).flatMap(here)
    if (left.length && !left.some(manages)) throw isLast()
  }
}

/** Refuses to remove a user who is the last one able to manage users. @throws DomainError 409 */
export async function refuseLastManager(tx: OrganisationTx, user: User): Promise<void> {
  await refuseIfNobodyManages({ ...(await readPlacesAndGroups(tx, [])), others: createOthersReader(tx) }, user, null)
}

/** The fields of a user that the declaration lists. */
type UserFields = Pick<User, keyof typeof declaration.fields>

/** The stored and the new values of a user. */
interface DecidedUser {
  before: User | null
  row: Omit<UserFields, keyof FlatAccess | 'lastSignIn'>
  memberships: Membership[]
}

/**
 * Decides the new values of a user; null if nothing changes. The caller must have checked permissions.
 * @throws DomainError 400 for each invalid field; 409 for an address in use, a stale version, or the last administrator
 */
async function decideUser(facts: UserFacts, before: User | null, input: UserInput): Promise<DecidedUser | null> {
  if (before?.isErased) throw createUserErasedError()
  if (before && input.version != null && input.version !== before.version) {
    const fields = listChangedFields(declaration, { ...plain(before), ...input }, plain(before))
    throw staleRecord({ version: before.version, record: before, fields })
  }
  const wanted = validateUser(input)
  const list = input.memberships ?? applyFlatAccess(before?.memberships ?? [], wanted, facts.owners)
  checkMemberships(facts, list)
  if (await facts.isTaken(wanted.email, before))
    throw new DomainError('conflict', 'duplicate', 'Email is already used.', {
      fields: [{ field: 'email', message: 'Email is already used.' }],
    })
  if (before) await refuseIfNobodyManages(facts, before, { ...wanted, memberships: list })
  const { organisationIds: _o, locationIds: _l, userGroupIds: _g, lastSignIn: _s, ...row } = wanted
  const isSame =
    before &&
    areSameMemberships(before.memberships, list) &&
    !listChangedFields(declaration, plain(before), { ...plain(before), ...row }).length
  return isSame ? null : { before, row, memberships: list }
}

/**
 * Validates the input against the declaration.
 * @throws DomainError 400 with the problem at each field
 */
function validateUser(input: UserInput): UserFields {
  const { values, problems } = checkRecord(input.isAdministrator ? administratorUser : declaration, {
    ...input,
    ...(input.memberships && flattenAccess(input.memberships)),
    lastSignIn: null,
  })
  if (problems.length) throw invalid(problems)
  // The declaration has validated the values, and the type is derived from it.
  return values as RecordValues & UserFields
}

/** The most users that one statement writes. */
const usersPerStatement = 2000

/**
 * Writes decided changes to users in batches.
 * @returns them as stored now, in the same order
 */
async function writeUsers({ tx, actor }: Call<'actor'>, decided: readonly DecidedUser[]): Promise<User[]> {
  const written: User[] = []
  for (let start = 0; start < decided.length; start += usersPerStatement) {
    const some = decided.slice(start, start + usersPerStatement)
    const fresh = some.flatMap(({ before, row }) => (before ? [] : [row]))
    const inserted = fresh.length ? await tx.insert(users).values(fresh).returning({ id: users.id, email: users.email }) : []
    const ids = new Map(inserted.map(({ id, email }) => [email, id]))
    const all = some.map((one) => ({ ...one, id: one.before?.id ?? assertDefined(ids.get(one.row.email)) }))
    const changed = all.flatMap(({ id, before, row }) => (before ? [{ ...row, id }] : []))
    if (changed.length)
      await tx.execute(sql`
        update users set email = changed.email, forename = changed.forename, surname = changed.surname, position = changed.position,
          phone_number = changed."phoneNumber", avatar_id = changed."avatarId", is_administrator = changed."isAdministrator",
          active = changed.active, version = users.version + 1
        from json_to_recordset(${JSON.stringify(changed)}::json) as changed(id integer, email text, forename text, surname text, position text,
          "phoneNumber" text, "avatarId" integer, "isAdministrator" boolean, active boolean)
        where users.id = changed.id`)
    // A password link may have been mailed to the old address. Delete it, so that a reader of that mailbox cannot choose the password.
    const moved = all.flatMap(({ id, before, row }) => (before && before.email.toLowerCase() !== row.email.toLowerCase() ? [id] : []))
    if (moved.length) await tx.delete(invitations).where(sql`${invitations.userId} = any(${buildIntegerArray(moved)})`)
    const changedIds = buildIntegerArray(changed.map(({ id }) => id))
    if (changed.length) await tx.delete(memberships).where(sql`${memberships.userId} = any(${changedIds})`)
    const access = all.flatMap(({ id, memberships: list }) => list.map((one) => ({ ...one, userId: id })))
    if (access.length) await tx.insert(memberships).values(access)
    if (changed.length)
      await deleteViewsOfFormerOrganisations(
        tx,
        changed.map(({ id }) => id),
      )
    const stand = new Map(
      (
        await readUserRecords(
          tx,
          all.map(({ id }) => id),
        )
      ).map((user) => [user.id, user]),
    )
    const saved = all.map(({ id, before }) => ({ before, after: assertDefined(stand.get(id)) }))
    await logRecordChanges(
      { tx, actor },
      { name: 'user' },
      saved.map(({ before, after }) => ({
        action: before ? 'updated' : 'created',
        before: before && toLoggedUser(before),
        after: toLoggedUser(after),
      })),
    )
    written.push(...saved.map(({ after }) => after))
  }
  return written
}

/** Locks user changes until the transaction ends: one at a time, because checking that somebody can still manage users reads all users. */
export async function lockUserChanges(tx: OrganisationTx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.users})`)
}

/** All users except one, read from the database. */
const createOthersReader =
  (tx: OrganisationTx): UserFacts['others'] =>
  async ({ id }) =>
    (await readUserRecords(tx)).filter((one) => one.id !== id)

/**
 * Creates or changes a user. The caller has checked permissions.
 * @throws DomainError 400 for each invalid field, 409 for an address in use, a stale version, or the last administrator
 */
export async function saveUser(tx: OrganisationTx, input: UserInput, actor: Actor): Promise<User> {
  await lockUserChanges(tx)
  const before = input.id ? await readUser(tx, input.id) : null
  const facts: UserFacts = {
    ...(await readPlacesAndGroups(tx, validateUser(input).locationIds)),
    isTaken: async (email) => {
      const [same] = await tx
        .select({ id: users.id })
        .from(users)
        .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), before ? ne(users.id, before.id) : undefined))
      return same !== undefined
    },
    others: createOthersReader(tx),
  }
  const decided = await decideUser(facts, before, input)
  return decided ? requireSingleRow(await writeUsers({ tx, actor }, [decided])) : assertDefined(before)
}

/**
 * Saves many users together. All users are read once, each change is checked against the others with the changes before it, and all are
 * written at the end. No other transaction can change users meanwhile.
 */
async function startUserBatch(call: Call<'actor'>) {
  const { tx } = call
  // Take the lock before reading users, so that no concurrent change is overwritten.
  await lockUserChanges(tx)
  const all = await readUserRecords(tx)
  const known = excludeErasedUsers(all)
  const standing = new Map<number, ManagementRights>(known.map((user) => [user.id, user]))
  const addresses = new Map<string, number>(known.map(({ id, email }) => [email.toLowerCase(), id]))
  const facts: UserFacts = {
    ...(await readPlacesAndGroups(tx)),
    isTaken: async (email, before) => {
      const holder = addresses.get(email.toLowerCase())
      return holder !== undefined && holder !== before?.id
    },
    others: async ({ id }) => [...standing].flatMap(([other, one]) => (other === id ? [] : [one])),
  }
  const decided: DecidedUser[] = []
  return {
    all,
    known: new Map(known.map((user) => [user.email.toLowerCase(), user])),
    /** Decides the new values of one user. @throws DomainError as `saveUser` */
    save: async (before: User | null, input: UserInput): Promise<'created' | 'updated' | 'same'> => {
      const next = await decideUser(facts, before, input)
      if (!next) return 'same'
      decided.push(next)
      // New users have no id yet; temporary negative ids distinguish them.
      const id = before?.id ?? -decided.length
      standing.set(id, { ...next.row, memberships: next.memberships })
      if (before) addresses.delete(before.email.toLowerCase())
      addresses.set(next.row.email.toLowerCase(), id)
      return before ? 'updated' : 'created'
    },
    write: (): Promise<User[]> => writeUsers(call, decided),
  }
}

/**
 * Changes the same fields of many users, all or none, in batches.
 * @param selection read while nobody else can change users. Selecting all skips erased users; selecting one individually is refused
 * @throws DomainError as `saveUser` does for each of them
 */
export async function editUsers(call: Call<'actor'>, selection: BulkSelection, patch: RecordValues): Promise<number> {
  const many = await startUserBatch(call)
  const ids = new Set(await resolveSelectedUsers(call.tx, selection))
  const chosen = many.all.filter(({ id }) => ids.has(id))
  const found = excludeErasedUsers(chosen)
  if (!selection.state.selectAll && found.length < chosen.length) throw createUserErasedError()
  for (const user of found) await many.save(user, { ...flat(user), ...patch })
  await many.write()
  return found.length
}

/** Logs users that other code created or changed, such as the set-up of an installation. */
export async function logUsers(call: Call<'actor'>, ids: readonly UserId[], action: 'created' | 'updated'): Promise<void> {
  const { tx } = call
  for (const user of await readUserRecords(tx, ids))
    await logRecordChange(
      call,
      { name: 'user' },
      { action, before: action === 'created' ? null : toLoggedUser(user), after: toLoggedUser(user) },
    )
}

/** A user as the change log stores them. */
export function toLoggedUser(user: User): AnyRecord {
  return { ...user, organisationId: null }
}

/**
 * Deletes users to whom the history does not refer.
 * @throws DomainError 409 for the last administrator, and for users to whom the change log refers
 */
export async function deleteUsers(tx: OrganisationTx, wanted: readonly UserId[], actor: Actor): Promise<number> {
  await lockUserChanges(tx)
  const rules = await readPlacesAndGroups(tx, [])
  for (const id of wanted) {
    if (id === actor.userId) throw conflict('self', 'You cannot delete yourself. Ask another administrator.')
    const user = await readUser(tx, id)
    await refuseIfNobodyManages({ ...rules, others: createOthersReader(tx) }, user, null)
    const [acted] = await tx.select({ id: referenceChanges.id }).from(referenceChanges).where(eq(referenceChanges.actorId, id)).limit(1)
    const [budgeted] = await tx.select({ version: budgetEvents.version }).from(budgetEvents).where(eq(budgetEvents.actorId, id)).limit(1)
    const [monitored] = await tx
      .select({ version: monitoringEvents.version })
      .from(monitoringEvents)
      .where(eq(monitoringEvents.actorId, id))
      .limit(1)
    if (acted || budgeted || monitored)
      throw conflict(
        'inUse',
        `${user.forename} ${user.surname} has made changes that are recorded in the history, so cannot be deleted. Make the user inactive or erase their personal data instead.`,
      )
    await removeRow({ tx, actor }, user)
  }
  return wanted.length
}

/**
 * Removes a user without checking the rules, for the operator of the installation.
 * @param isNamed whether the remaining history refers to the user: their row then stays, blocked and without memberships
 */
export async function removeUserUnchecked(call: Call<'actor'>, user: User, isNamed: boolean): Promise<void> {
  const { tx } = call
  await tx.delete(invitations).where(eq(invitations.userId, user.id))
  await tx.delete(passkeys).where(eq(passkeys.userId, user.id))
  if (isNamed) {
    const { version } = user
    await tx
      .update(users)
      .set({ passwordHash: null, active: false, isAdministrator: false, version: version + 1 })
      .where(eq(users.id, user.id))
    const after = await readUser(tx, user.id)
    await logRecordChange(call, { name: 'user' }, { action: 'updated', before: toLoggedUser(user), after: toLoggedUser(after) })
    return
  }
  await removeRow(call, user)
}

/** Deletes a user's row, and the key that decrypts their identity in the log. */
async function removeRow(call: Call<'actor'>, user: User): Promise<void> {
  const { tx } = call
  await tx.delete(users).where(eq(users.id, user.id))
  await eraseUserKey(tx, user.id)
  await logRecordChange(call, { name: 'user' }, { action: 'deleted', before: toLoggedUser(user), after: null })
}

const flat = ({
  memberships: _own,
  hasPassword: _has,
  hasSecondStep: _step,
  isLinkedOutside: _linked,
  hasPasskey: _passkey,
  isErased: _erased,
  created: _created,
  version: _version,
  ...user
}: User): RecordValues => ({ ...user })

/**
 * Imports users. A row with a known address changes that user (behaviour B-141). The import sets no passwords; users
 * are invited afterwards.
 */
export async function importUsers(
  { tx, scope, actor }: Call<'scope' | 'actor'>,
  rows: readonly Record<string, string>[],
  progress?: ImportProgressReporter,
) {
  const read = parseImportRows(declaration, rows, (await createImportNames(tx, declaration, scope)).find)
  const many = await startUserBatch({ tx, actor })
  const result = await saveImportRows(declaration, {
    rows: read,
    save: (values) => {
      const before = many.known.get(readAddress(values)) ?? null
      return many.save(before, { ...(before ? flat(before) : buildNewRecord(declaration)), ...values })
    },
    problemsOf: toFieldProblems,
    progress,
  })
  await many.write()
  return result
}

/** The email address in a row, by which the user is found. */
const readAddress = ({ email }: RecordValues): string =>
  String(email ?? '')
    .trim()
    .toLowerCase()

/**
 * Adds people to one organisation with the memberships in a file. A row with a known address changes that user's membership here. Their
 * other memberships do not change, nor do the names of users who belong to other organisations or are administrators.
 * @throws DomainError with one error for each invalid cell; nothing is saved
 */
export async function importUsersOfOrganisation(
  { tx, organisationId, scope, actor }: Call<'organisationId' | 'scope' | 'actor'>,
  rows: readonly Record<string, string>[],
  progress?: ImportProgressReporter,
) {
  const read = parseImportRows(userFile, rows, (await createImportNames(tx, userFile, scope)).find)
  const many = await startUserBatch({ tx, actor })
  const result = await saveImportRows(userFile, {
    rows: read,
    save: async (values) => {
      const missing = checkRecord(userFile, { ...buildNewRecord(userFile), ...values }).problems
      if (missing.length) throw invalid(missing)
      const before = many.known.get(readAddress(values)) ?? null
      const others = before?.memberships.filter((one) => one.organisationId !== organisationId) ?? []
      const here = before?.memberships.find((one) => one.organisationId === organisationId)
      const isOwn = !before || (!others.length && !before.isAdministrator)
      const { userGroupIds, locationIds, ...details } = values
      const membership = {
        organisationId,
        userGroupIds: requireNumbers(userGroupIds),
        locationIds: locationIds === undefined ? (here?.locationIds ?? []) : requireNumbers(locationIds).map(toLocationId),
      }
      const input = {
        ...(before ? flat(before) : buildNewRecord(declaration)),
        ...(isOwn && details),
        memberships: [...others, membership],
      }
      return many.save(before, input)
    },
    problemsOf: toFieldProblems,
    progress,
  })
  await many.write()
  return result
}
