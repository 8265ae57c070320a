import type { StaffContractInput, StoredContract } from '../../domain/budget/budget.ts'
import { buildByReferencedResource } from '../../domain/budget/contractForms.ts'
import { type ContractFacts, saveStaffContract } from '../../domain/budget/decide.ts'
import type { BudgetEvent } from '../../domain/budget/events.ts'
import { costContracts } from '../../domain/calculation/staffing/frozen.ts'
import { lookups } from '../../domain/lookups/lookups.ts'
import { resources } from '../../domain/resources/all.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import {
  type BudgetId,
  type ContractId,
  type LocationId,
  type OrganisationId,
  type StaffId,
  toContractId,
  toStaffId,
} from '../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../domain/values/mongoId.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { saveLeave } from '../features/staffing/leave/commands.ts'
import { listAllRecords } from '../resources/queries.ts'
import { storeCosts } from '../shared/costing/costs/commands.ts'
import { storeInputs } from '../shared/costing/inputs/commands.ts'
import { readCurrentInputs } from '../shared/costing/inputs/queries.ts'
import { addStaff } from '../shared/staff/commands.ts'
import { loadStaffByIds } from '../streams/budget/people.ts'
import { loadBudget, loadContracts } from '../streams/budget/queries.ts'
import { loadScalePoints } from '../streams/budget/scalePoints.ts'
import { commitEvents } from '../streams/budget/stream.ts'
import { businessManager, headteacher, isNearLondon, type Post, posts, type School } from './jobs.ts'
import { type InventedPerson, inventPerson } from './people.ts'
import type { RandomSource } from './random.ts'
import { londonScale } from './reference.ts'
import type { IdsByName } from './trustRecords.ts'

export interface SchoolPlan {
  organisationId: OrganisationId
  locationId: LocationId
  budgetId: BudgetId
  school: School
  random: RandomSource
  names: IdsByName
  points: IdsByName
  from: number
  actor: Actor
  hired: Actor
}

export interface EnteredPost {
  input: StaffContractInput
  staffId: StaffId | null
}

function choosePosts(school: School, random: RandomSource): Post[] {
  const bag = posts.flatMap((post) => Array.from({ length: post.weight }, () => post))
  const office = posts.filter((post) => post.term === 'ADM' && post.position === 'Administrator')
  return Array.from({ length: school.contracts }, (_unused, index) =>
    school.central
      ? random.pick([businessManager, ...office, headteacher])
      : index === 0
        ? headteacher
        : index === 1
          ? businessManager
          : random.pick(bag),
  )
}

export async function createSchoolStaff(tx: OrganisationTx, plan: SchoolPlan): Promise<{ staff: number; posts: EnteredPost[] }> {
  const { organisationId, locationId, school, random } = plan
  const planned: { input: StaffContractInput; holder: number | null }[] = []
  const people: InventedPerson[] = []
  const ids: ContractId[] = []
  const used = new Set<string>()
  for (const [index, post] of choosePosts(school, random).entries()) {
    const vacancy = index > 8 && random.chance(0.01)
    const second = !vacancy && people.length > 0 && index > 2 && random.chance(0.11)
    if (!vacancy && !second) {
      const [from, to] = post.type === 'Apprentice' ? [2002, 2008] : post.term === 'SLT' ? [1966, 1988] : [1962, 2003]
      people.push(inventPerson(random, { index: plan.from + people.length, from, to }))
    }
    const holder = vacancy ? null : people.length - 1
    planned.push({
      input: inventContract(plan, {
        post,
        employeeNumber: holder === null ? null : assertDefined(people[holder]).employeeNumber,
        second,
        used,
      }),
      holder,
    })
    ids.push(toContractId(mongoIdFromBytes(Uint8Array.from({ length: 12 }, () => random.whole(0, 255)))))
  }
  const added = people.map((person) => ({ ...person, archive: false, locations: [locationId] }))
  const staff = await addStaff({ tx, organisationId, actor: plan.hired }, added)
  const posts = planned.map(({ input, holder }) => ({ input, staffId: holder === null ? null : assertDefined(staff[holder]).id }))
  await enterContracts(tx, plan, { posts, ids })
  return { staff: staff.length, posts }
}

