import { randomUUID } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BudgetHead } from '../../../domain/budget/budget.ts'
import { calculateRetainedAges, listAgeLimits } from '../../../domain/calculation/staffing/ages.ts'
import { resources } from '../../../domain/resources/all.ts'
import { staffMember } from '../../../domain/resources/entities/budget/staffMember.ts'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import { buildNewRecord, listChangedFields, type RecordValues } from '../../../domain/resources/schema.ts'
import { appliesOutsideLocations } from '../../../domain/resources/sharing.ts'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import type { LocationId, OrganisationId, StaffId } from '../../../domain/values/ids.ts'
import { requireNumbers } from '../../../domain/values/unknownValues.ts'
import { conflict, DomainError, invalid, notFound, staleRecord } from '../../../domain/words/errors.ts'
import { appliedExtendedLeave } from '../../../drizzle/consoleTables.ts'
import { budgets, staffContracts, staffMembers, vaultKeys } from '../../../drizzle/schema.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { getResourceTable, readResourceRecords } from '../../core/database/tables.ts'
import {
  createPersonKeys,
  digestWithKey,
  encryptText,
  ensureOrganisationKey,
  eraseSubjectKey,
  readPersonKeys,
} from '../../core/database/vault.ts'
import type { RecalculationRequired } from '../../core/live/announce.ts'
import { createYielder } from '../../core/yielding.ts'
import type { ImportProgressReporter } from '../../resources/import/commands.ts'
import { createImportNames } from '../../resources/import/names.ts'
import { parseImportRows, saveImportRows } from '../../resources/import/read.ts'
import { buildIntegerArray } from '../../resources/listConditions.ts'
import { logRecordChange, logRecordChanges } from '../../resources/referenceLog.ts'
import { fillInCallerLocations, findLocationProblem } from '../../resources/rowRules.ts'
import { markBudgetForRecalculation } from '../../streams/budget/marks.ts'
import { decryptStaffMember, type StaffMember, type StaffMemberInput, type StaffRow, worksAt } from '../../streams/budget/people.ts'
import { lockAllBudgets } from '../../streams/budget/queries.ts'
import { deleteFilesWithNames } from '../files/commands.ts'
import { deleteViewsOfPerson } from '../listViews/commands.ts'
import { deleteRemindersAbout } from '../reminders/commands.ts'
import {
  pickStaffIdentity,
  readStaffMember,
  readStaffMembers,
  refuseStaffOfOtherLocations,
  type StoredAges,
  validateStaff,
} from './queries.ts'

/**
 * Refuses locations of other organisations, and locations that a caller limited to some locations may not assign.
 * @throws DomainError 400
 */
export async function refuseUnassignableLocations(
  call: Call<'organisationId'>,
  locations: readonly LocationId[],
  limitedTo: readonly number[] | null,
): Promise<void> {
  const check = await locationCheck(call, limitedTo)
  check(locations)
}

/** As `refuseUnassignableLocations`, for many people with a single query. */
async function locationCheck({ tx, organisationId }: Call<'organisationId'>, limitedTo: readonly number[] | null) {
  const { table, columns } = getResourceTable(resources.location)
  const rows = await tx.select({ id: columns.id }).from(table).where(eq(columns.organisationId, organisationId))
  const ownIds = new Set<unknown>(rows.map((row) => row.id))
  return (locations: readonly LocationId[]): void => {
    const message = locations.every((id) => ownIds.has(id)) ? findLocationProblem(limitedTo, locations) : 'Location was not found.'
    if (message) throw invalid([{ field: 'locations', message }])
  }
}

/** The number of people in one statement. */
const atOnce = 2000

const numberUsed = (): DomainError =>
  new DomainError('conflict', 'duplicate', 'Employee number is already used.', {
    fields: [{ field: 'employeeNumber', message: 'Employee number is already used.' }],
  })

/**
 * Adds people in batches, all or none.
 * @returns the people in the given order
 * @throws DomainError 409 for an employee number that someone else already has, or that is given twice
 */
