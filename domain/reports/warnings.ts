import { roundedQuotient } from '../monitoring/figures.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayCount, displayList } from '../values/format.ts'
import type { Pennies, Percent } from '../values/units.ts'
import type { ContactRatio } from './facts.ts'
import { shareIn } from './measures/measures.ts'

/** A year of a location or of all, as far as it is looked at before it is submitted; whole pennies, null where it could not be calculated. */
export interface WatchedYear {
  name: string
  income: Pennies | null
  staff: Pennies | null
  inYear: number | null
  /** What it ends with. */
  reserve: Pennies | null
}

/** What a forecast of the year and the outturn of the last one come to; whole pennies. */
export interface Outturn {
  forecast: Pennies
  last: Pennies
}

export const warningKinds = ['reserve', 'floor', 'deficit', 'staff', 'outturn', 'contact'] as const
export type WarningKind = (typeof warningKinds)[number]

export interface Warning {
  kind: WarningKind
  /** One sentence, without a judgement. */
  text: string
}

/** Staff cost as a share of income from which on it is said, per cent. */
const staffShareFrom = 80
/** How far a forecast may be from the last outturn, per cent; and from where on it is said as more than that. */
const [offBy, farOffBy] = [5, 10]
/** The contact ratio below which it is said. */
const contactFrom = 0.78

/** Whether a budget year, by its name such as `2027/28`, is the one after another. */
export const isYearAfter = (name: string, before: string): boolean => Number(name.slice(0, 4)) === Number(before.slice(0, 4)) + 1

/** Years put together with those that follow them. */
function runsOf<Y extends { name: string }>(years: readonly Y[]): Y[][] {
  const runs: Y[][] = []
  for (const year of years) {
    const run = runs.at(-1)
    if (run && isYearAfter(year.name, assertDefined(run.at(-1)).name)) run.push(year)
    else runs.push([year])
  }
  return runs
}

/** Some years in words, those that follow each other as one: `2026/27 to 2028/29 and 2030/31`. */
export function listedYears(years: readonly { name: string }[]): string {
  const names = runsOf(years).map((run) =>
    run.length > 1 ? `${assertDefined(run[0]).name} to ${assertDefined(run.at(-1)).name}` : assertDefined(run[0]).name,
  )
  return displayList(names)
}

/** Whether a reserve is less than a percentage of four decimals of an income, to the penny. */
function isBelow(reserve: number, income: number, percent: Percent): boolean {
  return BigInt(reserve) * 1_000_000n < BigInt(income) * BigInt(Math.round(percent * 10_000))
}

/** What is said of a budget before it is submitted (rules.md §20): facts in words, never good or bad. What is not known is not warned of. */
export function warningsOf(
  years: readonly WatchedYear[],
  {
    reserveFloor = null,
    outturn = null,
    contactRatio = null,
  }: {
    /** Of the organisation, as a percentage of a year's income; null: none. */
    reserveFloor?: number | null
    /** Of which year the outturn is, of which the forecast, and what both come to; null: last year is not known. */
    outturn?: { name: string; forecastName: string; income?: Outturn; expenditure?: Outturn } | null
    contactRatio?: number | null
  } = {},
): Warning[] {
  const below = years.filter((year) => year.reserve !== null && year.reserve < 0)
  const belowFloor = years.filter(
    ({ reserve, income }) =>
      reserveFloor !== null && reserve !== null && income !== null && income > 0 && isBelow(reserve, income, reserveFloor),
  )
  const running = runsOf(years.filter((year) => year.inYear !== null && year.inYear < 0)).filter((run) => run.length > 1)
  // The share itself decides, not what it is rounded to.
  const high = years.filter(
    ({ staff, income }) => staff !== null && income !== null && income > 0 && staff * 100 >= income * staffShareFrom,
  )
  const shares = high.map((year) => assertDefined(shareIn(year.staff, year.income)))
  const [least, most] = [Math.min(...shares).toFixed(1), Math.max(...shares).toFixed(1)]
  const off = (['income', 'expenditure'] as const).flatMap((side): Warning[] => {
    const own = outturn?.[side]
    if (!outturn || !own?.last) return []
    const percent = roundedQuotient((own.forecast - own.last) * 1000, Math.abs(own.last)) / 10
    if (Math.abs(own.forecast - own.last) * 100 <= Math.abs(own.last) * offBy) return []
    const isFar = Math.abs(own.forecast - own.last) * 100 > Math.abs(own.last) * farOffBy
    return [
      {
        kind: 'outturn',
        text: `Revenue ${side} of ${outturn.forecastName} is forecast ${Math.abs(percent).toFixed(1)}% ${percent < 0 ? 'below' : 'above'} the outturn of ${outturn.name}${isFar ? `, more than ${farOffBy}%` : ''}.`,
      },
    ]
  })
  return [
    ...(below.length ? [{ kind: 'reserve' as const, text: `The reserve is below nothing at the end of ${listedYears(below)}.` }] : []),
    ...(belowFloor.length
      ? [
          {
            kind: 'floor' as const,
            text: `The reserve is below the floor of ${reserveFloor}% of income at the end of ${listedYears(belowFloor)}.`,
          },
        ]
      : []),
    ...running.map((run) => ({
      kind: 'deficit' as const,
      text: `An in-year deficit in ${displayCount(run.length, 'year')} running: ${listedYears(run)}.`,
    })),
    ...(high.length
      ? [
          {
            kind: 'staff' as const,
            text: `Staff take ${least === most ? most : `${least} to ${most}`}% of income in ${listedYears(high)}.`,
          },
        ]
      : []),
    ...off,
    ...(contactRatio === null ? [] : contactWarnings([{ location: '', ratio: contactRatio }])),
  ]
}

/** What is said of how much teachers teach: of each school by name, where there are several. */
export function contactWarnings(ratios: readonly ContactRatio[]): Warning[] {
  return ratios.flatMap(({ location, ratio }): Warning[] => {
    if (ratio === null || ratio >= contactFrom) return []
    const at = ratios.length > 1 ? ` at ${location}` : ''
    return [{ kind: 'contact', text: `The contact ratio of ${ratio.toFixed(2)}${at} is below ${contactFrom}.` }]
  })
}
