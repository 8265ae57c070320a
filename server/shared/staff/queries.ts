import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { RetainedAges } from '../../../domain/calculation/staffing/ages.ts'
import { staffMember } from '../../../domain/resources/entities/budget/staffMember.ts'
import { checkRecord } from '../../../domain/resources/schema.ts'
import { appliesOutsideLocations } from '../../../domain/resources/sharing.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { BudgetId, ContractId, LocationId, OrganisationId, StaffId } from '../../../domain/values/ids.ts'
import { invalid, notFound, otherLocationsAffected } from '../../../domain/words/errors.ts'
import { appliedExtendedLeave } from '../../../drizzle/consoleTables.ts'
import { staffMembers, vaultKeys } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { decryptText, digestWithKey, ensureOrganisationKey, readPersonKeys, unsealKey } from '../../core/database/vault.ts'
import { type HistoryEntry, readRecordHistory } from '../../resources/referenceLog.ts'
import {
  decryptStaffMember,
  decryptStaffMembers,
  loadStaffByIds,
  type StaffIdentity,
  type StaffMember,
  type StaffMemberInput,
  worksAt,
} from '../../streams/budget/people.ts'

export const staffMemberInput = z.looseObject({ id: z.int().brand<'StaffId'>().nullish(), version: z.int().nullish() })

/** @throws DomainError 400 with a sentence for each broken rule */
export function validateStaff({ id, version, ...input }: z.infer<typeof staffMemberInput>): StaffMemberInput {
  const { values, problems } = checkRecord(staffMember, input)
  if (problems.length) throw invalid(problems)
  // Validated by the same declaration from which the type is derived.
  return { ...(values as StaffMemberInput), id, version }
}

/** All staff members of the organisation, or of some locations. */
export async function readStaffMembers(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  locationIds: LocationId[] | null = null,
): Promise<StaffMember[]> {
  const visibleStaff =
    locationIds &&
    sql`(${staffMembers.locationIds} = '{}' or ${staffMembers.locationIds} && ${sql.param(`{${locationIds.join(',')}}`)}::int[])`
  const rows = await tx
    .select({ member: staffMembers, key: vaultKeys.key })
    .from(staffMembers)
    .leftJoin(vaultKeys, eq(vaultKeys.subject, staffMembers.subject))
    .where(and(eq(staffMembers.organisationId, organisationId), visibleStaff ?? undefined))
  return rows.map(({ member, key }) => decryptStaffMember(member, key ? unsealKey(tx, member.subject, key) : undefined))
}

/** The staff member with an employee number. The table stores only a digest of the number. */
export async function findStaffByNumber(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  employeeNumber: string,
): Promise<{ id: StaffId; subject: string; member: StaffMember } | undefined> {
  const key = await ensureOrganisationKey(tx, organisationId)
  const [row] = await tx
    .select()
    .from(staffMembers)
    .where(and(eq(staffMembers.organisationId, organisationId), eq(staffMembers.numberDigest, digestWithKey(key, employeeNumber))))
  if (!row) return undefined
  return { id: row.id, subject: row.subject, member: assertDefined((await decryptStaffMembers(tx, [row]))[0]) }
}

/** A person with the key to their encrypted data, and their extended leave, earliest first; an erased person has no key. */
export interface MemberWithKey {
  member: StaffMember
  subject: string
  key: Buffer | undefined
  leaves: (typeof appliedExtendedLeave.$inferSelect)[]
}

