import { rise } from './entries.ts'
import { decimal, type Exact, one, over, pounds, round, times, whole } from './exact.ts'
import type { Figure } from './inputs.ts'
import { type CountedRow, fundedPupils, phase } from './pupils.ts'

/** A row of a funding prediction (calculation.md §12). Rates are pounds; null: the table's. */
export interface FundingRow {
  kind: 'Type' | 'Stream' | 'SubTotal' | 'Inflation' | 'Description' | 'Total'
  category: number | null
  description: string | null
  /** Of a stream what is funded (pupils, places), of an inflation row per cent; null: worked out. */
  years: (number | null)[]
  rate: number | null
}

/** What the numbers of a category are, when nobody types them. */
type Counted = { phases: readonly number[] } | 'once' | 'typed' | 'top-up'

const primary = [phase.primary]
const secondary = [phase.keyStage3, phase.keyStage4]
const all = [phase.primary, phase.keyStage3, phase.keyStage4]

/**
 * How each category of the list `localAuthorityFundingRateCategories` is counted, which phase it belongs to, and whether it counts towards
 * the minimum per-pupil level: premises, split sites, growth and what is not of the schools block do not (rules of the national formula).
 */
export function categoryOf(category: number): { counted: Counted; roll: readonly number[]; isComparable: boolean } {
  if (category === 1) return { counted: { phases: primary }, roll: primary, isComparable: true }
  if (category === 2) return { counted: { phases: [phase.keyStage3] }, roll: [phase.keyStage3], isComparable: true }
  if (category === 3) return { counted: { phases: [phase.keyStage4] }, roll: [phase.keyStage4], isComparable: true }
  // From free school meals to mobility and on to sparsity the primary category stands before the secondary one.
  if (category <= 25) return { counted: 'typed', roll: category % 2 === 0 ? primary : secondary, isComparable: true }
  if (category <= 27) return { counted: 'once', roll: category === 26 ? primary : secondary, isComparable: true }
  if (category <= 29) return { counted: 'typed', roll: category === 28 ? primary : secondary, isComparable: true }
  if (category === 33 || category === 34) return { counted: 'top-up', roll: category === 33 ? primary : secondary, isComparable: false }
  if (category === 35) return { counted: { phases: [phase.highNeeds] }, roll: [phase.highNeeds], isComparable: false }
  if (category === 37) return { counted: { phases: [phase.sixthForm] }, roll: [phase.sixthForm], isComparable: false }
  if (category === 38 || category === 39) return { counted: 'typed', roll: category === 38 ? primary : secondary, isComparable: false }
  return { counted: 'typed', roll: all, isComparable: false }
}

/** Whether the numbers of a category are pupils, whose share of the roll stays; premises, sparsity and sums of one's own are not. */
function isPupilLed(category: number): boolean {
  return category <= 25 || category === 37 || category === 38 || category === 39
}

export interface FundingInputs {
  rows: readonly FundingRow[]
  /** Pounds by category, as the table of the version has them. */
  rates: ReadonlyMap<number, number | string>
  pupils: readonly CountedRow[]
  /** Years of the budget. */
  years: number
  /** The budget year that the table is of, from 0; −1 for the year before the budget, and so on. */
  tableYear: number
}

/** A row worked out: numbers and rates of streams, whole pennies; null where it cannot be calculated. */
export interface WorkedFundingRow {
  years: Figure[] | null
  numbers: (number | null)[] | null
  /** Whole pennies of each year, price rises included. */
  rates: Figure[] | null
  problem: string | null
  /** A stream without any numbers is left out of the sums. */
  isLeftOut: boolean
}

export interface FundingCalculation {
  rows: WorkedFundingRow[]
  total: Figure[]
  leftOut: number
  /** The October count before the first year is not typed: the first year's own stands in for it. */
  stoodIn: boolean
}

const plus = (a: Figure, b: Figure): Figure => (a === null || b === null ? null : a + b)

/**
 * Works out a prediction (calculation.md §12): stream = numbers × rate, rates of years after the table's own raised by the inflation row and
 * rounded to the penny before they are multiplied. An inflation row between a type and its subtotal is of that type, any other of all
 * types without one (choice). A top-up brings the comparable funding of its phase up to the minimum per-pupil level.
 */
