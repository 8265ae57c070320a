import { split } from '../calculation/split.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { Pennies } from '../values/units.ts'
import type { ForecastMethod } from './monitoring.ts'

/** A budget code, or null for the apprenticeship levy, which has none. */
export type CodeId = number | null

/** The imported amounts of one code at a location, by period of the budget year from 0; whole pennies. */
export interface ImportedAmounts {
  actuals: Pennies[]
  commitments: Pennies[]
}

/**
 * One location in one budget year, up to a chosen month. It can also be the sum of locations whose years begin in the same month and which
 * have closed the same periods; figures of such locations can be added, except for codes whose forecast method divides. Whole pennies, in
 * arrays of twelve periods.
 */
export interface LocationYear {
  /** Period of the chosen month in the budget year, 1 to 12. */
  period: number
  /** Which periods are closed. Periods after the chosen month do not count. */
  closed: readonly boolean[]
  budget: ReadonlyMap<CodeId, readonly Pennies[]>
  /** The budget from which open months are forecast; null if it is the budget of the year itself. */
  forecastBudget: ReadonlyMap<CodeId, readonly Pennies[]> | null
  imported: ReadonlyMap<CodeId, ImportedAmounts>
  methods: ReadonlyMap<CodeId, { method: ForecastMethod; values: readonly number[] | null }>
}

export interface CodeFigures {
  budgetToDate: Pennies
  fullYearBudget: Pennies
  actualToDate: Pennies
  /** The chosen month only; the actual is null if it has not been imported. */
  monthBudget: Pennies
  monthActual: Pennies | null
  commitments: Pennies
  /** Forecast of the whole year, without adjustments. */
  forecast: Pennies
  /** By period: the actual if it is closed, otherwise the forecast. */
  values: Pennies[]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const noAmounts: readonly number[] = Array<number>(12).fill(0)

/** The closed periods up to the chosen one, counted from 0. */
function listClosedPeriods({ closed, period }: Pick<LocationYear, 'closed' | 'period'>): number[] {
  return closed.flatMap((isClosed, index) => (isClosed && index < period ? [index] : []))
}

/**
 * The amount of each closed month (rules.md §17): the sum of its lines. If imports are year to date, the lines of the closed month before
 * it are subtracted.
 */
function calculateMonthlyActuals(imported: readonly number[], closed: readonly number[], cumulative: boolean): Map<number, number> {
  return new Map(
    closed.map((index, position) => {
      const before = cumulative && position ? assertDefined(imported[assertDefined(closed[position - 1])]) : 0
      return [index, assertDefined(imported[index]) - before]
    }),
  )
}

/** Calculates the figures of a code at one location. @param cumulative whether imports are year to date */
export function calculateCodeFigures(location: LocationYear, codeId: CodeId, cumulative: boolean): CodeFigures {
  const budget = location.budget.get(codeId) ?? noAmounts
  const imported = location.imported.get(codeId)
  const closed = listClosedPeriods(location)
  const actuals = calculateMonthlyActuals(imported?.actuals ?? noAmounts, closed, cumulative)
  const actualToDate = sum([...actuals.values()])
  const open = Array.from({ length: 12 }, (_unused, index) => index).filter((index) => !actuals.has(index))
  const openValues = forecastOpen(location, codeId, { budget, open, closed: closed.length, actualToDate })
  const values = budget.map((_unused, index) => actuals.get(index) ?? openValues.get(index) ?? 0)
  return {
    budgetToDate: sum(budget.slice(0, location.period)),
    fullYearBudget: sum(budget),
    actualToDate,
    monthBudget: assertDefined(budget[location.period - 1]),
    monthActual: actuals.get(location.period - 1) ?? null,
    commitments: imported?.commitments[location.period - 1] ?? 0,
    forecast: sum(values),
    values,
  }
}

function forecastOpen(
  { methods, forecastBudget }: LocationYear,
  codeId: CodeId,
  { budget, open, closed, actualToDate }: { budget: readonly number[]; open: readonly number[]; closed: number; actualToDate: number },
): Map<number, number> {
  const { method, values } = methods.get(codeId) ?? { method: 'budget', values: null }
  const at = (shares: readonly number[]): Map<number, number> =>
    new Map(open.map((index, position) => [index, assertDefined(shares[position])]))
  if (method === 'typed' && values) return at(open.map((index) => assertDefined(values[index])))
  if (method === 'whatIsLeft')
    return at(
      splitSigned(
        sum(budget) - actualToDate,
        open.map((index) => assertDefined(budget[index])),
      ),
    )
  if (method === 'runRate' && closed)
    return at(
      split(
        divideRounded(actualToDate * open.length, closed),
        open.map(() => 1),
      ),
    )
  const from = forecastBudget ? (forecastBudget.get(codeId) ?? noAmounts) : budget
  return at(open.map((index) => assertDefined(from[index])))
}

/**
 * Like `split` (rules.md §0), but for weights of any sign, because a budget can have negative months. If the weights sum to zero, all
 * shares are equal. Leftover pennies go to the shares that rounding down reduced most.
 */
function splitSigned(total: number, weights: readonly number[]): number[] {
  const all = sum(weights)
  if (!weights.length) return []
  if (all === 0)
    return split(
      total,
      weights.map(() => 1),
    )
  if (weights.every((weight) => weight >= 0)) return split(total, weights)
  const parts = weights.map((weight, index) => {
    const product = BigInt(total) * BigInt(weight) * (all < 0 ? -1n : 1n)
    const whole = BigInt(Math.abs(all))
    return { index, share: Number(product / whole), rest: product % whole }
  })
  const shares = parts.map((part) => part.share)
  let left = total - sum(shares)
  const step = Math.sign(left)
  const most = [...parts].sort((a, b) => Number(BigInt(step) * (b.rest - a.rest)) || a.index - b.index)
  for (let turn = 0; left !== 0; turn++, left -= step) {
    const { index } = assertDefined(most[turn % most.length])
    shares[index] = assertDefined(shares[index]) + step
  }
  return shares
}

/** Divides whole numbers, rounding halves away from zero. */
export function divideRounded(dividend: number, divisor: number): number {
  const [amount, by] = [BigInt(Math.abs(dividend)), BigInt(Math.abs(divisor))]
  const rounded = Number((2n * amount + by) / (2n * by))
  return dividend < 0 !== divisor < 0 ? (rounded === 0 ? 0 : -rounded) : rounded
}

/** 100 × variance ÷ |base| to two decimals, halves away from zero; null if the base is zero (rules.md §17). Whole pennies. */
export function calculatePercentOfBase(variance: number, base: number): number | null {
  return base === 0 ? null : divideRounded(variance * 10_000, Math.abs(base)) / 100
}

export function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length ? sum(known) : null
}

export function sumCodeFigures(all: readonly CodeFigures[]): CodeFigures {
  const totalOf = (pick: Exclude<keyof CodeFigures, 'values' | 'monthActual'>): number => sum(all.map((figures) => figures[pick]))
  return {
    budgetToDate: totalOf('budgetToDate'),
    fullYearBudget: totalOf('fullYearBudget'),
    actualToDate: totalOf('actualToDate'),
    monthBudget: totalOf('monthBudget'),
    monthActual: sumKnown(all.map((figures) => figures.monthActual)),
    commitments: totalOf('commitments'),
    forecast: totalOf('forecast'),
    values: noAmounts.map((_unused, index) => sum(all.map((figures) => assertDefined(figures.values[index])))),
  }
}
