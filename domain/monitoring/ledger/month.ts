import { actualType } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { Pennies } from '../../values/units.ts'
import { type ActualLine, type CalendarMonth, formatIsoMonth } from '../monitoring.ts'
import type { MappedLedgerLine } from './mapping.ts'

/** The amount that earlier months have for a budget code, cost centre, fund and tag; whole pennies. */
export type EarlierActual = Pick<ActualLine, 'budgetCodeId' | 'costCentreId' | 'fundCodeId' | 'analysisTagId' | 'value'>

type LedgerCoding = Pick<ActualLine, 'budgetCodeId' | 'costCentreId' | 'fundCodeId' | 'analysisTagId'>

const codingKey = ({ budgetCodeId, costCentreId, fundCodeId, analysisTagId }: LedgerCoding): string =>
  `${budgetCodeId} ${costCentreId} ${fundCodeId} ${analysisTagId}`

/** Whether the amounts of a file, and the amounts that the organisation stores, are of one month or year to date (rules.md §17). */
export interface StorageBasis extends CalendarMonth {
  fileIsCumulative: boolean
  storedIsCumulative: boolean
  /** Actuals of earlier months of the same budget year, each sum for a single month. */
  before: readonly EarlierActual[]
}

/**
 * Returns the lines to store for a month. If the file is year to date but months are stored separately, earlier imports are subtracted; in
 * the opposite case they are added. `A(m)`, the amount of the month, is the same either way. Commitments are the amounts outstanding at the
 * month end, so they are unchanged. Lines dated in the month stay separate; lines with earlier dates are summed by code.
 */
export function buildLinesToStore(lines: readonly MappedLedgerLine[], basis: StorageBasis): ActualLine[] {
  const { fileIsCumulative, storedIsCumulative, before } = basis
  if (fileIsCumulative === storedIsCumulative) return lines.map(toActualLine)
  if (storedIsCumulative)
    return [...before.filter((one) => one.value).map((one) => createActual(one, one.value, 'Months before')), ...lines.map(toActualLine)]
  const month = formatIsoMonth(basis)
  const staysSeparate = (line: MappedLedgerLine): boolean => line.type === actualType.commitment || Boolean(line.date?.startsWith(month))
  const sums = new Map<string, { place: LedgerCoding; value: number; description: string | null; isBefore: boolean }>()
  for (const line of lines) {
    if (staysSeparate(line)) continue
    const key = codingKey(line)
    const sum = sums.get(key)
    if (sum) {
      sum.value += line.value
      if (sum.description !== line.description) sum.description = 'Year to date less the months before'
    } else sums.set(key, { place: line, value: line.value, description: line.date ? 'Earlier months' : line.description, isBefore: false })
  }
  for (const one of before) {
    const key = codingKey(one)
    const sum = sums.get(key)
    if (sum) sum.value -= one.value
    else sums.set(key, { place: one, value: -one.value, description: 'No longer in the year to date', isBefore: true })
  }
  return [
    ...[...sums.values()].filter((sum) => sum.value).map((sum) => createActual(sum.place, sum.value, sum.description)),
    ...lines.filter(staysSeparate).map(toActualLine),
  ]
}

function toActualLine({
  type,
  budgetCodeId,
  costCentreId,
  fundCodeId,
  analysisTagId,
  description,
  value,
  document,
}: ActualLine): ActualLine {
  return { type, budgetCodeId, costCentreId, fundCodeId, analysisTagId, description, value, ...(document && { document }) }
}

function createActual(
  { budgetCodeId, costCentreId, fundCodeId, analysisTagId }: LedgerCoding,
  value: number,
  description: string | null,
): ActualLine {
  return { type: actualType.actual, budgetCodeId, costCentreId, fundCodeId, analysisTagId, description, value }
}

export interface LineChange extends LedgerCoding {
  kind: 'added' | 'gone' | 'changed'
  type: number
  description: string | null
  /** Whole pennies; null if the line did not exist. */
  before: Pennies | null
  after: number | null
}

export interface MonthChanges {
  changes: LineChange[]
  /** Count and total of unchanged lines. */
  same: { lines: number; value: number }
}

/**
 * Compares a month before and after an import. Lines are matched by type, codes and description; a line has changed if its amount differs.
 */
export function compareMonthLines(before: readonly ActualLine[], after: readonly ActualLine[]): MonthChanges {
  const keyOf = (line: ActualLine): string => `${line.type} ${codingKey(line)} ${line.description ?? ''}`
  const groups = new Map<string, { was: ActualLine[]; is: ActualLine[] }>()
  const groupOf = (line: ActualLine) => {
    const key = keyOf(line)
    let group = groups.get(key)
    if (!group) groups.set(key, (group = { was: [], is: [] }))
    return group
  }
  for (const line of before) groupOf(line).was.push(line)
  for (const line of after) groupOf(line).is.push(line)
  const same = { lines: 0, value: 0 }
  const changes: LineChange[] = []
  for (const { was, is } of groups.values()) {
    const left = new Map<number, ActualLine[]>()
    for (const line of was) {
      const equal = left.get(line.value)
      if (equal) equal.push(line)
      else left.set(line.value, [line])
    }
    const added: ActualLine[] = []
    for (const line of is) {
      if (!left.get(line.value)?.pop()) added.push(line)
      else {
        same.lines++
        same.value += line.value
      }
    }
    const gone = [...left.values()].flat()
    for (let at = 0; at < Math.max(gone.length, added.length); at++) changes.push(toLineChange(gone[at], added[at]))
  }
  return { changes, same }
}

function toLineChange(before: ActualLine | undefined, after: ActualLine | undefined): LineChange {
  const { type, budgetCodeId, costCentreId, fundCodeId, analysisTagId, description } = assertDefined(after ?? before)
  const kind = before && after ? 'changed' : after ? 'added' : 'gone'
  const coding = { budgetCodeId, costCentreId, fundCodeId, analysisTagId }
  return { kind, type, ...coding, description, before: before?.value ?? null, after: after?.value ?? null }
}
