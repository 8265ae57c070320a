import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { conflict, DomainError, invalid, stale } from '../../../domain/errors.ts'
import type { OrganisationId } from '../../../domain/ids.ts'
import { keysOf, recordOf } from '../../../domain/keysOf.ts'
import { flatAccess, type Membership, sameMemberships, withFlatAccess } from '../../../domain/memberships.ts'
import { must } from '../../../domain/must.ts'
import { resources } from '../../../domain/resources/all.ts'
import { administratorUser, user as declaration } from '../../../domain/resources/entities/user.ts'
import { personFile } from '../../../domain/resources/personFile.ts'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import { changedFields, checkRecord, newRecord, type Values } from '../../../domain/resources/schema.ts'
import { numbersOf } from '../../../domain/values.ts'
import { invitations, memberships, passkeys, userGroups, users } from '../../../drizzle/accessTables.ts'
import { monitoringEvents } from '../../../drizzle/monitoringTables.ts'
import { budgetEvents, referenceChanges } from '../../../drizzle/schema.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { tableFor } from '../../core/database/tables.ts'
import type { Progress } from '../../resources/import/commands.ts'
import { importNames } from '../../resources/import/names.ts'
import { readImport, saveEach } from '../../resources/import/read.ts'
import { recordChange } from '../../resources/referenceLog.ts'
import { problemsOf } from '../staffing/staff/commands.ts'
import { allUsers, getUser, permissionsOfGroups, type User, type UserInput } from './queries.ts'

const plain = (user: User): Values => recordOf(keysOf(declaration.fields), (name) => user[name])

async function ownersOf(tx: OrganisationTx, locationIds: readonly number[]): Promise<Map<number, OrganisationId>> {
  if (!locationIds.length) return new Map()
  const { table, columns } = tableFor(resources.location)
  const rows = await tx
    .select({ id: columns.id, owner: columns.organisationId })
    .from(table)
    .where(inArray(columns.id, [...locationIds]))
  return new Map(rows.map((row) => [row.id, row.owner]))
}

/** What belongs to nobody is refused: organisations, locations of another organisation, groups that are gone. */
async function checkMemberships(tx: OrganisationTx, list: readonly Membership[]): Promise<void> {
  const all = flatAccess(list)
  const organisations = tableFor(resources.organisation)
  const known = await tx
    .select({ id: organisations.columns.id })
    .from(organisations.table)
    .where(inArray(organisations.columns.id, [-1, ...all.organisationIds]))
  if (known.length < all.organisationIds.length || list.length > all.organisationIds.length)
    throw invalid([{ field: 'organisationIds', message: 'Organisations was not found.' }])
  const owners = await ownersOf(tx, all.locationIds)
  if (list.some((one) => one.locationIds.some((id) => owners.get(id) !== one.organisationId)))
    throw invalid([{ field: 'locationIds', message: 'Locations must belong to the chosen organisations.' }])
  const groups = await tx
    .select({ id: userGroups.id })
    .from(userGroups)
    .where(inArray(userGroups.id, [-1, ...all.userGroupIds]))
  if (groups.length < all.userGroupIds.length) throw invalid([{ field: 'userGroupIds', message: 'User groups was not found.' }])
}

/** @throws DomainError 409 (notices T-35) when nobody would be left who may do everything (behaviour B-274) */
async function keepAdministrator(tx: OrganisationTx, userId: number): Promise<void> {
  const [other] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isAdministrator, true), eq(users.active, true), ne(users.id, userId)))
    .limit(1)
  if (!other) throw lastAdministrator()
}

const lastAdministrator = (): DomainError => conflict('lastAdministrator', 'The last administrator cannot be removed.')

/** In an organisation that still has people, somebody must be left who may change its users. */
async function keepManagers(
  tx: OrganisationTx,
  userId: number,
  { before, after }: { before: readonly Membership[]; after: readonly Membership[] },
): Promise<void> {
  const manages = async (one: Membership | undefined): Promise<boolean> =>
    one !== undefined && (await permissionsOfGroups(tx, one.userGroupIds)).has('ConsoleUsersReadUpdate')
  for (const membership of before) {
    const { organisationId } = membership
    if (!(await manages(membership)) || (await manages(after.find((one) => one.organisationId === organisationId)))) continue
    const others = await tx
      .select({ groups: memberships.userGroupIds })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(and(eq(memberships.organisationId, organisationId), eq(users.active, true), ne(users.id, userId)))
    const rights = await permissionsOfGroups(
      tx,
      others.flatMap((one) => one.groups),
    )
    if (others.length && !rights.has('ConsoleUsersReadUpdate')) throw lastAdministrator()
  }
}