export function predict(inputs: FundingInputs): FundingCalculation {
  const { rows, years } = inputs
  const zero = (): Figure[] => Array<Figure>(years).fill(0)
  const rises = inflationRows(rows)
  const worked = rows.map((row, index) =>
    row.kind === 'Stream' && row.category !== null && categoryOf(row.category).counted !== 'top-up'
      ? stream(inputs, row, rises[index]!)
      : undefined,
  )
  for (const [index, row] of rows.entries())
    if (row.kind === 'Stream' && !worked[index]) worked[index] = topUp(inputs, row, rises[index]!, worked)
  let [group, total] = [zero(), zero()]
  const result = rows.map((row, index): WorkedFundingRow => {
    const own = worked[index]
    if (own && !own.isLeftOut) {
      group = group.map((sum, year) => plus(sum, own.years![year]!))
      total = total.map((sum, year) => plus(sum, own.years![year]!))
    }
    if (own) return own
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
  const { counted, roll } = categoryOf(row.category!)
  return counted !== 'once' && row.years.every((value) => value === null || value === undefined) && fundedPupils(pupils, roll).stoodIn
}

/** The inflation row of each row: that of its own group, else the last one that stands in no group. */
function inflationRows(rows: readonly FundingRow[]): (FundingRow | undefined)[] {
  let group = -1
  const groups = rows.map((row) => {
    if (row.kind === 'Type') group++
    const own = group
    if (row.kind === 'SubTotal') group = Math.floor(group) + 0.5
    return own
  })
  const inGroup = (index: number): boolean => Number.isInteger(groups[index]) && groups[index]! >= 0
  const general = rows.findLast((row, index) => row.kind === 'Inflation' && !inGroup(index))
  return rows.map(
    (_row, index) => rows.findLast((one, at) => one.kind === 'Inflation' && inGroup(at) && groups[at] === groups[index]) ?? general,
  )
}

/** Whole pennies of a rate in each year: raised after the table's own year, rounded after all rises. */
function ratesOf({ rates, years, tableYear }: FundingInputs, row: FundingRow, inflation: FundingRow | undefined): Figure[] | null {
  const base = row.rate ?? rates.get(row.category!)
  if (base === undefined) return null
  let factor: Exact = one
  return Array.from({ length: years }, (_unused, year): Figure => {
    if (year > tableYear) factor = times(factor, rise(inflation?.years[year] ?? 0))
    return round(times(pounds(base), factor))
  })
}

const noRate = 'The table has no rate for this category: type one.'

function stream(inputs: FundingInputs, row: FundingRow, inflation: FundingRow | undefined): WorkedFundingRow {
  const { counted, roll } = categoryOf(row.category!)
  const rates = ratesOf(inputs, row, inflation)
  const isTyped = row.years.some((value) => value !== null && value !== undefined)
  const shown = { numbers: null as (number | null)[] | null, rates }
  const empty = (problem: string | null, isLeftOut: boolean): WorkedFundingRow => ({
    ...shown,
    years: isLeftOut ? null : Array<Figure>(inputs.years).fill(null),
    problem,
    isLeftOut,
  })
  if (!isTyped && counted === 'typed') return empty(null, true)
  const exact = numbersOf(inputs, row, counted, roll)
  shown.numbers = exact.map((number) => number && Number(number.near.toFixed(2)))
  if (!rates) return empty(noRate, false)
  const years = exact.map(
    (number, year): Figure => (number === null || rates[year] === null ? null : round(times(whole(rates[year]!), number))),
  )
  const problem = years.includes(null) ? 'The number of pupils is not known: type it under pupil numbers, or here.' : null
  return { ...shown, years, problem, isLeftOut: false }
}

/** What is funded in each year: typed, else counted; typed in an earlier year only, it keeps its share of the roll. */
function numbersOf(
  { pupils, years }: Pick<FundingInputs, 'pupils' | 'years'>,
  row: FundingRow,
  counted: Counted,
  roll: readonly number[],
): (Exact | null)[] {
  const rolls = fundedPupils(pupils, roll).years
  return Array.from({ length: years }, (_unused, year): Exact | null => {
    const typed = row.years[year]
    if (typed !== null && typed !== undefined) return decimal(typed)
    const last = row.years.findLastIndex((value, at) => at < year && value !== null && value !== undefined)
    if (counted === 'once') return last === -1 ? one : decimal(row.years[last]!)
    if (typeof counted === 'object' && last === -1) return rolls[year] == null ? null : decimal(rolls[year])
    if (last === -1) return null
    const [then, now] = [rolls[last] ?? null, rolls[year] ?? null]
    if (!isPupilLed(row.category!) || !then || now === null) return decimal(row.years[last]!)
    return over(times(decimal(row.years[last]!), decimal(now)), decimal(then))
  })
}

/**
 * What a stream that is typed in some year counts in another, with six decimals: null for one that nobody typed, whose numbers follow the
 * pupils, and for a top-up, which has none of its own.
 */
export function typedNumber(row: FundingRow, year: number, pupils: readonly CountedRow[]): number | null {
  if (row.kind !== 'Stream' || row.category === null || row.years.every((value) => value === null || value === undefined)) return null
  const { counted, roll } = categoryOf(row.category)
  if (counted === 'top-up') return row.years[year] ?? null
  const number = numbersOf({ pupils, years: year + 1 }, row, counted, roll)[year]
  return number ? Number(number.near.toFixed(6)) : null
}

function topUp(
  inputs: FundingInputs,
  row: FundingRow,
  inflation: FundingRow | undefined,
  worked: readonly (WorkedFundingRow | undefined)[],
): WorkedFundingRow {
  const years = (figure: Figure): Figure[] => Array<Figure>(inputs.years).fill(figure)
  if (row.category === null) return { years: years(null), numbers: null, rates: null, problem: 'Choose a category.', isLeftOut: false }
  const { roll } = categoryOf(row.category)
  const rates = ratesOf(inputs, row, inflation)
  const pupils = fundedPupils(inputs.pupils, roll).years
  const numbers = Array.from({ length: inputs.years }, (_unused, year) => row.years[year] ?? pupils[year] ?? null)
  if (!rates) return { years: years(null), numbers, rates, problem: noRate, isLeftOut: false }
  const amounts = numbers.map((number, year): Figure => {
    if (number === null) return null
    let comparable: Figure = 0
    for (const [index, other] of inputs.rows.entries()) {
      const own = worked[index]
      if (!own || own.isLeftOut || other.category === null) continue
      const { isComparable, roll: ofOther } = categoryOf(other.category)
      if (isComparable && ofOther.some((one) => roll.includes(one))) comparable = plus(comparable, own.years![year]!)
    }
    return comparable === null ? null : Math.max(0, round(times(whole(rates[year]!), decimal(number))) - comparable)
  })
  const problem = amounts.includes(null) ? 'The numbers or the funding of its phase are not known.' : null
  return { years: amounts, numbers, rates, problem, isLeftOut: false }
}
