import { staffContract } from '../resources/entities/budget/staffContract.ts'
import { canonicalJson } from '../values/canonicalJson.ts'
import { displayDate } from '../values/format.ts'
import { keysOf } from '../values/keysOf.ts'
import { toMidSentence } from '../words/terms.ts'
import type { BudgetHead, ContractRow, StaffContract } from './budget.ts'
import { contractRowCells, describeContractFields, describeRowCell } from './describeContract.ts'
import type { Recalculation } from './events.ts'
import type { FieldChange, RecordNamer } from './fieldChange.ts'
import { describeYearsDifference } from './items/describeYearsDifference.ts'

/** Names a contract in a sentence: `Class teacher (Amy Hill)`, or `the vacancy Class teacher`. */
export function formatContractTitle({ contractName, staffId }: StaffContract, nameOf: RecordNamer): string {
  if (staffId !== null) return `${contractName} (${nameOf('staff', staffId)})`
  return /vacan/i.test(contractName) ? contractName : `the vacancy ${contractName}`
}

/**
 * Says how a contract changed, as a colleague would: `reduced Class teacher (Amy Hill) from 1.0 to 0.8 FTE`. A save that changed several
 * things is `changed Class teacher (Amy Hill)`; its fields are listed below it.
 */
export function formatContractChange(before: StaffContract, after: StaffContract, nameOf: RecordNamer): string {
  const title = formatContractTitle(after, nameOf)
  const fields = describeContractFields(before, after, nameOf)
  const areRowsSame = canonicalJson(before.salary) === canonicalJson(after.salary)
  const [only] = fields
  if (fields.length === 1 && only && areRowsSame) return fieldSentence(before, { after, change: only, nameOf })
  const cell = fields.length ? null : findOnlyCellChange(before.salary, after.salary)
  return cell ? cellSentence(title, cell, nameOf) : `changed ${title}`
}

const { employeeNumber, contractName, endDate } = staffContract.fields

function fieldSentence(
  before: StaffContract,
  { after, change, nameOf }: { after: StaffContract; change: FieldChange; nameOf: RecordNamer },
): string {
  const title = formatContractTitle(after, nameOf)
  if (change.field === employeeNumber.short) return holderSentence(before, after, nameOf)
  if (change.field === contractName.label) return `renamed ${formatContractTitle(before, nameOf)} to ${after.contractName}`
  if (change.field === endDate.label) {
    if (!before.endDate) return `ended ${title} on ${displayDate(after.endDate)}`
    return after.endDate
      ? `moved the end of ${title} from ${displayDate(before.endDate)} to ${displayDate(after.endDate)}`
      : `removed the end date of ${title}`
  }
  return formatFieldChange(title, change)
}

function holderSentence(before: StaffContract, after: StaffContract, nameOf: RecordNamer): string {
  const person = ({ staffId }: StaffContract): string | null => (staffId === null ? null : nameOf('staff', staffId))
  const [was, is] = [person(before), person(after)]
  if (was === null) return `appointed ${is} to ${formatContractTitle(before, nameOf)}`
  return is === null ? `made ${formatContractTitle(before, nameOf)} a vacancy` : `moved ${after.contractName} from ${was} to ${is}`
}

/** Says how one field changed: `changed Class teacher (Amy Hill): end date from 31 Aug, 2027 to 31 Dec, 2027`. */
export function formatFieldChange(title: string, { field, before, after }: FieldChange): string {
  return `changed ${title}: ${toMidSentence(field)} from ${before} to ${after}`
}

interface CellChange {
  name: keyof typeof contractRowCells
  before: ContractRow
  after: ContractRow
  /** The date of the salary row that brings the change; null if it applies from the start of the contract, or in every row. */
  since: string | null
}

/**
 * The one cell that changed in the salary rows, compared with the row that applied at each date; null if more than one did, or if a later
 * row goes back to another value.
 */
function findOnlyCellChange(rowsBefore: readonly ContractRow[], rowsAfter: readonly ContractRow[]): CellChange | null {
  const dates = new Set(rowsAfter.map((row) => row.effectiveDate))
  if (rowsBefore.some((row) => !dates.has(row.effectiveDate))) return null
  const inOrder = rowsBefore.toSorted((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1))
  const changes: CellChange[] = []
  for (const after of rowsAfter) {
    const before = inOrder.findLast((row) => row.effectiveDate <= after.effectiveDate)
    if (!before) return null
    const isFirst = after.effectiveDate === inOrder[0]?.effectiveDate
    for (const name of keysOf(contractRowCells))
      if (canonicalJson(before[name]) !== canonicalJson(after[name]))
        changes.push({ name, before, after, since: isFirst ? null : after.effectiveDate })
  }
  const [first, ...others] = changes
  if (!first) return null
  const isSame = (other: CellChange): boolean =>
    other.name === first.name &&
    canonicalJson([other.before[first.name], other.after[first.name]]) ===
      canonicalJson([first.before[first.name], first.after[first.name]])
  const value = canonicalJson(first.after[first.name])
  const lasts = rowsAfter.every((row) => row.effectiveDate < first.after.effectiveDate || canonicalJson(row[first.name]) === value)
  return lasts && others.every(isSame) ? first : null
}

/** How sentences show FTE, weekly hours and paid weeks. */
const workCells = {
  fte: (value: number) => `${Number.isInteger(value) ? value.toFixed(1) : value} FTE`,
  hoursPerWeek: (value: number) => `${value} hours a week`,
  weeksPerYear: (value: number) => `${value} paid weeks a year`,
} as const

function cellSentence(title: string, { name, before, after, since }: CellChange, nameOf: RecordNamer): string {
  const when = since ? ` with effect from ${displayDate(since)}` : ''
  if (name === 'fte' || name === 'hoursPerWeek' || name === 'weeksPerYear') {
    const [was, is] = [before[name], after[name]]
    if (was !== null && is !== null) {
      const [from] = workCells[name](was).split(' ')
      return `${is > was ? 'increased' : 'reduced'} ${title} from ${from} to ${workCells[name](is)}${when}`
    }
  }
  const [was, is] = [describeRowCell(before, name, nameOf), describeRowCell(after, name, nameOf)]
  // Points of two tables can have the same name.
  if (was === is) return `changed ${title}`
  if (name === 'scalePoint' && before.scalePoint && after.scalePoint) return `moved ${title} from ${was} to ${is}${when}`
  return `${formatFieldChange(title, { field: contractRowCells[name].label, before: was, after: is })}${when}`
}

/**
 * The end of a sentence about a save, with its effect on the cost: `, £3,805.00 less in 2026/27, £41,200.00 less over 5 years`. Empty if
 * the event does not say what the contracts cost before, or if one of the years could not be calculated.
 */
export function formatCostDifference({ before, totals }: Recalculation, head: BudgetHead): string {
  if (!before || before.notCalculated || totals.notCalculated) return ''
  const difference = describeYearsDifference(before.years, totals.years, head)
  return `, ${difference || 'no change in cost'}`
}
