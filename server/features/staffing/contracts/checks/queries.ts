import { sql } from 'drizzle-orm'
import type { BudgetHead } from '../../../../../domain/budget/budget.ts'
import {
  type CheckedPerson,
  listStaffingFindings,
  maximumTermWeeks,
  minimumTermWeeks,
  type StaffingFinding,
} from '../../../../../domain/budget/checks.ts'
import { findRuleSet } from '../../../../../domain/budget/leaveRules.ts'
import { calculationType } from '../../../../../domain/lookups/lookupIds.ts'
import { resources } from '../../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../../domain/values/assertDefined.ts'
import { findBudgetBounds, toIsoDate } from '../../../../../domain/values/calendar.ts'
import { type ContractId, type OrganisationId, type StaffId, toStaffId } from '../../../../../domain/values/ids.ts'
import type { Call } from '../../../../core/calls/call.ts'
import type { BudgetRow } from '../../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../../core/database/database.ts'
import { readResourceRecords } from '../../../../core/database/tables.ts'
import { buildIntegerArray } from '../../../../resources/listConditions.ts'
import { readCostSummaries } from '../../../../shared/costing/costs/queries.ts'
import { readLeavesByStaff } from '../../../../shared/costing/leave/queries.ts'
import type { StaffMember } from '../../../../streams/budget/people.ts'
import { loadContracts } from '../../../../streams/budget/queries.ts'
import { loadStaffDirectory, type StaffDirectory } from '../../../../streams/budget/staffDirectory.ts'

/** A finding with the names that a screen shows. */
export interface NamedFinding extends StaffingFinding {
  person: string | null
  contractName: string | null
}

/** One block of staff findings, and where the next block starts; null after the last. */
export interface FindingsBlock {
  findings: NamedFinding[]
  next: string | null
}

/** A contract that may have a finding, and its employee. */
export interface SuspectContract {
  id: ContractId
  staffId: StaffId | null
}

/** How many contracts are checked in one block. */
const blockSize = 50

/**
 * Findings about the staff of a budget, in blocks that keep together the contracts of one person and of similar people.
 * @param after where the previous block ended
 * @param among the contracts to check; all that may have a finding if omitted
 */
export async function listStaffFindings(
  { tx, organisationId }: Call<'organisationId'>,
  { id, head }: BudgetRow,
  { after = null, among, size = blockSize }: { after?: string | null; among?: readonly SuspectContract[]; size?: number } = {},
): Promise<FindingsBlock> {
  const directory = await loadStaffDirectory(tx, organisationId)
  const { people: everybody } = directory
  const { chosen, next } = chooseBlock(among ?? (await findSuspectContracts({ tx, organisationId, budgetId: id }, head, directory)), {
    directory,
    after,
    size,
  })
  const contracts = await loadContracts({ tx, organisationId, budgetId: id }, chosen)
  const costs = await readCostSummaries({ tx, organisationId, budgetId: id }, chosen)
  const staff = new Map(
    contracts
      .flatMap(({ staffId }) =>
        staffId !== null && everybody.has(staffId) ? [[staffId, assertDefined(everybody.get(staffId))] as const] : [],
      )
      .sort(([a], [b]) => a - b),
  )
  const types = new Map((await readResourceRecords(tx, resources.contractType)).map((type) => [type.id, type]))
  const people = await readCheckedPeople(tx, organisationId, staff)
  const findings = listStaffingFindings(
    head,
    contracts.map((contract) => ({
      contract,
      costs: costs.get(contract.id),
      shares: new Map(contract.salary.map((row) => [row.effectiveDate, calculateShare(types.get(contract.contractTypeId), row)])),
    })),
    people,
  )
  const byId = new Map(contracts.map((contract) => [contract.id, contract]))
  const named = findings.map((finding) => {
    const member = finding.staffId === null ? undefined : staff.get(finding.staffId)
    return {
      ...finding,
      person: member ? `${member.surname}, ${member.forename}` : null,
      contractName: finding.contractId === null ? null : (byId.get(finding.contractId)?.contractName ?? null),
    }
  })
  return { findings: named, next }
}

/** Chooses the contracts of one block, without dividing the contracts of one person, or of similar people, between blocks. */
function chooseBlock(
  suspects: readonly SuspectContract[],
  { directory, after, size }: { directory: StaffDirectory; after: string | null; size: number },
): { chosen: ContractId[]; next: string | null } {
  const { firstAlike } = findSuspectPeople(directory)
  const keyOf = ({ id, staffId }: SuspectContract): string =>
    staffId === null ? `vacancy ${id}` : `person ${String(firstAlike.get(staffId) ?? staffId).padStart(10, '0')}`
  const left = suspects
    .map((one) => ({ id: one.id, key: keyOf(one) }))
    .filter(({ key }) => after === null || key > after)
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const last = left[size - 1]?.key
  const chosen = last === undefined ? left : left.filter(({ key }) => key <= last)
  return { chosen: chosen.map(({ id }) => id), next: chosen.length < left.length ? assertDefined(last) : null }
}

/**
 * Finds the contracts that may have a finding, and the other contracts of the same people. Indexed conditions in the database exclude the
 * rest: they may include too many contracts but never miss one. The exact rules then check only these.
 */
