import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import { type Exact, exactOne, fromInteger, parseDecimal, parsePounds, restoreExact, round, times, toStoredExact } from '../exact.ts'
import type { Figure } from '../inputs.ts'
import { toRiseFactor } from './entries.ts'

/** Kinds of calculator rows, by their ids in the list `budgetEntryTypes`. */
export const calculatorRowKind = {
  amount: 1,
  inflation: 2,
  period: 3,
  description: 4,
  criteria: 5,
  subtotal: 6,
  total: 7,
  fixedInput: 8,
} as const

/**
 * A row of an income and expenditure calculation (rules.md §11). It has one value for all years or one for each; a period row holds
 * weights.
 */
export interface CalculatorRow {
  kind: number
  description: string | null
  value: number | null
  /** The exact value of a calculated amount with more than six decimals. It applies as long as it rounds to `value`. */
  exact?: string | null
  years: (number | null)[]
  periods: number[]
}

/**
 * The result of a row. `years` holds whole pennies of each year, null where not calculated, and is itself null if the row holds no money.
 * `problem` says why a year is not calculated.
 */
export interface CalculatedRow {
  years: Figure[] | null
  problem: string | null
}

export interface RowsCalculation {
  rows: CalculatedRow[]
  /** Whole pennies of each year: the sum of all products and fixed inputs. */
  total: Figure[]
  /** The twelve weights that spread each year over its periods; null for an equal split. */
  weights: number[] | null
}

const amountOfYear = (row: CalculatorRow, year: number): number | null => row.years[year] ?? row.value

/** Adds two figures; null if either figure is null. */
const add = (sum: Figure, part: Figure): Figure => (sum === null || part === null ? null : sum + part)

/**
 * Calculates the rows in order (rules.md §11). An amount is multiplied by the block of criteria above it and by the price rises of its
 * inflation row. A rise belongs to the year that it leads to, so the first year has none. Criteria without an amount are a problem, not
 * zero. Our choice: the first period row spreads the whole calculation.
 */
export function calculateRows(rows: readonly CalculatorRow[], count: number): RowsCalculation {
  const zero = (): Figure[] => Array<Figure>(count).fill(0)
  let [subtotal, total] = [zero(), zero()]
  let criteria: CalculatorRow[] = []
  const worked = rows.map((row, index): CalculatedRow => {
    const counts = (years: Figure[], problem: string | null): CalculatedRow => {
      subtotal = subtotal.map((sum, year) => add(sum, requireItemAt(years, year)))
      total = total.map((sum, year) => add(sum, requireItemAt(years, year)))
      return { years, problem }
    }
    if (row.kind === calculatorRowKind.criteria) {
      if (rows[index - 1]?.kind !== calculatorRowKind.criteria) criteria = []
      criteria.push(row)
      if (!hasAmount(rows, index)) return { ...counts(Array<Figure>(count).fill(null), 'Add an amount below these criteria.'), years: null }
      return { years: null, problem: isWhole(row, count) ? null : 'Enter a number, for all years or for each year.' }
    }
    if (row.kind === calculatorRowKind.amount) {
      if (!criteria.length) return counts(Array<Figure>(count).fill(null), 'Add a criteria row above this amount.')
      const years = calculateYearProducts(row, { criteria, rates: findPriceRises(rows, index), count })
      return counts(years, years.includes(null) ? 'A number is missing: enter the amount and its criteria.' : null)
    }
    if (row.kind === calculatorRowKind.fixedInput) {
      const years = zero().map((_unused, year): Figure => {
        const value = amountOfYear(row, year)
        return value === null ? null : round(parsePounds(value))
      })
      return counts(years, years.includes(null) ? 'Enter a figure, for all years or for each year.' : null)
    }
    if (row.kind === calculatorRowKind.subtotal) {
      const years = subtotal
      subtotal = zero()
      return { years, problem: null }
    }
    return { years: row.kind === calculatorRowKind.total ? total : null, problem: null }
  })
  const period = rows.find((row) => row.kind === calculatorRowKind.period)
  return { rows: worked, total, weights: period && period.periods.length === 12 ? period.periods : null }
}

