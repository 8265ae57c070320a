import { eq } from 'drizzle-orm'
import type { BudgetInput } from '../../domain/budget/budget.ts'
import { resources } from '../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
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
import { listAllRecords } from '../resources/queries.ts'
import { saveGroup } from '../shared/budgetGroups/commands.ts'
import { loadGroupRow } from '../shared/budgetGroups/queries.ts'
import { runCreateBudgets } from '../shared/budgets/commands.ts'
import { postGroupAllowance } from '../shared/groupMoney/allowance/commands.ts'
import { postGroupLevy } from '../shared/groupMoney/levy/commands.ts'
import { postGroupTransfers } from '../shared/groupMoney/transfers/commands.ts'
import { addExtraRecords } from './extraRecords.ts'
import { isNearLondon, type School } from './jobs.ts'
import { addTrustMessages } from './messages.ts'
import { closeSeptember, importFirstMonths, type SchoolLedger } from './monitoring.ts'
import { enterNonStaffing, listBalancesBroughtForward, saveOpeningBalances } from './nonStaffing.ts'
import { addPools } from './pools.ts'
import { saveQuickCalculations } from './quick.ts'
import { createRandomSource } from './random.ts'
import { createRecordAdder, nationalScope } from './recordAdder.ts'
import { loadLeaveRules, loadLondonPoints } from './reference.ts'
import { createSchoolStaff, type EnteredPost } from './staffing.ts'
import { addTrustRecords, type IdsByName } from './trustRecords.ts'

export interface BuiltTrust {
  organisationId: OrganisationId
  groupId: BudgetGroupId
  locations: Map<string, LocationId>
  /** The budget of each school, by alias. */
  budgets: Map<string, BudgetId>
  staff: number
  contracts: number
}

const firstYear = 2026

interface BudgetElementIds {
  topSliceTableId: number | null
  inflationId: number
}

export interface BuiltSchool extends SchoolLedger {
  school: School
  points: IdsByName
  elements: BudgetElementIds
  posts: readonly EnteredPost[]
}

export interface TrustHistory {
  by: Record<'budgets' | 'september' | 'monthEnd' | 'october', Actor>
  /** Adds earlier history. @returns the budget group to which the notes on this year's month ends belong; null for the organisation */
  before(schools: readonly BuiltSchool[], groupId: BudgetGroupId): Promise<BudgetGroupId | null>
}

/**
 * Creates a trust with codes, staff, contracts, budgets and a budget group; the same seed gives the same trust.
 * @param actor who creates it, and when
 * @param history its history; without it, everything happens at once
 */