export async function addStaff(call: Call<'organisationId' | 'actor'>, inputs: readonly StaffMemberInput[]): Promise<StaffMember[]> {
  const { tx, organisationId } = call
  const added: StaffMember[] = []
  const pepper = await ensureOrganisationKey(tx, organisationId)
  for (let start = 0; start < inputs.length; start += atOnce) {
    const some = inputs.slice(start, start + atOnce).map((input) => ({ input, numberDigest: digestWithKey(pepper, input.employeeNumber) }))
    const digests = some.map(({ numberDigest }) => numberDigest)
    const [same] = await tx
      .select({ id: staffMembers.id })
      .from(staffMembers)
      .where(and(eq(staffMembers.organisationId, organisationId), inArray(staffMembers.numberDigest, digests)))
      .limit(1)
    if (same || new Set(digests).size < digests.length) throw numberUsed()
    const keys = await createPersonKeys(tx, organisationId, some.length)
    const rows = await tx
      .insert(staffMembers)
      .values(
        some.map(({ input, numberDigest }, index) => {
          const { subject, key } = assertDefined(keys[index])
          const vault = encryptText(key, JSON.stringify(pickStaffIdentity(input)))
          return { organisationId, numberDigest, archive: input.archive, locationIds: input.locations, subject, vault }
        }),
      )
      .returning()
    const bySubject = new Map(rows.map((row) => [row.subject, row]))
    const inOrder = keys.map(({ subject, key }) => ({ row: assertDefined(bySubject.get(subject)), key }))
    await logRecordChanges(
      call,
      { name: 'staffMember' },
      inOrder.map(({ row }) => ({ action: 'created', before: null, after: logged(row) })),
    )
    for (const { row, key } of inOrder) added.push(decryptStaffMember(row, key))
  }
  return added
}

/**
 * Creates or changes a staff member.
 * @throws DomainError 409 for a number already used, or if someone else has saved the person since the caller read them
 */
export async function saveStaff(call: Call<'organisationId' | 'actor'>, input: StaffMemberInput): Promise<StaffMember> {
  const { tx, organisationId } = call
  if (!input.id) return requireSingleRow(await addStaff(call, [input]))
  const pepper = await ensureOrganisationKey(tx, organisationId)
  const numberDigest = digestWithKey(pepper, input.employeeNumber)
  const [same] = await tx
    .select({ id: staffMembers.id })
    .from(staffMembers)
    .where(and(eq(staffMembers.organisationId, organisationId), eq(staffMembers.numberDigest, numberDigest)))
  if (same && same.id !== input.id) throw numberUsed()
  const values = { organisationId, numberDigest, archive: input.archive, locationIds: input.locations }
  const [before] = await tx
    .select()
    .from(staffMembers)
    .where(and(eq(staffMembers.organisationId, organisationId), eq(staffMembers.id, input.id)))
    .for('update')
  if (!before) throw notFound('Staff member')
  const key = (await readPersonKeys(tx, [before.subject])).get(before.subject)
  if (!key) throw conflict('erased', 'This person was erased and can no longer be changed.')
  if (input.version != null && input.version !== before.version)
    throw staleRecord({ version: before.version, record: decryptStaffMember(before, key), fields: [] })
  const row = requireSingleRow(
    await tx
      .update(staffMembers)
      .set({ ...values, vault: encryptText(key, JSON.stringify(pickStaffIdentity(input))), version: before.version + 1 })
      .where(eq(staffMembers.id, before.id))
      .returning(),
  )
  await logStaff(call, 'updated', { before, after: row })
  return decryptStaffMember(row, key)
}

/**
 * Changes many people in batches, all or none.
 * @param wanted returns the new values of a person, given the locked current ones
 * @throws DomainError 404 for an unknown person, 409 for an erased person or a person saved since, and whatever `wanted` throws
 */
export async function updateStaff(
  call: Call<'organisationId' | 'actor'>,
  ids: readonly StaffId[],
  wanted: (before: StaffMember) => StaffMemberInput,
): Promise<[StaffMember, StaffMember][]> {
  const pairs: [StaffMember, StaffMember][] = []
  const inOrder = [...new Set(ids)].sort((a, b) => a - b)
  for (let start = 0; start < inOrder.length; start += atOnce)
    pairs.push(...(await changeSome(call, inOrder.slice(start, start + atOnce), wanted)))
  return pairs
}

