import { assertDefined } from '../values/assertDefined.ts'
import type { LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type { CodeId } from './figures.ts'

/** The forecast of a code's year when a month was closed; whole pennies of the twelve periods, without adjustments. */
export interface StoredForecast {
  /** Null for the apprenticeship levy. */
  budgetCodeId: CodeId
  values: Pennies[]
  /** How many monthly budget figures could not be calculated and are left out; absent if none. */
  missing?: number
}

/** The forecast of the months whose actuals have been imported since, and their outturn; whole pennies. */
export interface ForecastTrack {
  forecast: Pennies
  outturn: Pennies
  months: number
  /** How many figures could not be calculated and are missing from the forecast. */
  missing: number
}

/**
 * Compares a forecast with the outturn by code (rules.md §17), over the periods after the closed month whose actuals have been imported.
 * With year-to-date imports, the amounts of a period without an import are part of the next imported period, so the forecasts of both
 * periods together are compared with that import.
 * @param closing period of the closed month, 1 to 12
 * @param outturn whole pennies of the twelve periods, by code
 * @param isIn for each period, whether its actuals have been imported
 * @param cumulative whether imports are year to date
 * @returns empty if no actuals have been imported since
 */
export function compareForecastWithOutturn(
  forecasts: readonly StoredForecast[],
  {
    closing,
    outturn,
    isIn,
    cumulative,
  }: { closing: number; outturn: ReadonlyMap<CodeId, readonly Pennies[]>; isIn: readonly boolean[]; cumulative: boolean },
): Map<CodeId, ForecastTrack> {
  const periodsIn = isIn.flatMap((one, period) => (one && period >= closing ? [period] : []))
  const last = periodsIn.at(-1)
  if (last === undefined) return new Map()
  const before = isIn.lastIndexOf(true, assertDefined(periodsIn[0]) - 1)
  const through = Array.from({ length: last - before }, (_unused, index) => before + 1 + index)
  const covered = cumulative ? through : periodsIn
  const byCode = new Map(forecasts.map((one) => [one.budgetCodeId, one]))
  const sum = (values: readonly number[] | undefined, periods: readonly number[]): number =>
    periods.reduce((total, period) => total + (values?.[period] ?? 0), 0)
  return new Map(
    [...new Set([...byCode.keys(), ...outturn.keys()])].map((code) => [
      code,
      {
        forecast: sum(byCode.get(code)?.values, covered),
        outturn: sum(outturn.get(code), periodsIn),
        months: covered.length,
        missing: byCode.get(code)?.missing ?? 0,
      },
    ]),
  )
}

/**
 * Converts a stored forecast to the periods of a year that begins in another month, because budgets may change their start month.
 * @param shift months by which the other year begins later; negative if earlier
 * @returns `forecasts` by period of the other year, 0 outside the stored year; `isOf` says for each period whether it is within the stored
 * year
 */
export function alignForecasts(forecasts: readonly StoredForecast[], shift: number): { forecasts: StoredForecast[]; isOf: boolean[] } {
  const isOf = Array.from({ length: 12 }, (_unused, period) => period + shift >= 0 && period + shift < 12)
  return { forecasts: forecasts.map((one) => ({ ...one, values: isOf.map((_unused, period) => one.values[period + shift] ?? 0) })), isOf }
}

interface ClosingTracks {
  locationId: LocationId
  /** `toMonthIndex` of the closed month. */
  at: number
  tracks: ReadonlyMap<CodeId, ForecastTrack>
}

/**
 * Sums the forecast tracks of many closed months by row and by closed month.
 * @param rowOf the row that a code of a location belongs to
 */
export function sumForecastTracks<Row>(
  found: readonly ClosingTracks[],
  rowOf: (code: CodeId, locationId: LocationId) => Row,
): Map<Row, Map<number, ForecastTrack>> {
  const sums = new Map<Row, Map<number, ForecastTrack>>()
  for (const { locationId, at, tracks } of found)
    for (const [code, track] of tracks) {
      const row = rowOf(code, locationId)
      const byMonth = sums.get(row) ?? new Map<number, ForecastTrack>()
      const before = byMonth.get(at)
      byMonth.set(at, before ? addTrack(before, track) : track)
      sums.set(row, byMonth)
    }
  return sums
}

const addTrack = (a: ForecastTrack, b: ForecastTrack): ForecastTrack => ({
  forecast: a.forecast + b.forecast,
  outturn: a.outturn + b.outturn,
  months: Math.max(a.months, b.months),
  missing: a.missing + b.missing,
})
