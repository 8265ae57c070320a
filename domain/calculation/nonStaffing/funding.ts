import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import type { Pounds } from '../../values/units.ts'
import {
  div,
  type Exact,
  exactOne,
  exactZero,
  fromInteger,
  isEqual,
  parseDecimal,
  parsePounds,
  restoreExact,
  round,
  times,
  toDecimals,
  toStoredExact,
} from '../exact.ts'
import type { Figure } from '../inputs.ts'
import { toExactRiseFactor } from './entries.ts'
import { findFundingCategory } from './fundingCategories.ts'
import { type CountedRow, countFundedPupils } from './pupils.ts'

/** A row of a funding prediction (rules.md §12). `rate` is in pounds; null uses the table's rate. */
export interface FundingRow {
  kind: 'Type' | 'Stream' | 'SubTotal' | 'Inflation' | 'Description' | 'Total'
  category: number | null
  description: string | null
  /** For a stream, the number of pupils or places funded; for an inflation row, the rise in per cent; null for a year to be calculated. */
  years: (number | null)[]
  /** The exact number of each year whose number has more than six decimals. It applies as long as it rounds to the number in `years`. */
  exact?: (string | null)[]
  rate: number | null
  /**
   * Whether the row needs a new number: the entered one was in a year that has dropped out, and no later number follows from it. The stream
   * is then not calculated, rather than left out.
   */
  isAwaited?: boolean
}

/** The exact number that was entered for a year; null if none was. */
export function getEnteredNumber(row: FundingRow, year: number): Exact | null {
  const number = row.years[year] ?? null
  return number === null ? null : restoreExact(number, row.exact?.[year])
}

const isTyped = (row: FundingRow): boolean => row.years.some((number) => number !== null && number !== undefined)

export interface FundingInputs {
  rows: readonly FundingRow[]
  /** Pounds by category, from the rate table of the budget. */
  rates: ReadonlyMap<number, Pounds | string>
  pupils: readonly CountedRow[]
  /** The number of years in the budget. */
  years: number
  /** The budget year of the rate table, counted from 0; −1 is the year before the budget. */
  tableYear: number
}

/** A calculated row. A stream has numbers and rates; amounts are whole pennies. Null where not calculated. */
export interface CalculatedFundingRow {
  years: Figure[] | null
  numbers: (number | null)[] | null
  /** Whole pennies of each year, including price rises. */
  rates: Figure[] | null
  problem: string | null
  /** Whether the stream is left out of the sums because it has no numbers. */
  isLeftOut: boolean
}

export interface FundingCalculation {
  rows: CalculatedFundingRow[]
  total: Figure[]
  leftOut: number
  /** Whether the October count before the first year was not entered, so that the first year's own count was used instead. */
  stoodIn: boolean
}

const plus = (a: Figure, b: Figure): Figure => (a === null || b === null ? null : a + b)

/**
 * Calculates a funding prediction (rules.md §12). A stream is numbers × rate. Rates of years after the table's own are raised by the
 * inflation row and rounded to the penny before multiplication. The last inflation row applies to all streams. A top-up raises the
 * comparable funding of its phase to the minimum per-pupil level.
 */
export function calculateFunding(inputs: FundingInputs): FundingCalculation {
  const { rows, years } = inputs
  const zero = (): Figure[] => Array<Figure>(years).fill(0)
  const rises = rows.findLast((row) => row.kind === 'Inflation')
  const worked = rows.map((row) =>
    row.kind === 'Stream' && row.category !== null && findFundingCategory(row.category).counted !== 'top-up'
      ? calculateStream(inputs, row, rises)
      : undefined,
  )
  for (const [index, row] of rows.entries())
    if (row.kind === 'Stream' && !worked[index]) worked[index] = topUp(inputs, { row, inflation: rises, worked })
  let [group, total] = [zero(), zero()]
  const result = rows.map((row, index): CalculatedFundingRow => {
    const calculatedRow = worked[index]
    if (calculatedRow && !calculatedRow.isLeftOut) {
      group = group.map((sum, year) => plus(sum, requireItemAt(assertDefined(calculatedRow.years), year)))
      total = total.map((sum, year) => plus(sum, requireItemAt(assertDefined(calculatedRow.years), year)))
    }
    if (calculatedRow) return calculatedRow
    if (row.kind === 'Type') group = zero()
    const sum = row.kind === 'SubTotal' ? group : row.kind === 'Total' ? total : null
    if (row.kind === 'SubTotal') group = zero()
    return { years: sum, numbers: null, rates: null, problem: null, isLeftOut: false }
  })
  return {
    rows: result,
    total,
    leftOut: result.filter((row) => row.isLeftOut).length,
    stoodIn: rows.some((row) => row.kind === 'Stream' && row.category !== null && usesLagged(inputs, row)),
  }
}

