import type { Pennies, Percent } from '../../values/units.ts'
import { div, type Exact, exactOne, fromInteger, parseDecimal, parsePercent, plus, round, times } from '../exact.ts'
import type { Figure, FundShare } from '../inputs.ts'
import { split } from '../split.ts'
import { splitByFunds } from '../staffing/posting.ts'

/**
 * The values entered for one year of a budget entry: an amount in whole pennies, its twelve periods, or the price rise over the year before
 * in per cent.
 */
export interface EntryYear {
  amount: Pennies | null
  periods: number[] | null
  rate: number | null
  /** Twelve periods entered for a year that has since dropped out of the budget. They spread this year and later ones. */
  weights?: number[] | null
}

/** The inputs to an entry's years (rules.md §10). */
export interface EntryPlan {
  /** Budget year in which the entry begins, from 0; earlier years are zero. */
  firstYear: number
  /** One for each year of the budget. The first year of the entry has an entered amount or periods. */
  years: readonly EntryYear[]
  /** The budget code's five rates in per cent, from year 0; null if it has none. */
  rates: readonly number[] | null
  /** The twelve weights of the profile template; null for an equal split. */
  weights: readonly number[] | null
}

/** One calculated year of an entry. */
export interface ProjectedYear {
  /** Whole pennies; null if it could not be calculated. */
  amount: Figure
  periods: Figure[]
  /** Whether the amount was entered for this year; if not, it follows from an earlier year by price rises. */
  isTyped: boolean
  /** The price rise over the year before in per cent; null up to and including the entry's first year. */
  rate: number | null
}

export const maxBudgetYears = 5
const none: Figure[] = Array<Figure>(12).fill(0)
const hundred = fromInteger(100)

/** The factor of a price rise in per cent: 2.5 becomes 1.025. */
export function toRiseFactor(rate: number): Exact {
  return toExactRiseFactor(parseDecimal(rate))
}

/** The factor of an exact price rise in per cent. */
export function toExactRiseFactor(rate: Exact): Exact {
  return div(plus(hundred, rate), hundred)
}

/** Converts decimal weights to whole numbers on one scale, as `split` requires. */
export function toWholeWeights(weights: readonly (number | string)[]): number[] {
  return weights.map((weight) => round(times(parseDecimal(weight), fromInteger(1_000_000))))
}

/**
 * Calculates the years of an entry (rules.md §10). A year without an entered amount is the last entered amount × Π (1 + rate / 100),
 * rounded once. Twelve entered periods are used unchanged and spread later years; otherwise the weights of the profile do, or an equal
 * split. If entered periods mix amounts and refunds, each period is raised by itself, and a later entered amount is split equally.
 */
export function projectEntryYears(plan: EntryPlan, count: number): ProjectedYear[] {
  let base: number | null = null
  let mixed: readonly number[] | null = null
  let factor: Exact = exactOne
  let shape = plan.weights ? toWholeWeights(plan.weights) : equal
  return Array.from({ length: count }, (_unused, year): ProjectedYear => {
    const typed = plan.years[year] ?? { amount: null, periods: null, rate: null }
    if (year < plan.firstYear) return { amount: 0, periods: none, isTyped: false, rate: null }
    const rate = typed.rate ?? plan.rates?.[year] ?? 0
    if (typed.amount !== null) {
      base = typed.amount
      factor = exactOne
      const weights = typed.periods ?? typed.weights
      if (weights && !hasBothSigns(weights)) shape = weights.map(Math.abs)
      else if (weights || mixed) shape = equal
      mixed = typed.periods && hasBothSigns(typed.periods) ? typed.periods : null
      const periods = typed.periods ?? split(typed.amount, shape)
      return { amount: typed.amount, periods, isTyped: true, rate: year === plan.firstYear ? null : rate }
    }
    if (base === null) return { amount: null, periods: Array<Figure>(12).fill(null), isTyped: false, rate: null }
    factor = times(factor, toRiseFactor(rate))
    if (mixed) {
      const periods = mixed.map((one) => round(times(fromInteger(one), factor)))
      return { amount: periods.reduce((sum, one) => sum + one, 0), periods, isTyped: false, rate }
    }
    const amount = round(times(fromInteger(base), factor))
    return { amount, periods: split(amount, shape), isTyped: false, rate }
  })
}

const equal = Array<number>(12).fill(1)

/** Whether periods mix amounts and refunds, so that they cannot serve as weights. */
export function hasBothSigns(periods: readonly Figure[]): boolean {
  return periods.some((one) => one !== null && one < 0) && periods.some((one) => one !== null && one > 0)
}

/** The twelve entered periods that spread a year: its own or the latest before it; null if the profile spreads it. */
export function findEnteredWeights(years: readonly EntryYear[], year: number): number[] | null {
  const last = years.findLast((one, at) => at <= year && one.amount !== null && (one.periods || one.weights))
  return last?.periods ?? last?.weights ?? null
}

/** One year and coding of an entry, with twelve months in whole pennies. */
export interface EntryLine {
  component: 'entry'
  year: number
  budgetCodeId: number
  costCentreId: number | null
  fundCodeId: number | null
  amounts: Figure[]
}

/** Posts an entry as lines: each period is split by the percentages of the fund codes (rules.md §9). */
export function postEntry(
  years: readonly ProjectedYear[],
  { budgetCodeId, costCentreId }: { budgetCodeId: number; costCentreId: number | null },
  funds: readonly FundShare[],
): EntryLine[] {
  return years.flatMap(({ periods }, year) =>
    splitByFunds(periods, funds).map(
      ({ fundCodeId, amounts }): EntryLine => ({ component: 'entry', year, fundCodeId, budgetCodeId, costCentreId, amounts }),
    ),
  )
}

/** Calculates a percentage of an amount, rounded to the penny. */
export function calculatePercentage(pennies: Pennies, rate: Percent): Pennies {
  return round(times(fromInteger(pennies), parsePercent(rate)))
}