export async function buildTrust(
  { tx, actor }: Call<'actor'>,
  { name, schools, seed }: { name: string; schools: School[]; seed: number },
  history?: TrustHistory,
): Promise<BuiltTrust> {
  const random = createRandomSource(seed)
  const add = createRecordAdder(tx, actor)
  const by = history?.by ?? { budgets: actor, september: actor, monthEnd: actor, october: actor }
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
    (await listAllRecords({ tx, scope: nationalScope }, resources.localAuthority, {})).map((row) => [requireText(row.name), row.id]),
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
  const names = await addTrustRecords(tx, add, organisationId)
  const locationIdsByName = new Map(schools.map((school) => [school.name, assertDefined(locations.get(school.alias))]))
  await addExtraRecords(add, { organisationId, names, locations: locationIdsByName })
  const money = await addPools(add, {
    organisationId,
    names,
    schools: schools.map((school) => ({ id: assertDefined(locations.get(school.alias)), isCentral: Boolean(school.central) })),
  })
  // Without a central team, there is nobody to receive a top slice.
  const elements = { ...money, topSliceTableId: schools.some((school) => school.central) ? money.topSliceTableId : null }
  await loadLeaveRules(tx, organisationId, actor)
  if (schools.some(isNearLondon)) await loadLondonPoints(tx, organisationId, actor)
  const points = await loadPointIds(tx, organisationId)
  let staff = 0
  const built: BuiltSchool[] = []
  for (const [index, school] of schools.entries()) {
    const locationId = assertDefined(locations.get(school.alias))
    const budgetId = requireSingleRow(
      await runCreateBudgets(
        tx,
        {
          organisationId,
          organisationType: 1,
          scope: { organisationId, locationIds: null, isAdministrator: false },
          actor: { ...by.budgets, requestId: `${by.budgets.requestId}-${locationId}` },
        },
        toBudgetInput({ locationId, school }, names, elements),
      ),
    )
    const builtSchool = { organisationId, locationId, budgetId, names }
    const staffed = await createSchoolStaff(tx, { ...builtSchool, school, random, points, from: staff, actor: by.budgets, hired: actor })
    await saveQuickCalculations({ tx, organisationId, budgetId, actor: by.budgets }, names, points)
    const money = { organisationId, budgetId, school, names, actor: by.budgets }
    await saveOpeningBalances(tx, money, listBalancesBroughtForward(school))
    await enterNonStaffing(tx, money)
    staff += staffed.staff
    built.push({ ...builtSchool, index, random: createRandomSource(seed + index), school, points, elements, posts: staffed.posts })
  }
  await addTrustMessages(add, organisationId)
  const groupId = toBudgetGroupId(mongoIdFromBytes(Uint8Array.from({ length: 12 }, () => random.whole(0, 255))))
  const budgetIds = built.map((school) => school.budgetId)
  const group = { id: groupId, name: `${name} 2026/27`, description: 'Working budgets of all schools', budgetIds }
  await createBudgetGroup({ tx, organisationId, actor: by.budgets }, group)
  const explainedIn = history ? await history.before(built, groupId) : groupId
  const ends = { organisationId, groupId: explainedIn, locationIds: built.map((school) => school.locationId) }
  await importFirstMonths(tx, built, {
    by,
    between: () => closeSeptember(tx, ends, { ...by.monthEnd, requestId: `${by.monthEnd.requestId}-month-end` }),
  })
  const budgets = new Map(built.map(({ school, budgetId }) => [school.alias, budgetId]))
  return { organisationId, groupId, locations, budgets, staff, contracts: built.reduce((sum, { posts }) => sum + posts.length, 0) }
}

export async function createBudgetGroup(
  call: Call<'organisationId' | 'actor'>,
  { id, budgetIds, ...named }: { id: BudgetGroupId; name: string; description: string; budgetIds: BudgetId[] },
): Promise<void> {
  await saveGroup(call, { id, version: null, isNew: true }, { ...named, budgetIds })
  await calculateSharedGroupFigures(call, { id, budgetIds })
}

/** Calculates the figures that a group's budgets share (levy allowance, pools, top slices) and marks the group as up to date. */
export async function calculateSharedGroupFigures(
  { tx, organisationId, actor }: Call<'organisationId' | 'actor'>,
  { id, budgetIds }: { id: BudgetGroupId; budgetIds: BudgetId[] },
): Promise<void> {
  const sharing = { ...actor, requestId: `${actor.requestId}-levy` }
  await postGroupLevy({ tx, organisationId, actor: sharing }, budgetIds)
  await postGroupAllowance({ tx, organisationId, actor: sharing }, await loadGroupRow({ tx, organisationId }, id))
  await postGroupTransfers({ tx, organisationId, actor: sharing }, budgetIds)
  await tx.update(budgetGroups).set({ requiredSince: null, requiredReason: null }).where(eq(budgetGroups.id, id))
}

async function loadPointIds(tx: OrganisationTx, organisationId: OrganisationId): Promise<IdsByName> {
  const rows = await listAllRecords(
    { tx, scope: { organisationId, locationIds: null, isAdministrator: false } },
    resources.payScalePoint,
    {},
  )
  return new Map(rows.map((row) => [`${row.adminTableId} ${row.scale} ${row.increment}`, row.id]))
}

export function toBudgetInput(
  { locationId, school }: { locationId: LocationId; school: School },
  names: IdsByName,
  { topSliceTableId, inflationId }: BudgetElementIds,
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