function usesLagged({ pupils }: FundingInputs, row: FundingRow): boolean {
  const { counted, roll } = findFundingCategory(assertDefined(row.category))
  return counted !== 'once' && !isTyped(row) && countFundedPupils(pupils, roll).stoodIn
}

/** The rate of each year in whole pennies: raised for years after the table's own, and rounded once. */
function calculateYearRates(
  { rates, years, tableYear }: FundingInputs,
  row: FundingRow,
  inflation: FundingRow | undefined,
): Figure[] | null {
  const base = row.rate ?? rates.get(assertDefined(row.category))
  if (base === undefined) return null
  let factor: Exact = exactOne
  return Array.from({ length: years }, (_unused, year): Figure => {
    if (year > tableYear)
      factor = times(
        factor,
        inflation && getEnteredNumber(inflation, year) ? toExactRiseFactor(assertDefined(getEnteredNumber(inflation, year))) : exactOne,
      )
    return round(times(parsePounds(base), factor))
  })
}

const noRate = 'The table has no rate for this category: enter one.'

function calculateStream(inputs: FundingInputs, row: FundingRow, inflation: FundingRow | undefined): CalculatedFundingRow {
  const { counted } = findFundingCategory(assertDefined(row.category))
  const rates = calculateYearRates(inputs, row, inflation)
  const shown: Pick<CalculatedFundingRow, 'numbers' | 'rates'> = { numbers: null, rates }
  const empty = (problem: string | null, isLeftOut: boolean): CalculatedFundingRow => ({
    ...shown,
    years: isLeftOut ? null : Array<Figure>(inputs.years).fill(null),
    problem,
    isLeftOut,
  })
  if (!isTyped(row) && !row.isAwaited && counted === 'typed') return empty(null, true)
  const exact = findNumbers(inputs, row)
  shown.numbers = exact.map((number) => number && toDecimals(number, 2))
  if (!rates) return empty(noRate, false)
  const years = exact.map(
    (number, year): Figure =>
      number === null || rates[year] === null ? null : round(times(fromInteger(assertDefined(rates[year])), number)),
  )
  const problem = years.includes(null) ? 'The number of pupils is not known: enter it under pupil numbers, or here.' : null
  return { ...shown, years, problem, isLeftOut: false }
}

/**
 * The number funded in each year (rules.md §12). An entered number is used. Otherwise basic entitlement, high-needs places, and streams
 * counted by phase before their first entered number use the lagged count; other pupil numbers scale with the roll; all other numbers
 * repeat the last entered one.
 */
function findNumbers({ pupils, years }: Pick<FundingInputs, 'pupils' | 'years'>, row: FundingRow): (Exact | null)[] {
  const { counted, roll } = findFundingCategory(assertDefined(row.category))
  const rolls = countFundedPupils(pupils, roll).years
  const first = row.years.findIndex((value) => value !== null && value !== undefined)
  return Array.from({ length: years }, (_unused, year): Exact | null => {
    const typed = getEnteredNumber(row, year)
    if (typed) return typed
    const count = rolls[year] ?? null
    const follows =
      typeof counted === 'object' &&
      (findFundingCategory(assertDefined(row.category)).isBasic || row.category === placesCategory || first === -1 || first > year)
    if (follows) return count === null ? null : parseDecimal(count)
    const last = row.years.findLastIndex((value, at) => at < year && value !== null && value !== undefined)
    if (last === -1) return counted === 'once' ? exactOne : null
    if (!findFundingCategory(assertDefined(row.category)).isPupilLed) return getEnteredNumber(row, last)
    return scaleWithRoll(assertDefined(getEnteredNumber(row, first)), rolls[first] ?? null, count)
  })
}

const placesCategory = 35

/** Scales a number of pupils with the roll from `then` to `now`; null if either roll is not known. */
function scaleWithRoll(number: Exact, then: number | null, now: number | null): Exact | null {
  if (then === null || now === null) return null
  if (then === now) return number
  if (then === 0) return now === 0 ? exactZero : null
  return div(times(number, parseDecimal(now)), parseDecimal(then))
}

/**
 * Converts a stream for a budget that begins a year later, so that each remaining year funds exactly the same number as before. Numbers
 * that no longer follow from the rules are stored as entered.
 * @param before the rolled-up pupils of the old budget
 * @param after the rolled-up pupils of the new budget
 */
