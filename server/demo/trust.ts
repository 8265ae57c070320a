import { eq } from 'drizzle-orm'
import type { BudgetInput } from '../../domain/budget/budget.ts'
import { resources } from '../../domain/resources/all.ts'
import { assertDefined, onlyRow } from '../../domain/values/assertDefined.ts'
import {
  type BudgetGroupId,
  type BudgetId,
  type LocationId,
  type OrganisationId,
  toBudgetGroupId,
  toLocationId,
  toOrganisationId,
} from '../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../domain/values/mongoId.ts'
import { requireText } from '../../domain/values/unknownValues.ts'
import { budgetGroups } from '../../drizzle/schema.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { runCreateBudgets } from '../features/budgets/commands.ts'
import { saveGroup } from '../features/budgets/groups/commands.ts'
import { groupRow } from '../features/budgets/groups/queries.ts'
import { shareAllowance } from '../features/calculation/allowance/commands.ts'
import { shareLevy } from '../features/calculation/levy/commands.ts'
import { shareTransfers } from '../features/calculation/transfers/commands.ts'
import { all } from '../resources/queries.ts'
import { adder, administrator } from './adder.ts'
import { type Names, references } from './codes.ts'
import { extras } from './extras.ts'
import { isNearLondon, type School } from './jobs.ts'
import { trustMessages } from './messages.ts'
import { type Ledger, monitoring, monthEnds } from './monitoring.ts'
import { broughtInto, nonStaffing, openings } from './nonStaffing.ts'
import { pools } from './pools.ts'
import { quickCalculations } from './quick.ts'
import { seeded } from './random.ts'
import { loadLeaveRules, loadLondonPoints } from './reference.ts'
import { type EnteredPost, staffSchool } from './staffing.ts'

export interface BuiltTrust {
  organisationId: OrganisationId
  groupId: BudgetGroupId
  locations: Map<string, LocationId>
  /** The budget of each school, by the school's alias. */
  budgets: Map<string, BudgetId>
  staff: number
  contracts: number
}

const firstYear = 2026

/** Records of the trust that every budget of it is made with. */
interface Elements {
  topSliceTableId: number | null
  inflationId: number
}

/** A school of a trust that is being built, with its budget. */
export interface BuiltSchool extends Ledger {
  school: School
  points: Names
  elements: Elements
  /** The contracts of its budget as they were entered, and who holds each. */
  posts: readonly EnteredPost[]
}

/** What a trust has behind it: who built which part of it when, and what else happened before the first month of the ledgers came in. */
export interface Behind {
  by: Record<'budgets' | 'september' | 'monthEnd' | 'october', Actor>
  /** @returns the group in which the month ends of the year are explained; null: those of the whole organisation */
  before(schools: readonly BuiltSchool[], groupId: BudgetGroupId): Promise<BudgetGroupId | null>
}

/**
 * Makes a trust with its codes, people, contracts, budgets and a budget group, the same for the same seed.
 * @param actor who makes it, and when its records are made
 * @param behind left out: everything happens at once, and nothing else did
 */
export async function buildTrust(
  { tx, actor }: Call<'actor'>,
  { name, schools, seed }: { name: string; schools: School[]; seed: number },
  behind?: Behind,
): Promise<BuiltTrust> {
  const random = seeded(seed)
  const add = adder(tx, actor)
  const by = behind?.by ?? { budgets: actor, september: actor, monthEnd: actor, october: actor }
  const organisation = await add(
    'organisation',
    {
      name,
      organisationType: 1,
      cfrEnabled: true,
      gagEnabled: false,
      alias: name.split(' ')[0],
      onBoardingDate: '2024-09-01',
      contractExpiryDate: '2029-08-31',
    },
    null,
  )
  const organisationId = toOrganisationId(organisation.id)
  const authorities = new Map(
    (await all({ tx, scope: administrator }, resources.localAuthority, {})).map((row) => [requireText(row.name), row.id]),
  )
  const locations = new Map<string, LocationId>()
  for (const [index, school] of schools.entries()) {
    const location = await add(
      'location',
      {
        name: school.name,
        organisationId,
        alias: school.alias,
        localAuthorityId: assertDefined(authorities.get(school.authority)),
        dfeNumber: school.dfe,
        referenceNumber: `S${index + 1}`,
        contractExpiryDate: '2029-08-31',
        maximumBudgetYears: 5,
        payScaleRegion: school.region,
        central: school.central ?? false,
        budgetCodeFilter: `S${index + 1}`,
        payrollRecId: `PR${index + 1}`,
      },
      organisationId,
    )
    locations.set(school.alias, toLocationId(location.id))
  }
  const names = await references(tx, add, organisationId)
  const places = new Map(schools.map((school) => [school.name, assertDefined(locations.get(school.alias))]))
  await extras(add, { organisationId, names, locations: places })
  const money = await pools(add, {
    organisationId,
    names,
    schools: schools.map((school) => ({ id: assertDefined(locations.get(school.alias)), isCentral: Boolean(school.central) })),
  })
  // Without a central team nobody receives a top slice.
  const elements = { ...money, topSliceTableId: schools.some((school) => school.central) ? money.topSliceTableId : null }
  await loadLeaveRules(tx, organisationId, actor)
  if (schools.some(isNearLondon)) await loadLondonPoints(tx, organisationId, actor)
  const points = await pointIds(tx, organisationId)
  let staff = 0
  const built: BuiltSchool[] = []
  for (const [index, school] of schools.entries()) {
    const locationId = assertDefined(locations.get(school.alias))
    const budgetId = onlyRow(
      await runCreateBudgets(
        tx,
        {
          organisationId,
          organisationType: 1,
          scope: { organisationId, locationIds: null, isAdministrator: false },
          actor: { ...by.budgets, requestId: `${by.budgets.requestId}-${locationId}` },
        },
        budgetInput({ locationId, school }, names, elements),
      ),
    )
    const place = { organisationId, locationId, budgetId, names }
    const made = await staffSchool(tx, { ...place, school, random, points, from: staff, actor: by.budgets, hired: actor })
    await quickCalculations({ tx, organisationId, budgetId, actor: by.budgets }, names, points)
    const money = { organisationId, budgetId, school, names, actor: by.budgets }
    await openings(tx, money, broughtInto(school))
    await nonStaffing(tx, money)
    staff += made.staff
    built.push({ ...place, index, random: seeded(seed + index), school, points, elements, posts: made.posts })
  }
  await trustMessages(add, organisationId)
  const groupId = toBudgetGroupId(mongoIdFromBytes(Uint8Array.from({ length: 12 }, () => random.whole(0, 255))))
  const budgetIds = built.map((school) => school.budgetId)
  const group = { id: groupId, name: `${name} 2026/27`, description: 'Working budgets of all schools', budgetIds }
  await groupBudgets({ tx, organisationId, actor: by.budgets }, group)
  const explainedIn = behind ? await behind.before(built, groupId) : groupId
  const ends = { organisationId, groupId: explainedIn, locationIds: built.map((school) => school.locationId) }
  await monitoring(tx, built, {
    by,
    between: () => monthEnds(tx, ends, { ...by.monthEnd, requestId: `${by.monthEnd.requestId}-month-end` }),
  })
  const budgets = new Map(built.map(({ school, budgetId }) => [school.alias, budgetId]))
  return { organisationId, groupId, locations, budgets, staff, contracts: built.reduce((sum, { posts }) => sum + posts.length, 0) }
}