async function changeSome(
  call: Call<'organisationId' | 'actor'>,
  ids: readonly StaffId[],
  wanted: (before: StaffMember) => StaffMemberInput,
): Promise<[StaffMember, StaffMember][]> {
  const { tx, organisationId } = call
  const rows = await tx
    .select()
    .from(staffMembers)
    .where(and(eq(staffMembers.organisationId, organisationId), sql`${staffMembers.id} = any(${buildIntegerArray(ids)})`))
    .orderBy(staffMembers.id)
    .for('update')
  if (rows.length < ids.length) throw notFound('Staff member')
  const keys = await readPersonKeys(
    tx,
    rows.map((row) => row.subject),
  )
  const changed: { row: StaffRow; after: StaffRow; pair: [StaffMember, StaffMember] }[] = []
  const turn = createYielder()
  for (const row of rows) {
    await turn()
    const key = keys.get(row.subject)
    if (!key) throw conflict('erased', 'This person was erased and can no longer be changed.')
    const before = decryptStaffMember(row, key)
    const member = wanted(before)
    if (member.version != null && member.version !== row.version) throw staleRecord({ version: row.version, record: before, fields: [] })
    const vault = encryptText(key, JSON.stringify(pickStaffIdentity(member)))
    const after: StaffRow = { ...row, vault, archive: member.archive, locationIds: member.locations, version: row.version + 1 }
    changed.push({ row, after, pair: [before, decryptStaffMember(after, key)] })
  }
  const written = changed.map(({ after: { id, vault, archive, locationIds } }) => ({ id, vault, archive, location_ids: locationIds }))
  await tx.execute(sql`
    update staff_members set vault = changed.vault, archive = changed.archive, location_ids = changed.location_ids,
      version = staff_members.version + 1
    from json_to_recordset(${JSON.stringify(written)}::json) as changed(id integer, vault text, archive boolean, location_ids integer[])
    where staff_members.organisation_id = ${organisationId} and staff_members.id = changed.id`)
  const changes = changed.map(({ row, after }) => ({ action: 'updated' as const, before: logged(row), after: logged(after) }))
  await logRecordChanges(call, { name: 'staffMember' }, changes)
  await notifyOpenBudgets(tx, organisationId, ids)
  return changed.map(({ pair }) => pair)
}

/** Logs changes of staff members, with personal values still encrypted. */
async function logStaff(
  call: Call<'actor'>,
  action: 'created' | 'updated' | 'deleted' | 'erased',
  { before, after }: { before: StaffRow | null; after: StaffRow | null },
): Promise<void> {
  const { tx } = call
  await logRecordChange(call, { name: 'staffMember' }, { action, before: before && logged(before), after: after && logged(after) })
  if (before) await notifyOpenBudgets(tx, before.organisationId, [before.id])
}

const logged = (row: StaffRow): AnyRecord => ({
  id: row.id,
  version: row.version,
  created: row.created,
  organisationId: row.organisationId,
  vault: row.vault,
  archive: row.archive,
  locations: row.locationIds,
})

/** Notifies all users who have a budget open that shows one of the changed people. */
export async function notifyOpenBudgets(tx: OrganisationTx, organisationId: OrganisationId, staffIds: readonly StaffId[]): Promise<void> {
  const rows = await tx
    .selectDistinct({ id: budgets.id, version: budgets.version })
    .from(staffContracts)
    .innerJoin(budgets, and(eq(budgets.organisationId, staffContracts.organisationId), eq(budgets.id, staffContracts.budgetId)))
    .where(and(eq(staffContracts.organisationId, organisationId), sql`${staffContracts.staffId} = any(${buildIntegerArray(staffIds)})`))
  for (const { id, version } of rows) if (!tx.changedBudgets.has(id)) tx.changedBudgets.set(id, { organisationId, version })
}

/**
 * Deletes staff members without contracts.
 * @throws DomainError 403 for people who may also work elsewhere; 409 with the number of contracts that prevent it
 */
export async function deleteStaff(call: Call<'organisationId' | 'scope' | 'actor'>, ids: readonly StaffId[]): Promise<number> {
  const { tx, organisationId } = call
  const members = await tx
    .select()
    .from(staffMembers)
    .where(and(eq(staffMembers.organisationId, organisationId), sql`${staffMembers.id} = any(${buildIntegerArray(ids)})`))
    .orderBy(staffMembers.id)
    .for('update')
  if (members.length < new Set(ids).size) throw notFound('Staff member')
  for (const row of members) refuseStaffOfOtherLocations(call.scope.locationIds, row.locationIds)
  await lockAllBudgets(tx, organisationId)
  for (const row of members) {
    const { id } = row
    const used = requireSingleRow(
      await tx.select({ count: sql<number>`count(*)::int` }).from(staffContracts).where(eq(staffContracts.staffId, id)),
    )
    if (used.count)
      throw conflict('inUse', `Staff member is in use by ${displayCount(used.count, 'staff contract')} and cannot be deleted.`)
    const leaves = await tx.delete(appliedExtendedLeave).where(eq(appliedExtendedLeave.staffId, id)).returning()
    for (const leave of leaves)
      await logRecordChange(call, { name: 'appliedExtendedLeave' }, { action: 'deleted', before: leave, after: null })
    await tx.delete(staffMembers).where(eq(staffMembers.id, id))
    await tx.delete(vaultKeys).where(eq(vaultKeys.subject, row.subject))
    await logStaff(call, 'deleted', { before: row, after: null })
  }
  return members.length
}

