import { split } from '../calculation/split.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { Pennies } from '../values/units.ts'
import type { ForecastMethod } from './monitoring.ts'

/** A budget code, or null for the apprenticeship levy, which is posted to none. */
export type CodeId = number | null

/** What was imported for one code of a location, by period of the budget year from 0; whole pennies. */
export interface Imported {
  actuals: Pennies[]
  commitments: Pennies[]
}

/**
 * One location in one budget year, as far as a chosen month, or the sums of several whose years begin in the same month and that closed the
 * same periods: their figures add up as long as no method of a code divides them. Whole pennies, arrays of the twelve periods.
 */
export interface LocationYear {
  /** The chosen month as a period, 1 to 12. */
  period: number
  /** Which periods are closed; those after the chosen one do not count. */
  closed: readonly boolean[]
  budget: ReadonlyMap<CodeId, readonly Pennies[]>
  /** The budget that stands in for open months, where one was chosen beside. */
  forecastBudget: ReadonlyMap<CodeId, readonly Pennies[]> | null
  imported: ReadonlyMap<CodeId, Imported>
  methods: ReadonlyMap<CodeId, { method: ForecastMethod; values: readonly number[] | null }>
}

/** The figures of one code, in whole pennies. */
export interface CodeFigures {
  budgetToDate: Pennies
  fullYearBudget: Pennies
  actualToDate: Pennies
  /** Of the chosen month alone; what came is null where its actuals are not in. */
  monthBudget: Pennies
  monthActual: Pennies | null
  commitments: Pennies
  /** The year's outcome without adjustments. */
  forecast: Pennies
  /** Of each period: actual where it is closed, else the open value. */
  values: Pennies[]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const none: readonly number[] = Array<number>(12).fill(0)

/** The periods, from 0, that are closed up to the chosen one. */
function closedPeriods({ closed, period }: Pick<LocationYear, 'closed' | 'period'>): number[] {
  return closed.flatMap((isClosed, index) => (isClosed && index < period ? [index] : []))
}

/**
 * What was received or spent in each closed month (rules.md §17): the lines of the month, or, where imports are the year to date, those less
 * the lines of the last closed month before it.
 */
function monthlyActuals(imported: readonly number[], closed: readonly number[], cumulative: boolean): Map<number, number> {
  return new Map(
    closed.map((index, position) => {
      const before = cumulative && position ? assertDefined(imported[assertDefined(closed[position - 1])]) : 0
      return [index, assertDefined(imported[index]) - before]
    }),
  )
}

/** The figures of a code at one location. @param cumulative whether imports are the year to date */
export function codeFigures(place: LocationYear, codeId: CodeId, cumulative: boolean): CodeFigures {
  const budget = place.budget.get(codeId) ?? none
  const imported = place.imported.get(codeId)
  const closed = closedPeriods(place)
  const actuals = monthlyActuals(imported?.actuals ?? none, closed, cumulative)
  const actualToDate = sum([...actuals.values()])
  const open = Array.from({ length: 12 }, (_unused, index) => index).filter((index) => !actuals.has(index))
  const openValues = forecastOpen(place, codeId, { budget, open, closed: closed.length, actualToDate })
  const values = budget.map((_unused, index) => actuals.get(index) ?? openValues.get(index) ?? 0)
  return {
    budgetToDate: sum(budget.slice(0, place.period)),
    fullYearBudget: sum(budget),
    actualToDate,
    monthBudget: assertDefined(budget[place.period - 1]),
    monthActual: actuals.get(place.period - 1) ?? null,
    commitments: imported?.commitments[place.period - 1] ?? 0,
    forecast: sum(values),
    values,
  }
}

/** The open values of a code by its method. */
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
      shared(
        sum(budget) - actualToDate,
        open.map((index) => assertDefined(budget[index])),
      ),
    )
  if (method === 'runRate' && closed)
    return at(
      split(
        roundedQuotient(actualToDate * open.length, closed),
        open.map(() => 1),
      ),
    )
  const from = forecastBudget ? (forecastBudget.get(codeId) ?? none) : budget
  return at(open.map((index) => assertDefined(from[index])))
}

/**
 * `split` of rules.md §0 for weights of any sign: a budget may have months below nothing. Where the weights sum to nothing all shares are the
 * same; pennies that are left go to where flooring took most.
 */
function shared(total: number, weights: readonly number[]): number[] {
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

/** Whole numbers divided, halves away from zero. */
export function roundedQuotient(dividend: number, divisor: number): number {
  const [amount, by] = [BigInt(Math.abs(dividend)), BigInt(Math.abs(divisor))]
  const rounded = Number((2n * amount + by) / (2n * by))
  return dividend < 0 !== divisor < 0 ? (rounded === 0 ? 0 : -rounded) : rounded
}

/** 100 × variance ÷ |base| to two decimals, halves away from zero; null where the base is nothing (rules.md §17). Whole pennies. */
export function percentOf(variance: number, base: number): number | null {
  return base === 0 ? null : roundedQuotient(variance * 10_000, Math.abs(base)) / 100
}

/** The sum of what is known; null where nothing is. */
export function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length ? sum(known) : null
}

/** The sums of some locations' figures of one code. */
export function addFigures(all: readonly CodeFigures[]): CodeFigures {
  const of = (pick: Exclude<keyof CodeFigures, 'values' | 'monthActual'>): number => sum(all.map((figures) => figures[pick]))
  return {
    budgetToDate: of('budgetToDate'),
    fullYearBudget: of('fullYearBudget'),
    actualToDate: of('actualToDate'),
    monthBudget: of('monthBudget'),
    monthActual: sumOfKnown(all.map((figures) => figures.monthActual)),
    commitments: of('commitments'),
    forecast: of('forecast'),
    values: none.map((_unused, index) => sum(all.map((figures) => assertDefined(figures.values[index])))),
  }
}
