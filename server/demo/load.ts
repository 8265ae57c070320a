import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { lookups } from '../../domain/lookups/lookups.ts'
import { resources } from '../../domain/resources/all.ts'
import type { LocationId, UserId } from '../../domain/values/ids.ts'
import { isOneOf } from '../../domain/values/keysOf.ts'
import { must, onlyRow } from '../../domain/values/must.ts'
import { apiClients, memberships, userGroups, users } from '../../drizzle/accessTables.ts'
import { organisations, referenceChanges } from '../../drizzle/schema.ts'
import { passwordHash } from '../auth/accounts.ts'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { sha256 } from '../core/stream/hash.ts'
import { logUsers } from '../features/users/commands.ts'
import { recordChanges, removedOrganisation } from '../resources/referenceLog.ts'
import { demoClients, demoPassword, demoUsers, groups } from './access.ts'
import { adder } from './adder.ts'
import { type DemoPerson, diaryOf, momentOf } from './diary.ts'
import { loadHelp } from './help.ts'
import { harbour, type School } from './jobs.ts'
import { lastYear } from './lastYear.ts'
import { welcome, yearlyReminders } from './messages.ts'
import { payrollMonths } from './payroll.ts'
import { addAllowances, addNewColumns, addNewTables, emptyLondonRates, loadReference } from './reference.ts'
import { autumn, dearerAward, rounds } from './thisYear.ts'
import { type BuiltTrust, buildTrust } from './trust.ts'

const actor = (requestId: string) => ({ userId: null, requestId, now: new Date() })
const meadow: School[] = [
  { name: 'Meadow Infant School', alias: 'Meadow', authority: 'Norfolk', region: 1, dfe: '926/2001', contracts: 18 },
  { name: 'Orchard Junior School', alias: 'Orchard', authority: 'Norfolk', region: 1, dfe: '926/2002', contracts: 22 },
]

/** Whether a record of this kind was ever made in a load with this mark: the log remembers what was deleted since. */
async function wasMade(tx: OrganisationTx, condition: SQL): Promise<boolean> {
  const [row] = await tx.select({ id: referenceChanges.id }).from(referenceChanges).where(condition).limit(1)
  return row !== undefined
}

/**
 * Loads what every installation begins with, all in one transaction: national reference data, the user groups and the help. Later it only
 * adds the tables, and brings the help pages up to date, that a newer version ships.
 */
export function loadFoundation(store: Store): Promise<void> {
  return store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.filling})`)
    const isThere = await wasMade(tx, eq(referenceChanges.resource, resources.adminTable.name))
    await loadHelp(tx, actor('help'))
    if (isThere) {
      // Before rows come with their London columns empty: those would say that it was done.
      await emptyLondonRates(tx, actor('reference'))
      await addNewTables(tx, actor('reference'))
      await addAllowances(tx, actor('reference'))
      return addNewColumns(tx, actor('reference'))
    }
    await loadReference(tx, actor('reference'))
    await yearlyReminders(adder(tx, actor('messages')))
    const made = await tx
      .insert(userGroups)
      .values(
        groups.map((group) => ({
          name: group.name,
          permissions: lookups.permissions.filter((item) => isOneOf(group.permissions, item.name)),
        })),
      )
      .returning()
    await recordChanges(
      { tx, actor: actor('groups') },
      resources.userGroup,
      made.map((group) => ({ action: 'created', before: null, after: { ...group, organisationId: null } })),
    )
  })
}

/**
 * Loads the demo trusts beside the foundation into a database without organisations, where somebody asked for them. What was deleted does not
 * come back: the log says that it was there.
 * @param hasYear whether there is a year of work behind Harbour Learning Trust; without, everything in it was made this minute
 */
export async function loadDemo(store: Store, { hasYear = false } = {}): Promise<{ staff: number; contracts: number } | null> {
  await loadFoundation(store)
  const hash = await passwordHash(demoPassword)
  return store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.filling})`)
    if (await wasMade(tx, inArray(referenceChanges.resource, [resources.organisation.name, removedOrganisation.name]))) return null
    await welcome(adder(tx, actor('messages')))
    const known = await tx.select({ id: userGroups.id, name: userGroups.name }).from(userGroups)
    const groupIds = new Map(known.map((group) => [group.name, group.id]))
    const people = await addPeople(tx, hash)
    const trusts = {
      harbour: hasYear ? await livedIn(tx, people) : await freshHarbour(tx),
      meadow: await buildTrust({ tx, actor: actor('demo-meadow') }, { name: 'Meadow Schools Trust', schools: meadow, seed: 77 }),
    }
    if (hasYear)
      await dearerAward(tx, trusts.meadow.organisationId, {
        ...actor('demo-meadow'),
        userId: must(people.get('finance@meadow.example')).id,
      })
    for (const user of demoUsers) {
      const { id } = must(people.get(user.email))
      if (user.isAdministrator) for (const trust of Object.values(trusts)) await join(tx, id, { trust, locationIds: [], userGroupIds: [] })
      if (user.trust)
        await join(tx, id, {
          trust: trusts[user.trust],
          locationIds: user.school ? [must(trusts[user.trust].locations.get(user.school))] : [],
          userGroupIds: [must(groupIds.get(must(user.group)))],
        })
    }
    await logUsers(
      { tx, actor: actor('demo') },
      [...people.values()].map(({ id }) => id),
      'created',
    )
    for (const { clientId, secret, name, trust } of demoClients)
      await tx.insert(apiClients).values({
        clientId,
        secret: sha256(secret),
        name,
        organisationId: trusts[trust].organisationId,
        userGroupIds: [must(groupIds.get('Integration'))],
      })
    return { staff: trusts.harbour.staff + trusts.meadow.staff, contracts: trusts.harbour.contracts + trusts.meadow.contracts }
  })
}