async function findSuspectContracts(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  head: BudgetHead,
  directory: StaffDirectory,
): Promise<SuspectContract[]> {
  const { last } = findBudgetBounds(head.firstYear, head.numberOfYears, head.startMonth)
  const types = await readResourceRecords(tx, resources.contractType)
  const byFte = types.flatMap((type) => (type.calculationType === calculationType.fte ? [type.id] : []))
  const leastHours = Math.min(
    37,
    ...types.flatMap((type) => (type.calculationType === calculationType.fte ? [] : (type.fullTimeHours ?? []))),
  )
  const ofBudget = sql`organisation_id = ${organisationId} and budget_id = ${budgetId}`
  const rows = await tx.execute<{ id: ContractId; staff_id: StaffId | null }>(sql`
    with suspects as (
      select staff_id from staff_contracts where ${ofBudget} and staff_id is not null group by staff_id
      having sum(case when contract_type_id = any(${buildIntegerArray(byFte)}) then greatest(most_fte, has_no_fte::integer)
        else coalesce(most_hours, 0) / ${leastHours}::float8 end) > 1
      union select staff_id from applied_extended_leave where organisation_id = ${organisationId}
      union select unnest(${buildIntegerArray(findSuspectPeople(directory).ids)})
    )
    select id, staff_id from staff_contracts where ${ofBudget} and staff_id in (select staff_id from suspects)
    union select id, staff_id from staff_contracts where ${ofBudget} and above_maximum
    union select id, staff_id from staff_contracts where ${ofBudget} and end_date < ${toIsoDate(last)}
    union select id, staff_id from staff_contracts where ${ofBudget} and (
      (contract -> 'maximumScalePoint' = 'null' and contract @? '$.salary[*].scalePoint ? (@ != null)')
      or contract @? ${`$.salary[*].weeksPerYear ? (@ >= ${minimumTermWeeks} && @ <= ${maximumTermWeeks})`}::jsonpath)
    union select id, staff_id from staff_contracts where ${ofBudget} and id in
      (select contract_id from staff_costs where ${ofBudget} and (has_problems or not has_pay))`)
  return rows.map((row) => ({ id: row.id, staffId: row.staff_id }))
}

/** The people of an organisation who may have a finding, at any location. */
interface SuspectPeople {
  ids: readonly StaffId[]
  /** For each person with a likely duplicate, the lowest id among the people who are probably the same. */
  firstAlike: ReadonlyMap<StaffId, StaffId>
}

const suspectsOf = new WeakMap<StaffDirectory, SuspectPeople>()

function findSuspectPeople(directory: StaffDirectory): SuspectPeople {
  const known = suspectsOf.get(directory)
  if (known) return known
  const alike = new Map<string, StaffId[]>()
  const ids = new Set<StaffId>()
  for (const member of directory.people.values()) {
    if (member.archive || (!member.dateOfBirth && !member.erased)) ids.add(member.id)
    const likeness = buildLikeness(member)
    const same = likeness === null ? undefined : alike.get(likeness)
    if (same) same.push(member.id)
    else if (likeness !== null) alike.set(likeness, [member.id])
  }
  const firstAlike = new Map<StaffId, StaffId>()
  for (const same of alike.values())
    if (same.length > 1)
      for (const id of same) {
        ids.add(id)
        firstAlike.set(id, toStaffId(Math.min(...same)))
      }
  const found = { ids: [...ids], firstAlike }
  suspectsOf.set(directory, found)
  return found
}

/** A contract's share of full time, only to detect more than full time. No pay depends on it. */
function calculateShare(
  type: { calculationType: number; fullTimeHours: number | null; fullTimeWeeks: number | null } | undefined,
  row: { fte: number | null; hoursPerWeek: number | null; weeksPerYear: number | null },
): number {
  if (type?.calculationType === calculationType.fte) return row.fte ?? 1
  return (row.hoursPerWeek ?? 0) / (type?.fullTimeHours ?? 37)
}

async function readCheckedPeople(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  staff: ReadonlyMap<StaffId, StaffMember>,
): Promise<CheckedPerson[]> {
  const leaves = await readLeavesByStaff(tx, organisationId, [...staff.keys()])
  const sets = new Map((await readResourceRecords(tx, resources.extendedLeaveRuleSet)).map((set) => [set.id, set]))
  const lastWeek = new Map<number, number>()
  for (const rule of await readResourceRecords(tx, resources.extendedLeaveRule))
    lastWeek.set(rule.extendedLeaveRulesetId, Math.max(lastWeek.get(rule.extendedLeaveRulesetId) ?? 0, rule.lastWeek))
  return [...staff].map(([id, member]) => ({
    id,
    hasDateOfBirth: member.dateOfBirth !== null || member.erased,
    archived: member.archive,
    likeness: buildLikeness(member),
    leaves: (leaves.get(id) ?? []).map((leave) => ({
      startDate: leave.startDate,
      endDate: leave.endDate,
      lastRuleWeek: lastWeek.get(findRuleSet({ ruleSetId: leave.extendedLeaveRulesetId, startDate: leave.startDate }, sets)) ?? 0,
    })),
  }))
}

const likenesses = new WeakMap<StaffMember, string | null>()

/** A key that is equal for two records that probably describe the same person; null if there is not enough data. */
function buildLikeness(member: StaffMember): string | null {
  const known = likenesses.get(member)
  if (known !== undefined) return known
  const { niNumber, surname, forename, dateOfBirth, erased } = member
  const byName = dateOfBirth ? `${forename} ${surname} ${dateOfBirth}`.toLowerCase() : null
  const likeness = erased ? null : niNumber ? niNumber.replace(/\s/g, '').toUpperCase() : byName
  likenesses.set(member, likeness)
  return likeness
}