/** Lets changes of users come one after the other: whether somebody is left who may look after them is told by reading all. */
export async function oneUserAtATime(tx: OrganisationTx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(7342010)`)
}

/**
 * Creates or changes a user. The caller has already made sure who may change what.
 * @throws DomainError 400 at its field, 409 for an address already used, a stale version, or the last administrator
 */
export async function saveUser(tx: OrganisationTx, input: UserInput, actor: Actor): Promise<User> {
  await oneUserAtATime(tx)
  const before = input.id ? await getUser(tx, input.id) : null
  if (before && input.version != null && input.version !== before.version) {
    const fields = changedFields(declaration, { ...plain(before), ...input }, plain(before))
    throw stale({ version: before.version, record: before, fields })
  }
  const given = input.memberships ? flatAccess(input.memberships) : {}
  const { values, problems } = checkRecord(input.isAdministrator ? administratorUser : declaration, {
    ...input,
    ...given,
    lastSignIn: null,
  })
  if (problems.length) throw invalid(problems)
  // Checked by the declaration, from which the type is made too.
  const wanted = values as Values & Omit<User, 'memberships'>
  const list = input.memberships ?? withFlatAccess(before?.memberships ?? [], wanted, await ownersOf(tx, wanted.locationIds))
  await checkMemberships(tx, list)
  const { email } = wanted
  const [same] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), before ? ne(users.id, before.id) : undefined))
  if (same)
    throw new DomainError('conflict', 'duplicate', 'Email is already used.', {
      fields: [{ field: 'email', message: 'Email is already used.' }],
    })
  if (before?.active && before.isAdministrator && !(wanted.active && wanted.isAdministrator)) await keepAdministrator(tx, before.id)
  if (before?.active) await keepManagers(tx, before.id, { before: before.memberships, after: wanted.active ? list : [] })
  const { organisationIds: _o, locationIds: _l, userGroupIds: _g, lastSignIn: _s, ...row } = wanted
  if (
    before &&
    sameMemberships(before.memberships, list) &&
    !changedFields(declaration, plain(before), { ...plain(before), ...row }).length
  )
    return before
  const id = before ? before.id : must((await tx.insert(users).values(row).returning({ id: users.id }))[0]).id
  if (before)
    await tx
      .update(users)
      .set({ ...row, version: before.version + 1 })
      .where(eq(users.id, id))
  await tx.delete(memberships).where(eq(memberships.userId, id))
  if (list.length) await tx.insert(memberships).values(list.map((one) => ({ ...one, userId: id })))
  // Who is shut out shall not come back by a link of before.
  if (!row.active) await tx.delete(invitations).where(eq(invitations.userId, id))
  const saved = await getUser(tx, id)
  await recordChange(
    { tx, actor },
    { name: 'user' },
    { action: before ? 'updated' : 'created', before: before && logged(before), after: logged(saved) },
  )
  return saved
}

/** Logs users that were made, or given access, past these functions: those that an installation begins with. */
export async function logUsers(call: Call<'actor'>, ids: readonly number[], action: 'created' | 'updated'): Promise<void> {
  const { tx } = call
  for (const user of await allUsers(tx, ids))
    await recordChange(call, { name: 'user' }, { action, before: action === 'created' ? null : logged(user), after: logged(user) })
}

function logged(user: User): AnyRecord {
  return { ...user, organisationId: null }
}

/** Removes users nobody needs in a history. @throws DomainError 409 for the last administrator, and for people whose changes the log names */
export async function deleteUsers(tx: OrganisationTx, wanted: readonly number[], actor: Actor): Promise<number> {
  await oneUserAtATime(tx)
  for (const id of wanted) {
    if (id === actor.userId) throw conflict('self', 'You cannot delete yourself. Ask another administrator.')
    const user = await getUser(tx, id)
    if (user.active && user.isAdministrator) await keepAdministrator(tx, id)
    if (user.active) await keepManagers(tx, id, { before: user.memberships, after: [] })
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
        `${user.forename} ${user.surname} has made changes that the history names and cannot be deleted. Make the user inactive instead.`,
      )
    await tx.delete(users).where(eq(users.id, id))
    await recordChange({ tx, actor }, { name: 'user' }, { action: 'deleted', before: logged(user), after: null })
  }
  return wanted.length
}

/**
 * Removes a user whatever they are, where whoever runs the installation says so.
 * @param isNamed the history of what stays names them: they are kept, shut out, in no organisation
 */
export async function removeUser(call: Call<'actor'>, user: User, isNamed: boolean): Promise<void> {
  const { tx } = call
  await tx.delete(invitations).where(eq(invitations.userId, user.id))
  await tx.delete(passkeys).where(eq(passkeys.userId, user.id))
  if (isNamed) {
    const { version } = user
    await tx
      .update(users)
      .set({ passwordHash: null, active: false, isAdministrator: false, version: version + 1 })
      .where(eq(users.id, user.id))
    const after = await getUser(tx, user.id)
    await recordChange(call, { name: 'user' }, { action: 'updated', before: logged(user), after: logged(after) })
    return
  }
  await tx.delete(users).where(eq(users.id, user.id))
  await recordChange(call, { name: 'user' }, { action: 'deleted', before: logged(user), after: null })
}

const flat = ({
  memberships: _own,
  hasPassword: _has,
  hasSecondStep: _step,
  isLinkedOutside: _linked,
  hasPasskey: _passkey,
  created: _created,
  version: _version,
  ...user
}: User): Values => ({ ...user })

/** Imports users; a row with a known address changes that user (behaviour B-141). Nobody gets a password by it: people are invited after. */
export async function importUsers(
  { tx, scope, actor }: Call<'scope' | 'actor'>,
  rows: readonly Record<string, string>[],
  progress?: Progress,
) {
  const read = readImport(declaration, rows, (await importNames(tx, declaration, scope)).find)
  // Before people are read: what somebody else changes meanwhile would be put back.
  await oneUserAtATime(tx)
  const known = new Map((await allUsers(tx)).map((user) => [user.email.toLowerCase(), user]))
  return saveEach(declaration, {
    rows: read,
    save: async (values) => {
      const before = known.get(
        String(values.email ?? '')
          .trim()
          .toLowerCase(),
      )
      const saved = await saveUser(tx, { ...(before ? flat(before) : newRecord(declaration)), ...values }, actor)
      return before ? (saved.version === before.version ? 'same' : 'updated') : 'created'
    },
    problemsOf,
    progress,
  })
}

/**
 * Adds people to one organisation, by what a file says that each may do there; a row with a known address changes what that user is there.
 * What they are in other organisations stays as it is, and so do the names of somebody who belongs to others too or administers the product.
 * @throws DomainError with one error for each broken cell; nothing is saved then
 */
export async function importPeople(
  { tx, organisationId, scope, actor }: Call<'organisationId' | 'scope' | 'actor'>,
  rows: readonly Record<string, string>[],
  progress?: Progress,
) {
  const read = readImport(personFile, rows, (await importNames(tx, personFile, scope)).find)
  await oneUserAtATime(tx)
  const known = new Map((await allUsers(tx)).map((user) => [user.email.toLowerCase(), user]))
  return saveEach(personFile, {
    rows: read,
    save: async (values) => {
      const missing = checkRecord(personFile, { ...newRecord(personFile), ...values }).problems
      if (missing.length) throw invalid(missing)
      const before = known.get(String(values.email).trim().toLowerCase())
      const others = before?.memberships.filter((one) => one.organisationId !== organisationId) ?? []
      const here = before?.memberships.find((one) => one.organisationId === organisationId)
      const isOwn = !before || (!others.length && !before.isAdministrator)
      const { userGroupIds, locationIds, ...details } = values
      const membership = {
        organisationId,
        userGroupIds: numbersOf(userGroupIds),
        locationIds: locationIds === undefined ? (here?.locationIds ?? []) : numbersOf(locationIds),
      }
      const saved = await saveUser(
        tx,
        { ...(before ? flat(before) : newRecord(declaration)), ...(isOwn && details), memberships: [...others, membership] },
        actor,
      )
      return before ? (saved.version === before.version ? 'same' : 'updated') : 'created'
    },
    problemsOf,
    progress,
  })
}
