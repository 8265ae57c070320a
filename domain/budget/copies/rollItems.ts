import { type Exact, exactOne, exactZero, fromInteger, minus, times, toStoredExact } from '../../calculation/exact.ts'
import {
  type CalculatorRow,
  calculateRowAmount,
  calculatorRowKind,
  findPriceRises,
  isCalculating,
} from '../../calculation/nonStaffing/calculator.ts'
import {
  type EntryYear,
  findEnteredWeights,
  hasBothSigns,
  maxBudgetYears,
  type ProjectedYear,
  projectEntryYears,
  toExactRiseFactor,
  toRiseFactor,
} from '../../calculation/nonStaffing/entries.ts'
import { type FundingRow, getEnteredNumber, replaceRowNumbers, rollStreamForward } from '../../calculation/nonStaffing/funding.ts'
import { type CountedRow, type PupilRow, rollUpPupilCounts } from '../../calculation/nonStaffing/pupils.ts'
import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import { canonicalJson } from '../../values/canonicalJson.ts'
import { type BudgetEntry, calculateEntryYears } from '../items/budgetEntry.ts'
import type { StoredItem } from '../items/item.ts'
import type { PupilNumbers } from '../items/pupilNumbers.ts'

const untyped: EntryYear = { amount: null, periods: null, rate: null }

/** Drops the first year. If the last year has an entered value, the added year repeats that value. */
function shiftYears<T>(years: readonly T[], count: number): T[] {
  const last = years[count - 1]
  const rest = years.slice(1, count)
  return last === undefined || last === null ? rest : [...rest, last]
}

/** Drops the first rise. A one-year budget continues with its second rise (rules.md §15). */
function shiftRises<T>(years: readonly T[], count: number): T[] {
  return count > 1 ? shiftYears(years, count) : years.length > 1 ? [requireItemAt(years, 1), ...years.slice(1)] : []
}

/**
 * Moves an entry on by a year (rules.md §15, §10). It loses its first year; the remaining years keep their amounts and months to the penny;
 * the price rises of its code give the last year. Our choice: where the price rises alone would give another amount, the amount counts as
 * entered. Entered monthly amounts remain as the weights that spread the years over their months.
 */
export function rollEntry(entry: BudgetEntry, count: number): BudgetEntry {
  if (isCalculating(entry.rows))
    return { ...entry, firstYear: Math.max(0, entry.firstYear - 1), rows: rollCalculatorRows(entry.rows, count) }
  // Calculate at least two years: in a one-year budget, the new year is the old one plus the code's price rise.
  const old = calculateEntryYears(entry, Math.max(count, 2))
  const firstYear = Math.max(0, entry.firstYear - 1)
  const years: EntryYear[] = Array.from({ length: maxBudgetYears }, () => untyped)
  const remainingYears = Math.max(count - 1, 1)
  for (let year = firstYear; year < remainingYears; year++) {
    const before = assertDefined(old[year + 1])
    const typed = entry.years[year + 1] ?? untyped
    const calculated = (): ProjectedYear => assertDefined(projectEntryYears({ firstYear, years, ...entry.basis }, year + 1)[year])
    // An entry's first year has no rise.
    const rate = year === firstYear ? null : typed.rate
    years[year] = { amount: null, periods: null, rate }
    const isMixed = hasBothSigns(before.periods)
    const follows = isMixed ? canonicalJson(calculated().periods) === canonicalJson(before.periods) : calculated().amount === before.amount
    if (typed.amount === null && year > firstYear && follows) continue
    if (isMixed) {
      years[year] = { amount: before.amount, periods: before.periods.map((one) => one ?? 0), rate }
      continue
    }
    const weights = typed.periods ? null : year === firstYear ? findEnteredWeights(entry.years, year + 1) : (typed.weights ?? null)
    years[year] = { amount: before.amount, periods: typed.periods, rate, ...(weights && { weights }) }
  }
  return { ...entry, firstYear, years }
}

/**
 * Moves the rows of a calculation on by a year: each year takes the value of the year after it, and an amount with price rises starts from
 * the exact amount of its second year.
 */
