import { eq } from 'drizzle-orm'
import { type EmployeeRef, numberRef, plainNumber, staffIdOf, staffRef } from '../../../domain/payroll/payroll.ts'
import { staffMembers, vaultKeys } from '../../../drizzle/schema.ts'
import { openMember, type StaffMember } from '../../core/budget/people.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { digest, openedKey, organisationKey } from '../../core/database/vault.ts'

/** Somebody with what opens what is sealed for them; an erased person has no key. */
export interface Person {
  member: StaffMember
  key: Buffer | undefined
}

/** Everybody of an organisation as payrolls know them. */
export interface People {
  byId: ReadonlyMap<number, Person>
  /** Opens what is sealed for numbers that nobody here has. */
  organisationKey: Buffer
  /**
   * Whose employee number it is: as it is written, else without spaces and leading zeros; `many` where it would be several people's.
   * `isExact`: it is written as ours is.
   */
  find(employeeNumber: string): { employee: EmployeeRef; isExact: boolean } | 'many'
  /** A number that nobody had when it was written down may be somebody's by now. */
  resolve(employee: EmployeeRef): EmployeeRef
}

export async function peopleOf(tx: OrganisationTx, organisationId: number): Promise<People> {
  const rows = await tx
    .select({ row: staffMembers, stored: vaultKeys.key })
    .from(staffMembers)
    .leftJoin(vaultKeys, eq(vaultKeys.subject, staffMembers.subject))
    .where(eq(staffMembers.organisationId, organisationId))
    .orderBy(staffMembers.id)
  const key = await organisationKey(tx, organisationId)
  const byId = new Map<number, Person>()
  const exact = new Map<string, number>()
  const plain = new Map<string, number[]>()
  for (const { row, stored } of rows) {
    const own = stored ? openedKey(tx, row.subject, stored) : undefined
    const member = openMember(row, own)
    byId.set(row.id, { member, key: own })
    if (!member.employeeNumber) continue
    exact.set(member.employeeNumber.trim().toLowerCase(), row.id)
    const number = plainNumber(member.employeeNumber)
    plain.set(number, [...(plain.get(number) ?? []), row.id])
  }
  let byDigest: Map<EmployeeRef, EmployeeRef> | undefined
  const digests = (): Map<EmployeeRef, EmployeeRef> =>
    new Map([...plain].flatMap(([number, ids]) => (ids.length === 1 ? [[numberRef(digest(key, number)), staffRef(ids[0]!)]] : [])))
  return {
    byId,
    organisationKey: key,
    find(employeeNumber) {
      const same = exact.get(employeeNumber.trim().toLowerCase())
      if (same !== undefined) return { employee: staffRef(same), isExact: true }
      const number = plainNumber(employeeNumber)
      const alike = plain.get(number) ?? []
      if (alike.length > 1) return 'many'
      return alike.length ? { employee: staffRef(alike[0]!), isExact: false } : { employee: numberRef(digest(key, number)), isExact: true }
    },
    resolve(employee) {
      if (staffIdOf(employee) !== null) return employee
      byDigest ??= digests()
      return byDigest.get(employee) ?? employee
    },
  }
}
