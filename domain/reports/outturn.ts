import { sideOf } from '../calculation/nonStaffing/balances.ts'
import type { YearThatCame } from './facts.ts'
import { isCapital } from './mapped.ts'
import type { Ledger } from './statement.ts'
import { isYearAfter, type Outturn } from './warnings.ts'

/** What is forecast of the year after one that came, beside what that came to; without capital. */
export interface OutturnOfSides {
  name: string
  forecastName: string
  /** Left out where part of the forecast could not be calculated. */
  income?: Outturn
  expenditure?: Outturn
}

/**
 * The forecast of the year after one that came, beside its outturn (rules.md §20). Revenue alone, for what is built in one year is not built in
 * the next. Of one location both have what it pays others; where several are told as one, codes on which they pay each other are in neither,
 * for actuals do not tell those apart. Null where the year after is not shown.
 */
export function besideOutturn({ facts, sides }: Ledger, { name, byCode }: YearThatCame): OutturnOfSides | null {
  const at = facts.units.findIndex(({ year }) => isYearAfter(year, name))
  const forecast = facts.units[at]
  if (!forecast) return null
  const isOfOne = forecast.location !== null
  const paid = new Set(isOfOne ? [] : sides.transfer.map(({ codeId }) => codeId))
  const isCounted = (codeId: number | null): boolean => !paid.has(codeId) && !isCapital(facts, codeId)
  const sideOfCode = (codeId: number | null): 'income' | 'expenditure' | null => {
    const side = sideOf((codeId === null ? null : facts.codes.get(codeId)?.facts) ?? null, false)
    return side === 'balance' ? null : side === 'income' ? side : 'expenditure'
  }
  const lines = [...sides.income, ...sides.staff, ...sides.other, ...(isOfOne ? sides.transfer : [])].filter(
    ({ unit, codeId }) => unit === at && isCounted(codeId),
  )
  const besideOf = (side: 'income' | 'expenditure'): Outturn | undefined => {
    const own = lines.filter(({ codeId }) => sideOfCode(codeId) === side)
    if (own.some(({ missing }) => missing > 0)) return undefined
    const months = own.flatMap(({ amounts }) => amounts)
    const came = [...byCode].filter(([codeId]) => isCounted(codeId) && sideOfCode(codeId) === side)
    return {
      forecast: months.reduce<number>((sum, amount) => sum + (amount ?? 0), 0),
      last: came.reduce((sum, [, value]) => sum + value, 0),
    }
  }
  const [income, expenditure] = [besideOf('income'), besideOf('expenditure')]
  return { name, forecastName: forecast.year, ...(income && { income }), ...(expenditure && { expenditure }) }
}

/** The same of several locations, each beside its own; null where one of them has none, or they are of different years. */
export function addOutturns(all: readonly (OutturnOfSides | null)[]): OutturnOfSides | null {
  const [first] = all
  if (!first) return null
  const sumOf = (side: 'income' | 'expenditure'): Outturn | undefined =>
    all.reduce<Outturn | undefined>(
      (sum, one) => {
        const own = one?.[side]
        return sum && own && { forecast: sum.forecast + own.forecast, last: sum.last + own.last }
      },
      { forecast: 0, last: 0 },
    )
  if (all.some((one) => one?.name !== first.name)) return null
  const [income, expenditure] = [sumOf('income'), sumOf('expenditure')]
  return { name: first.name, forecastName: first.forecastName, ...(income && { income }), ...(expenditure && { expenditure }) }
}
