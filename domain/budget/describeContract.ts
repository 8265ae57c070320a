import { getLookupName } from '../lookups/lookups.ts'
import { staffContract } from '../resources/entities/budget/staffContract.ts'
import type { Field, FieldOptions } from '../resources/fields.ts'
import { requireShares } from '../resources/shares.ts'
import { displayDate, displayMoney } from '../values/format.ts'
import { isOneOf, keysOf } from '../values/keysOf.ts'
import { isRecord, requireNumber, requireNumbers, requireText } from '../values/unknownValues.ts'
import { toMidSentence } from '../words/terms.ts'
import type { ContractRow, StaffContract } from './budget.ts'
import { type FieldChange, historyRecordKinds, type RecordNamer } from './fieldChange.ts'

const recordName = (kind: string, id: number, nameOf: RecordNamer): string =>
  isOneOf(historyRecordKinds, kind) ? nameOf(kind, id) : String(id)

/** Current name of a scale point, such as `Main M3`. A deleted point is shown by its increment. */
function describePoint({ id, scale, increment }: Record<string, unknown>, nameOf: RecordNamer): string {
  const name = nameOf('payScalePoint', requireNumber(id))
  return `${scale} ${name === `payScalePoint ${id}` ? increment : name}`
}

/** Describes a stored value of a declared field; `none` if it is empty. */
function describeStoredValue(field: Field, value: unknown, nameOf: RecordNamer): string {
  if (value === null || value === undefined || value === '') return 'none'
  switch (field.kind) {
    case 'flag':
      return value ? 'Yes' : 'No'
    case 'choice':
      return getLookupName(field.lookup, requireNumber(value)) ?? 'none'
    case 'date':
      return displayDate(requireText(value))
    case 'money':
      return displayMoney(Math.round(requireNumber(value) * 100))
    case 'point':
      return isRecord(value) ? describePoint(value, nameOf) : 'none'
    case 'reference':
      return recordName(field.to, requireNumber(value), nameOf)
    case 'references':
      return (
        requireNumbers(value)
          .map((id) => recordName(field.to, id, nameOf))
          .join(', ') || 'none'
      )
    case 'shares':
      return (
        requireShares(value)
          .map((share) => `${nameOf(field.to, share.fundCodeId)} ${share.percentage}%`)
          .join(', ') || 'none'
      )
    default:
      return String(value)
  }
}

const { employeeNumber, contractTypeName, notes, salary, ...asNamed } = staffContract.fields
const { effectiveDate: _from, ...cells } = salary.of

/** The fields of a salary row, without its effective date. */
export const contractRowCells = cells

export function describeContractChanges(before: StaffContract, after: StaffContract, nameOf: RecordNamer): FieldChange[] {
  return [...describeContractFields(before, after, nameOf), ...describeRowChanges(before.salary, after.salary, nameOf)]
}

/** Describes the changed fields of a contract without its salary rows. */
export function describeContractFields(before: StaffContract, after: StaffContract, nameOf: RecordNamer): FieldChange[] {
  const holder = ({ staffId }: StaffContract): string => (staffId === null ? 'vacancy' : nameOf('staff', staffId))
  const changes = filterChangedFields([
    [employeeNumber.short, holder(before), holder(after)],
    ...describeFields([[contractTypeName, before.contractTypeId, after.contractTypeId]], nameOf),
    ...describeFields(
      keysOf(asNamed).map((name) => [asNamed[name], before[name], after[name]]),
      nameOf,
    ),
  ])
  if (before.sealedNotes !== after.sealedNotes) {
    const note = before.sealedNotes ? 'another note' : 'a note'
    changes.push({ field: notes.label, before: before.sealedNotes ? 'a note' : 'none', after: after.sealedNotes ? note : 'none' })
  }
  return changes
}

export function describeRowCell(row: ContractRow, name: keyof typeof cells, nameOf: RecordNamer): string {
  return describeStoredValue(cells[name], row[name], nameOf)
}

/** Describes declared fields as `[label, old value, new value]`. */
export function describeFields(fields: readonly [Field, unknown, unknown][], nameOf: RecordNamer): [string, string, string][] {
  return fields.map(([field, before, after]) => [
    field.label,
    describeStoredValue(field, before, nameOf),
    describeStoredValue(field, after, nameOf),
  ])
}

function describeRowChanges(before: readonly ContractRow[], after: readonly ContractRow[], nameOf: RecordNamer): FieldChange[] {
  const names = keysOf(cells)
  const labelled = ({ label }: FieldOptions): string => toMidSentence(label)
  const cell = (row: ContractRow, name: keyof typeof cells): string => describeRowCell(row, name, nameOf)
  const describeRow = (row: ContractRow): string =>
    names
      .map((name) => [labelled(cells[name]), cell(row, name)] as const)
      .filter(([, value]) => value !== 'none')
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
  const changes: FieldChange[] = []
  for (const row of before) {
    const later = after.find((other) => other.effectiveDate === row.effectiveDate)
    const when = `Salary from ${displayDate(row.effectiveDate)}`
    if (!later) changes.push({ field: when, before: describeRow(row), after: 'removed' })
    else
      changes.push(...filterChangedFields(names.map((name) => [`${when}: ${labelled(cells[name])}`, cell(row, name), cell(later, name)])))
  }
  for (const row of after)
    if (!before.some((other) => other.effectiveDate === row.effectiveDate))
      changes.push({ field: `Salary from ${displayDate(row.effectiveDate)}`, before: 'none', after: describeRow(row) })
  return changes
}

/** Keeps the fields whose old and new descriptions differ. */
export function filterChangedFields(rows: [string, string, string][]): FieldChange[] {
  return rows.filter(([, before, after]) => before !== after).map(([field, before, after]) => ({ field, before, after }))
}
