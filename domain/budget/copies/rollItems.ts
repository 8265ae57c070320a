import { type Exact, keepExact, minus, one, times, whole, zero } from '../../calculation/exact.ts'
import { amountOf, type CalculatorRow, isCalculating, risesOf, rowKind } from '../../calculation/nonStaffing/calculator.ts'
import {
  type EntryYear,
  entryYears,
  hasBothSigns,
  mostYears,
  rise,
  riseBy,
  typedWeights,
  type WorkedYear,
} from '../../calculation/nonStaffing/entries.ts'
import { type FundingRow, rolledStream, typedOf, withNumbers } from '../../calculation/nonStaffing/funding.ts'
import { type CountedRow, type PupilRow, rollUp } from '../../calculation/nonStaffing/pupils.ts'
import { assertDefined, elementAt } from '../../values/assertDefined.ts'
import { canonicalJson } from '../../values/canonicalJson.ts'
import { type BudgetEntry, yearsOf } from '../items/budgetEntry.ts'
import type { StoredItem } from '../items/item.ts'
import type { PupilNumbers } from '../items/pupilNumbers.ts'

const untyped: EntryYear = { amount: null, periods: null, rate: null }

/** Years without the first: the last one is repeated where it was typed. */
function shifted<T>(years: readonly T[], count: number): T[] {
  const last = years[count - 1]
  const rest = years.slice(1, count)
  return last === undefined || last === null ? rest : [...rest, last]
}

/** Rises without the first; a budget of one year goes on with its second (rules.md §15). */
function shiftedRises<T>(years: readonly T[], count: number): T[] {
  return count > 1 ? shifted(years, count) : years.length > 1 ? [elementAt(years, 1), ...years.slice(1)] : []
}

/**
 * An entry in a budget that begins a year later: it loses its first year, the years that stay keep their amounts and months to the penny, and
 * the last is added by the code's rates (rules.md §15, §10). A year that the rates alone would bring elsewhere is typed (choice); the
 * periods that were typed stay the weights.
 */
export function rolledEntry(entry: BudgetEntry, count: number): BudgetEntry {
  if (isCalculating(entry.rows)) return { ...entry, firstYear: Math.max(0, entry.firstYear - 1), rows: rolledRows(entry.rows, count) }
  // A budget of one year has no later one: the code's rate leads into it.
  const old = yearsOf(entry, Math.max(count, 2))
  const firstYear = Math.max(0, entry.firstYear - 1)
  const years: EntryYear[] = Array.from({ length: mostYears }, () => untyped)
  const kept = Math.max(count - 1, 1)
  for (let year = firstYear; year < kept; year++) {
    const before = assertDefined(old[year + 1])
    const typed = entry.years[year + 1] ?? untyped
    const worked = (): WorkedYear => assertDefined(entryYears({ firstYear, years, ...entry.basis }, year + 1)[year])
    // No rise leads into the first year of an entry.
    const rate = year === firstYear ? null : typed.rate
    years[year] = { amount: null, periods: null, rate }
    const isMixed = hasBothSigns(before.periods)
    const follows = isMixed ? canonicalJson(worked().periods) === canonicalJson(before.periods) : worked().amount === before.amount
    if (typed.amount === null && year > firstYear && follows) continue
    if (isMixed) {
      years[year] = { amount: before.amount, periods: before.periods.map((one) => one ?? 0), rate }
      continue
    }
    const weights = typed.periods ? null : year === firstYear ? typedWeights(entry.years, year + 1) : (typed.weights ?? null)
    years[year] = { amount: before.amount, periods: typed.periods, rate, ...(weights && { weights }) }
  }
  return { ...entry, firstYear, years }
}

/**
 * Rows of a calculation a year later: values of years move down, and an amount with price rises starts from the exact amount of the year
 * before.
 */
export function rolledRows(rows: readonly CalculatorRow[], count: number): CalculatorRow[] {
  return rows.map((row, index) => {
    if (row.kind === rowKind.inflation) return { ...row, years: shiftedRises(row.years, count) }
    const years = row.years.length ? shifted(row.years, count) : row.years
    const amount = row.kind === rowKind.amount ? amountOf(row) : null
    const rate = amount && (risesOf(rows, index)[1] ?? 0)
    if (!amount || !rate) return { ...row, years }
    const { exact: _exact, ...plain } = row
    const { value, exact } = keepExact(times(amount, rise(rate)))
    return { ...plain, years, value, ...(exact && { exact }) }
  })
}

/**
 * Rows of a prediction a year later: rises and typed numbers move down, each year that stays counts what it counted, and the rises between the
 * year of the rates and the new first one are made one, exactly.
 * @param pupils the pupils of the old budget and of the new one
 * @param tableYear the year of the old budget that the rates are of, from 0
 */
export function rolledFunding(
  rows: readonly FundingRow[],
  {
    count,
    pupils,
    tableYear,
  }: { count: number; pupils: { before: readonly CountedRow[]; after: readonly CountedRow[] }; tableYear: number },
): FundingRow[] {
  return rows.map((row) => {
    if (row.kind === 'Stream') return rolledStream(row, { count, before: pupils.before, after: pupils.after })
    if (!row.years.length) return row
    if (row.kind !== 'Inflation') return { ...row, years: shifted(row.years, count).map((value) => value ?? null) }
    const rates = shiftedRises(
      Array.from({ length: Math.max(count, row.years.length) }, (_unused, year) => typedOf(row, year)),
      count,
    )
    if (tableYear < 0) rates[0] = compounded(typedOf(row, 0) ?? zero, typedOf(row, 1) ?? zero)
    return withNumbers(row, rates)
  })
}

/** Two rises after one another, in per cent. */
function compounded(first: Exact, second: Exact): Exact {
  return times(minus(times(riseBy(first), riseBy(second)), one), whole(100))
}

/** Pupil numbers a year later: the first year's count is the October before, and what is not typed rolls up (rules.md §13). */
export function rolledPupils(rows: readonly PupilRow[], count: number): PupilRow[] {
  const counted = new Map(rollUp(rows, count).map((row) => [row.index, row.counts]))
  return rows.map((row, index) => {
    const counts = counted.get(index)
    return counts ? { ...row, before: counts[1]?.count ?? null, years: row.years.slice(1, count) } : row
  })
}

/** The set of a budget a year later: its timetables go on with it. */
function rolledNumbers({ lessons, ...item }: PupilNumbers, count: number): PupilNumbers {
  const left = lessons?.slice(1) ?? []
  return { ...item, rows: rolledPupils(item.rows, count), ...(left.length && { lessons: left }) }
}

/** What items need to know of their old budget to go on a year later. */
export interface RollContext {
  /** Years of the old budget. */
  count: number
  pupils: { before: readonly CountedRow[]; after: readonly CountedRow[] }
  /** The year of the old budget that the rates of a prediction's version are of, from 0. */
  tableYearOf(versionId: number): number
}

/** An item a year later; opening balances are made anew from the closing ones. */
export function rolledItem(stored: StoredItem, { count, pupils, tableYearOf }: RollContext): StoredItem | null {
  switch (stored.kind) {
    case 'entry':
      return { ...stored, item: rolledEntry(stored.item, count) }
    case 'calculation':
      return { ...stored, item: { ...stored.item, rows: rolledRows(stored.item.rows, count) } }
    case 'prediction':
      return {
        ...stored,
        item: { ...stored.item, rows: rolledFunding(stored.item.rows, { count, pupils, tableYear: tableYearOf(stored.item.versionId) }) },
      }
    case 'pupils':
      return { ...stored, item: rolledNumbers(stored.item, count) }
    default:
      return null
  }
}
