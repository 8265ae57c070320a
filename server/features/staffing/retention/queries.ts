import { and, eq, sql } from 'drizzle-orm'
import { normaliseEmployeeNumber, toStaffRef, toUnknownEmployeeRef } from '../../../../domain/payroll/payroll.ts'
import { decideRetention, type EmploymentEvidence, type RetentionStatus } from '../../../../domain/people/retention.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { staffMember } from '../../../../domain/resources/entities/budget/staffMember.ts'
import { appliesOutsideLocations } from '../../../../domain/resources/sharing.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { daysInMonth, findBudgetBounds, type IsoDate, toDay, toIsoDate } from '../../../../domain/values/calendar.ts'
import { dayInLondon } from '../../../../domain/values/format.ts'
import type { OrganisationId, StaffId } from '../../../../domain/values/ids.ts'
import { appliedExtendedLeave } from '../../../../drizzle/consoleTables.ts'
import { payrollLines } from '../../../../drizzle/payrollTables.ts'
import { budgets, staffContracts } from '../../../../drizzle/schema.ts'
import type { RowScope } from '../../../core/calls/scope.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { digestWithKey, ensureOrganisationKey } from '../../../core/database/vault.ts'
import { createYielder } from '../../../core/yielding.ts'
import type { StaffMember } from '../../../streams/budget/people.ts'
import { loadStaffDirectory } from '../../../streams/budget/staffDirectory.ts'

/** A person who has left. `left` is their last day. */
export interface Leaver {
  id: StaffId
  employeeNumber: string
  name: string
  locations: string
  left: IsoDate
}

/** The leavers who are due for erasure, those who are not and why, and the number of current staff. */
export interface Leavers {
  /** The organisation's retention period; null if it has not set one. */
  years: number | null
  due: (Leaver & { since: IsoDate })[]
  kept: (Leaver & { until: IsoDate | null; reason: string })[]
  working: number
}

const later = (a: IsoDate | null, b: IsoDate | null): IsoDate | null => (a === null || (b !== null && b > a) ? b : a)

/** The last planned day of each person, by id. A contract without an end date lasts until the end of its budget. */
async function readLastPlannedDays(tx: OrganisationTx, organisationId: OrganisationId): Promise<Map<StaffId, IsoDate>> {
  const heads = await tx.select({ id: budgets.id, head: budgets.head }).from(budgets).where(eq(budgets.organisationId, organisationId))
  const lastOf = new Map(heads.map(({ id, head }) => [id, findBudgetBounds(head.firstYear, head.numberOfYears, head.startMonth).last]))
  const rows = await tx
    .select({ staffId: staffContracts.staffId, endDate: staffContracts.endDate, budgetId: staffContracts.budgetId })
    .from(staffContracts)
    .where(and(eq(staffContracts.organisationId, organisationId), sql`${staffContracts.staffId} is not null`))
  const until = new Map<StaffId, IsoDate>()
  const breathe = createYielder()
  for (const { staffId, endDate, budgetId } of rows) {
    const last = assertDefined(lastOf.get(budgetId))
    const day = endDate ? toIsoDate(Math.min(toDay(endDate), last)) : toIsoDate(last)
    until.set(assertDefined(staffId), assertDefined(later(until.get(assertDefined(staffId)) ?? null, day)))
    await breathe()
  }
  return until
}

/** The last day of the last month in which each employee was paid, by employee reference. */
async function readLastPaidDays(tx: OrganisationTx, organisationId: OrganisationId): Promise<Map<string, IsoDate>> {
  const rows = await tx
    .select({ employee: payrollLines.employee, last: sql<number>`max(${payrollLines.year} * 12 + ${payrollLines.month} - 1)::int` })
    .from(payrollLines)
    .where(eq(payrollLines.organisationId, organisationId))
    .groupBy(payrollLines.employee)
  return new Map(
    rows.map(({ employee, last }) => {
      const [year, month] = [Math.floor(last / 12), (last % 12) + 1]
      return [employee, `${year}-${String(month).padStart(2, '0')}-${daysInMonth(year, month)}`]
    }),
  )
}

