import type { CellProblem } from '../../../../domain/files/texts.ts'
import { staffMember } from '../../../../domain/resources/entities/budget/staffMember.ts'
import type { Field } from '../../../../domain/resources/fields.ts'
import { buildNewRecord, type RecordValues } from '../../../../domain/resources/schema.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { LocationId } from '../../../../domain/values/ids.ts'
import { isKeyOf } from '../../../../domain/values/keysOf.ts'
import { DomainError } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import { type StaffMember, type StaffMemberInput, worksAt } from '../../../streams/budget/people.ts'
import { addStaff } from '../../staff/commands.ts'
import { readStaffMembers, validateStaff } from '../../staff/queries.ts'

/** The employee data in a line of a contract file. */
export interface EmployeeLine {
  row: number
  employeeNumber: string
  holder: RecordValues
  /** The texts of the cells, by column. */
  cells: Readonly<Record<string, string>>
}

const fieldNamed = (name: string): Field | undefined => (isKeyOf(staffMember.fields, name) ? staffMember.fields[name] : undefined)

/**
 * Creates the people in a contract file who do not exist yet, at the location of its budget. Existing people are not changed, and nobody is
 * created from a number alone.
 * @param call where people are created; with `seenAt`, lines with another person's number are refused, and that person is named if they
 * work at one of these locations (null for any location)
 * @param errors receives one for each cell that prevents creating a person
 * @returns how many were created, the numbers (as from `buildNumberKey`) of those who could not be, and the lines with another person's number
 */
export async function createMissingPeople(
  call: Call<'organisationId' | 'locationId' | 'actor'> & { seenAt?: readonly LocationId[] | null },
  lines: readonly EmployeeLine[],
  errors: CellProblem[],
): Promise<{ added: number; unmade: ReadonlySet<string>; mistaken: ReadonlySet<number> }> {
  const { tx, organisationId, locationId, seenAt } = call
  const described = lines.filter(({ employeeNumber, holder }) => employeeNumber && Object.values(holder).some((value) => value !== null))
  const unmade = new Set<string>()
  if (!described.length) return { added: 0, unmade, mistaken: new Set() }
  const known = new Map((await readStaffMembers(tx, organisationId)).map((member) => [buildNumberKey(member.employeeNumber), member]))
  const strangers = new Map<string, EmployeeLine[]>()
  const mistaken = new Set<number>()
  const refuse = ({ row, employeeNumber }: EmployeeLine, message: string): void => {
    errors.push({ row, column: staffMember.fields.employeeNumber.column ?? null, value: employeeNumber, message })
    mistaken.add(row)
  }
  for (const line of described) {
    const key = buildNumberKey(line.employeeNumber)
    const member = known.get(key)
    if (!member) strangers.set(key, [...(strangers.get(key) ?? []), line])
    else if (seenAt !== undefined && isSomebodyElse(line.holder, { ...member })) refuse(line, numberOfAnother(member, line.holder, seenAt))
  }
  const fresh: StaffMemberInput[] = []
  for (const [key, all] of strangers) {
    const others = all.filter((line) => isSomebodyElse(line.holder, assertDefined(all[0]).holder))
    for (const line of others)
      refuse(
        line,
        `Employee number is already used for someone else in row ${assertDefined(all[0]).row}. Give each person a different number.`,
      )
    const linesOfPerson = all.filter((line) => !others.includes(line))
    const before = errors.length
    const holder = mergeHolderLines(linesOfPerson, errors)
    const { employeeNumber } = assertDefined(linesOfPerson[0])
    try {
      const member = validateStaff({ ...buildNewRecord(staffMember), ...holder, employeeNumber, locations: [locationId] })
      if (errors.length === before) fresh.push(member)
    } catch (error) {
      if (!(error instanceof DomainError) || !error.fields.length) throw error
      for (const { field, message } of error.fields) errors.push(createCellProblem(field, message, assertDefined(linesOfPerson[0])))
    }
    if (errors.length > before) unmade.add(key)
  }
  await addStaff(call, fresh)
  return { added: fresh.length, unmade, mistaken }
}

/** An employee number as a key for matching: without outer spaces, in lower case. */
export const buildNumberKey = (employeeNumber: string): string => employeeNumber.trim().toLowerCase()

/**
 * The fields that distinguish two people. Two people differ in at least two of these fields: a single difference is taken for a new
 * spelling or a typing error.
 */
const telling = ['forename', 'surname', 'dateOfBirth']

/** Whether two records with the same employee number describe different people. */
function isSomebodyElse(holder: RecordValues, other: RecordValues): boolean {
  const differs = (name: string): boolean => {
    const [value, others] = [holder[name], other[name]]
    return typeof value === 'string' && typeof others === 'string' && value.toLowerCase() !== others.toLowerCase()
  }
  return telling.filter(differs).length >= 2
}

/** The sentence for a row with another person's number. People outside the caller's locations are not named. */
function numberOfAnother(member: StaffMember, holder: RecordValues, seenAt: readonly LocationId[] | null): string {
  const known = worksAt(member, seenAt) ? `${member.forename} ${member.surname}` : 'someone at another location'
  const fullName = [holder.forename, holder.surname].filter((name) => typeof name === 'string').join(' ')
  return `Employee number already belongs to ${known}, but this row is about ${fullName || 'someone else'}. Give each person a different number.`
}

/** The employee that some lines describe. Their values must be equal or empty. */
function mergeHolderLines(lines: readonly EmployeeLine[], errors: CellProblem[]): RecordValues {
  const holder: RecordValues = {}
  const from: Partial<Record<string, number>> = {}
  for (const line of lines)
    for (const [name, value] of Object.entries(line.holder)) {
      if (value === null) continue
      if (holder[name] === undefined) {
        holder[name] = value
        from[name] = line.row
      } else if (holder[name] !== value) {
        const label = fieldNamed(name)?.label ?? name
        errors.push(createCellProblem(name, `${label} differs from row ${from[name]}, which is about the same person.`, line))
      }
    }
  return holder
}

function createCellProblem(field: string, message: string, { row, cells }: EmployeeLine): CellProblem {
  const column = fieldNamed(field)?.column
  return { row, column: column ?? null, value: (column && cells[column]) || null, message }
}
