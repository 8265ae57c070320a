import { and, eq, sql } from 'drizzle-orm'
import type { staffMember } from '../../../domain/resources/entities/budget/staffMember.ts'
import type { RecordOf } from '../../../domain/resources/resource.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { LocationId, OrganisationId, StaffId } from '../../../domain/values/ids.ts'
import { staffMembers, vaultKeys } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { decryptText, erasedName, readPersonKeys, unsealKey } from '../../core/database/vault.ts'

/** A staff member as screens and the API send it (entities.json StaffMember), validated against its declaration. */
export type StaffMemberInput = Omit<RecordOf<typeof staffMember>, 'id' | 'version' | 'created' | 'organisationId'> & {
  id?: StaffId | null
  version?: number | null
}

/** The personal details of a staff member, which are stored encrypted. */
export type StaffIdentity = Omit<StaffMemberInput, 'id' | 'version' | 'archive' | 'locations'>

export interface StaffMember extends StaffIdentity {
  id: StaffId
  version: number
  created: string
  archive: boolean
  locations: LocationId[]
  erased: boolean
}

export type StaffRow = typeof staffMembers.$inferSelect

/** Decrypts a staff member. Without a key, because the person was erased, the personal details are empty. */
export function decryptStaffMember(row: StaffRow, key: Buffer | undefined): StaffMember {
  const nobody: StaffIdentity = {
    employeeNumber: '',
    niNumber: null,
    title: null,
    forename: erasedName,
    surname: `person ${row.id}`,
    gender: null,
    dateOfBirth: null,
    continuousServiceDate: null,
    email: null,
  }
  const { employeeNumber, niNumber, title, forename, surname, gender, dateOfBirth, continuousServiceDate, email }: StaffIdentity = key
    ? JSON.parse(decryptText(key, row.vault))
    : nobody
  // The fields are listed one by one, so that V8 gives all objects the same shape: lists process thousands of them.
  return {
    employeeNumber,
    niNumber,
    title,
    forename,
    surname,
    gender,
    dateOfBirth,
    continuousServiceDate,
    email,
    id: row.id,
    version: row.version,
    created: dayInLondon(row.created),
    archive: row.archive,
    locations: row.locationIds,
    erased: !key,
  }
}

export async function decryptStaffMembers(tx: OrganisationTx, rows: readonly StaffRow[]): Promise<StaffMember[]> {
  const keys = await readPersonKeys(
    tx,
    rows.map((row) => row.subject),
  )
  return rows.map((row) => decryptStaffMember(row, keys.get(row.subject)))
}

/** Loads staff members by id. */
export async function loadStaffByIds(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  ids: readonly StaffId[],
): Promise<Map<StaffId, StaffMember>> {
  if (!ids.length) return new Map()
  const rows = await tx
    .select({ row: staffMembers, key: vaultKeys.key })
    .from(staffMembers)
    .leftJoin(vaultKeys, and(eq(vaultKeys.organisationId, staffMembers.organisationId), eq(vaultKeys.subject, staffMembers.subject)))
    .where(
      and(eq(staffMembers.organisationId, organisationId), sql`${staffMembers.id} = any(${sql.param(`{${ids.join(',')}}`)}::integer[])`),
    )
  return new Map(rows.map(({ row, key }) => [row.id, decryptStaffMember(row, key ? unsealKey(tx, row.subject, key) : undefined)]))
}

/**
 * Whether a staff member works at one of the locations. A person without locations works at all of them; null means
 * any location.
 */
export function worksAt(member: Pick<StaffMember, 'locations'>, locationIds: readonly LocationId[] | null): boolean {
  return locationIds === null || !member.locations.length || member.locations.some((id) => locationIds.includes(id))
}