/** Enters contracts into a budget and costs them, as a recalculation would. */
export async function enterContracts(
  tx: OrganisationTx,
  plan: Pick<SchoolPlan, 'organisationId' | 'budgetId' | 'school' | 'names' | 'points' | 'actor'>,
  { posts, ids }: { posts: readonly EnteredPost[]; ids: readonly ContractId[] },
): Promise<void> {
  const { organisationId, budgetId, school, actor } = plan
  const row = await loadBudget({ tx, organisationId }, budgetId, true)
  const points = await loadScalePoints(tx, [...plan.points.values()])
  const events: BudgetEvent[] = posts.flatMap(({ input, staffId }, index) =>
    saveStaffContract(row.head, {
      before: undefined,
      id: assertDefined(ids[index]),
      input,
      facts: contractFacts({ names: plan.names, points }, { input, staffId }),
    }),
  )
  await commitEvents({ tx, actor: { ...actor, requestId: `${actor.requestId}-${budgetId}` } }, row, { events })
  const contracts = await loadContracts({ tx, organisationId, budgetId })
  if (school.leave) await addLeave({ tx, organisationId, actor }, school.leave, contracts)
  const fresh = await loadBudget({ tx, organisationId }, budgetId)
  const { shared, frozen } = await readCurrentInputs({ tx, organisationId }, fresh.head, { contracts })
  const inputs = await storeInputs({ tx, organisationId }, shared, { [budgetId]: frozen })
  await storeCosts(
    {
      tx,
      actor: {
        ...actor,
        requestId: `${actor.requestId}-${budgetId}-costs`,
      },
    },
    fresh,
    { contracts, costing: { costs: costContracts(contracts, frozen, shared), shared, inputs, cause: 'group', levyShareRule: 'kept' } },
  )
}

async function addLeave(
  { tx, organisationId, actor }: Call<'organisationId' | 'actor'>,
  { position, rules, startDate, endDate }: NonNullable<School['leave']>,
  contracts: readonly StoredContract[],
): Promise<void> {
  const scope = { organisationId, locationIds: null, isAdministrator: false }
  const set = (await listAllRecords({ tx, scope }, resources.extendedLeaveRuleSet, {})).find((one) => one.name === rules)
  const women = assertDefined(lookups.genders.find((item) => item.name === 'Female')).id
  const staff = await loadStaffByIds(
    tx,
    organisationId,
    contracts.flatMap((contract) => contract.staffId ?? []),
  )
  const holder = contracts.find(
    (contract) => contract.position === position && !contract.endDate && staff.get(contract.staffId ?? toStaffId(-1))?.gender === women,
  )
  if (set && holder)
    await saveLeave(
      { tx, scope, actor },
      { staffId: assertDefined(holder.staffId), extendedLeaveRulesetId: set.id, startDate, endDate, notes: null },
    )
}

function contractFacts(
  { names, points }: Pick<SchoolPlan, 'names'> & Pick<ContractFacts, 'points'>,
  { input, staffId }: EnteredPost,
): ContractFacts {
  const typeName = assertDefined([...names].find(([key, id]) => key.startsWith('contractType ') && id === input.contractTypeName))[0].slice(
    'contractType '.length,
  )
  const types: Record<string, [number, number]> = { Teacher: [3, 1], Support: [12, 2], Apprentice: [12, 2], Casual: [12, 3] }
  const ids = (kind: string): Set<number> => new Set([...names].flatMap(([key, id]) => (key.startsWith(`${kind} `) ? [id] : [])))
  return {
    contractType: {
      id: input.contractTypeName,
      payScaleTypes: assertDefined(types[typeName])[0],
      calculationType: assertDefined(types[typeName])[1],
    },
    points,
    allowedIds: buildByReferencedResource(ids),
    staffId,
    otherNames: [],
    sealedNotes: null,
  }
}

