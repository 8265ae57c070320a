import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { lookups } from '../../domain/lookups/lookups.ts'
import { resources } from '../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
import type { BudgetGroupId, LocationId, UserId } from '../../domain/values/ids.ts'
import { isOneOf } from '../../domain/values/keysOf.ts'
import { apiClients, memberships, userGroups, users } from '../../drizzle/accessTables.ts'
import { organisations, referenceChanges } from '../../drizzle/schema.ts'
import { hashPassword } from '../auth/accounts.ts'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { sha256 } from '../core/stream/hash.ts'
import { logUsers } from '../features/users/commands.ts'
import { logRecordChanges, removedOrganisationLog } from '../resources/referenceLog.ts'
import { demoClients, demoPassword, demoUsers, userGroupsToLoad } from './access.ts'
import { createAutumn, createBudgetRound, raise2027Award } from './currentYear.ts'
import { createDiary, type DemoPerson, toDiaryTime } from './diary.ts'
import { loadHelp } from './help.ts'
import { harbourSchools, type School } from './jobs.ts'
import { createLastYear } from './lastYear.ts'
import { addWelcomeMessage, addYearlyReminders } from './messages.ts'
import { createPayrollMonths } from './payroll.ts'
import { createRecordAdder } from './recordAdder.ts'
import { addEmploymentAllowance, addNewDatedTables, emptyLondonRates, fillEngine2Columns, loadNationalReference } from './reference.ts'
import { type BuiltTrust, buildTrust } from './trust.ts'

const actorFor = (requestId: string) => ({ userId: null, requestId, now: new Date() })
const meadow: School[] = [
  { name: 'Meadow Infant School', alias: 'Meadow', authority: 'Norfolk', region: 1, dfe: '926/2001', contracts: 18 },
  { name: 'Orchard Junior School', alias: 'Orchard', authority: 'Norfolk', region: 1, dfe: '926/2002', contracts: 22 },
]

/** Whether a matching record was ever created, even if it was deleted since: the change log retains it. */
async function wasEverCreated(tx: OrganisationTx, condition: SQL): Promise<boolean> {
  const [row] = await tx.select({ id: referenceChanges.id }).from(referenceChanges).where(condition).limit(1)
  return row !== undefined
}

/**
 * Loads what every installation starts with, in one transaction: national reference data, user groups and help. When repeated, it only adds
 * tables and updates help pages that a newer version ships.
 */
export function loadFoundation(store: Store): Promise<void> {
  return store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.filling})`)
    const isThere = await wasEverCreated(tx, eq(referenceChanges.resource, resources.adminTable.name))
    await loadHelp(tx, actorFor('help'))
    if (isThere) {
      // Run this before the imports below: they add rows with empty London columns, which make it look as if this had already run.
      await emptyLondonRates(tx, actorFor('reference'))
      await addNewDatedTables(tx, actorFor('reference'))
      await addEmploymentAllowance(tx, actorFor('reference'))
      return fillEngine2Columns(tx, actorFor('reference'))
    }
    await loadNationalReference(tx, actorFor('reference'))
    await addYearlyReminders(createRecordAdder(tx, actorFor('messages')))
    const createdGroups = await tx
      .insert(userGroups)
      .values(
        userGroupsToLoad.map((group) => ({
          name: group.name,
          permissions: lookups.permissions.filter((item) => isOneOf(group.permissions, item.name)),
        })),
      )
      .returning()
    await logRecordChanges(
      { tx, actor: actorFor('groups') },
      resources.userGroup,
      createdGroups.map((group) => ({ action: 'created', before: null, after: { ...group, organisationId: null } })),
    )
  })
}

/**
 * Loads the demo trusts into a database without organisations. Deleted trusts do not come back, because the log shows that they existed.
 * @param hasYear whether Harbour Learning Trust gets a year of history; without it, everything is dated now
 */
export async function loadDemo(store: Store, { hasYear = false } = {}): Promise<{ staff: number; contracts: number } | null> {
  await loadFoundation(store)
  const hash = await hashPassword(demoPassword)
  return store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.filling})`)
    if (await wasEverCreated(tx, inArray(referenceChanges.resource, [resources.organisation.name, removedOrganisationLog.name])))
      return null
    await addWelcomeMessage(createRecordAdder(tx, actorFor('messages')))
    const known = await tx.select({ id: userGroups.id, name: userGroups.name }).from(userGroups)
    const groupIds = new Map(known.map((group) => [group.name, group.id]))
    const people = await addPeople(tx, hash)
    const trusts = {
      harbour: hasYear ? await createHarbourWithYear(tx, people) : await createHarbourWithoutYear(tx),
      meadow: await buildTrust({ tx, actor: actorFor('demo-meadow') }, { name: 'Meadow Schools Trust', schools: meadow, seed: 77 }),
    }
    if (hasYear)
      await raise2027Award(tx, trusts.meadow.organisationId, {
        ...actorFor('demo-meadow'),
        userId: assertDefined(people.get('finance@meadow.example')).id,
      })
    for (const user of demoUsers) {
      const { id } = assertDefined(people.get(user.email))
      if (user.isAdministrator)
        for (const trust of Object.values(trusts)) await addMembership(tx, id, { trust, locationIds: [], userGroupIds: [] })
      if (user.trust)
        await addMembership(tx, id, {
          trust: trusts[user.trust],
          locationIds: user.school ? [assertDefined(trusts[user.trust].locations.get(user.school))] : [],
          userGroupIds: [assertDefined(groupIds.get(assertDefined(user.group)))],
        })
    }
    await logUsers(
      { tx, actor: actorFor('demo') },
      [...people.values()].map(({ id }) => id),
      'created',
    )
    for (const { clientId, secret, name, trust } of demoClients)
      await tx.insert(apiClients).values({
        clientId,
        secret: sha256(secret),
        name,
        organisationId: trusts[trust].organisationId,
        userGroupIds: [assertDefined(groupIds.get('Integration'))],
      })
    return { staff: trusts.harbour.staff + trusts.meadow.staff, contracts: trusts.harbour.contracts + trusts.meadow.contracts }
  })
}

