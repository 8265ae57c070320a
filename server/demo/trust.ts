import { eq } from 'drizzle-orm'
import type { BudgetInput } from '../../domain/budget/budget.ts'
import { mongoIdFrom } from '../../domain/mongoId.ts'
import { must, onlyRow } from '../../domain/must.ts'
import { resources } from '../../domain/resources/all.ts'
import { budgetGroups } from '../../drizzle/schema.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import type { Actor } from '../core/events/eventLog.ts'
import { runCreateBudgets } from '../features/budgets/commands.ts'
import { saveGroup } from '../features/budgets/groups/commands.ts'
import { shareLevy } from '../features/calculation/levy/commands.ts'
import { shareTransfers } from '../features/calculation/transfers/commands.ts'
import { all } from '../resources/queries.ts'
import { adder, administrator } from './adder.ts'
import { type Names, references } from './codes.ts'
import { extras } from './extras.ts'
import type { School } from './jobs.ts'
import { trustMessages } from './messages.ts'
import { monitoring, monthEnds } from './monitoring.ts'
import { nonStaffing } from './nonStaffing.ts'
import { pools } from './pools.ts'
import { quickCalculations } from './quick.ts'
import { seeded } from './random.ts'
import { loadLeaveRules } from './reference.ts'
import { staffSchool } from './staffing.ts'

export interface BuiltTrust {
  organisationId: number
  groupId: string
  locations: Map<string, number>
  staff: number
  contracts: number
}

const firstYear = 2026

/** Makes a trust with its codes, people, contracts, budgets and a budget group, the same for the same seed. */
export async function buildTrust(tx: OrganisationTx, name: string, schools: School[], seed: number, actor: Actor): Promise<BuiltTrust> {
  const random = seeded(seed)
  const add = adder(tx, actor)
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
  const organisationId = organisation.id
  const authorities = new Map((await all(tx, resources.localAuthority, administrator, {})).map((row) => [row.name as string, row.id]))
  const locations = new Map<string, number>()
  for (const [index, school] of schools.entries()) {
    const location = await add(
      'location',
      {
        name: school.name,
        organisationId,
        alias: school.alias,
        localAuthorityId: must(authorities.get(school.authority)),
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
    locations.set(school.alias, location.id)
  }
  const names = await references(tx, add, organisationId)
  const places = new Map(schools.map((school) => [school.name, must(locations.get(school.alias))]))
  await extras(add, organisationId, names, places)
  const money = await pools(
    add,
    organisationId,
    names,
    schools.map((school) => ({ id: must(locations.get(school.alias)), isCentral: Boolean(school.central) })),
  )
  // Without a central team nobody receives a top slice.
  const elements = { ...money, topSliceTableId: schools.some((school) => school.central) ? money.topSliceTableId : null }
  await loadLeaveRules(tx, organisationId, actor)
  const points = await pointIds(tx, organisationId)
  let [staff, contracts] = [0, 0]
  const budgetIds: string[] = []
  for (const [index, school] of schools.entries()) {
    const locationId = must(locations.get(school.alias))
    const budgetId = onlyRow(
      await runCreateBudgets(
        tx,
        {
          organisationId,
          organisationType: 1,
          scope: { organisationId, locationIds: null, isAdministrator: false },
          actor: { ...actor, requestId: `${actor.requestId}-${locationId}` },
        },
        budgetInput(locationId, names, elements),
      ),
    )
    const made = await staffSchool(tx, {
      organisationId,
      locationId,
      budgetId: budgetId,
      school,
      random,
      names,
      points,
      from: staff,
      actor,
    })
    await quickCalculations(tx, organisationId, budgetId, names, points, actor)
    await nonStaffing(tx, { organisationId, budgetId: budgetId, school, names, actor })
    const ledger = { organisationId, locationId, budgetId: budgetId, index, names, random: seeded(seed + index) }
    await monitoring(tx, ledger, { ...actor, requestId: `${actor.requestId}-${locationId}` })
    staff += made.staff
    contracts += made.contracts
    budgetIds.push(budgetId)
  }
  await trustMessages(add, organisationId)
  const groupId = mongoIdFrom(Uint8Array.from({ length: 12 }, () => random.whole(0, 255)))
  await saveGroup(
    tx,
    organisationId,
    { id: groupId, version: null, isNew: true },
    { name: `${name} 2026/27`, description: 'Working budgets of all schools', budgetIds },
    actor,
  )
  await shareLevy(tx, organisationId, budgetIds, { ...actor, requestId: `${actor.requestId}-levy` })
  await shareTransfers(tx, organisationId, budgetIds, { ...actor, requestId: `${actor.requestId}-levy` })
  const ends = { organisationId, groupId, locationIds: schools.map((school) => must(locations.get(school.alias))) }
  await monthEnds(tx, ends, { ...actor, requestId: `${actor.requestId}-month-end` })
  await tx.update(budgetGroups).set({ requiredSince: null, requiredReason: null }).where(eq(budgetGroups.id, groupId))
  return { organisationId, groupId, locations, staff, contracts }
}

async function pointIds(tx: OrganisationTx, organisationId: number): Promise<Names> {
  const rows = await all(tx, resources.payScalePoint, { organisationId, locationIds: null, isAdministrator: false }, {})
  return new Map(rows.map((row) => [`${row.adminTableId} ${row.scale} ${row.increment}`, row.id]))
}

function budgetInput(locationId: number, names: Names, money: { topSliceTableId: number | null; inflationId: number }): BudgetInput {
  const table = (name: string, effectiveDate: string) => ({ effectiveDate, adminTableId: must(names.get(`adminTable ${name}`)) })
  return {
    name: '2026/27 Working',
    locationIds: [locationId],
    firstYear,
    numberOfYears: 5,
    staffAssumptionsId: must(names.get('staffAssumptions Central case')),
    contractTypeIds: ['Teacher', 'Support', 'Apprentice', 'Casual'].map((type) => must(names.get(`contractType ${type}`))),
    teacherPayScales: [
      table('Teachers Sept 2024', '2024-09-01'),
      table('Teachers Sept 2025', '2025-09-01'),
      table('Teachers Sept 2026', '2026-09-01'),
    ],
    supportPayScales: [table('NJC April 2024', '2024-04-01'), table('NJC April 2025', '2025-04-01'), table('NJC April 2026', '2026-04-01')],
    customTeacherPayScales: [],
    customSupportPayScales: [],
    nationalInsurance: [table('NI 2024/25', '2024-04-06'), table('NI 2025/26', '2025-04-06'), table('NI 2026/27', '2026-04-06')],
    extendedLeaveRates: [table('Leave 2025/26', '2025-04-06'), table('Leave 2026/27', '2026-04-05')],
    inflationId: money.inflationId,
    localAuthorityFundingRates: [
      table('NFF 2024/25', '2024-09-01'),
      table('NFF 2025/26', '2025-09-01'),
      table('NFF 2026/27', '2026-09-01'),
    ],
    topSliceTables: money.topSliceTableId === null ? [] : [{ effectiveDate: '2026-09-01', adminTableId: money.topSliceTableId }],
    gagPoolTables: [],
  }
}
