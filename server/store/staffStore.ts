import { and, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { conflict, DomainError, invalid, notFound, stale } from '../../domain/errors.ts'
import { resources } from '../../domain/resources/all.ts'
import { staffMember } from '../../domain/resources/entities/staffMember.ts'
import type { RecordOf } from '../../domain/resources/resource.ts'
import { checkRecord } from '../../domain/resources/schema.ts'
import { appliedExtendedLeave } from '../../drizzle/consoleTables.ts'
import { staffContracts, staffMembers, vaultKeys } from '../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { type HistoryEntry, historyOf, recordChange } from './referenceLog.ts'
import { tableFor } from './tables.ts'
import { digest, erased, keysOf, newKey, organisationKey, seal, unseal } from './vault.ts'

/** A staff member as screens and the API send it (entities.json StaffMember), checked by its declaration. */
export type StaffMemberInput = Omit<RecordOf<typeof staffMember>, 'id' | 'version' | 'created' | 'organisationId'> & {
  id?: number | null
  version?: number | null
}

export const staffMemberInput = z.looseObject({ id: z.int().nullish(), version: z.int().nullish() })

/** @throws DomainError 400 with a sentence for each broken rule */
export function checkedStaff({ id, version, ...input }: z.infer<typeof staffMemberInput>): StaffMemberInput {
  const { values, problems } = checkRecord(staffMember, input)
  if (problems.length) throw invalid(problems)
  return { ...(values as StaffMemberInput), id, version }
}

/** Who a person is: what stands sealed in the vault. */
type Identity = Omit<StaffMemberInput, 'id' | 'version' | 'archive' | 'locations'>

export interface StaffMember extends Identity {
  id: number
  version: number
  created: string
  archive: boolean
  locations: number[]
  erased: boolean
}

type Row = typeof staffMembers.$inferSelect

function open(row: Row, key: Buffer | undefined): StaffMember {
  const nobody: Identity = {
    employeeNumber: '',
    niNumber: null,
    title: null,
    forename: erased,
    surname: `person ${row.id}`,
    gender: null,
    dateOfBirth: null,
    continuousServiceDate: null,
    email: null,
  }
  const identity: Identity = key ? JSON.parse(unseal(key, row.vault)) : nobody
  return {
    ...identity,
    id: row.id,
    version: row.version,
    created: new Date(row.created).toISOString().slice(0, 10),
    archive: row.archive,
    locations: row.locationIds,
    erased: !key,
  }
}

async function openAll(tx: OrganisationTx, rows: readonly Row[]): Promise<StaffMember[]> {
  const keys = await keysOf(
    tx,
    rows.map((row) => row.subject),
  )
  return rows.map((row) => open(row, keys.get(row.subject)))
}

/** Every staff member of the organisation, or of some locations. */
export async function allStaff(tx: OrganisationTx, organisationId: number, locationIds: number[] | null = null): Promise<StaffMember[]> {
  const own =
    locationIds &&
    sql`(${staffMembers.locationIds} = '{}' or ${staffMembers.locationIds} && ${sql.param(`{${locationIds.join(',')}}`)}::int[])`
  const rows = await tx
    .select({ member: staffMembers, key: vaultKeys.key })
    .from(staffMembers)
    .leftJoin(vaultKeys, eq(vaultKeys.subject, staffMembers.subject))
    .where(and(eq(staffMembers.organisationId, organisationId), own ?? undefined))
  return rows.map((row) => open(row.member, row.key ?? undefined))
}

/** Some staff members by id. */
export async function staffByIds(tx: OrganisationTx, organisationId: number, ids: readonly number[]): Promise<Map<number, StaffMember>> {
  if (!ids.length) return new Map()
  const rows = await tx
    .select()
    .from(staffMembers)
    .where(and(eq(staffMembers.organisationId, organisationId), inArray(staffMembers.id, [...ids])))
  return new Map((await openAll(tx, rows)).map((member) => [member.id, member]))
}

/** The staff member with an employee number; the number itself is nowhere in the table. */
export async function staffByNumber(
  tx: OrganisationTx,
  organisationId: number,
  employeeNumber: string,
): Promise<{ id: number; subject: string; member: StaffMember } | undefined> {
  const key = await organisationKey(tx, organisationId)
  const [row] = await tx
    .select()
    .from(staffMembers)
    .where(and(eq(staffMembers.organisationId, organisationId), eq(staffMembers.numberDigest, digest(key, employeeNumber))))
  if (!row) return undefined
  return { id: row.id, subject: row.subject, member: (await openAll(tx, [row]))[0]! }
}

/** Whether somebody works at one of some locations; without locations of their own a person works at all of them. */
export function worksAt(member: Pick<StaffMember, 'locations'>, locationIds: readonly number[] | null): boolean {
  return locationIds === null || !member.locations.length || member.locations.some((id) => locationIds.includes(id))
}

/** @param locationIds those the caller is limited to; null: all. @throws DomainError 404, also for people of other locations */
export async function getStaff(
  tx: OrganisationTx,
  organisationId: number,
  id: number,
  locationIds: readonly number[] | null,
): Promise<StaffMember> {
  const member = (await staffByIds(tx, organisationId, [id])).get(id)
  if (!member || !worksAt(member, locationIds)) throw notFound('Staff member')
  return member
}

/** Refuses locations that are not the organisation's, and those a limited caller may not give. @throws DomainError 400 */
export async function checkLocations(
  tx: OrganisationTx,
  organisationId: number,
  locations: readonly number[],
  before: readonly number[] | null,
  limitedTo: readonly number[] | null,
): Promise<void> {
  const refuse = (message: string): never => {
    throw invalid([{ field: 'locations', message }])
  }
  const { table, columns } = tableFor(resources.location)
  const own = locations.length
    ? await tx
        .select({ id: columns.id! })
        .from(table)
        .where(and(eq(columns.organisationId!, organisationId), inArray(columns.id!, [...locations])))
    : []
  if (own.length < new Set(locations).size) refuse('Locations was not found.')
  if (!limitedTo) return
  if (!locations.length && before?.length !== 0) refuse('Choose at least one of your locations.')
  if (locations.some((id) => !limitedTo.includes(id) && !before?.includes(id))) refuse('Choose locations of your own only.')
}

function identityOf({ id: _id, version: _version, archive: _archive, locations: _locations, ...identity }: StaffMemberInput): Identity {
  return identity
}

/** Creates or changes a staff member. @throws DomainError 409 for a number already used, or when somebody else saved in between */
export async function saveStaff(tx: OrganisationTx, organisationId: number, input: StaffMemberInput, actor: Actor): Promise<StaffMember> {
  const pepper = await organisationKey(tx, organisationId)
  const numberDigest = digest(pepper, input.employeeNumber)
  const [same] = await tx
    .select({ id: staffMembers.id })
    .from(staffMembers)
    .where(and(eq(staffMembers.organisationId, organisationId), eq(staffMembers.numberDigest, numberDigest)))
  if (same && same.id !== input.id)
    throw new DomainError('conflict', 'duplicate', 'Employee number is already used.', [
      { field: 'employeeNumber', message: 'Employee number is already used.' },
    ])
  const values = { organisationId, numberDigest, archive: input.archive, locationIds: input.locations }
  if (!input.id) {
    const { subject, key } = await newKey(tx, organisationId)
    const [row] = await tx
      .insert(staffMembers)
      .values({ ...values, subject, vault: seal(key, JSON.stringify(identityOf(input))) })
      .returning()
    await logStaff(tx, 'created', null, row!, actor)
    return open(row!, key)
  }
  const [before] = await tx
    .select()
    .from(staffMembers)
    .where(and(eq(staffMembers.organisationId, organisationId), eq(staffMembers.id, input.id)))
    .for('update')
  if (!before) throw notFound('Staff member')
  const key = (await keysOf(tx, [before.subject])).get(before.subject)
  if (!key) throw conflict('erased', 'This person was erased and can no longer be changed.')
  if (input.version != null && input.version !== before.version)
    throw stale({ version: before.version, record: open(before, key), fields: [] })
  const [row] = await tx
    .update(staffMembers)
    .set({ ...values, vault: seal(key, JSON.stringify(identityOf(input))), version: before.version + 1 })
    .where(eq(staffMembers.id, before.id))
    .returning()
  await logStaff(tx, 'updated', before, row!, actor)
  return open(row!, key)
}

/** The log of staff members keeps what is sealed, sealed. */
async function logStaff(
  tx: OrganisationTx,
  action: 'created' | 'updated' | 'deleted',
  before: Row | null,
  after: Row | null,
  actor: Actor,
): Promise<void> {
  const plain = (row: Row | null) =>
    row && {
      id: row.id,
      version: row.version,
      created: row.created,
      organisationId: row.organisationId,
      vault: row.vault,
      archive: row.archive,
      locations: row.locationIds,
    }
  await recordChange(tx, { name: 'staffMember' }, action, plain(before), plain(after), actor)
}

/** The changes of a staff member, newest first, opened with the person's key; of an erased one only who and when is left. */
export async function staffHistory(tx: OrganisationTx, organisationId: number, id: number): Promise<HistoryEntry[]> {
  const [row] = await tx
    .select({ subject: staffMembers.subject })
    .from(staffMembers)
    .where(and(eq(staffMembers.organisationId, organisationId), eq(staffMembers.id, id)))
  const key = row && (await keysOf(tx, [row.subject])).get(row.subject)
  const opened = (logged: Record<string, unknown> | null): Record<string, unknown> | null =>
    logged && key ? { ...JSON.parse(unseal(key, String(logged.vault))), archive: logged.archive, locations: logged.locations } : null
  return (await historyOf(tx, { name: 'staffMember' }, id)).map((entry) => ({
    ...entry,
    before: opened(entry.before),
    after: opened(entry.after),
  }))
}

/** Removes staff members nobody has a contract for. @throws DomainError 409 naming how many contracts are in the way */
export async function deleteStaff(tx: OrganisationTx, organisationId: number, ids: readonly number[], actor: Actor): Promise<number> {
  for (const id of ids) {
    const [row] = await tx
      .select()
      .from(staffMembers)
      .where(and(eq(staffMembers.organisationId, organisationId), eq(staffMembers.id, id)))
      .for('update')
    if (!row) throw notFound('Staff member')
    const [used] = await tx.select({ count: sql<number>`count(*)::int` }).from(staffContracts).where(eq(staffContracts.staffId, id))
    if (used!.count)
      throw conflict(
        'inUse',
        `Staff member is in use by ${used!.count} staff ${used!.count === 1 ? 'contract' : 'contracts'} and cannot be deleted.`,
      )
    await tx.delete(appliedExtendedLeave).where(eq(appliedExtendedLeave.staffId, id))
    await tx.delete(staffMembers).where(eq(staffMembers.id, id))
    await tx.delete(vaultKeys).where(eq(vaultKeys.subject, row.subject))
    await logStaff(tx, 'deleted', row, null, actor)
  }
  return ids.length
}
