import type { CodeId } from './figures.ts'

/** What the year of a code was forecast to be as a month was closed; whole pennies of the twelve periods, without adjustments. */
export interface KeptForecast {
  /** Empty for the apprenticeship levy. */
  budgetCodeId: CodeId
  values: number[]
  /** Monthly figures of the budget that could not be calculated and are not in it; none: nothing is missing. */
  missing?: number
}

/** What was forecast of the months that have come in since, and what they came to; whole pennies. */
export interface Track {
  forecast: number
  outturn: number
  /** How many months. */
  months: number
  /** Monthly figures that could not be calculated and are not in the forecast. */
  missing: number
}

/**
 * How far a forecast was from the outturn (rules.md §17), by code: of the periods after the one that was closed, those that are in by now.
 * @param closing the period as which the month was closed, 1 to 12
 * @param outturn whole pennies of the twelve periods, of each code
 * @param isIn which of the periods are in
 * @returns empty where nothing has come in since
 */
export function trackOf(
  kept: readonly KeptForecast[],
  closing: number,
  outturn: ReadonlyMap<CodeId, readonly number[]>,
  isIn: readonly boolean[],
): Map<CodeId, Track> {
  const periods = isIn.flatMap((one, period) => (one && period >= closing ? [period] : []))
  if (!periods.length) return new Map()
  const byCode = new Map(kept.map((one) => [one.budgetCodeId, one]))
  const sum = (values: readonly number[] | undefined): number => periods.reduce((total, period) => total + (values?.[period] ?? 0), 0)
  return new Map(
    [...new Set([...byCode.keys(), ...outturn.keys()])].map((code) => [
      code,
      {
        forecast: sum(byCode.get(code)?.values),
        outturn: sum(outturn.get(code)),
        months: periods.length,
        missing: byCode.get(code)?.missing ?? 0,
      },
    ]),
  )
}

/** Several tracks of the same closing as one; null where there is none. */
export function addTracks(tracks: readonly Track[]): Track | null {
  if (!tracks.length) return null
  const of = (pick: keyof Track): number => tracks.reduce((total, one) => total + one[pick], 0)
  return { forecast: of('forecast'), outturn: of('outturn'), months: Math.max(...tracks.map((one) => one.months)), missing: of('missing') }
}
