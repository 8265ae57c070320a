import { lookupName } from '../lookups/lookups.ts'
import { staffContract } from '../resources/entities/budget/staffContract.ts'
import type { Field, FieldOptions } from '../resources/fields.ts'
import { sharesOf } from '../resources/shares.ts'
import { displayDate, displayMoney } from '../values/format.ts'
import { isOneOf, keysOf } from '../values/keysOf.ts'
import { isRecord, requireNumber, requireNumbers, requireText } from '../values/unknownValues.ts'
import { toMidSentence } from '../words/terms.ts'
import type { ContractRow, StaffContract } from './budget.ts'
import { type FieldChange, type NameOf, namedRecords } from './fieldChange.ts'

const called = (kind: string, id: number, nameOf: NameOf): string => (isOneOf(namedRecords, kind) ? nameOf(kind, id) : String(id))

/** A scale point by its name of today, `Main M3`; one that is gone by its increment. */
function pointInWords({ id, scale, increment }: Record<string, unknown>, nameOf: NameOf): string {
  const name = nameOf('payScalePoint', requireNumber(id))
  return `${scale} ${name === `payScalePoint ${id}` ? increment : name}`
}

/** What the log keeps of a declared field, in words; what is empty reads `none`. */
function keptInWords(field: Field, value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined || value === '') return 'none'
  switch (field.kind) {
    case 'flag':
      return value ? 'Yes' : 'No'
    case 'choice':
      return lookupName(field.lookup, requireNumber(value)) ?? 'none'
    case 'date':
      return displayDate(requireText(value))
    case 'money':
      return displayMoney(Math.round(requireNumber(value) * 100))
    case 'point':
      // A contract keeps its points whole.
      return isRecord(value) ? pointInWords(value, nameOf) : 'none'
    case 'reference':
      return called(field.to, requireNumber(value), nameOf)
    case 'references':
      return (
        requireNumbers(value)
          .map((id) => called(field.to, id, nameOf))
          .join(', ') || 'none'
      )
    case 'shares':
      return (
        sharesOf(value)
          .map((share) => `${nameOf(field.to, share.fundCodeId)} ${share.percentage}%`)
          .join(', ') || 'none'
      )
    default:
      return String(value)
  }
}

const { employeeNumber, contractTypeName, notes, salary, ...asNamed } = staffContract.fields
const { effectiveDate: _from, ...cells } = salary.of

/** The fields in which two versions of a contract differ, in words. */
export function contractChanges(before: StaffContract, after: StaffContract, nameOf: NameOf): FieldChange[] {
  const holder = ({ staffId }: StaffContract): string => (staffId === null ? 'vacancy' : nameOf('staff', staffId))
  const changes = different([
    [employeeNumber.short, holder(before), holder(after)],
    ...inWords([[contractTypeName, before.contractTypeId, after.contractTypeId]], nameOf),
    ...inWords(
      keysOf(asNamed).map((name) => [asNamed[name], before[name], after[name]]),
      nameOf,
    ),
  ])
  if (before.sealedNotes !== after.sealedNotes) {
    const note = before.sealedNotes ? 'another note' : 'a note'
    changes.push({ field: notes.label, before: before.sealedNotes ? 'a note' : 'none', after: after.sealedNotes ? note : 'none' })
  }
  return [...changes, ...rowChanges(before.salary, after.salary, nameOf)]
}

/** Declared fields as they were and are: label, and both in words. */
export function inWords(fields: readonly [Field, unknown, unknown][], nameOf: NameOf): [string, string, string][] {
  return fields.map(([field, before, after]) => [field.label, keptInWords(field, before, nameOf), keptInWords(field, after, nameOf)])
}

function rowChanges(before: readonly ContractRow[], after: readonly ContractRow[], nameOf: NameOf): FieldChange[] {
  const names = keysOf(cells)
  const labelled = ({ label }: FieldOptions): string => toMidSentence(label)
  const cell = (row: ContractRow, name: keyof typeof cells): string => keptInWords(cells[name], row[name], nameOf)
  const whole = (row: ContractRow): string =>
    names
      .map((name) => [labelled(cells[name]), cell(row, name)] as const)
      .filter(([, value]) => value !== 'none')
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
  const changes: FieldChange[] = []
  for (const row of before) {
    const kept = after.find((other) => other.effectiveDate === row.effectiveDate)
    const when = `Salary from ${displayDate(row.effectiveDate)}`
    if (!kept) changes.push({ field: when, before: whole(row), after: 'removed' })
    else changes.push(...different(names.map((name) => [`${when}: ${labelled(cells[name])}`, cell(row, name), cell(kept, name)])))
  }
  for (const row of after)
    if (!before.some((other) => other.effectiveDate === row.effectiveDate))
      changes.push({ field: `Salary from ${displayDate(row.effectiveDate)}`, before: 'none', after: whole(row) })
  return changes
}

/** The fields of which the words differ. */
export function different(rows: [string, string, string][]): FieldChange[] {
  return rows.filter(([, before, after]) => before !== after).map(([field, before, after]) => ({ field, before, after }))
}