export function rollStreamForward(
  row: FundingRow,
  { count, before, after }: { count: number; before: readonly CountedRow[]; after: readonly CountedRow[] },
): FundingRow {
  if (row.category === null || !isTyped(row)) return row
  const { counted } = findFundingCategory(row.category)
  // A one-year budget has no second year of its own, so the number of the added year follows from the rules.
  const later = Math.max(count - 1, 1)
  const was =
    counted === 'top-up'
      ? Array.from({ length: later + 1 }, (_unused, year) => getEnteredNumber(row, year))
      : findNumbers({ pupils: before, years: later + 1 }, row)
  const wasTyped = (year: number): boolean => row.years[year] !== null && row.years[year] !== undefined
  const numbers = Array.from({ length: later }, (_unused, year) => (wasTyped(year + 1) || year === 0 ? requireItemAt(was, year + 1) : null))
  if (counted === 'top-up') return replaceRowNumbers(row, numbers)
  for (let year = 0; year < later; year++) {
    const is = requireItemAt(findNumbers({ pupils: after, years: later }, replaceRowNumbers(row, numbers)), year)
    const had = requireItemAt(was, year + 1)
    if (had && !(is && isEqual(is, had))) numbers[year] = had
  }
  return { ...replaceRowNumbers(row, numbers), ...(numbers.every((number) => number === null) && { isAwaited: true }) }
}

/** Restores exact numbers that a caller left out. A row keeps the exact number of each year whose number has not changed. */
export function restoreExactNumbers(rows: readonly FundingRow[], before: readonly FundingRow[]): FundingRow[] {
  return rows.map(({ exact, isAwaited, ...row }, index) => {
    const old = before[index]
    const isSame = old?.kind === row.kind && old.category === row.category
    const source = exact ?? (isSame ? old.exact : undefined)
    const next = source
      ? replaceRowNumbers(
          row,
          row.years.map((_number, year) => getEnteredNumber({ ...row, exact: source }, year)),
        )
      : row
    return (isAwaited ?? (isSame && old.isAwaited)) && !isTyped(next) ? { ...next, isAwaited: true } : next
  })
}

/** Returns the row with other numbers, stored with exact text where six decimals are not enough. */
export function replaceRowNumbers(row: FundingRow, numbers: readonly (Exact | null)[]): FundingRow {
  const storedNumbers = numbers.map((number) => (number ? toStoredExact(number) : { value: null, exact: null }))
  const { exact: _exact, ...plain } = row
  const years = storedNumbers.map((one) => one.value)
  return storedNumbers.some((one) => one.exact) ? { ...plain, years, exact: storedNumbers.map((one) => one.exact) } : { ...plain, years }
}

function topUp(
  inputs: FundingInputs,
  { row, inflation, worked }: { row: FundingRow; inflation: FundingRow | undefined; worked: readonly (CalculatedFundingRow | undefined)[] },
): CalculatedFundingRow {
  const years = (figure: Figure): Figure[] => Array<Figure>(inputs.years).fill(figure)
  if (row.category === null) return { years: years(null), numbers: null, rates: null, problem: 'Choose a category.', isLeftOut: false }
  const { roll } = findFundingCategory(row.category)
  const rates = calculateYearRates(inputs, row, inflation)
  const pupils = countFundedPupils(inputs.pupils, roll).years
  const exact = Array.from({ length: inputs.years }, (_unused, year): Exact | null => {
    const count = pupils[year] ?? null
    return getEnteredNumber(row, year) ?? (count === null ? null : parseDecimal(count))
  })
  const numbers = exact.map((number) => number && toDecimals(number, 2))
  if (!rates) return { years: years(null), numbers, rates, problem: noRate, isLeftOut: false }
  const amounts = exact.map((number, year): Figure => {
    if (number === null) return null
    let comparable: Figure = 0
    for (const [index, other] of inputs.rows.entries()) {
      const calculatedRow = worked[index]
      if (!calculatedRow || calculatedRow.isLeftOut || other.category === null) continue
      const { isComparable, roll: ofOther } = findFundingCategory(other.category)
      if (isComparable && ofOther.some((one) => roll.includes(one)))
        comparable = plus(comparable, requireItemAt(assertDefined(calculatedRow.years), year))
    }
    return comparable === null ? null : Math.max(0, round(times(fromInteger(assertDefined(rates[year])), number)) - comparable)
  })
  const problem = amounts.includes(null) ? 'The pupil numbers or the funding for its phase are not known.' : null
  return { years: amounts, numbers, rates, problem, isLeftOut: false }
}