/** The person with an employee number, and the current employee of a contract, each with the data that saving the contract needs. */
export async function readPeopleOfContract(
  tx: OrganisationTx,
  {
    organisationId,
    budgetId,
    id,
    employeeNumber,
  }: { organisationId: OrganisationId; budgetId: BudgetId; id: ContractId | null; employeeNumber: string | null },
): Promise<{ named: MemberWithKey | undefined; all: ReadonlyMap<StaffId, MemberWithKey> }> {
  const wanted = employeeNumber ? digestWithKey(await ensureOrganisationKey(tx, organisationId), employeeNumber) : null
  const holder = sql`select staff_id from staff_contracts c where c.organisation_id = ${organisationId} and c.budget_id = ${budgetId} and c.id = ${id}`
  if (wanted === null && id === null) return { named: undefined, all: new Map() }
  const rows = await tx
    .select({ member: staffMembers, key: vaultKeys.key, leave: appliedExtendedLeave })
    .from(staffMembers)
    .leftJoin(vaultKeys, eq(vaultKeys.subject, staffMembers.subject))
    .leftJoin(
      appliedExtendedLeave,
      and(eq(appliedExtendedLeave.organisationId, staffMembers.organisationId), eq(appliedExtendedLeave.staffId, staffMembers.id)),
    )
    .where(
      and(
        eq(staffMembers.organisationId, organisationId),
        or(
          wanted === null ? undefined : eq(staffMembers.numberDigest, wanted),
          id === null ? undefined : sql`${staffMembers.id} = (${holder})`,
        ),
      ),
    )
    .orderBy(appliedExtendedLeave.startDate)
  const all = new Map<StaffId, MemberWithKey>()
  let named: MemberWithKey | undefined
  for (const { member: row, key: stored, leave } of rows) {
    const key = stored ? unsealKey(tx, row.subject, stored) : undefined
    const one = all.get(row.id) ?? { member: decryptStaffMember(row, key), subject: row.subject, key, leaves: [] }
    if (leave) one.leaves.push(leave)
    all.set(row.id, one)
    if (wanted !== null && row.numberDigest === wanted) named = one
  }
  return { named, all }
}

/**
 * A staff member.
 * @param locationIds the locations that the caller is limited to; null for all
 * @throws DomainError 404, also for people of other locations
 */
export async function readStaffMember(
  { tx, organisationId }: Call<'organisationId'>,
  id: StaffId,
  locationIds: readonly LocationId[] | null,
): Promise<StaffMember> {
  const member = (await loadStaffByIds(tx, organisationId, [id])).get(id)
  if (!member || !worksAt(member, locationIds)) throw notFound('Staff member')
  return member
}

/**
 * Refuses to change people who may also work outside the caller's locations.
 * @throws DomainError 403
 */
export function refuseStaffOfOtherLocations(limitedTo: readonly number[] | null, locations: readonly number[]): void {
  if (appliesOutsideLocations(staffMember, limitedTo, { locations })) throw otherLocationsAffected()
}

/**
 * A person whom the caller may change.
 * @throws DomainError 404; 403 for people who may also work outside the caller's locations
 */
export async function readStaffMemberToChange(
  call: Call<'organisationId'>,
  id: StaffId,
  locationIds: readonly LocationId[] | null,
): Promise<StaffMember> {
  const member = await readStaffMember(call, id, locationIds)
  refuseStaffOfOtherLocations(locationIds, member.locations)
  return member
}

export function pickStaffIdentity({
  id: _id,
  version: _version,
  archive: _archive,
  locations: _locations,
  ...identity
}: StaffMemberInput): StaffIdentity {
  return identity
}

/**
 * The changes of a staff member, newest first, decrypted with the person's key. For an erased person, only the author and time of each
 * change remain.
 */
export async function readStaffHistory(tx: OrganisationTx, organisationId: OrganisationId, id: StaffId): Promise<HistoryEntry[]> {
  const [row] = await tx
    .select({ subject: staffMembers.subject })
    .from(staffMembers)
    .where(and(eq(staffMembers.organisationId, organisationId), eq(staffMembers.id, id)))
  const key = row && (await readPersonKeys(tx, [row.subject])).get(row.subject)
  const opened = (logged: Record<string, unknown> | null): Record<string, unknown> | null =>
    logged && key ? { ...JSON.parse(decryptText(key, String(logged.vault))), archive: logged.archive, locations: logged.locations } : null
  return (await readRecordHistory(tx, { name: 'staffMember' }, id)).map((entry) => ({
    ...entry,
    ...(entry.action === 'erased' && { sentence: 'erased the personal data' }),
    before: opened(entry.before),
    after: opened(entry.after),
  }))
}

export interface StoredAges {
  ages: RetainedAges | null
}

/** The ages stored for erased people, because calculations still need them. */
export async function readRetainedAges(tx: OrganisationTx, ids: readonly StaffId[]): Promise<Map<StaffId, RetainedAges | null>> {
  if (!ids.length) return new Map()
  const rows = await tx
    .select({ id: staffMembers.id, kept: staffMembers.vault })
    .from(staffMembers)
    // Erasing stores the ages unencrypted. Data that is still encrypted belongs to people who lost their key in another way.
    .where(and(inArray(staffMembers.id, [...ids]), sql`${staffMembers.vault} like '{%'`))
  return new Map(
    rows.map(({ id, kept }) => {
      const { ages }: StoredAges = JSON.parse(kept)
      return [id, ages]
    }),
  )
}
