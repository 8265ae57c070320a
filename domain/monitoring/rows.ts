import { compareValues } from '../lists/lists.ts'
import type { Pennies, Percent } from '../values/units.ts'
import { type CodeFigures, type CodeId, percentOf, sumOfKnown } from './figures.ts'
import type { Settings } from './monitoring.ts'

/** Which of the two screens. */
export type Versus = 'actuals' | 'forecast'

/** A code with its figures over all locations asked for. */
export interface CodeOfRows {
  codeId: CodeId
  code: string | null
  description: string
  isIncome: boolean
  isStaff: boolean
  /** The code of the scheme that it is grouped under; null: none. */
  scheme: { code: string; description: string } | null
  figures: CodeFigures
  /** Whole pennies. */
  adjustment: Pennies
  note: string | null
  /** What is done about it. */
  action: string | null
  /** Monthly figures of the budget that could not be calculated. */
  missing: number
}

/** A row of a monitoring table, in whole pennies; by the list `reportRowKinds`. */
export interface MonitoringLine {
  kind: 'Data' | 'Description' | 'SectionHeader' | 'SectionFooter' | 'Total'
  budgetCodeId: number | null
  code: string | null
  description: string
  /** Of the chosen month alone, without adjustments; null where its actuals are not in. */
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
  /** It is explained, and what is done about it is missing: its month is not closed without. */
  needsAction: boolean
  missing: number
}

/** What the row is called that a year begins with. */
export const openingName = 'Brought forward'

/** What the row is called that a year ends with. */
export const closingName = 'Carried forward'

/** What rows add up. */
interface Sums {
  monthBudget: number
  monthActual: number | null
  monthVariance: number | null
  budgetToDate: number
  actualToDate: number
  commitments: number
  adjustment: number
  fullYearBudget: number
  /** With adjustments. */
  forecast: number
  /** Positive is good. */
  variance: number
  missing: number
}

const nothing: Sums = {
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

function combined(all: readonly Sums[], sign: (index: number) => 1 | -1 = () => 1): Sums {
  const of = (pick: Exclude<keyof Sums, 'monthActual' | 'monthVariance'>): number =>
    all.reduce((total, one, index) => total + sign(index) * one[pick], 0)
  return {
    monthBudget: of('monthBudget'),
    monthActual: sumOfKnown(all.map((one, index) => one.monthActual && sign(index) * one.monthActual)),
    monthVariance: sumOfKnown(all.map((one) => one.monthVariance)),
    budgetToDate: of('budgetToDate'),
    actualToDate: of('actualToDate'),
    commitments: of('commitments'),
    adjustment: of('adjustment'),
    fullYearBudget: of('fullYearBudget'),
    forecast: of('forecast'),
    // Favourable is positive for income and cost alike, and so is their sum.
    variance: all.reduce((total, one) => total + one.variance, 0),
    missing: all.reduce((total, one) => total + one.missing, 0),
  }
}

function sumsOf({ isIncome, figures, adjustment, missing }: CodeOfRows, versus: Versus): Sums {
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

function line(versus: Versus, given: Pick<MonitoringLine, 'kind' | 'description'> & Partial<MonitoringLine>, sums: Sums): MonitoringLine {
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
    variancePercent: percentOf(variance, base),
    forecast: versus === 'actuals' ? null : forecast,
    ...given,
  }
}

/**
 * Whether a variance is worth explaining: over the amount and over the percentage, or over the upper amount alone (rules.md §17). What was
 * not budgeted at all is over every percentage (choice).
 */
export function isOver(
  variance: number,
  percent: Percent | null,
  { explainOver, explainOverPercent, explainAlwaysOver }: Settings,
): boolean {
  const amount = Math.abs(variance)
  const isOverPercent = percent === null || Math.abs(percent) > explainOverPercent
  return amount > explainAlwaysOver || (amount > explainOver && isOverPercent)
}

/**
 * The rows of a monitoring table (rules.md §17): income, staff, other expenditure, each with its total, then the balances. Under a scheme
 * a row of the kind Description stands above the codes that it sums; codes without one come last.
 * @param broughtForward whole pennies that the year begins with
 */
export function monitoringRows(
  codes: readonly CodeOfRows[],
  { versus, broughtForward, settings, byScheme }: { versus: Versus; broughtForward: Pennies; settings: Settings; byScheme: boolean },
): MonitoringLine[] {
  const section = (title: string, own: readonly CodeOfRows[]): { rows: MonitoringLine[]; sums: Sums } => {
    const data = (one: CodeOfRows): MonitoringLine => {
      const { codeId, code, description, note, action } = one
      const row = line(versus, { kind: 'Data', budgetCodeId: codeId, code, description, note, action }, sumsOf(one, versus))
      // What has no code, as the levy, takes no note: nobody could ever explain it.
      const isDue = codeId !== null && isOver(row.variance, row.variancePercent, settings)
      return { ...row, needsExplaining: isDue && !note, needsAction: isDue && Boolean(note) && !action }
    }
    const sorted = [...own].sort((a, b) => compareValues(a.code, b.code))
    const sums = combined(sorted.map((one) => sumsOf(one, versus)))
    const groups = byScheme ? grouped(sorted) : [{ scheme: null, codes: sorted }]
    const rows = groups.flatMap(({ scheme, codes: some }) => [
      ...(byScheme
        ? [
            line(
              versus,
              { kind: 'Description', code: scheme?.code ?? null, description: scheme?.description ?? 'Without a code' },
              combined(some.map((one) => sumsOf(one, versus))),
            ),
          ]
        : []),
      ...some.map(data),
    ])
    const footer = line(versus, { kind: 'SectionFooter', description: `Total ${title.toLowerCase()}` }, sums)
    return { rows: [line(versus, { kind: 'SectionHeader', description: title }, sums), ...rows, footer], sums }
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
  const spent = combined([staff.sums, other.sums])
  const inYear = combined([income.sums, spent], (index) => (index ? -1 : 1))
  const opening: Sums = {
    ...nothing,
    budgetToDate: broughtForward,
    actualToDate: broughtForward,
    fullYearBudget: broughtForward,
    forecast: broughtForward,
  }
  return [
    ...income.rows,
    ...staff.rows,
    ...other.rows,
    line(versus, { kind: 'Total', description: 'Total expenditure' }, spent),
    line(versus, { kind: 'Total', description: 'In-year balance' }, inYear),
    line(versus, { kind: 'Total', description: openingName }, opening),
    line(versus, { kind: 'Total', description: closingName }, combined([inYear, opening])),
  ]
}

function grouped(codes: readonly CodeOfRows[]): { scheme: CodeOfRows['scheme']; codes: CodeOfRows[] }[] {
  const groups = new Map<string, { scheme: CodeOfRows['scheme']; codes: CodeOfRows[] }>()
  for (const one of codes) {
    const key = one.scheme?.code ?? ''
    const group = groups.get(key) ?? { scheme: one.scheme, codes: [] }
    group.codes.push(one)
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => compareValues(a.scheme?.code, b.scheme?.code))
}
