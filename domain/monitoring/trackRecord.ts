import { assertDefined } from '../values/assertDefined.ts'
import type { LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type { CodeId } from './figures.ts'

/** What the year of a code was forecast to be as a month was closed; whole pennies of the twelve periods, without adjustments. */
export interface KeptForecast {
  /** Empty for the apprenticeship levy. */
  budgetCodeId: CodeId
  values: Pennies[]
  /** Monthly figures of the budget that could not be calculated and are not in it; none: nothing is missing. */
  missing?: number
}

/** What was forecast of the months that have come in since, and what they came to; whole pennies. */
export interface Track {
  forecast: Pennies
  outturn: Pennies
  /** How many months. */
  months: number
  /** Monthly figures that could not be calculated and are not in the forecast. */
  missing: number
}

/**
 * How far a forecast was from the outturn (rules.md §17), by code: of the periods after the one that was closed, those that are in by now. Where
 * imports are the year to date, what came in a period that is not in is in the next that is: it is forecast with that one.
 * @param closing the period as which the month was closed, 1 to 12
 * @param outturn whole pennies of the twelve periods, of each code
 * @param isIn which of the periods are in
 * @param cumulative whether imports are the year to date
 * @returns empty where nothing has come in since
 */
export function trackOf(
  kept: readonly KeptForecast[],
  {
    closing,
    outturn,
    isIn,
    cumulative,
  }: { closing: number; outturn: ReadonlyMap<CodeId, readonly Pennies[]>; isIn: readonly boolean[]; cumulative: boolean },
): Map<CodeId, Track> {
  const came = isIn.flatMap((one, period) => (one && period >= closing ? [period] : []))
  const last = came.at(-1)
  if (last === undefined) return new Map()
  const before = isIn.lastIndexOf(true, assertDefined(came[0]) - 1)
  const through = Array.from({ length: last - before }, (_unused, index) => before + 1 + index)
  const covered = cumulative ? through : came
  const byCode = new Map(kept.map((one) => [one.budgetCodeId, one]))
  const sum = (values: readonly number[] | undefined, periods: readonly number[]): number =>
    periods.reduce((total, period) => total + (values?.[period] ?? 0), 0)
  return new Map(
    [...new Set([...byCode.keys(), ...outturn.keys()])].map((code) => [
      code,
      {
        forecast: sum(byCode.get(code)?.values, covered),
        outturn: sum(outturn.get(code), came),
        months: covered.length,
        missing: byCode.get(code)?.missing ?? 0,
      },
    ]),
  )
}

/**
 * A forecast that was kept of a year, by the periods of another that begins in another month: budgets may change when their year begins.
 * @param by how many months the other year begins later, or, below nothing, earlier
 * @returns what was kept of its periods, nothing for those that were not of the year, and which those are
 */
export function inYear(kept: readonly KeptForecast[], by: number): { kept: KeptForecast[]; isOf: boolean[] } {
  const isOf = Array.from({ length: 12 }, (_unused, period) => period + by >= 0 && period + by < 12)
  return { kept: kept.map((one) => ({ ...one, values: isOf.map((_unused, period) => one.values[period + by] ?? 0) })), isOf }
}

/** The tracks of a location as a month was closed there. */
interface ClosingTracks {
  locationId: LocationId
  /** The month that was closed, counted from the year 0. */
  at: number
  tracks: ReadonlyMap<CodeId, Track>
}

/** Tracks added up by what a row is of, and by the month that was closed. @param rowOf which row a code of a location is of */
export function addTracks<Row>(
  found: readonly ClosingTracks[],
  rowOf: (code: CodeId, locationId: LocationId) => Row,
): Map<Row, Map<number, Track>> {
  const sums = new Map<Row, Map<number, Track>>()
  for (const { locationId, at, tracks } of found)
    for (const [code, track] of tracks) {
      const row = rowOf(code, locationId)
      const own = sums.get(row) ?? new Map<number, Track>()
      const before = own.get(at)
      own.set(at, before ? together(before, track) : track)
      sums.set(row, own)
    }
  return sums
}

const together = (a: Track, b: Track): Track => ({
  forecast: a.forecast + b.forecast,
  outturn: a.outturn + b.outturn,
  months: Math.max(a.months, b.months),
  missing: a.missing + b.missing,
})
