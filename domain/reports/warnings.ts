import { divideRounded } from '../monitoring/figures.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayCount, displayList } from '../values/format.ts'
import type { Pennies, Percent } from '../values/units.ts'
import type { ContactRatio } from './facts.ts'
import { calculateShare } from './measures/measures.ts'

/** A year of a location, or of all locations, to check before submission; whole pennies, null if it could not be calculated. */
export interface YearToCheck {
  name: string
  income: Pennies | null
  staff: Pennies | null
  inYear: number | null
  /** The closing balance. */
  reserve: Pennies | null
}

/** The forecast of a year and the outturn of the year before it; whole pennies. */
export interface ForecastAndOutturn {
  forecast: Pennies
  last: Pennies
}

export const warningKinds = ['reserve', 'floor', 'deficit', 'staff', 'outturn', 'contact'] as const
export type WarningKind = (typeof warningKinds)[number]

export interface ReportWarning {
  kind: WarningKind
  /** One sentence that states a fact without judging it. */
  text: string
}

/** The share of staff costs in income, in per cent, above which there is a warning. */
const staffShareLimit = 80
/**
 * The deviations of a forecast from the last outturn, in per cent, above which there is a warning, and above which the warning calls it
 * large.
 */
const [offBy, farOffBy] = [5, 10]
/** The contact ratio below which there is a warning. */
const contactRatioLimit = 0.78

/** Whether a budget year follows another. Years are given by name, such as `2027/28`. */
export const isYearAfter = (name: string, before: string): boolean => Number(name.slice(0, 4)) === Number(before.slice(0, 4)) + 1

function groupConsecutiveYears<Y extends { name: string }>(years: readonly Y[]): Y[][] {
  const runs: Y[][] = []
  for (const year of years) {
    const run = runs.at(-1)
    if (run && isYearAfter(year.name, assertDefined(run.at(-1)).name)) run.push(year)
    else runs.push([year])
  }
  return runs
}

/** Describes years, with consecutive years as a range: `2026/27 to 2028/29 and 2030/31`. */
export function formatYearRanges(years: readonly { name: string }[]): string {
  const names = groupConsecutiveYears(years).map((run) =>
    run.length > 1 ? `${assertDefined(run[0]).name} to ${assertDefined(run.at(-1)).name}` : assertDefined(run[0]).name,
  )
  return displayList(names)
}

/** Whether a reserve is below a percentage of income, exact to the penny. The percentage has at most four decimals. */
export function isBelowShareOfIncome(reserve: number, income: number, percent: Percent): boolean {
  return BigInt(reserve) * 1_000_000n < BigInt(income) * BigInt(Math.round(percent * 10_000))
}

/** Finds warnings before submission (rules.md §20). They state facts without judging them. Unknown figures cause no warning. */
export function findWarnings(
  years: readonly YearToCheck[],
  {
    reserveFloor = null,
    outturn = null,
    contactRatio = null,
  }: {
    /** The organisation's minimum reserve, as a percentage of a year's income; null if there is none. */
    reserveFloor?: number | null
    /** The years and amounts of the outturn and the forecast; null if the outturn of the last year is unknown. */
    outturn?: { name: string; forecastName: string; income?: ForecastAndOutturn; expenditure?: ForecastAndOutturn } | null
    contactRatio?: number | null
  } = {},
): ReportWarning[] {
  const below = years.filter((year) => year.reserve !== null && year.reserve < 0)
  const belowFloor = years.filter(
    ({ reserve, income }) =>
      reserveFloor !== null && reserve !== null && income !== null && income > 0 && isBelowShareOfIncome(reserve, income, reserveFloor),
  )
  const running = groupConsecutiveYears(years.filter((year) => year.inYear !== null && year.inYear < 0)).filter((run) => run.length > 1)
  // The exact share is compared, not the rounded one.
  const high = years.filter(
    ({ staff, income }) => staff !== null && income !== null && income > 0 && staff * 100 >= income * staffShareLimit,
  )
  const shares = high.map((year) => assertDefined(calculateShare(year.staff, year.income)))
  const [least, most] = [Math.min(...shares).toFixed(1), Math.max(...shares).toFixed(1)]
  const off = (['income', 'expenditure'] as const).flatMap((side): ReportWarning[] => {
    const sideOutturn = outturn?.[side]
    if (!outturn || !sideOutturn?.last) return []
    const percent = divideRounded((sideOutturn.forecast - sideOutturn.last) * 1000, Math.abs(sideOutturn.last)) / 10
    if (Math.abs(sideOutturn.forecast - sideOutturn.last) * 100 <= Math.abs(sideOutturn.last) * offBy) return []
    const isFar = Math.abs(sideOutturn.forecast - sideOutturn.last) * 100 > Math.abs(sideOutturn.last) * farOffBy
    return [
      {
        kind: 'outturn',
        text: `Revenue ${side} for ${outturn.forecastName} is forecast to be ${Math.abs(percent).toFixed(1)}% ${percent < 0 ? 'below' : 'above'} the outturn for ${outturn.name}${isFar ? `, more than ${farOffBy}%` : ''}.`,
      },
    ]
  })
  return [
    ...(below.length ? [{ kind: 'reserve' as const, text: `Reserves are negative at the end of ${formatYearRanges(below)}.` }] : []),
    ...(belowFloor.length
      ? [
          {
            kind: 'floor' as const,
            text: `The reserve is below the floor of ${reserveFloor}% of income at the end of ${formatYearRanges(belowFloor)}.`,
          },
        ]
      : []),
    ...running.map((run) => ({
      kind: 'deficit' as const,
      text: `An in-year deficit in ${displayCount(run.length, 'year')} running: ${formatYearRanges(run)}.`,
    })),
    ...(high.length
      ? [
          {
            kind: 'staff' as const,
            text: `Staff costs are ${least === most ? most : `${least}% to ${most}`}% of income in ${formatYearRanges(high)}.`,
          },
        ]
      : []),
    ...off,
    ...(contactRatio === null ? [] : findContactWarnings([{ location: '', ratio: contactRatio }])),
  ]
}

/** Warnings about contact ratios, naming the school if there are several. */
export function findContactWarnings(ratios: readonly ContactRatio[]): ReportWarning[] {
  return ratios.flatMap(({ location, ratio }): ReportWarning[] => {
    if (ratio === null || ratio >= contactRatioLimit) return []
    const at = ratios.length > 1 ? ` at ${location}` : ''
    return [{ kind: 'contact', text: `The contact ratio of ${ratio.toFixed(2)}${at} is below ${contactRatioLimit}.` }]
  })
}
