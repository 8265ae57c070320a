import { assertDefined } from '../../values/assertDefined.ts'
import { canonicalJson } from '../../values/canonicalJson.ts'
import { keysOf } from '../../values/keysOf.ts'
import type { ContractRow, StoredScalePoint } from '../budget.ts'

/** The pay of a contract according to another system, with only the values and the date that it sends. */
export interface ReportedPay {
  effectiveDate: string | null
  values: Partial<Omit<ContractRow, 'effectiveDate'>>
}

type PayFields = Omit<ContractRow, 'effectiveDate'>

/** The row that applies on a day: the last one that has begun, or the first row if all begin later. */
function inForce<Row extends { effectiveDate: string }>(rows: readonly Row[], day: string): Row | undefined {
  return rows.filter((row) => row.effectiveDate <= day).at(-1) ?? rows[0]
}

const later = (a: string, b: string): string => [a, b].sort()[1] ?? a
const byDate = (a: { effectiveDate: string }, b: { effectiveDate: string }): number => (a.effectiveDate < b.effectiveDate ? -1 : 1)

/**
 * Whether two values are equal. Scale points are equal if they have the same increment on the same scale, even in tables of different
 * years.
 */
function isSame(current: PayFields[keyof PayFields] | undefined, reported: PayFields[keyof PayFields] | undefined): boolean {
  const meaning = (value: PayFields[keyof PayFields] | undefined): unknown => {
    if (typeof value === 'object' && value !== null && 'increment' in value) return [value.kind, value.scale, value.increment]
    return Array.isArray(value) ? [...value].sort((a, b) => a - b) : value
  }
  return canonicalJson([meaning(current)]) === canonicalJson([meaning(reported)])
}

/**
 * Updates the salary rows of a contract to agree with another system. Rows that already agree on the day are unchanged, whatever their
 * dates. A different value changes the row that applies on the day if that row is at least as recent as the report; otherwise it begins a
 * new row. Of the reported rows up to the day only the last counts; rows reported for later days begin on their own dates. Rows of the
 * contract that begin after the day are unchanged.
 * @param rows the contract's rows, in order
 * @param day the day that the report describes, such as `2026-11-24`
 * @param pointOn the scale point of a row on a day, after increments (rules.md §3.2)
 */
export function applyReportedPay(
  rows: readonly ContractRow[],
  {
    reported,
    day,
    pointOn,
  }: { reported: readonly ReportedPay[]; day: string; pointOn: (row: ContractRow, day: string) => StoredScalePoint | null },
): ContractRow[] {
  const dated = reported.map(({ effectiveDate, values }) => ({ effectiveDate: effectiveDate ?? day, values })).sort(byDate)
  const now = dated.filter((row) => row.effectiveDate <= day).at(-1)
  const counted = [...(now ? [now] : []), ...dated.filter((row) => row.effectiveDate > day)]
  let result = [...rows].sort(byDate)
  for (const { effectiveDate, values } of counted) {
    const on = later(effectiveDate, day)
    const current = inForce(result, on)
    if (!current) continue
    const from = later(effectiveDate, current.effectiveDate)
    const since = { ...current, scalePoint: pointOn(current, on) }
    const names = keysOf(values).filter((name) => !isSame(since[name], values[name]))
    if (!names.length) continue
    const changed = Object.fromEntries(names.map((name) => [name, values[name]]))
    const isOwnRow = from !== current.effectiveDate
    const next: ContractRow = { ...current, ...(isOwnRow && { scalePoint: pointOn(current, from) }), ...changed, effectiveDate: from }
    result = [...result.filter((row) => row.effectiveDate !== from), next].sort(byDate)
  }
  return result
}

/** Rows that begin after a day. A report for that day does not affect them. */
export function listRowsPlannedAfter(rows: readonly ContractRow[], day: string): ContractRow[] {
  const current = inForce([...rows].sort(byDate), day)
  return rows.filter((row) => row.effectiveDate > day && row.effectiveDate !== assertDefined(current).effectiveDate)
}