/**
 * Marks the groups with contracts of people whose date of birth changed as requiring recalculation, because national insurance depends on
 * age.
 */
export async function markGroupsOfChangedBirthDates(
  { tx, organisationId, now }: Call<'organisationId' | 'now'>,
  pairs: readonly (readonly [StaffMember, StaffMember])[],
): Promise<RecalculationRequired[]> {
  const ids = pairs.filter(([before, after]) => before.dateOfBirth !== after.dateOfBirth).map(([before]) => before.id)
  if (!ids.length) return []
  const rows = await tx
    .selectDistinct({ budgetId: staffContracts.budgetId })
    .from(staffContracts)
    .where(and(eq(staffContracts.organisationId, organisationId), inArray(staffContracts.staffId, ids)))
  const required: RecalculationRequired[] = []
  for (const { budgetId } of rows)
    required.push(...(await markBudgetForRecalculation({ tx, organisationId, budgetId, now }, 'A date of birth')))
  return required
}

const plain = (member: StaffMember): RecordValues => {
  const { id: _id, version: _version, created: _created, erased: _erased, ...values } = member
  return values
}

/** The field problems of an error, if it is one of our refusals; any other error is thrown again. */
export function toFieldProblems(error: unknown): { field: string; message: string }[] | null {
  if (!(error instanceof DomainError)) return null
  return error.fields.length ? error.fields : [{ field: '', message: error.message }]
}

/**
 * Imports people. A row with an existing employee number changes that person (behaviour B-141).
 * @param locationId the selected location, where new people work if their row names none
 * @throws DomainError with one error for each invalid cell
 */
export async function importStaff(
  { tx, scope, actor, locationId }: Call & { scope: RowScope; actor: Actor; locationId: LocationId | null },
  rows: readonly Record<string, string>[],
  progress?: ImportProgressReporter,
) {
  const organisationId = assertDefined(scope.organisationId)
  const isOwn = locationId !== null && (scope.locationIds === null || scope.locationIds.includes(locationId))
  const defaults = isOwn ? [locationId] : scope.locationIds
  const read = parseImportRows(staffMember, rows, (await createImportNames(tx, staffMember, scope)).find)
  const known = new Map((await readStaffMembers(tx, organisationId)).map((member) => [member.employeeNumber.toLowerCase(), member]))
  const fresh: StaffMemberInput[] = []
  const others = new Map<StaffId, RecordValues>()
  const check = await locationCheck({ tx, organisationId }, scope.locationIds)
  const turn = createYielder()
  /** An existing person with the values of the file. */
  const changed = (before: StaffMember, given: RecordValues): StaffMemberInput => {
    if (!worksAt(before, scope.locationIds))
      throw new DomainError('invalid', 'invalid', '', {
        fields: [{ field: 'employeeNumber', message: 'Employee number is already used at another location.' }],
      })
    const member = validateStaff({ ...plain(before), ...given, id: before.id })
    if (listChangedFields(staffMember, plain(before), member).length) {
      refuseStaffOfOtherLocations(scope.locationIds, before.locations)
      check(member.locations)
    }
    return member
  }
  const result = await saveImportRows(staffMember, {
    rows: read,
    save: async (values) => {
      await turn()
      const before = known.get(
        String(values.employeeNumber ?? '')
          .trim()
          .toLowerCase(),
      )
      if (before) {
        if (!listChangedFields(staffMember, plain(before), changed(before, values)).length) return 'same'
        others.set(before.id, values)
        return 'updated'
      }
      const given = fillInCallerLocations(defaults, values)
      if (!requireNumbers(given.locations).length)
        throw invalid([
          {
            field: 'locations',
            message: 'Locations is empty. Enter where this person works, or choose a location at the top before you import.',
          },
        ])
      const member = validateStaff({ ...buildNewRecord(staffMember), ...given })
      check(member.locations)
      fresh.push(member)
      return 'created'
    },
    problemsOf: toFieldProblems,
    progress,
  })
  const call = { tx, organisationId, actor }
  await addStaff(call, fresh)
  // Applied to the locked values, so that fields missing from the file keep what somebody saved since the comparison.
  const pairs = await updateStaff(call, [...others.keys()], (before) => changed(before, assertDefined(others.get(before.id))))
  return { result, required: await markGroupsOfChangedBirthDates({ tx, organisationId, now: actor.now }, pairs) }
}

/**
 * Changes the same fields of many people in batches, all or none.
 * @throws DomainError 400 for an invalid field; 409 for an erased person, and for a number that someone else has or that several would get
 */
