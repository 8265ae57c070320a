import { and, asc, eq, gte, inArray, lte, ne } from 'drizzle-orm'
import { z } from 'zod'
import { isDate } from '../../domain/calendar.ts'
import { DomainError, invalid, notFound, stale } from '../../domain/errors.ts'
import { displayDate } from '../../domain/format.ts'
import { resources } from '../../domain/resources/all.ts'
import { appliedExtendedLeave } from '../../drizzle/consoleTables.ts'
import { staffContracts, staffMembers } from '../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { markBudgetRequired, type Required } from './groupStore.ts'
import { recordChange } from './referenceLog.ts'
import { get } from './resourceQueries.ts'
import type { RowScope } from './rowRules.ts'
import { getStaff } from './staffStore.ts'
import { keysOf, seal, unseal } from './vault.ts'

const day = (label: string) => z.string(`${label} is required.`).refine(isDate, `${label} is not a date.`)

/** Extended leave of one person as screens and the API send it (entities.json AppliedExtendedLeave). */
export const leaveInput = z.object({
  id: z.int().nullish(),
  version: z.int().nullish(),
  staffId: z.int('Staff is required.'),
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

export interface AppliedLeave extends Omit<LeaveInput, 'id' | 'version'> {
  id: number
  version: number
  created: string
}

async function subjectKey(tx: OrganisationTx, staffId: number): Promise<Buffer | undefined> {
  const [row] = await tx.select({ subject: staffMembers.subject }).from(staffMembers).where(eq(staffMembers.id, staffId))
  return row && (await keysOf(tx, [row.subject])).get(row.subject)
}

function open(row: Row, key: Buffer | undefined): AppliedLeave {
  return {
    id: row.id,
    version: row.version,
    created: new Date(row.created).toISOString().slice(0, 10),
    staffId: row.staffId,
    extendedLeaveRulesetId: row.extendedLeaveRulesetId,
    startDate: row.startDate,
    endDate: row.endDate,
    notes: row.notes && key ? unseal(key, row.notes) : null,
  }
}

/** The extended leave of one person, in order. @throws DomainError 404 for somebody of another location */
export async function leaveOf(tx: OrganisationTx, scope: RowScope, staffId: number): Promise<AppliedLeave[]> {
  await getStaff(tx, scope.organisationId!, staffId, scope.locationIds)
  const rows = await tx
    .select()
    .from(appliedExtendedLeave)
    .where(and(eq(appliedExtendedLeave.organisationId, scope.organisationId!), eq(appliedExtendedLeave.staffId, staffId)))
    .orderBy(asc(appliedExtendedLeave.startDate))
  const key = await subjectKey(tx, staffId)
  return rows.map((row) => open(row, key))
}

async function check(tx: OrganisationTx, scope: RowScope, input: LeaveInput): Promise<void> {
  await getStaff(tx, scope.organisationId!, input.staffId, scope.locationIds)
  await get(tx, resources.extendedLeaveRuleSet, scope, input.extendedLeaveRulesetId).catch(() => {
    throw invalid([{ field: 'extendedLeaveRulesetId', message: 'Extended leave rule set was not found.' }])
  })
  if (input.endDate < input.startDate) throw invalid([{ field: 'endDate', message: 'End date must be on or after the start date.' }])
  const [other] = await tx
    .select()
    .from(appliedExtendedLeave)
    .where(
      and(
        eq(appliedExtendedLeave.organisationId, scope.organisationId!),
        eq(appliedExtendedLeave.staffId, input.staffId),
        lte(appliedExtendedLeave.startDate, input.endDate),
        gte(appliedExtendedLeave.endDate, input.startDate),
        input.id ? ne(appliedExtendedLeave.id, input.id) : undefined,
      ),
    )
    .limit(1)
  if (!other) return
  const message = `These dates overlap the leave from ${displayDate(other.startDate)} to ${displayDate(other.endDate)}. Change one of the two.`
  throw new DomainError('conflict', 'overlap', message, [{ field: 'startDate', message }])
}

/** Creates or changes extended leave of a person (behaviour B-186). @throws DomainError 409 when it overlaps other leave of the person */
export async function saveLeave(
  tx: OrganisationTx,
  scope: RowScope,
  input: LeaveInput,
  actor: Actor,
): Promise<{ saved: AppliedLeave; required: Required[] }> {
  const organisationId = scope.organisationId!
  // One at a time for each person, so that two overlapping leaves cannot be saved side by side.
  await tx.select({ id: staffMembers.id }).from(staffMembers).where(eq(staffMembers.id, input.staffId)).for('update')
  await check(tx, scope, input)
  const key = await subjectKey(tx, input.staffId)
  const values = {
    organisationId,
    staffId: input.staffId,
    extendedLeaveRulesetId: input.extendedLeaveRulesetId,
    startDate: input.startDate,
    endDate: input.endDate,
    notes: input.notes && key ? seal(key, input.notes) : null,
  }
  const before = input.id ? await leaveRow(tx, organisationId, input.id) : null
  if (before && before.staffId !== input.staffId) throw notFound('Applied extended leave')
  if (before && input.version != null && input.version !== before.version)
    throw stale({ version: before.version, record: open(before, key), fields: [] })
  const [row] = before
    ? await tx
        .update(appliedExtendedLeave)
        .set({ ...values, version: before.version + 1 })
        .where(eq(appliedExtendedLeave.id, before.id))
        .returning()
    : await tx.insert(appliedExtendedLeave).values(values).returning()
  await recordChange(tx, { name: 'appliedExtendedLeave' }, before ? 'updated' : 'created', before && { ...before }, { ...row! }, actor)
  return { saved: open(row!, key), required: await groupsOfStaff(tx, organisationId, input.staffId, actor) }
}

/** Takes extended leave of a person away. */
export async function deleteLeave(tx: OrganisationTx, scope: RowScope, id: number, actor: Actor): Promise<Required[]> {
  const organisationId = scope.organisationId!
  const before = await leaveRow(tx, organisationId, id)
  await getStaff(tx, organisationId, before.staffId, scope.locationIds).catch(() => {
    throw notFound('Applied extended leave')
  })
  await tx.delete(appliedExtendedLeave).where(eq(appliedExtendedLeave.id, id))
  await recordChange(tx, { name: 'appliedExtendedLeave' }, 'deleted', { ...before }, null, actor)
  return groupsOfStaff(tx, organisationId, before.staffId, actor)
}

async function leaveRow(tx: OrganisationTx, organisationId: number, id: number): Promise<Row> {
  const [row] = await tx
    .select()
    .from(appliedExtendedLeave)
    .where(and(eq(appliedExtendedLeave.organisationId, organisationId), eq(appliedExtendedLeave.id, id)))
    .for('update')
  if (!row) throw notFound('Applied extended leave')
  return row
}

/** The budget groups in which a person has a contract are to be recalculated. */
async function groupsOfStaff(tx: OrganisationTx, organisationId: number, staffId: number, actor: Actor): Promise<Required[]> {
  const rows = await tx
    .selectDistinct({ budgetId: staffContracts.budgetId })
    .from(staffContracts)
    .where(and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.staffId, staffId)))
  const required: Required[] = []
  for (const { budgetId } of rows) required.push(...(await markBudgetRequired(tx, organisationId, budgetId, 'Extended leave', actor.now)))
  return required
}

/** The leave of some people, for a calculation: dates and rule set, no words. */
export async function leavesByStaff(tx: OrganisationTx, organisationId: number, staffIds: readonly number[]): Promise<Map<number, Row[]>> {
  const byStaff = new Map<number, Row[]>()
  if (!staffIds.length) return byStaff
  const rows = await tx
    .select()
    .from(appliedExtendedLeave)
    .where(and(eq(appliedExtendedLeave.organisationId, organisationId), inArray(appliedExtendedLeave.staffId, [...staffIds])))
    .orderBy(asc(appliedExtendedLeave.startDate))
  for (const row of rows) byStaff.set(row.staffId, [...(byStaff.get(row.staffId) ?? []), row])
  return byStaff
}
