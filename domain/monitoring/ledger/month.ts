import { actualType } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { Pennies } from '../../values/units.ts'
import { type ActualLine, type CalendarMonth, monthText } from '../monitoring.ts'
import type { MadeLine } from './mapping.ts'

/** What was imported before for a code, a cost centre, a fund and a tag; whole pennies. */
export type ImportedBefore = Pick<ActualLine, 'budgetCodeId' | 'costCentreId' | 'fundCodeId' | 'analysisTagId' | 'value'>

type Place = Pick<ActualLine, 'budgetCodeId' | 'costCentreId' | 'fundCodeId' | 'analysisTagId'>

const placeOf = ({ budgetCodeId, costCentreId, fundCodeId, analysisTagId }: Place): string =>
  `${budgetCodeId} ${costCentreId} ${fundCodeId} ${analysisTagId}`

/** How the lines of a file stand to those that an organisation keeps (rules.md §17). */
export interface Keeping extends CalendarMonth {
  /** The file says the year to date. */
  fileIsCumulative: boolean
  /** What is kept of a month is the year to date. */
  keptIsCumulative: boolean
  /** Actuals of the same budget year that stand for months before, as months of their own added up. */
  before: readonly ImportedBefore[]
}

/**
 * The lines that are kept of a month: where the file says the year to date and months are kept by themselves, it less what was imported before;
 * where it is the other way round, what was imported before and the month. Either way `A(m)` is the same. Commitments are what is outstanding as
 * the month ends, and stay as they are. Lines that are dated in the month stay lines of their own; what is earlier is told by code.
 */
export function linesKept(lines: readonly MadeLine[], keeping: Keeping): ActualLine[] {
  const { fileIsCumulative, keptIsCumulative, before } = keeping
  if (fileIsCumulative === keptIsCumulative) return lines.map(lineOf)
  if (keptIsCumulative)
    return [...before.filter((one) => one.value).map((one) => madeOf(one, one.value, 'Months before')), ...lines.map(lineOf)]
  const month = monthText(keeping)
  const isOwn = (line: MadeLine): boolean => line.type === actualType.commitment || Boolean(line.date?.startsWith(month))
  const sums = new Map<string, { place: Place; value: number; description: string | null; isBefore: boolean }>()
  for (const line of lines) {
    if (isOwn(line)) continue
    const key = placeOf(line)
    const sum = sums.get(key)
    if (sum) {
      sum.value += line.value
      if (sum.description !== line.description) sum.description = 'Year to date less the months before'
    } else sums.set(key, { place: line, value: line.value, description: line.date ? 'Earlier months' : line.description, isBefore: false })
  }
  for (const one of before) {
    const key = placeOf(one)
    const sum = sums.get(key)
    if (sum) sum.value -= one.value
    else sums.set(key, { place: one, value: -one.value, description: 'No longer in the year to date', isBefore: true })
  }
  return [
    ...[...sums.values()].filter((sum) => sum.value).map((sum) => madeOf(sum.place, sum.value, sum.description)),
    ...lines.filter(isOwn).map(lineOf),
  ]
}

function lineOf({ type, budgetCodeId, costCentreId, fundCodeId, analysisTagId, description, value, document }: ActualLine): ActualLine {
  return { type, budgetCodeId, costCentreId, fundCodeId, analysisTagId, description, value, ...(document && { document }) }
}

function madeOf({ budgetCodeId, costCentreId, fundCodeId, analysisTagId }: Place, value: number, description: string | null): ActualLine {
  return { type: actualType.actual, budgetCodeId, costCentreId, fundCodeId, analysisTagId, description, value }
}

/** A line of a month that is not as it was. */
export interface LineChange extends Place {
  kind: 'added' | 'gone' | 'changed'
  type: number
  description: string | null
  /** Whole pennies; null for a line that was not there. */
  before: Pennies | null
  after: number | null
}

export interface MonthChanges {
  changes: LineChange[]
  /** Lines that are as they were, and what they come to. */
  same: { lines: number; value: number }
}

/**
 * What an import changes of a month, line by line. Lines of the same type, codes and description are the same line: where their amounts differ,
 * it has changed.
 */
export function changesOf(before: readonly ActualLine[], after: readonly ActualLine[]): MonthChanges {
  const keyOf = (line: ActualLine): string => `${line.type} ${placeOf(line)} ${line.description ?? ''}`
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
    for (let at = 0; at < Math.max(gone.length, added.length); at++) changes.push(changeOf(gone[at], added[at]))
  }
  return { changes, same }
}

function changeOf(before: ActualLine | undefined, after: ActualLine | undefined): LineChange {
  const { type, budgetCodeId, costCentreId, fundCodeId, analysisTagId, description } = assertDefined(after ?? before)
  const kind = before && after ? 'changed' : after ? 'added' : 'gone'
  const place = { budgetCodeId, costCentreId, fundCodeId, analysisTagId }
  return { kind, type, ...place, description, before: before?.value ?? null, after: after?.value ?? null }
}