export async function editStaffInBulk(call: Call<'scope' | 'actor'>, members: readonly StaffMember[], patch: RecordValues) {
  const { tx, scope, actor } = call
  const organisationId = assertDefined(scope.organisationId)
  for (const { locations } of members) refuseStaffOfOtherLocations(scope.locationIds, locations)
  const pairs: [StaffMember, StaffMember][] = []
  if (patch.employeeNumber !== undefined) {
    // An employee number belongs to one person, so the second person in the batch is refused, as in the form.
    for (const before of members) {
      const member = validateStaff({ ...plain(before), ...patch, id: before.id })
      await refuseUnassignableLocations({ tx, organisationId }, member.locations, scope.locationIds)
      pairs.push([before, await saveStaff({ tx, organisationId, actor }, member)])
    }
  } else {
    const check = await locationCheck({ tx, organisationId }, scope.locationIds)
    const ids = members.map((member) => member.id)
    pairs.push(
      ...(await updateStaff({ tx, organisationId, actor }, ids, (before) => {
        const member = validateStaff({ ...plain(before), ...patch, id: before.id })
        refuseStaffOfOtherLocations(scope.locationIds, before.locations)
        check(member.locations)
        return member
      })),
    )
  }
  return { updated: members.length, required: await markGroupsOfChangedBirthDates({ tx, organisationId, now: actor.now }, pairs) }
}

/**
 * Permanently erases a person's identity: their key is deleted, so that nothing encrypted with it can be read in lists, histories, logs or
 * contracts. Their contracts remain, with every penny, under a meaningless number.
 * @param confirmedNumber the employee number that the user typed to confirm
 * @throws DomainError 400 for another number, 404 for people of other locations, 403 for people who also work outside the caller's
 * locations, 409 for an erased person
 */
export async function eraseStaff(call: Call<'scope' | 'actor'>, id: StaffId, confirmedNumber: string): Promise<void> {
  const { tx, scope, actor } = call
  const organisationId = assertDefined(scope.organisationId)
  const member = await readStaffMember({ tx, organisationId }, id, scope.locationIds)
  const [before] = await tx.select().from(staffMembers).where(eq(staffMembers.id, id)).for('update')
  if (!before) throw notFound('Staff member')
  if (member.erased) throw conflict('erased', 'This person has already been erased.')
  if (appliesOutsideLocations(staffMember, scope.locationIds, member))
    throw new DomainError(
      'forbidden',
      'forbidden',
      'This person may also work at other locations. Someone with access to all of them can erase them.',
    )
  if (confirmedNumber.trim().toLowerCase() !== member.employeeNumber.trim().toLowerCase())
    throw invalid([{ field: 'employeeNumber', message: 'This is not the employee number of this person. Type it exactly as shown above.' }])

  const inBudgets = await tx
    .select({ contractId: staffContracts.id, head: budgets.head })
    .from(staffContracts)
    .innerJoin(budgets, and(eq(budgets.organisationId, staffContracts.organisationId), eq(budgets.id, staffContracts.budgetId)))
    .where(and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.staffId, id)))
  await eraseSubjectKey(tx, organisationId, before.subject)
  await deleteFilesWithNames(tx, organisationId)
  await deleteViewsOfPerson(tx, organisationId, {
    surname: member.surname,
    marks: [member.employeeNumber, member.niNumber ?? '', member.email ?? ''],
  })
  const after = requireSingleRow(
    await tx
      .update(staffMembers)
      .set({
        vault: JSON.stringify(await calculateAgesToRetain(tx, member.dateOfBirth, inBudgets)),
        numberDigest: `erased ${randomUUID()}`,
        version: before.version + 1,
      })
      .where(eq(staffMembers.id, id))
      .returning(),
  )
  await deleteRemindersAbout({ tx, organisationId, actor }, [
    `staff:${id}`,
    ...inBudgets.map(({ contractId }) => `contract:${contractId}` as const),
  ])
  await logStaff(call, 'erased', { before, after })
}

async function calculateAgesToRetain(
  tx: OrganisationTx,
  dateOfBirth: string | null,
  inBudgets: readonly { head: BudgetHead }[],
): Promise<StoredAges> {
  const limits = listAgeLimits({ all: await readResourceRecords(tx, resources.nationalInsurance) })
  const all = inBudgets.map(({ head }) => ({
    firstYear: head.firstYear,
    years: head.numberOfYears,
    startMonth: head.startMonth,
    payArea: 'main' as const,
  }))
  return { ages: calculateRetainedAges(dateOfBirth, limits, all) }
}
