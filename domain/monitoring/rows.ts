import { compareValues } from '../lists/lists.ts'
import type { Pennies, Percent } from '../values/units.ts'
import { toMidSentence } from '../words/terms.ts'
import { type CodeFigures, type CodeId, calculatePercentOfBase, sumKnown } from './figures.ts'
import type { ExplanationSettings } from './monitoring.ts'

/** Budget against actuals, or budget against forecast. */
export type MonitoringScreen = 'actuals' | 'forecast'

export interface MonitoredCode {
  codeId: CodeId
  code: string | null
  description: string
  isIncome: boolean
  isStaff: boolean
  /** The code of the scheme under which this code is grouped; null without grouping or scheme code. */
  scheme: { code: string; description: string } | null
  figures: CodeFigures
  adjustment: Pennies
  note: string | null
  action: string | null
  /** How many monthly budget figures could not be calculated. */
  missing: number
}

/** A row of a monitoring table, in whole pennies; kinds are from the list `reportRowKinds`. */
export interface MonitoringTableRow {
  kind: 'Data' | 'Description' | 'SectionHeader' | 'SectionFooter' | 'Total'
  budgetCodeId: number | null
  code: string | null
  description: string
  /** Figures of the chosen month only, without adjustments; null if its actuals have not been imported. */
  monthBudget: Pennies
  monthActual: Pennies | null
  monthVariance: Pennies | null
  budgetToDate: Pennies
  actualToDate: Pennies
  commitments: Pennies
  adjustment: Pennies
  variance: Pennies
  variancePercent: Percent | null
  fullYearBudget: Pennies
  forecast: Pennies | null
  note: string | null
  action: string | null
  needsExplaining: boolean
  /** Whether the line has a reason but lacks an action, which it needs before the month is closed. */
  needsAction: boolean
  missing: number
}

export const broughtForwardLabel = 'Brought forward'

export const carriedForwardLabel = 'Carried forward'

interface RowAmounts {
  monthBudget: number
  monthActual: number | null
  monthVariance: number | null
  budgetToDate: number
  actualToDate: number
  commitments: number
  adjustment: number
  fullYearBudget: number
  /** The forecast of the whole year, including adjustments. */
  forecast: number
  /** Positive is favourable. */
  variance: number
  missing: number
}

const zeroAmounts: RowAmounts = {
  monthBudget: 0,
  monthActual: null,
  monthVariance: null,
  budgetToDate: 0,
  actualToDate: 0,
  commitments: 0,
  adjustment: 0,
  fullYearBudget: 0,
  forecast: 0,
  variance: 0,
  missing: 0,
}

function addRowAmounts(all: readonly RowAmounts[], sign: (index: number) => 1 | -1 = () => 1): RowAmounts {
  const totalOf = (pick: Exclude<keyof RowAmounts, 'monthActual' | 'monthVariance'>): number =>
    all.reduce((total, one, index) => total + sign(index) * one[pick], 0)
  return {
    monthBudget: totalOf('monthBudget'),
    monthActual: sumKnown(all.map((one, index) => one.monthActual && sign(index) * one.monthActual)),
    monthVariance: sumKnown(all.map((one) => one.monthVariance)),
    budgetToDate: totalOf('budgetToDate'),
    actualToDate: totalOf('actualToDate'),
    commitments: totalOf('commitments'),
    adjustment: totalOf('adjustment'),
    fullYearBudget: totalOf('fullYearBudget'),
    forecast: totalOf('forecast'),
    variance: all.reduce((total, one) => total + one.variance, 0),
    missing: all.reduce((total, one) => total + one.missing, 0),
  }
}

function amountsOfCode({ isIncome, figures, adjustment, missing }: MonitoredCode, versus: MonitoringScreen): RowAmounts {
  const { monthBudget, monthActual, budgetToDate, fullYearBudget, actualToDate, commitments } = figures
  const forecast = figures.forecast + adjustment
  const saved = versus === 'actuals' ? budgetToDate - (actualToDate + adjustment) : fullYearBudget - forecast
  const good = (value: number): number => (isIncome && value ? -value : value)
  return {
    monthBudget,
    monthActual,
    monthVariance: monthActual === null ? null : good(monthBudget - monthActual),
    budgetToDate,
    actualToDate,
    commitments,
    adjustment,
    fullYearBudget,
    forecast,
    variance: good(saved),
    missing,
  }
}

function buildLine(
  versus: MonitoringScreen,
  given: Pick<MonitoringTableRow, 'kind' | 'description'> & Partial<MonitoringTableRow>,
  sums: RowAmounts,
): MonitoringTableRow {
  const { forecast, variance, ...rest } = sums
  const base = versus === 'actuals' ? sums.budgetToDate : sums.fullYearBudget
  return {
    budgetCodeId: null,
    code: null,
    note: null,
    action: null,
    needsExplaining: false,
    needsAction: false,
    ...rest,
    variance,
    variancePercent: calculatePercentOfBase(variance, base),
    forecast: versus === 'actuals' ? null : forecast,
    ...given,
  }
}