/** Whether an amount follows a criteria row before the next block of criteria. */
function hasAmount(rows: readonly CalculatorRow[], index: number): boolean {
  const end = rows.findIndex((row, at) => at > index && row.kind !== calculatorRowKind.criteria)
  if (end === -1) return false
  const next = rows.findIndex((row, at) => at >= end && (row.kind === calculatorRowKind.amount || row.kind === calculatorRowKind.criteria))
  return next !== -1 && assertDefined(rows[next]).kind === calculatorRowKind.amount
}

/** The amount of a row before multiplication; null if it has none. */
export function calculateRowAmount(row: CalculatorRow): Exact | null {
  return row.value === null ? null : restoreExact(row.value, row.exact)
}

function isWhole(row: CalculatorRow, count: number): boolean {
  return Array.from({ length: count }, (_unused, year) => amountOfYear(row, year)).every((value) => value !== null)
}

/** `round(criteria_y × amount × Π inflation)` of each year; an amount entered for a year is used without price rises. */
function calculateYearProducts(
  row: CalculatorRow,
  { criteria, rates, count }: { criteria: readonly CalculatorRow[]; rates: readonly (number | null)[]; count: number },
): Figure[] {
  let factor: Exact = exactOne
  return Array.from({ length: count }, (_unused, year): Figure => {
    if (year > 0) factor = times(factor, toRiseFactor(rates[year] ?? 0))
    const typed = row.years[year] ?? null
    const amount = calculateRowAmount(row)
    if (typed === null && amount === null) return null
    let product = typed === null ? times(times(assertDefined(amount), fromInteger(100)), factor) : parsePounds(typed)
    for (const one of criteria) {
      const number = amountOfYear(one, year)
      if (number === null) return null
      product = times(product, parseDecimal(number))
    }
    return round(product)
  })
}

/**
 * The price rises of an amount: from the first inflation row between it and the next subtotal or total, otherwise from the last one above
 * it.
 */
export function findPriceRises(rows: readonly CalculatorRow[], index: number): readonly (number | null)[] {
  const kinds = rows.map((row) => row.kind)
  const end = kinds.findIndex((kind, at) => at > index && (kind === calculatorRowKind.subtotal || kind === calculatorRowKind.total))
  const below = kinds.findIndex((kind, at) => at > index && (end === -1 || at < end) && kind === calculatorRowKind.inflation)
  const chosen = below === -1 ? kinds.lastIndexOf(calculatorRowKind.inflation, index) : below
  return chosen === -1 ? [] : listYearRates(assertDefined(rows[chosen]))
}

/** Five yearly rates; the single value of the row fills the years without a rate. */
function listYearRates({ years, value }: CalculatorRow): (number | null)[] {
  return Array.from({ length: 5 }, (_unused, year) => years[year] ?? value)
}

/** Restores exact amounts that a caller left out. A row keeps its exact amount unless its value has changed. */
export function restoreExactAmounts(rows: readonly CalculatorRow[], before: readonly CalculatorRow[]): CalculatorRow[] {
  return rows.map(({ exact, ...row }, index) => {
    const old = before[index]
    const exactToKeep = exact ?? (old?.kind === row.kind ? old.exact : null)
    const amount =
      row.kind === calculatorRowKind.amount && row.value !== null && exactToKeep
        ? toStoredExact(restoreExact(row.value, exactToKeep))
        : null
    return amount?.exact ? { ...row, exact: amount.exact } : row
  })
}

/** Whether the rows calculate amounts. If so, a budget entry takes its amounts from them. */
export function isCalculating(rows: readonly CalculatorRow[]): boolean {
  return rows.some((row) => row.kind === calculatorRowKind.amount || row.kind === calculatorRowKind.fixedInput)
}
