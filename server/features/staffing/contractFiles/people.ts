import { DomainError } from '../../../../domain/errors.ts'
import { isKeyOf } from '../../../../domain/keysOf.ts'
import { must } from '../../../../domain/must.ts'
import { staffMember } from '../../../../domain/resources/entities/staffMember.ts'
import type { Field } from '../../../../domain/resources/fields.ts'
import { newRecord, type Values } from '../../../../domain/resources/schema.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import type { Actor } from '../../../core/events/eventLog.ts'
import type { ImportError } from '../../../resources/import/errors.ts'
import { saveStaff } from '../staff/commands.ts'
import { allStaff, checkedStaff } from '../staff/queries.ts'

/** What a line of a contract file says of who holds the contract. */
export interface HolderLine {
  row: number
  employeeNumber: string
  holder: Values
  /** As typed, by column. */
  cells: Readonly<Record<string, string>>
}

const fieldNamed = (name: string): Field | undefined => (isKeyOf(staffMember.fields, name) ? staffMember.fields[name] : undefined)

/**
 * Makes the people of a contract file whom nobody knows yet, at the location of its budget. Who is known stays as they are, whatever the file
 * says of them; of whom the file says nothing but a number, nobody is made.
 * @param errors gets one for each cell that stops somebody from being made
 * @returns how many were made, the numbers of those who could not be, as `numberKey` has them, and the lines that have the number of somebody
 * else
 */
export async function makeHolders(
  tx: OrganisationTx,
  { organisationId, locationId }: { organisationId: number; locationId: number },
  lines: readonly HolderLine[],
  actor: Actor,
  errors: ImportError[],
): Promise<{ made: number; unmade: ReadonlySet<string>; mistaken: ReadonlySet<number> }> {
  const described = lines.filter(({ employeeNumber, holder }) => employeeNumber && Object.values(holder).some((value) => value !== null))
  const unmade = new Set<string>()
  if (!described.length) return { made: 0, unmade, mistaken: new Set() }
  const known = new Set((await allStaff(tx, organisationId)).map((member) => numberKey(member.employeeNumber)))
  const strangers = new Map<string, HolderLine[]>()
  for (const line of described) {
    const key = numberKey(line.employeeNumber)
    if (!known.has(key)) strangers.set(key, [...(strangers.get(key) ?? []), line])
  }
  let made = 0
  const mistaken = new Set<number>()
  for (const [key, all] of strangers) {
    const others = all.filter((line) => isSomebodyElse(line, must(all[0])))
    for (const { row, employeeNumber } of others) {
      const message = `Employee number is already used for somebody else in row ${must(all[0]).row}. Give each person their own.`
      errors.push({ row, column: staffMember.fields.employeeNumber.column ?? null, value: employeeNumber, message })
      mistaken.add(row)
    }
    const own = all.filter((line) => !others.includes(line))
    const before = errors.length
    const holder = holderOf(own, errors)
    const { employeeNumber } = must(own[0])
    try {
      const member = checkedStaff({ ...newRecord(staffMember), ...holder, employeeNumber, locations: [locationId] })
      if (errors.length === before) {
        await saveStaff(tx, organisationId, member, actor)
        made++
      }
    } catch (error) {
      if (!(error instanceof DomainError) || !error.fields.length) throw error
      for (const { field, message } of error.fields) errors.push(placed(field, message, must(own[0])))
    }
    if (errors.length > before) unmade.add(key)
  }
  return { made, unmade, mistaken }
}

/** An employee number as it is met, whatever its letter case. */
export const numberKey = (employeeNumber: string): string => employeeNumber.trim().toLowerCase()

/** Whether two lines of one number are about two people: a name may be written otherwise, but not all of it. */
function isSomebodyElse({ holder }: HolderLine, { holder: first }: HolderLine): boolean {
  const names = ['forename', 'surname']
  return names.every((name) => {
    const [own, other] = [holder[name], first[name]]
    return typeof own === 'string' && typeof other === 'string' && own.toLowerCase() !== other.toLowerCase()
  })
}

/** The person of some lines: each must say the same, or leave it empty. */
function holderOf(lines: readonly HolderLine[], errors: ImportError[]): Values {
  const holder: Values = {}
  const from: Partial<Record<string, number>> = {}
  for (const line of lines)
    for (const [name, value] of Object.entries(line.holder)) {
      if (value === null) continue
      if (holder[name] === undefined) {
        holder[name] = value
        from[name] = line.row
      } else if (holder[name] !== value) {
        const label = fieldNamed(name)?.label ?? name
        errors.push(placed(name, `${label} is another than in row ${from[name]}, of the same person.`, line))
      }
    }
  return holder
}

function placed(field: string, message: string, { row, cells }: HolderLine): ImportError {
  const column = fieldNamed(field)?.column
  return { row, column: column ?? null, value: (column && cells[column]) || null, message }
}
