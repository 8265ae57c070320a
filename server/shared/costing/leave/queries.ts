import { and, asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { isDate } from '../../../../domain/values/calendar.ts'
import { dayInLondon } from '../../../../domain/values/format.ts'
import type { OrganisationId, StaffId } from '../../../../domain/values/ids.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import { appliedExtendedLeave } from '../../../../drizzle/consoleTables.ts'
import { staffContracts, staffMembers } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { RowScope } from '../../../core/calls/scope.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { decryptText, readPersonKeys } from '../../../core/database/vault.ts'
import type { RecalculationRequired } from '../../../core/live/announce.ts'
import { markBudgetForRecalculation } from '../../../streams/budget/marks.ts'
import { readStaffMember } from '../../staff/queries.ts'

const day = (label: string) => z.string(`${label} is required.`).refine(isDate, `${label} is not a valid date.`)

/** A person's extended leave, as pages and the API send it (entities.json AppliedExtendedLeave). */
export const leaveInput = z.object({
  id: z.int().nullish(),
  version: z.int().nullish(),
  staffId: z.int('Staff is required.').brand<'StaffId'>(),
  extendedLeaveRulesetId: z.int('Extended leave rule set is required.'),
  startDate: day('Start date'),
  endDate: day('End date'),
  notes: z
    .string()
    .trim()
    .max(2000, 'Notes can have at most 2000 characters.')
    .nullish()
    .transform((text) => text || null),
})
export type LeaveInput = z.infer<typeof leaveInput>

type Row = typeof appliedExtendedLeave.$inferSelect

/** People's stored extended leave, earliest first. People without leave are absent. */
export type LeavesByStaff = ReadonlyMap<StaffId, Row[]>

export interface AppliedLeave extends Omit<LeaveInput, 'id' | 'version'> {
  id: number
  version: number
  created: string
}

export async function readStaffKey(tx: OrganisationTx, staffId: StaffId): Promise<Buffer | undefined> {
  const [row] = await tx.select({ subject: staffMembers.subject }).from(staffMembers).where(eq(staffMembers.id, staffId))
  return row && (await readPersonKeys(tx, [row.subject])).get(row.subject)
}

export function decryptLeave(row: Row, key: Buffer | undefined): AppliedLeave {
  return {
    id: row.id,
    version: row.version,
    created: dayInLondon(row.created),
    staffId: row.staffId,
    extendedLeaveRulesetId: row.extendedLeaveRulesetId,
    startDate: row.startDate,
    endDate: row.endDate,
    notes: row.notes && key ? decryptText(key, row.notes) : null,
  }
}

/**
 * A person's extended leave, earliest first.
 * @throws DomainError 404 for someone at another location
 */
export async function readLeavesOfPerson(tx: OrganisationTx, scope: RowScope, staffId: StaffId): Promise<AppliedLeave[]> {
  await readStaffMember({ tx, organisationId: assertDefined(scope.organisationId) }, staffId, scope.locationIds)
  const rows = await tx
    .select()
    .from(appliedExtendedLeave)
    .where(and(eq(appliedExtendedLeave.organisationId, assertDefined(scope.organisationId)), eq(appliedExtendedLeave.staffId, staffId)))
    .orderBy(asc(appliedExtendedLeave.startDate))
  const key = await readStaffKey(tx, staffId)
  return rows.map((row) => decryptLeave(row, key))
}

export async function readLeaveRow(tx: OrganisationTx, organisationId: OrganisationId, id: number): Promise<Row> {
  const [row] = await tx
    .select()
    .from(appliedExtendedLeave)
    .where(and(eq(appliedExtendedLeave.organisationId, organisationId), eq(appliedExtendedLeave.id, id)))
    .for('update')
  if (!row) throw notFound('Applied extended leave')
  return row
}

/** Marks the budget groups in which a person has a contract as requiring recalculation. */
export async function markGroupsOfPerson(
  { tx, organisationId, actor }: Call<'organisationId' | 'actor'>,
  staffId: StaffId,
): Promise<RecalculationRequired[]> {
  const rows = await tx
    .selectDistinct({ budgetId: staffContracts.budgetId })
    .from(staffContracts)
    .where(and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.staffId, staffId)))
  const required: RecalculationRequired[] = []
  for (const { budgetId } of rows)
    required.push(...(await markBudgetForRecalculation({ tx, organisationId, budgetId, now: actor.now }, 'Extended leave')))
  return required
}

/** The stored extended leave of these people, earliest first. */
export async function readLeavesByStaff(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  staffIds: readonly StaffId[],
): Promise<LeavesByStaff> {
  const byStaff = new Map<StaffId, Row[]>()
  if (!staffIds.length) return byStaff
  const rows = await tx
    .select()
    .from(appliedExtendedLeave)
    .where(
      and(
        eq(appliedExtendedLeave.organisationId, organisationId),
        sql`${appliedExtendedLeave.staffId} = any(${sql.param(`{${staffIds.join(',')}}`)}::integer[])`,
      ),
    )
    .orderBy(asc(appliedExtendedLeave.startDate))
  for (const row of rows) byStaff.set(row.staffId, [...(byStaff.get(row.staffId) ?? []), row])
  return byStaff
}