/**
 * Whether a variance must be explained: it exceeds both the amount and the percentage, or exceeds the upper amount (rules.md §17). Our
 * choice: an amount without a budget counts as over any percentage.
 */
export function needsExplanation(
  variance: number,
  percent: Percent | null,
  { explainOver, explainOverPercent, explainAlwaysOver }: ExplanationSettings,
): boolean {
  const amount = Math.abs(variance)
  const isOverPercent = percent === null || Math.abs(percent) > explainOverPercent
  return amount > explainAlwaysOver || (amount > explainOver && isOverPercent)
}

/**
 * Builds the rows of a monitoring table (rules.md §17): income, staff and other expenditure, each with a total, then the balances. If codes
 * are grouped by a scheme, a row of the kind Description comes before the codes that it sums; codes without a scheme code come last.
 * @param broughtForward opening balance in whole pennies
 */
export function buildMonitoringRows(
  codes: readonly MonitoredCode[],
  {
    versus,
    broughtForward,
    settings,
    byScheme,
  }: { versus: MonitoringScreen; broughtForward: Pennies; settings: ExplanationSettings; byScheme: boolean },
): MonitoringTableRow[] {
  const section = (title: string, sectionCodes: readonly MonitoredCode[]): { rows: MonitoringTableRow[]; sums: RowAmounts } => {
    const data = (one: MonitoredCode): MonitoringTableRow => {
      const { codeId, code, description, note, action } = one
      const row = buildLine(versus, { kind: 'Data', budgetCodeId: codeId, code, description, note, action }, amountsOfCode(one, versus))
      // Rows without a code, such as the levy, cannot have notes, so they never need an explanation.
      const isDue = codeId !== null && needsExplanation(row.variance, row.variancePercent, settings)
      return { ...row, needsExplaining: isDue && !note, needsAction: isDue && Boolean(note) && !action }
    }
    const sorted = [...sectionCodes].sort((a, b) => compareValues(a.code, b.code))
    const sums = addRowAmounts(sorted.map((one) => amountsOfCode(one, versus)))
    const groups = byScheme ? groupByScheme(sorted) : [{ scheme: null, codes: sorted }]
    const rows = groups.flatMap(({ scheme, codes: some }) => [
      ...(byScheme
        ? [
            buildLine(
              versus,
              { kind: 'Description', code: scheme?.code ?? null, description: scheme?.description ?? 'No code' },
              addRowAmounts(some.map((one) => amountsOfCode(one, versus))),
            ),
          ]
        : []),
      ...some.map(data),
    ])
    const footer = buildLine(versus, { kind: 'SectionFooter', description: `Total ${toMidSentence(title)}` }, sums)
    return { rows: [buildLine(versus, { kind: 'SectionHeader', description: title }, sums), ...rows, footer], sums }
  }
  const income = section(
    'Income',
    codes.filter((one) => one.isIncome),
  )
  const staff = section(
    'Staff expenditure',
    codes.filter((one) => !one.isIncome && one.isStaff),
  )
  const other = section(
    'Other expenditure',
    codes.filter((one) => !one.isIncome && !one.isStaff),
  )
  const spent = addRowAmounts([staff.sums, other.sums])
  const inYear = addRowAmounts([income.sums, spent], (index) => (index ? -1 : 1))
  const opening: RowAmounts = {
    ...zeroAmounts,
    budgetToDate: broughtForward,
    actualToDate: broughtForward,
    fullYearBudget: broughtForward,
    forecast: broughtForward,
  }
  return [
    ...income.rows,
    ...staff.rows,
    ...other.rows,
    buildLine(versus, { kind: 'Total', description: 'Total expenditure' }, spent),
    buildLine(versus, { kind: 'Total', description: 'In-year balance' }, inYear),
    buildLine(versus, { kind: 'Total', description: broughtForwardLabel }, opening),
    buildLine(versus, { kind: 'Total', description: carriedForwardLabel }, addRowAmounts([inYear, opening])),
  ]
}

function groupByScheme(codes: readonly MonitoredCode[]): { scheme: MonitoredCode['scheme']; codes: MonitoredCode[] }[] {
  const groups = new Map<string, { scheme: MonitoredCode['scheme']; codes: MonitoredCode[] }>()
  for (const one of codes) {
    const key = one.scheme?.code ?? ''
    const group = groups.get(key) ?? { scheme: one.scheme, codes: [] }
    group.codes.push(one)
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => compareValues(a.scheme?.code, b.scheme?.code))
}
