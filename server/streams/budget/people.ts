import { and, eq, sql } from 'drizzle-orm'
import type { staffMember } from '../../../domain/resources/entities/budget/staffMember.ts'
import type { RecordOf } from '../../../domain/resources/resource.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { LocationId, OrganisationId, StaffId } from '../../../domain/values/ids.ts'
import { staffMembers } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { erasedName, readKeys, unseal } from '../../core/database/vault.ts'

/** A staff member as screens and the API send it (entities.json StaffMember), checked by its declaration. */
export type StaffMemberInput = Omit<RecordOf<typeof staffMember>, 'id' | 'version' | 'created' | 'organisationId'> & {
  id?: StaffId | null
  version?: number | null
}

/** Who a person is: what stands sealed in the vault. */
export type Identity = Omit<StaffMemberInput, 'id' | 'version' | 'archive' | 'locations'>

export interface StaffMember extends Identity {
  id: StaffId
  version: number
  created: string
  archive: boolean
  locations: LocationId[]
  erased: boolean
}

export type StaffRow = typeof staffMembers.$inferSelect

/** A staff member with who they are; without their key nobody can say. */
export function openMember(row: StaffRow, key: Buffer | undefined): StaffMember {
  const nobody: Identity = {
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
  const { employeeNumber, niNumber, title, forename, surname, gender, dateOfBirth, continuousServiceDate, email }: Identity = key
    ? JSON.parse(unseal(key, row.vault))
    : nobody
  // Everybody is made alike, field by field: lists go through thousands of these.
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

export async function openAll(tx: OrganisationTx, rows: readonly StaffRow[]): Promise<StaffMember[]> {
  const keys = await readKeys(
    tx,
    rows.map((row) => row.subject),
  )
  return rows.map((row) => openMember(row, keys.get(row.subject)))
}

/** Some staff members by id. */
export async function staffByIds(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  ids: readonly StaffId[],
): Promise<Map<StaffId, StaffMember>> {
  if (!ids.length) return new Map()
  const rows = await tx
    .select()
    .from(staffMembers)
    .where(
      and(eq(staffMembers.organisationId, organisationId), sql`${staffMembers.id} = any(${sql.param(`{${ids.join(',')}}`)}::integer[])`),
    )
  return new Map((await openAll(tx, rows)).map((member) => [member.id, member]))
}

/** Whether somebody works at one of some locations; without locations of their own a person works at all of them. */
export function worksAt(member: Pick<StaffMember, 'locations'>, locationIds: readonly LocationId[] | null): boolean {
  return locationIds === null || !member.locations.length || member.locations.some((id) => locationIds.includes(id))
}
