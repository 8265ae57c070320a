import { inArray } from 'drizzle-orm'
import { type EmployeeLookup, severalPeopleSentence } from '../../../../domain/payroll/fileRows.ts'
import {
  type EmployeeRef,
  normaliseEmployeeNumber,
  parseStaffRef,
  toStaffRef,
  toUnknownEmployeeRef,
} from '../../../../domain/payroll/payroll.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { type OrganisationId, type StaffId, toStaffId } from '../../../../domain/values/ids.ts'
import { invalid } from '../../../../domain/words/errors.ts'
import { staffMembers } from '../../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { digestWithKey, encryptText, ensureOrganisationKey, readPersonKeys } from '../../../core/database/vault.ts'
import { createYielder } from '../../../core/yielding.ts'
import type { StaffMember } from '../../../streams/budget/people.ts'
import { loadStaffDirectory } from '../../../streams/budget/staffDirectory.ts'

/** The staff of an organisation, to find them by the employee numbers in payrolls. */
export interface PayrollPeople extends EmployeeLookup {
  members: ReadonlyMap<StaffId, StaffMember>
  /** Encrypts data stored under numbers that no staff member has. */
  organisationKey: Buffer
  /** The current reference of an employee: a number that was unknown when it was stored may belong to a staff member now. */
  resolve(employee: EmployeeRef): EmployeeRef
  /**
   * All references under which an employee may be stored, the current one first. While no staff member had the employee's number, the
   * number had a reference of its own.
   */
  refsOf(employee: EmployeeRef): EmployeeRef[]
}

/**
 * People by employee number, in three forms: normalised; without spaces and leading zeros; and as the reference that payroll used
 * while the person was unknown.
 */
interface EmployeeNumbers {
  exact: ReadonlyMap<string, StaffId>
  plain: ReadonlyMap<string, readonly StaffId[]>
  byDigest: ReadonlyMap<EmployeeRef, EmployeeRef>
}

/** The numbers of the organisation's people, cached as long as the people themselves. */
const known = new WeakMap<ReadonlyMap<StaffId, StaffMember>, EmployeeNumbers>()

/** The reference made from each person's number, cached because few people change between two calls. */
const digests = new WeakMap<StaffMember, EmployeeRef>()

/**
 * Everyone's normalised employee numbers. It yields between steps, because an organisation has thousands of people and other calls must not
 * wait.
 */
async function readEmployeeNumbers(members: ReadonlyMap<StaffId, StaffMember>, key: Buffer): Promise<EmployeeNumbers> {
  const exact = new Map<string, StaffId>()
  const plain = new Map<string, StaffId[]>()
  const breathe = createYielder()
  for (const { id, employeeNumber } of members.values()) {
    if (!employeeNumber) continue
    exact.set(employeeNumber.trim().toLowerCase(), id)
    const number = normaliseEmployeeNumber(employeeNumber)
    const alike = plain.get(number)
    if (alike) alike.push(id)
    else plain.set(number, [id])
  }
  const byDigest = new Map<EmployeeRef, EmployeeRef>()
  for (const [number, [id, ...others]] of plain) {
    const member = members.get(assertDefined(id))
    if (others.length || !member) continue
    const reference = digests.get(member) ?? toUnknownEmployeeRef(digestWithKey(key, number))
    digests.set(member, reference)
    byDigest.set(reference, toStaffRef(member.id))
    await breathe()
  }
  return { exact, plain, byDigest }
}

export async function readPayrollPeople(tx: OrganisationTx, organisationId: OrganisationId): Promise<PayrollPeople> {
  const { people: members } = await loadStaffDirectory(tx, organisationId)
  const key = await ensureOrganisationKey(tx, organisationId)
  const numbers = known.get(members) ?? (await readEmployeeNumbers(members, key))
  known.set(members, numbers)
  const { exact, plain, byDigest } = numbers
  return {
    members,
    organisationKey: key,
    find(employeeNumber) {
      const same = exact.get(employeeNumber.trim().toLowerCase())
      if (same !== undefined) return { employee: toStaffRef(same), isExact: true }
      const number = normaliseEmployeeNumber(employeeNumber)
      const alike = plain.get(number) ?? []
      if (alike.length > 1) return 'many'
      return alike.length
        ? { employee: toStaffRef(assertDefined(alike[0])), isExact: false }
        : { employee: toUnknownEmployeeRef(digestWithKey(key, number)), isExact: true }
    },
    sealNumber: (employeeNumber) => encryptText(key, employeeNumber),
    digestAccount: (account) => digestWithKey(key, `account ${account}`),
    resolve(employee) {
      if (parseStaffRef(employee) !== null) return employee
      return byDigest.get(employee) ?? employee
    },
    refsOf(employee) {
      const number = normaliseEmployeeNumber(members.get(parseStaffRef(employee) ?? toStaffId(0))?.employeeNumber ?? '')
      return plain.get(number)?.length === 1 ? [employee, toUnknownEmployeeRef(digestWithKey(key, number))] : [employee]
    },
  }
}

/** The key that encrypts notes on an employee; undefined for an erased person. */
export type NoteKeyFinder = (employee: EmployeeRef) => Buffer | undefined

/** Reads the keys of notes. Each person has their own, so that erasing the person makes their notes unreadable. */
export async function readNoteKeys(
  tx: OrganisationTx,
  { organisationKey: shared }: PayrollPeople,
  employees: readonly EmployeeRef[],
): Promise<NoteKeyFinder> {
  const ids = [...new Set(employees.flatMap((employee) => parseStaffRef(employee) ?? []))]
  const rows = ids.length
    ? await tx.select({ id: staffMembers.id, subject: staffMembers.subject }).from(staffMembers).where(inArray(staffMembers.id, ids))
    : []
  const subjects = new Map(rows.map(({ id, subject }) => [id, subject]))
  const keys = await readPersonKeys(tx, [...subjects.values()])
  return (employee) => {
    const id = parseStaffRef(employee)
    return id === null ? shared : keys.get(subjects.get(id) ?? '')
  }
}

/**
 * The employee with a number.
 * @throws DomainError 400 if it matches several people
 */
export function findEmployee(people: PayrollPeople, employeeNumber: string): EmployeeRef {
  const found = people.find(employeeNumber)
  if (found !== 'many') return found.employee
  throw invalid([{ field: 'employeeNumber', message: severalPeopleSentence }])
}