/** Invents a contract: part-time or term-time, with allowances, end dates or a change of hours in January. */
function inventContract(
  { random, names, points, school }: SchoolPlan,
  { post, employeeNumber, second, used }: { post: Post; employeeNumber: string | null; second: boolean; used: Set<string> },
): StaffContractInput {
  const teacher = post.type === 'Teacher'
  const table = assertDefined(names.get(`adminTable ${teacher ? 'Teachers Sept 2025' : 'NJC April 2025'}`))
  const scale = !teacher && isNearLondon(school) ? londonScale : post.scale
  const increment = random.whole(post.from, post.to)
  const id = (step: number | null): number | null => (step === null ? null : (points.get(`${table} ${scale} ${step}`) ?? null))
  const start = `${random.whole(2015, 2025)}-${teacher ? '09' : String(random.whole(1, 12)).padStart(2, '0')}-01`
  const fte = second ? random.pick([0.1, 0.2]) : random.chance(0.68) ? 1 : random.pick([0.4, 0.5, 0.6, 0.8, 0.9])
  const hours = second ? 5 : random.pick(post.hours)
  const effectiveDate = teacher ? '2025-09-01' : '2025-04-01'
  const allowance =
    post.allowances.length && random.chance(0.3) ? [assertDefined(names.get(`allowance ${random.pick(post.allowances)}`))] : []
  const base = {
    calculationCeaseDate: null,
    spotAdjustment: null,
    erPension: !(hours < 6) || random.chance(0.4),
    fte: teacher ? fte : null,
    hoursPerWeek: teacher ? null : hours,
    weeksPerYear: teacher ? null : random.pick(post.weeks),
  }
  const rows = [{ ...base, effectiveDate: start > effectiveDate ? start : effectiveDate, scalePoint: id(increment), allowances: allowance }]
  if (start < effectiveDate) rows.unshift({ ...assertDefined(rows[0]), effectiveDate: start, allowances: [] })
  if (teacher && !second && random.chance(0.06)) rows.push({ ...assertDefined(rows.at(-1)), effectiveDate: '2027-01-01', fte: 0.8 })
  let name = second ? `${post.position} (second)` : post.position
  for (let n = 2; used.has(`${employeeNumber} ${name}`); n++) name = `${post.position} (${n})`
  used.add(`${employeeNumber} ${name}`)
  return {
    id: null,
    version: null,
    employeeNumber,
    type: teacher ? 1 : 4,
    contractName: employeeNumber === null ? `Vacancy: ${post.position}` : name,
    contractTypeName: assertDefined(names.get(`contractType ${post.type}`)),
    maximumScalePoint: post.maximum !== null && random.chance(0.85) ? id(Math.max(post.maximum, increment)) : null,
    startDate: start,
    endDate: random.chance(0.05) ? random.pick(['2027-08-31', '2027-03-31', '2028-07-31']) : null,
    position: post.position,
    department: post.department,
    apprentice: post.type === 'Apprentice',
    attritionContract: false,
    notes: null,
    serviceTerms: [assertDefined(names.get(`serviceTerm ${post.term}`))],
    analysisTags: random.chance(0.08) ? [assertDefined(names.get('analysisTag Under review'))] : [],
    fundCodes: random.chance(0.1)
      ? [
          { fundCodeId: assertDefined(names.get('fundCode GEN')), percentage: 60 },
          { fundCodeId: assertDefined(names.get('fundCode PPG')), percentage: 40 },
        ]
      : [{ fundCodeId: assertDefined(names.get('fundCode GEN')), percentage: 100 }],
    salary: rows,
  }
}
