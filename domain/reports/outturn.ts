import { findOverviewSection } from '../calculation/nonStaffing/balances.ts'
import type { CompletedYear } from './facts.ts'
import { isCapitalCode } from './mapped.ts'
import type { ReportLedger } from './statement.ts'
import { type ForecastAndOutturn, isYearAfter } from './warnings.ts'

/** The outturn of a completed year and the forecast of the next year, without capital. */
export interface OutturnComparison {
  name: string
  forecastName: string
  /** Absent if part of the forecast could not be calculated. */
  income?: ForecastAndOutturn
  expenditure?: ForecastAndOutturn
}

/**
 * Compares a completed year's outturn with the forecast of the next year (rules.md §20). Capital is excluded, because building work does
 * not recur. For one location, both include payments to other locations. For several locations, codes with such payments are excluded,
 * because actuals do not separate them. Null if the report does not show the next year.
 */
export function compareWithOutturn({ facts, sides }: ReportLedger, { name, byCode }: CompletedYear): OutturnComparison | null {
  const at = facts.units.findIndex(({ year }) => isYearAfter(year, name))
  const forecast = facts.units[at]
  if (!forecast) return null
  const isOfOne = forecast.location !== null
  const paid = new Set(isOfOne ? [] : sides.transfer.map(({ codeId }) => codeId))
  const isCounted = (codeId: number | null): boolean => !paid.has(codeId) && !isCapitalCode(facts, codeId)
  const sideOfCode = (codeId: number | null): 'income' | 'expenditure' | null => {
    const side = findOverviewSection((codeId === null ? null : facts.codes.get(codeId)?.facts) ?? null, false)
    return side === 'balance' ? null : side === 'income' ? side : 'expenditure'
  }
  const lines = [...sides.income, ...sides.staff, ...sides.other, ...(isOfOne ? sides.transfer : [])].filter(
    ({ unit, codeId }) => unit === at && isCounted(codeId),
  )
  const besideOf = (side: 'income' | 'expenditure'): ForecastAndOutturn | undefined => {
    const linesOfSide = lines.filter(({ codeId }) => sideOfCode(codeId) === side)
    if (linesOfSide.some(({ missing }) => missing > 0)) return undefined
    const months = linesOfSide.flatMap(({ amounts }) => amounts)
    const came = [...byCode].filter(([codeId]) => isCounted(codeId) && sideOfCode(codeId) === side)
    return {
      forecast: months.reduce<number>((sum, amount) => sum + (amount ?? 0), 0),
      last: came.reduce((sum, [, value]) => sum + value, 0),
    }
  }
  const [income, expenditure] = [besideOf('income'), besideOf('expenditure')]
  return { name, forecastName: forecast.year, ...(income && { income }), ...(expenditure && { expenditure }) }
}

/** Adds the comparisons of several locations; null if any comparison is missing or they are of different years. */
export function sumOutturnComparisons(all: readonly (OutturnComparison | null)[]): OutturnComparison | null {
  const [first] = all
  if (!first) return null
  const sumOf = (side: 'income' | 'expenditure'): ForecastAndOutturn | undefined =>
    all.reduce<ForecastAndOutturn | undefined>(
      (sum, one) => {
        const comparison = one?.[side]
        return sum && comparison && { forecast: sum.forecast + comparison.forecast, last: sum.last + comparison.last }
      },
      { forecast: 0, last: 0 },
    )
  if (all.some((one) => one?.name !== first.name)) return null
  const [income, expenditure] = [sumOf('income'), sumOf('expenditure')]
  return { name: first.name, forecastName: first.forecastName, ...(income && { income }), ...(expenditure && { expenditure }) }
}