async function readLastLeaveDays(tx: OrganisationTx, organisationId: OrganisationId): Promise<Map<StaffId, IsoDate>> {
  const rows = await tx
    .select({ staffId: appliedExtendedLeave.staffId, last: sql<IsoDate>`max(${appliedExtendedLeave.endDate})::text` })
    .from(appliedExtendedLeave)
    .where(eq(appliedExtendedLeave.organisationId, organisationId))
    .groupBy(appliedExtendedLeave.staffId)
  return new Map(rows.map(({ staffId, last }) => [staffId, last]))
}

/**
 * The organisation's retention period in years (null if it has not set one), and for each person whom the caller may erase, whether erasure
 * is due. Erased people are left out.
 */
export async function decideRetentions(
  tx: OrganisationTx,
  { organisationId: ofScope, locationIds }: RowScope,
  now: Date,
): Promise<{ years: number | null; all: { member: StaffMember; retention: RetentionStatus }[] }> {
  const organisationId = assertDefined(ofScope)
  const [organisation] = await readResourceRecords(tx, resources.organisation, { column: 'id', ids: [organisationId] })
  const years = assertDefined(organisation).leaverYears ?? null
  const { people } = await loadStaffDirectory(tx, organisationId)
  const key = await ensureOrganisationKey(tx, organisationId)
  const planned = await readLastPlannedDays(tx, organisationId)
  const paid = await readLastPaidDays(tx, organisationId)
  const leave = await readLastLeaveDays(tx, organisationId)
  const today = dayInLondon(now)
  const breathe = createYielder()
  const all: { member: StaffMember; retention: RetentionStatus }[] = []
  for (const member of people.values()) {
    if (member.erased || appliesOutsideLocations(staffMember, locationIds, member)) continue
    // Pay from before the person was added is stored under their payroll number.
    const byNumber = paid.size
      ? paid.get(toUnknownEmployeeRef(digestWithKey(key, normaliseEmployeeNumber(member.employeeNumber))))
      : undefined
    const worked: EmploymentEvidence = {
      plannedUntil: planned.get(member.id) ?? null,
      paidUntil: later(paid.get(toStaffRef(member.id)) ?? null, byNumber ?? null),
      leaveUntil: leave.get(member.id) ?? null,
      recordedOn: member.created,
      archive: member.archive,
    }
    all.push({ member, retention: decideRetention(worked, years, today) })
    await breathe()
  }
  return { years, all }
}

/** Lists the leavers, earliest leaving day first. */
export async function listLeavers(tx: OrganisationTx, scope: RowScope, now: Date): Promise<Leavers> {
  const { years, all } = await decideRetentions(tx, scope, now)
  const locationNames = new Map(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [assertDefined(scope.organisationId)] })).map(
      (one) => [one.id, one.name],
    ),
  )
  const shown = (member: StaffMember, left: IsoDate): Leaver => ({
    id: member.id,
    employeeNumber: member.employeeNumber,
    name: `${member.surname}, ${member.forename}`,
    locations: member.locations.map((id) => locationNames.get(id) ?? `Location ${id}`).join(', ') || 'All locations',
    left,
  })
  const due = all.flatMap(({ member, retention }) =>
    retention.state === 'due' ? [{ ...shown(member, retention.left), since: retention.since }] : [],
  )
  const kept = all.flatMap(({ member, retention }) =>
    retention.state === 'kept' ? [{ ...shown(member, retention.left), until: retention.until || null, reason: retention.reason }] : [],
  )
  const byLeft = (a: Leaver, b: Leaver): number => a.left.localeCompare(b.left) || a.name.localeCompare(b.name)
  return { years, due: due.sort(byLeft), kept: kept.sort(byLeft), working: all.length - due.length - kept.length }
}
