import { and, eq, gte, lte, ne } from 'drizzle-orm'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { displayDate } from '../../../../domain/values/format.ts'
import { DomainError, invalid, notFound, staleRecord } from '../../../../domain/words/errors.ts'
import { appliedExtendedLeave } from '../../../../drizzle/consoleTables.ts'
import { staffMembers } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { RowScope } from '../../../core/calls/scope.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { encryptText } from '../../../core/database/vault.ts'
import type { RecalculationRequired } from '../../../core/live/announce.ts'
import { readRecord } from '../../../resources/queries.ts'
import { logRecordChange } from '../../../resources/referenceLog.ts'
import {
  type AppliedLeave,
  decryptLeave,
  type LeaveInput,
  markGroupsOfPerson,
  readLeaveRow,
  readStaffKey,
} from '../../../shared/costing/leave/queries.ts'
import { notifyOpenBudgets } from '../../../shared/staff/commands.ts'
import { readStaffMember, readStaffMemberToChange, refuseStaffOfOtherLocations } from '../../../shared/staff/queries.ts'

async function checkLeave(tx: OrganisationTx, scope: RowScope, input: LeaveInput): Promise<void> {
  await readStaffMemberToChange({ tx, organisationId: assertDefined(scope.organisationId) }, input.staffId, scope.locationIds)
  await readRecord({ tx, scope }, resources.extendedLeaveRuleSet, { id: input.extendedLeaveRulesetId }).catch(() => {
    throw invalid([{ field: 'extendedLeaveRulesetId', message: 'Extended leave rule set was not found.' }])
  })
  if (input.endDate < input.startDate) throw invalid([{ field: 'endDate', message: 'End date must be on or after the start date.' }])
  const [other] = await tx
    .select()
    .from(appliedExtendedLeave)
    .where(
      and(
        eq(appliedExtendedLeave.organisationId, assertDefined(scope.organisationId)),
        eq(appliedExtendedLeave.staffId, input.staffId),
        lte(appliedExtendedLeave.startDate, input.endDate),
        gte(appliedExtendedLeave.endDate, input.startDate),
        input.id ? ne(appliedExtendedLeave.id, input.id) : undefined,
      ),
    )
    .limit(1)
  if (!other) return
  const message = `These dates overlap the leave from ${displayDate(other.startDate)} to ${displayDate(other.endDate)}. Change one of the two.`
  throw new DomainError('conflict', 'overlap', message, { fields: [{ field: 'startDate', message }] })
}

/**
 * Creates or changes a person's extended leave (behaviour B-186).
 * @throws DomainError 409 if it overlaps other leave of the person
 */
export async function saveLeave(
  call: Call<'scope' | 'actor'>,
  input: LeaveInput,
): Promise<{ saved: AppliedLeave; required: RecalculationRequired[] }> {
  const { tx, scope, actor } = call
  const organisationId = assertDefined(scope.organisationId)
  // Lock the person, so that two overlapping leaves cannot be saved at the same time.
  await tx.select({ id: staffMembers.id }).from(staffMembers).where(eq(staffMembers.id, input.staffId)).for('update')
  await checkLeave(tx, scope, input)
  const key = await readStaffKey(tx, input.staffId)
  const values = {
    organisationId,
    staffId: input.staffId,
    extendedLeaveRulesetId: input.extendedLeaveRulesetId,
    startDate: input.startDate,
    endDate: input.endDate,
    notes: input.notes && key ? encryptText(key, input.notes) : null,
  }
  const before = input.id ? await readLeaveRow(tx, organisationId, input.id) : null
  if (before && before.staffId !== input.staffId) throw notFound('Applied extended leave')
  if (before && input.version != null && input.version !== before.version)
    throw staleRecord({ version: before.version, record: decryptLeave(before, key), fields: [] })
  const row = requireSingleRow(
    before
      ? await tx
          .update(appliedExtendedLeave)
          .set({ ...values, version: before.version + 1 })
          .where(eq(appliedExtendedLeave.id, before.id))
          .returning()
      : await tx.insert(appliedExtendedLeave).values(values).returning(),
  )
  await logRecordChange(
    call,
    { name: 'appliedExtendedLeave' },
    { action: before ? 'updated' : 'created', before: before && { ...before }, after: { ...row } },
  )
  await notifyOpenBudgets(tx, organisationId, [input.staffId])
  return { saved: decryptLeave(row, key), required: await markGroupsOfPerson({ tx, organisationId, actor }, input.staffId) }
}

/** Deletes a person's extended leave. */
export async function deleteLeave(call: Call<'scope' | 'actor'>, id: number): Promise<RecalculationRequired[]> {
  const { tx, scope, actor } = call
  const organisationId = assertDefined(scope.organisationId)
  const before = await readLeaveRow(tx, organisationId, id)
  const member = await readStaffMember({ tx, organisationId }, before.staffId, scope.locationIds).catch(() => {
    throw notFound('Applied extended leave')
  })
  refuseStaffOfOtherLocations(scope.locationIds, member.locations)
  await tx.delete(appliedExtendedLeave).where(eq(appliedExtendedLeave.id, id))
  await logRecordChange(call, { name: 'appliedExtendedLeave' }, { action: 'deleted', before: { ...before }, after: null })
  await notifyOpenBudgets(tx, before.organisationId, [before.staffId])
  return markGroupsOfPerson({ tx, organisationId, actor }, before.staffId)
}