export function rollCalculatorRows(rows: readonly CalculatorRow[], count: number): CalculatorRow[] {
  return rows.map((row, index) => {
    if (row.kind === calculatorRowKind.inflation) return { ...row, years: shiftRises(row.years, count) }
    const years = row.years.length ? shiftYears(row.years, count) : row.years
    const amount = row.kind === calculatorRowKind.amount ? calculateRowAmount(row) : null
    const rate = amount && (findPriceRises(rows, index)[1] ?? 0)
    if (!amount || !rate) return { ...row, years }
    const { exact: _exact, ...plain } = row
    const { value, exact } = toStoredExact(times(amount, toRiseFactor(rate)))
    return { ...plain, years, value, ...(exact && { exact }) }
  })
}

/**
 * Moves the rows of a prediction on by a year: each year takes the price rises and entered numbers of the year after it, and remaining
 * years keep their pupil counts. The price rises between the year of the rates and the new first year are combined exactly.
 * @param pupils pupil numbers of the old budget (`before`) and the new one (`after`)
 * @param tableYear the year of the rates within the old budget, from 0
 */
export function rollFundingRows(
  rows: readonly FundingRow[],
  {
    count,
    pupils,
    tableYear,
  }: { count: number; pupils: { before: readonly CountedRow[]; after: readonly CountedRow[] }; tableYear: number },
): FundingRow[] {
  return rows.map((row) => {
    if (row.kind === 'Stream') return rollStreamForward(row, { count, before: pupils.before, after: pupils.after })
    if (!row.years.length) return row
    if (row.kind !== 'Inflation') return { ...row, years: shiftYears(row.years, count).map((value) => value ?? null) }
    const rates = shiftRises(
      Array.from({ length: Math.max(count, row.years.length) }, (_unused, year) => getEnteredNumber(row, year)),
      count,
    )
    if (tableYear < 0) rates[0] = compoundRises(getEnteredNumber(row, 0) ?? exactZero, getEnteredNumber(row, 1) ?? exactZero)
    return replaceRowNumbers(row, rates)
  })
}

/** Combines two successive price rises into one, in per cent. */
function compoundRises(first: Exact, second: Exact): Exact {
  return times(minus(times(toExactRiseFactor(first), toExactRiseFactor(second)), exactOne), fromInteger(100))
}

/**
 * Moves pupil numbers on by a year: the counts of the old first year become those of the October before the budget, and counts that were
 * not entered are rolled up (rules.md §13).
 */
export function rollPupilRows(rows: readonly PupilRow[], count: number): PupilRow[] {
  const counted = new Map(rollUpPupilCounts(rows, count).map((row) => [row.index, row.counts]))
  return rows.map((row, index) => {
    const counts = counted.get(index)
    return counts ? { ...row, before: counts[1]?.count ?? null, years: row.years.slice(1, count) } : row
  })
}

function rollPupilNumbers({ lessons, ...item }: PupilNumbers, count: number): PupilNumbers {
  const left = lessons?.slice(1) ?? []
  return { ...item, rows: rollPupilRows(item.rows, count), ...(left.length && { lessons: left }) }
}

export interface RollForwardContext {
  count: number
  pupils: { before: readonly CountedRow[]; after: readonly CountedRow[] }
  /** The year within the old budget that a funding table's rates are for, from 0. */
  tableYearOf(versionId: number): number
}

/** Moves an item on by a year. Opening balances return null: they are recalculated from the closing balances. */
export function rollItem(stored: StoredItem, { count, pupils, tableYearOf }: RollForwardContext): StoredItem | null {
  switch (stored.kind) {
    case 'entry':
      return { ...stored, item: rollEntry(stored.item, count) }
    case 'calculation':
      return { ...stored, item: { ...stored.item, rows: rollCalculatorRows(stored.item.rows, count) } }
    case 'prediction':
      return {
        ...stored,
        item: { ...stored.item, rows: rollFundingRows(stored.item.rows, { count, pupils, tableYear: tableYearOf(stored.item.versionId) }) },
      }
    case 'pupils':
      return { ...stored, item: rollPupilNumbers(stored.item, count) }
    default:
      return null
  }
}
