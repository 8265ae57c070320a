import { formatMonth } from '../monitoring/monitoring.ts'
import type { YearChart } from '../reports/yearChart.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayCount, displayWholePounds } from '../values/format.ts'
import type { Pennies } from '../values/units.ts'
import { findLowestCashMonth, formatPackFigure, getPackFigure, identifyTotal } from './figureReferences.ts'
import type { PackFigures, TotalName } from './pack.ts'

/** A figure of the first page, as text. */
export interface Headline {
  label: string
  value: string
  /** What the figure is compared with, or what is missing from it. */
  note: string
  /** Whether the figure is a deficit, or below the minimum that the organisation has set. */
  isBad: boolean
}

const pounds = (value: Pennies | null): string => formatPackFigure(value, 'money')

/** Says how many figures a sum leaves out; null if the sum is complete. */
const describeGap = (missing: number): string | null => (missing ? `${displayCount(missing, 'figure')} not calculated` : null)

function headlineOfTotal(figures: PackFigures, label: string, total: TotalName): Headline {
  const value = getPackFigure(figures, `${total}.forecast`)
  const missing = figures.lines.find((line) => identifyTotal(line) === total)?.missing ?? 0
  return {
    label,
    value: pounds(value),
    note: describeGap(missing) ?? `budget ${pounds(getPackFigure(figures, `${total}.budget`))}`,
    isBad: total === 'inYear' && value !== null && value < 0,
  }
}

/** The minimum reserve in whole pennies; null without a policy, or if the income is not known. */
function calculateLeastReserve({ reserveFloor }: PackFigures, income: Pennies | null): Pennies | null {
  return reserveFloor == null || income === null ? null : Math.round((income * reserveFloor) / 100)
}

function headlineOfReserve(figures: PackFigures): Headline {
  const year = figures.years.find(({ name }) => name === figures.year)
  const reserve = year?.reserve ?? null
  const least = year ? calculateLeastReserve(figures, year.income) : null
  return {
    label: `Reserve at the end of ${figures.year ?? 'the year'}, as budgeted`,
    value: pounds(reserve),
    note: describeGap(year?.missing ?? 0) ?? (least === null ? 'excluding capital' : `policy ${pounds(least)}`),
    isBad: reserve !== null && (reserve < 0 || (least !== null && reserve < least)),
  }
}

function headlineOfCash(figures: PackFigures): Headline {
  const lowest = findLowestCashMonth(figures)
  const floor = figures.cash?.floor ?? null
  const isBad = lowest !== null && floor !== null && lowest.closing < floor
  return {
    label: 'Lowest cash',
    value: pounds(lowest?.closing ?? null),
    note: lowest ? `${formatMonth(lowest)}${isBad ? ', below the floor' : ''}` : 'opening cash is not entered',
    isBad,
  }
}

/** The five figures of the first page. */
export function listHeadlines(figures: PackFigures): Headline[] {
  return [
    headlineOfTotal(figures, 'Income, forecast', 'income'),
    headlineOfTotal(figures, 'Expenditure, forecast', 'expenditure'),
    headlineOfTotal(figures, 'In-year balance, forecast', 'inYear'),
    headlineOfReserve(figures),
    headlineOfCash(figures),
  ]
}

/** Describes the financial state of the school or organisation in one sentence, also if the year's balance is not known. */
export function describeOutturn(figures: PackFigures): string {
  const name = figures.place?.name ?? figures.organisation
  const inYear = getPackFigure(figures, 'inYear.forecast')
  const isIncomplete = figures.lines.some(({ missing }) => missing > 0)
  if (inYear === null || isIncomplete) return `The forecast of ${name} is not known, because some figures could not be calculated.`
  const balance =
    inYear < 0
      ? `spend ${pounds(-inYear)} more than it receives`
      : inYear > 0
        ? `receive ${pounds(inYear)} more than it spends`
        : 'spend exactly what it receives'
  const last = figures.years.at(-1)
  const isReserveKnown = last && last.reserve !== null && !last.missing
  const reserve = isReserveKnown
    ? ` Its budget leaves ${assertDefined(last.reserve) < 0 ? 'a shortfall' : 'reserves'} of ${displayWholePounds(Math.abs(assertDefined(last.reserve)))} at the end of ${last.name}.`
    : ''
  return `${name} is forecast to ${balance} in ${figures.year ?? 'the year'}, ${compareWithBudget(figures)}.${reserve}`
}

function compareWithBudget(figures: PackFigures): string {
  const variance = getPackFigure(figures, 'inYear.forecastVariance') ?? 0
  return variance === 0 ? 'as budgeted' : `${pounds(Math.abs(variance))} ${variance < 0 ? 'worse' : 'better'} than budget`
}

/** Builds the charts of the in-year balance and of the reserves by year; empty if the budgets share no year. */
export function buildCharts(figures: PackFigures): YearChart[] {
  const { years } = figures
  if (!years.length) return []
  const names = years.map(({ name }) => name)
  const inWords = (values: readonly (Pennies | null)[]): string =>
    names.map((name, index) => `${name} ${pounds(values[index] ?? null)}`).join(', ')
  const balances = years.map(({ inYear }) => inYear)
  const reserves = years.map(({ reserve }) => reserve)
  const policy = figures.reserveFloor == null ? null : years.map(({ income }) => calculateLeastReserve(figures, income))
  return [
    {
      type: 'balance',
      title: 'Budgeted in-year balance, excluding capital',
      years: names,
      values: balances,
      policy: null,
      description: `Budgeted in-year balance by year: ${inWords(balances)}.`,
    },
    {
      type: 'reserves',
      title: 'Reserves at the end of each year, excluding capital',
      years: names,
      values: reserves,
      policy,
      description: `Budgeted reserves by year: ${inWords(reserves)}.${
        policy ? ` Policy, ${figures.reserveFloor}% of income: ${inWords(policy)}.` : ''
      }`,
    },
  ]
}