/** Puts budgets into a group of their own, up to date. */
export async function groupBudgets(
  call: Call<'organisationId' | 'actor'>,
  { id, budgetIds, ...named }: { id: BudgetGroupId; name: string; description: string; budgetIds: BudgetId[] },
): Promise<void> {
  await saveGroup(call, { id, version: null, isNew: true }, { ...named, budgetIds })
  await shareOut(call, { id, budgetIds })
}

/** Shares out what the budgets of a group share, whose own figures stand: the allowance of the levy, pools and slices. It asks for no more. */
export async function shareOut(
  { tx, organisationId, actor }: Call<'organisationId' | 'actor'>,
  { id, budgetIds }: { id: BudgetGroupId; budgetIds: BudgetId[] },
): Promise<void> {
  const sharing = { ...actor, requestId: `${actor.requestId}-levy` }
  await shareLevy({ tx, organisationId, actor: sharing }, budgetIds)
  await shareAllowance({ tx, organisationId, actor: sharing }, await groupRow({ tx, organisationId }, id))
  await shareTransfers({ tx, organisationId, actor: sharing }, budgetIds)
  await tx.update(budgetGroups).set({ requiredSince: null, requiredReason: null }).where(eq(budgetGroups.id, id))
}

async function pointIds(tx: OrganisationTx, organisationId: OrganisationId): Promise<Names> {
  const rows = await all({ tx, scope: { organisationId, locationIds: null, isAdministrator: false } }, resources.payScalePoint, {})
  return new Map(rows.map((row) => [`${row.adminTableId} ${row.scale} ${row.increment}`, row.id]))
}

/** What a budget of a school is made with: the tables that apply from before its first year to the latest. */
export function budgetInput(
  { locationId, school }: { locationId: LocationId; school: School },
  names: Names,
  { topSliceTableId, inflationId }: Elements,
): BudgetInput {
  const table = (name: string, effectiveDate: string) => ({ effectiveDate, adminTableId: assertDefined(names.get(`adminTable ${name}`)) })
  const support = [table('NJC April 2024', '2024-04-01'), table('NJC April 2025', '2025-04-01'), table('NJC April 2026', '2026-04-01')]
  return {
    name: '2026/27 Working',
    locationIds: [locationId],
    firstYear,
    numberOfYears: 5,
    staffAssumptionsId: assertDefined(names.get('staffAssumptions Central case')),
    contractTypeIds: ['Teacher', 'Support', 'Apprentice', 'Casual'].map((type) => assertDefined(names.get(`contractType ${type}`))),
    teacherPayScales: [
      table('Teachers Sept 2024', '2024-09-01'),
      table('Teachers Sept 2025', '2025-09-01'),
      table('Teachers Sept 2026', '2026-09-01'),
    ],
    supportPayScales: support,
    customTeacherPayScales: [],
    customSupportPayScales: isNearLondon(school) ? support : [],
    nationalInsurance: [table('NI 2024/25', '2024-04-06'), table('NI 2025/26', '2025-04-06'), table('NI 2026/27', '2026-04-06')],
    extendedLeaveRates: [table('Leave 2025/26', '2025-04-06'), table('Leave 2026/27', '2026-04-05')],
    inflationId,
    localAuthorityFundingRates: [
      table('NFF 2024/25', '2024-09-01'),
      table('NFF 2025/26', '2025-09-01'),
      table('NFF 2026/27', '2026-09-01'),
    ],
    topSliceTables: topSliceTableId === null ? [] : [{ effectiveDate: '2026-09-01', adminTableId: topSliceTableId }],
    gagPoolTables: [],
  }
}