/** @returns the people of the demo by their addresses; they belong nowhere yet */
async function addPeople(tx: OrganisationTx, passwordHash: string): Promise<Map<string, DemoPerson>> {
  const people = new Map<string, DemoPerson>()
  for (const { email, forename, surname, position, isAdministrator } of demoUsers) {
    const { id } = onlyRow(await tx.insert(users).values({ email, forename, surname, position, isAdministrator, passwordHash }).returning())
    people.set(email, { id, name: `${forename} ${surname}` })
  }
  return people
}

const harbourTrust = { name: 'Harbour Learning Trust', schools: harbour, seed: 20_260_901 }

async function freshHarbour(tx: OrganisationTx): Promise<BuiltTrust> {
  const trust = await buildTrust({ tx, actor: actor('demo-harbour') }, harbourTrust)
  const now = actor('demo-harbour-payroll')
  await payrollMonths(tx, trust, { september: now, completed: now, october: now })
  return trust
}

/** Harbour Learning Trust with the year behind it: every change by who made it, on the day on which they did. */
async function livedIn(tx: OrganisationTx, people: ReadonlyMap<string, DemoPerson>): Promise<BuiltTrust> {
  const diary = diaryOf(people, 'demo-harbour', new Date())
  const finance = (at: string) => diary.by(diary.finance, at)
  const trust = await buildTrust({ tx, actor: { ...actor('demo-harbour'), now: momentOf('2025-01-13T09:00', new Date()) } }, harbourTrust, {
    by: {
      budgets: finance('2026-02-23T10:30'),
      september: finance('2026-10-06T09:15'),
      monthEnd: finance('2026-10-14T14:20'),
      october: finance('2026-11-05T09:25'),
    },
    before: async (schools, groupId) => {
      await rounds(tx, schools, { groupId, diary })
      await lastYear(tx, schools, diary)
      // What was approved is of record from then on, and stands in no group.
      return null
    },
  })
  await payrollMonths(tx, trust, {
    september: finance('2026-09-28T11:00'),
    completed: finance('2026-10-05T16:30'),
    october: finance('2026-10-28T11:10'),
  })
  await autumn(tx, trust, diary)
  return trust
}

async function join(
  tx: OrganisationTx,
  userId: UserId,
  { trust, locationIds, userGroupIds }: { trust: BuiltTrust; locationIds: LocationId[]; userGroupIds: number[] },
): Promise<void> {
  await tx.insert(memberships).values({ userId, organisationId: trust.organisationId, locationIds, userGroupIds })
}

/** A large trust for scale work, beside the demo; the demo's finance lead and administrator may open it. */
export async function loadScale(store: Store, schools: number, contracts: number): Promise<BuiltTrust> {
  const each = Math.max(1, Math.round(contracts / schools))
  const authorities = ['Kent', 'Bromley', 'Lewisham', 'Norfolk']
  return store.asPlatform(async (tx) => {
    const count = onlyRow(await tx.select({ count: sql<number>`count(*)::int` }).from(organisations))
    const number = count.count
    const plan = Array.from(
      { length: schools },
      (_unused, index): School => ({
        name: `School ${String(index + 1).padStart(3, '0')}`,
        alias: `S${index + 1}`,
        authority: must(authorities[index % 4]),
        region: (index % 4) + 1,
        dfe: `9${number}/${1000 + index}`,
        contracts: each,
      }),
    )
    const trust = await buildTrust(
      { tx, actor: actor(`scale-${number}`) },
      { name: `Scale Trust ${number}`, schools: plan, seed: 4242 + number },
    )
    const people = await tx
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(inArray(users.email, ['admin@bursar.example', 'finance@harbour.example']))
    const finance = onlyRow(await tx.select({ id: userGroups.id }).from(userGroups).where(eq(userGroups.name, 'Trust finance')))
    for (const { id } of people) await join(tx, id, { trust, locationIds: [], userGroupIds: [finance.id] })
    await logUsers(
      { tx, actor: actor(`scale-${number}`) },
      people.map((person) => person.id),
      'updated',
    )
    return trust
  })
}
