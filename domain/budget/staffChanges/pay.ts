import { assertDefined } from '../../values/assertDefined.ts'
import { canonicalJson } from '../../values/canonicalJson.ts'
import { keysOf } from '../../values/keysOf.ts'
import type { ContractRow, KeptScalePoint } from '../budget.ts'

/** What another system says of the pay of a contract: since when, if it says so, and only the values that it gives. */
export interface SaidPay {
  effectiveDate: string | null
  values: Partial<Omit<ContractRow, 'effectiveDate'>>
}

type Pay = Omit<ContractRow, 'effectiveDate'>

/** The last of some rows that are in force on a day; of rows that all begin later, the first. */
function inForce<Row extends { effectiveDate: string }>(rows: readonly Row[], day: string): Row | undefined {
  return rows.filter((row) => row.effectiveDate <= day).at(-1) ?? rows[0]
}

const later = (a: string, b: string): string => [a, b].sort()[1] ?? a
const byDate = (a: { effectiveDate: string }, b: { effectiveDate: string }): number => (a.effectiveDate < b.effectiveDate ? -1 : 1)

/** Whether a value is what stands; of points their place in the scale counts, whichever year's table they were chosen from. */
function isSame(stands: Pay[keyof Pay] | undefined, said: Pay[keyof Pay] | undefined): boolean {
  const meaning = (value: Pay[keyof Pay] | undefined): unknown => {
    if (typeof value === 'object' && value !== null && 'increment' in value) return [value.kind, value.scale, value.increment]
    return Array.isArray(value) ? [...value].sort((a, b) => a - b) : value
  }
  return canonicalJson([meaning(stands)]) === canonicalJson([meaning(said)])
}

/**
 * The salary rows of a contract once they agree with what another system says. What stands for the day is compared with what is said for it:
 * rows that say the same leave everything as it is, whenever they begin. Another value changes the row in force where that row is no older than
 * what is said, and begins a row of its own else. Of said rows that begin by the day the last one counts; later ones count each on their date.
 * Rows planned for later stay.
 * @param rows of the contract in order
 * @param day `2026-11-24`, the day that the said rows describe
 * @param pointOn the point of a row on a day, after its increments (rules.md §3.2)
 */
export function payAsSaid(
  rows: readonly ContractRow[],
  { said, day, pointOn }: { said: readonly SaidPay[]; day: string; pointOn: (row: ContractRow, day: string) => KeptScalePoint | null },
): ContractRow[] {
  const dated = said.map(({ effectiveDate, values }) => ({ effectiveDate: effectiveDate ?? day, values })).sort(byDate)
  const now = dated.filter((row) => row.effectiveDate <= day).at(-1)
  const counted = [...(now ? [now] : []), ...dated.filter((row) => row.effectiveDate > day)]
  let result = [...rows].sort(byDate)
  for (const { effectiveDate, values } of counted) {
    const on = later(effectiveDate, day)
    const stands = inForce(result, on)
    if (!stands) continue
    const from = later(effectiveDate, stands.effectiveDate)
    const since = { ...stands, scalePoint: pointOn(stands, on) }
    const names = keysOf(values).filter((name) => !isSame(since[name], values[name]))
    if (!names.length) continue
    const changed = Object.fromEntries(names.map((name) => [name, values[name]]))
    const isOwnRow = from !== stands.effectiveDate
    const next: ContractRow = { ...stands, ...(isOwnRow && { scalePoint: pointOn(stands, from) }), ...changed, effectiveDate: from }
    result = [...result.filter((row) => row.effectiveDate !== from), next].sort(byDate)
  }
  return result
}

/** The rows of a contract that begin after a day: what is said for the day does not touch them. */
export function plannedAfter(rows: readonly ContractRow[], day: string): ContractRow[] {
  const current = inForce([...rows].sort(byDate), day)
  return rows.filter((row) => row.effectiveDate > day && row.effectiveDate !== assertDefined(current).effectiveDate)
}
