import { type CalculatorRow, isCalculating, rowKind } from '../../calculation/calculator.ts'
import { type EntryYear, entryYears, mostYears, rise } from '../../calculation/entries.ts'
import { minus, one, pounds, round, times, whole } from '../../calculation/exact.ts'
import { type FundingRow, typedNumber } from '../../calculation/funding.ts'
import { type CountedRow, type PupilRow, rollUp } from '../../calculation/pupils.ts'
import { type BudgetEntry, yearsOf } from '../items/budgetEntry.ts'
import type { StoredItem } from '../items/item.ts'

const untyped: EntryYear = { amount: null, periods: null, rate: null }

/** Years without the first: the last one is repeated where it was typed. */
function shifted<T>(years: readonly T[], count: number): T[] {
  const last = years[count - 1]
  const rest = years.slice(1, count)
  return last === undefined || last === null ? rest : [...rest, last]
}

/**
 * An entry in a budget that begins a year later: it loses its first year, the years that stay keep their amounts to the penny, and the last
 * is added by the code's rates (calculation.md §15, §10). A year that the rates alone would bring elsewhere is typed (choice).
 */
export function rolledEntry(entry: BudgetEntry, count: number): BudgetEntry {
  if (isCalculating(entry.rows)) return { ...entry, firstYear: Math.max(0, entry.firstYear - 1), rows: rolledRows(entry.rows, count) }
  // A budget of one year has no later one: the code's rate leads into it.
  const old = yearsOf(entry, Math.max(count, 2))
  const hasPeriods = entry.years.some((year) => year.periods !== null)
  const firstYear = Math.max(0, entry.firstYear - 1)
  const years: EntryYear[] = Array.from({ length: mostYears }, () => untyped)
  const kept = Math.max(count - 1, 1)
  for (let year = firstYear; year < kept; year++) {
    const before = old[year + 1]!
    const typed = entry.years[year + 1] ?? untyped
    const amounts = (): (number | null)[] => entryYears({ firstYear, years, ...entry.basis }, year + 1).map((worked) => worked.amount)
    years[year] = { ...typed, amount: null, periods: null }
    if (typed.amount === null && year > firstYear && amounts()[year] === before.amount) continue
    const periods = typed.periods ?? (hasPeriods && year === firstYear ? (before.periods as number[]) : null)
    years[year] = { amount: before.amount, periods, rate: typed.rate }
  }
  return { ...entry, firstYear, years }
}

/**
 * Rows of a calculation a year later: values of years move down, and an amount with price rises starts from the amount of the year before,
 * in whole millionths of a pound.
 */
export function rolledRows(rows: readonly CalculatorRow[], count: number): CalculatorRow[] {
  const rate = rows.find((row) => row.kind === rowKind.inflation)
  const first = rate ? (rate.years[1] ?? rate.value ?? 0) : 0
  return rows.map((row) => {
    const years = row.years.length ? shifted(row.years, count) : row.years
    if (row.kind !== rowKind.amount || row.value === null || first === 0) return { ...row, years }
    return { ...row, years, value: round(times(times(pounds(row.value), whole(10_000)), rise(first))) / 1_000_000 }
  })
}

/**
 * Rows of a prediction a year later: rises and typed numbers move down, a number that is only typed in an earlier year goes on as it stood, and
 * the rises between the year of the rates and the new first one are made one.
 * @param tableYear the year of the old budget that the rates are of, from 0
 */
export function rolledFunding(rows: readonly FundingRow[], count: number, pupils: readonly CountedRow[], tableYear: number): FundingRow[] {
  return rows.map((row) => {
    if (!row.years.length) return row
    const years = shifted(row.years, count)
    if (row.kind === 'Stream' && years[0] == null && count > 1) years[0] = typedNumber(row, 1, pupils)
    if (row.kind === 'Inflation' && tableYear < 0) years[0] = compounded(row.years[0] ?? 0, row.years[1] ?? 0)
    return { ...row, years: years.map((value) => value ?? null) }
  })
}

/** Two rises after one another in per cent, with six decimals. */
function compounded(first: number, second: number): number {
  return round(times(minus(times(rise(first), rise(second)), one), whole(100_000_000))) / 1_000_000
}

/** Pupil numbers a year later: the first year's count is the October before, and what is not typed rolls up (calculation.md §13). */
export function rolledPupils(rows: readonly PupilRow[], count: number): PupilRow[] {
  const counted = new Map(rollUp(rows, count).map((row) => [row.index, row.counts]))
  return rows.map((row, index) => {
    const counts = counted.get(index)
    return counts ? { ...row, before: counts[1]?.count ?? null, years: row.years.slice(1, count) } : row
  })
}

/** What items need to know of their old budget to go on a year later. */
export interface RollContext {
  /** Years of the old budget. */
  count: number
  pupils: readonly CountedRow[]
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
        item: { ...stored.item, rows: rolledFunding(stored.item.rows, count, pupils, tableYearOf(stored.item.versionId)) },
      }
    case 'pupils':
      return { ...stored, item: { ...stored.item, rows: rolledPupils(stored.item.rows, count) } }
    default:
      return null
  }
}
