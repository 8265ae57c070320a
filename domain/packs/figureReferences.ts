import { formatMonth } from '../monitoring/monitoring.ts'
import { calculateShare, dividePerPupil } from '../reports/measures/measures.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayDecimal, displayMoney, displayPercent, displayWholePounds } from '../values/format.ts'
import { keysOf } from '../values/keysOf.ts'
import { numberOrNull } from '../values/unknownValues.ts'
import { type PackFigures, type PackLine, type PackYear, type TotalName, totalLabels } from './pack.ts'

type FigureType = 'money' | 'percent' | 'number' | 'text'

/** A figure that texts can refer to by its key. Two packs are also compared by these figures. */
export interface FigureReference {
  key: string
  label: string
  type: FigureType
  /**
   * Whether the figure belongs to a year that its label names, so that packs of another budget year have it too. All other figures belong
   * to the budget year of the pack's month.
   */
  isByYear: boolean
  /** Whole pennies, per cent, a number or text; null if it could not be calculated or is unknown. */
  read: (figures: PackFigures) => number | string | null
}

const rowLabels = {
  income: 'Income',
  staff: 'Staff codes',
  other: 'Other expenditure',
  expenditure: 'Expenditure',
  inYear: 'In-year balance',
  broughtForward: 'Brought forward',
  carriedForward: 'Carried forward',
} as const satisfies Record<TotalName, string>

const columnLabels = {
  toDate: ['budget to date', 'budgetToDate'],
  actual: ['actual to date', 'actualToDate'],
  variance: ['variance to date', 'variance'],
  budget: ['full-year budget', 'fullYearBudget'],
  forecast: ['full-year forecast', 'forecast'],
  forecastVariance: ['full-year variance', 'forecastVariance'],
} as const satisfies Record<string, readonly [string, keyof PackLine]>

const totals = keysOf(totalLabels)

/** Says which total a row is; null if it is not a total. Rows stored before they had the field `total` are recognised by their label. */
export function identifyTotal({ kind, total, description }: Pick<PackLine, 'kind' | 'total' | 'description'>): TotalName | null {
  if (kind !== 'SectionFooter' && kind !== 'Total') return null
  return total === undefined ? (totals.find((one) => totalLabels[one] === description) ?? null) : total
}

/**
 * Whether any actuals have been imported. The balance brought forward is in the same column but is not an actual. A caller shows blank
 * figures, never 0, if there are none (rules.md §17).
 */
export function hasActuals({ monthsIn, lines }: Pick<PackFigures, 'monthsIn' | 'lines'>): boolean {
  return monthsIn.length > 0 || lines.some((line) => line.kind === 'Data' && line.actualToDate !== 0)
}

const monitoringReferences = totals.flatMap((row) =>
  Object.entries(columnLabels).map(
    ([column, [label, field]]): FigureReference => ({
      key: `${row}.${column}`,
      label: `${rowLabels[row]}, ${label}`,
      type: 'money',
      isByYear: false,
      read: (figures) =>
        (field === 'actualToDate' || field === 'variance') && !hasActuals(figures)
          ? null
          : (figures.lines.find((line) => identifyTotal(line) === row)?.[field] ?? null),
    }),
  ),
)

const findYear = ({ years, year }: PackFigures, after: number): PackYear | undefined => {
  const at = years.findIndex((one) => one.name === year)
  return at < 0 ? undefined : years[at + after]
}

export const calculateIncomePerPupil = ({ income, pupils }: PackYear): number | null => dividePerPupil(income, pupils)

const yearReferences = (
  [
    ['thisYear', 'this year', 0],
    ['nextYear', 'next year', 1],
    ['thirdYear', 'the year after next', 2],
  ] as const
).flatMap(([key, label, after]): FigureReference[] => [
  {
    key: `${key}.reserve`,
    label: `Reserve excluding capital at the end of ${label}`,
    type: 'money',
    isByYear: true,
    read: (figures) => findYear(figures, after)?.reserve ?? null,
  },
  {
    key: `${key}.inYear`,
    label: `Budgeted in-year balance excluding capital, ${label}`,
    type: 'money',
    isByYear: true,
    read: (figures) => findYear(figures, after)?.inYear ?? null,
  },
  {
    key: `${key}.staffShare`,
    label: `Staff as a share of income, ${label}`,
    type: 'percent',
    isByYear: true,
    read: (figures) => {
      const year = findYear(figures, after)
      return year ? calculateShare(year.staff, year.income) : null
    },
  },
])

