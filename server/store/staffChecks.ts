import { type CheckedPerson, checksOf, type Finding } from '../../domain/budget/checks.ts'
import { resources } from '../../domain/resources/all.ts'
import { type BudgetRow, loadContracts } from './budgetStore.ts'
import { costsOf } from './costStore.ts'
import type { OrganisationTx } from './database.ts'
import { leavesByStaff } from './leaveStore.ts'
import { type StaffMember, staffByIds } from './staffStore.ts'
import { rowsOf } from './tables.ts'

/** A finding with the names that a screen says it with. */
export interface NamedFinding extends Finding {
  person: string | null
  contractName: string | null
}

/** What looks wrong about the staff of a budget, with whom it is about. */
export async function staffChecks(tx: OrganisationTx, organisationId: number, { id, head }: BudgetRow): Promise<NamedFinding[]> {
  const contracts = await loadContracts(tx, organisationId, id)
  const costs = await costsOf(tx, organisationId, id)
  const staff = await staffByIds(tx, organisationId, [...new Set(contracts.flatMap((contract) => contract.staffId ?? []))])
  const types = new Map((await rowsOf(tx, resources.contractType)).map((type) => [type.id, type]))
  const people = await checkedPeople(tx, organisationId, staff)
  const findings = checksOf(
    head,
    contracts.map((contract) => ({
      contract,
      costs: costs.get(contract.id)?.costing,
      shares: new Map(contract.salary.map((row) => [row.effectiveDate, shareOf(types.get(contract.contractTypeId), row)])),
    })),
    people,
  )
  const byId = new Map(contracts.map((contract) => [contract.id, contract]))
  return findings.map((finding) => {
    const member = finding.staffId === null ? undefined : staff.get(finding.staffId)
    return {
      ...finding,
      person: member ? `${member.surname}, ${member.forename}` : null,
      contractName: finding.contractId === null ? null : (byId.get(finding.contractId)?.contractName ?? null),
    }
  })
}

/** Near enough to say that somebody works more than full time; nothing is paid by it. */
function shareOf(
  type: { calculationType: number; fullTimeHours: number | null; fullTimeWeeks: number | null } | undefined,
  row: { fte: number | null; hoursPerWeek: number | null; weeksPerYear: number | null },
): number {
  if (type?.calculationType === 1) return row.fte ?? 1
  return (row.hoursPerWeek ?? 0) / (type?.fullTimeHours ?? 37)
}

async function checkedPeople(
  tx: OrganisationTx,
  organisationId: number,
  staff: ReadonlyMap<number, StaffMember>,
): Promise<CheckedPerson[]> {
  const leaves = await leavesByStaff(tx, organisationId, [...staff.keys()])
  const lastWeek = new Map<number, number>()
  for (const rule of await rowsOf(tx, resources.extendedLeaveRule))
    lastWeek.set(rule.extendedLeaveRulesetId, Math.max(lastWeek.get(rule.extendedLeaveRulesetId) ?? 0, rule.lastWeek))
  return [...staff].map(([id, member]) => ({
    id,
    hasDateOfBirth: member.dateOfBirth !== null || member.erased,
    archived: member.archive,
    likeness: likenessOf(member),
    leaves: (leaves.get(id) ?? []).map((leave) => ({
      startDate: leave.startDate,
      endDate: leave.endDate,
      lastRuleWeek: lastWeek.get(leave.extendedLeaveRulesetId) ?? 0,
    })),
  }))
}

function likenessOf({ niNumber, surname, forename, dateOfBirth, erased }: StaffMember): string | null {
  if (erased) return null
  if (niNumber) return niNumber.replace(/\s/g, '').toUpperCase()
  return dateOfBirth ? `${forename} ${surname} ${dateOfBirth}`.toLowerCase() : null
}