/** Adds the demo's users, without memberships. @returns them by email address */
async function addPeople(tx: OrganisationTx, passwordHash: string): Promise<Map<string, DemoPerson>> {
  const people = new Map<string, DemoPerson>()
  for (const { email, forename, surname, position, isAdministrator } of demoUsers) {
    const { id } = requireSingleRow(
      await tx.insert(users).values({ email, forename, surname, position, isAdministrator, passwordHash }).returning(),
    )
    people.set(email, { id, name: `${forename} ${surname}` })
  }
  return people
}

const harbourTrust = { name: 'Harbour Learning Trust', schools: harbourSchools, seed: 20_260_901 }

async function createHarbourWithoutYear(tx: OrganisationTx): Promise<BuiltTrust> {
  const trust = await buildTrust({ tx, actor: actorFor('demo-harbour') }, harbourTrust)
  const now = actorFor('demo-harbour-payroll')
  await createPayrollMonths(tx, trust, { september: now, completed: now, october: now })
  return trust
}

async function createHarbourWithYear(tx: OrganisationTx, people: ReadonlyMap<string, DemoPerson>): Promise<BuiltTrust> {
  const diary = createDiary(people, 'demo-harbour', new Date())
  const finance = (at: string) => diary.by(diary.finance, at)
  let approvedGroupId: BudgetGroupId | undefined
  const trust = await buildTrust(
    { tx, actor: { ...actorFor('demo-harbour'), now: toDiaryTime('2025-01-13T09:00', new Date()) } },
    harbourTrust,
    {
      by: {
        budgets: finance('2026-02-23T10:30'),
        september: finance('2026-10-06T09:15'),
        monthEnd: finance('2026-10-14T14:20'),
        october: finance('2026-11-05T09:25'),
      },
      before: async (schools, groupId) => {
        approvedGroupId = await createBudgetRound(tx, schools, { groupId, diary })
        await createLastYear(tx, schools, diary)
        return approvedGroupId
      },
    },
  )
  // Payroll is reconciled with the budgets of record, as the rest of the month is.
  const ofRecord = { ...trust, groupId: assertDefined(approvedGroupId) }
  await createPayrollMonths(tx, ofRecord, {
    september: finance('2026-09-28T11:00'),
    completed: finance('2026-10-05T16:30'),
    october: finance('2026-10-28T11:10'),
  })
  await createAutumn(tx, trust, diary)
  return trust
}

async function addMembership(
  tx: OrganisationTx,
  userId: UserId,
  { trust, locationIds, userGroupIds }: { trust: BuiltTrust; locationIds: LocationId[]; userGroupIds: number[] },
): Promise<void> {
  await tx.insert(memberships).values({ userId, organisationId: trust.organisationId, locationIds, userGroupIds })
}

/** Creates a large trust for scale tests; the demo's finance lead and administrator may open it. */
export async function loadScaleTrust(store: Store, schools: number, contracts: number): Promise<BuiltTrust> {
  const each = Math.max(1, Math.round(contracts / schools))
  const authorities = ['Kent', 'Bromley', 'Lewisham', 'Norfolk']
  return store.asPlatform(async (tx) => {
    const count = requireSingleRow(await tx.select({ count: sql<number>`count(*)::int` }).from(organisations))
    const number = count.count
    const plan = Array.from(
      { length: schools },
      (_unused, index): School => ({
        name: `School ${String(index + 1).padStart(3, '0')}`,
        alias: `S${index + 1}`,
        authority: assertDefined(authorities[index % 4]),
        region: (index % 4) + 1,
        dfe: `9${number}/${1000 + index}`,
        contracts: each,
      }),
    )
    const trust = await buildTrust(
      { tx, actor: actorFor(`scale-${number}`) },
      { name: `Scale Trust ${number}`, schools: plan, seed: 4242 + number },
    )
    const people = await tx
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(inArray(users.email, ['admin@bursar.example', 'finance@harbour.example']))
    const finance = requireSingleRow(await tx.select({ id: userGroups.id }).from(userGroups).where(eq(userGroups.name, 'Trust finance')))
    for (const { id } of people) await addMembership(tx, id, { trust, locationIds: [], userGroupIds: [finance.id] })
    await logUsers(
      { tx, actor: actorFor(`scale-${number}`) },
      people.map((person) => person.id),
      'updated',
    )
    return trust
  })
}