/** The month with the lowest closing cash; the first if several are equal. */
export function findLowestCashMonth({ cash }: Pick<PackFigures, 'cash'>): { year: number; month: number; closing: number } | null {
  return (cash?.months ?? []).reduce<{ year: number; month: number; closing: number } | null>(
    (lowest, { year, month, closing }) => (closing === null || (lowest && lowest.closing <= closing) ? lowest : { year, month, closing }),
    null,
  )
}

const staffTotal = ({ staffing }: PackFigures) => staffing?.find((one) => one.isTotal)

/** All figures that texts can refer to, in the order in which they are offered. */
export const figureReferences: readonly FigureReference[] = [
  ...monitoringReferences,
  ...(
    [
      ['contracts', 'Contracts', 'number'],
      ['fte', 'Full-time equivalent', 'number'],
      ['cost', 'Budgeted cost of contracts', 'money'],
    ] as const
  ).map(
    ([key, label, type]): FigureReference => ({
      key: `staffing.${key}`,
      label,
      type,
      isByYear: false,
      read: (figures) => staffTotal(figures)?.[key] ?? null,
    }),
  ),
  {
    key: 'cash.lowest',
    label: 'Lowest cash',
    type: 'money',
    isByYear: false,
    read: (figures) => findLowestCashMonth(figures)?.closing ?? null,
  },
  {
    key: 'cash.lowestMonth',
    label: 'Month of lowest cash',
    type: 'text',
    isByYear: false,
    read: (figures) => {
      const lowest = findLowestCashMonth(figures)
      return lowest && formatMonth(lowest)
    },
  },
  { key: 'cash.floor', label: 'Cash floor', type: 'money', isByYear: false, read: ({ cash }) => cash?.floor ?? null },
  ...yearReferences,
]

const referenceByKey = new Map(figureReferences.map((one) => [one.key, one]))
const referencePattern = /\{([^{}]*)\}/g

/** Reads the figure of a reference. @throws Error for an unknown reference or one that is not a number */
export function getPackFigure(figures: PackFigures, key: string): number | null {
  return numberOrNull(assertDefined(referenceByKey.get(key)).read(figures))
}

export function findUnknownReferences(text: string): string[] {
  return [...text.matchAll(referencePattern)].flatMap(([, key = '']) => (referenceByKey.has(key.trim()) ? [] : [key]))
}

/**
 * Formats a figure, or says that it was not calculated.
 * @param isExact whether to show pennies; used when two different figures would look equal in pounds
 */
export function formatPackFigure(value: number | string | null, type: FigureType, isExact = false): string {
  if (value === null) return 'not calculated'
  if (typeof value === 'string') return value
  if (type === 'money') return isExact ? displayMoney(value) : displayWholePounds(value)
  if (type === 'percent') return displayPercent(value)
  return displayDecimal(value, 2)
}

/** Replaces the references in a text with figures. Unknown references are left as they were typed. */
export function insertFigures(text: string, figures: PackFigures): string {
  return text.replace(referencePattern, (typed: string, key: string) => {
    const one = referenceByKey.get(key.trim())
    return one ? formatPackFigure(one.read(figures), one.type) : typed
  })
}

export interface ChangedFigure {
  key: string
  label: string
  type: FigureType
  before: number | string | null
  now: number | string | null
}

export function findChangedFigures(before: PackFigures, now: PackFigures): ChangedFigure[] {
  return figureReferences.flatMap(({ key, label, type, read }) => {
    const [was, is] = [read(before), read(now)]
    return was === is ? [] : [{ key, label, type, before: was, now: is }]
  })
}
