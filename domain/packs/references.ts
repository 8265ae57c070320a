import { monthWords } from '../monitoring/monitoring.ts'
import { perPupil, shareIn } from '../reports/measures/measures.ts'
import { displayDecimal, displayMoney, displayPercent, displayWholePounds } from '../values/format.ts'
import { keysOf } from '../values/keysOf.ts'
import { type PackFigures, type PackLine, type PackYear, type TotalName, totalNames } from './pack.ts'

/** How a figure is written. */
type FigureType = 'money' | 'percent' | 'number' | 'text'

/** A figure that sentences can hold by its key, and that two packs are compared by. */
export interface Reference {
  key: string
  label: string
  type: FigureType
  /** By the name of its year, so that a pack of another year has it too; the others are of the budget year that holds the month. */
  isByYear: boolean
  /** Whole pennies, per cent, a number or words; null: it could not be calculated, or is not known. */
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

const columnsOf = {
  toDate: ['budget to date', 'budgetToDate'],
  actual: ['actual to date', 'actualToDate'],
  variance: ['variance to date', 'variance'],
  budget: ['budget of the year', 'fullYearBudget'],
  forecast: ['forecast of the year', 'forecast'],
  forecastVariance: ['variance of the year', 'forecastVariance'],
} as const satisfies Record<string, readonly [string, keyof PackLine]>

const totals = keysOf(totalNames)

/** Which sum a row is; a row that was kept without it goes by its words. */
export function totalOf({ kind, total, description }: Pick<PackLine, 'kind' | 'total' | 'description'>): TotalName | null {
  if (kind !== 'SectionFooter' && kind !== 'Total') return null
  return total === undefined ? (totals.find((one) => totalNames[one] === description) ?? null) : total
}

/** Whether any actual is in: what a year begins with is none, though it stands in the same column. What was not imported is blank, never nothing (rules.md §17). */
export function hasActuals({ monthsIn, lines }: Pick<PackFigures, 'monthsIn' | 'lines'>): boolean {
  return monthsIn.length > 0 || lines.some((line) => line.kind === 'Data' && line.actualToDate !== 0)
}

const ofMonitoring = totals.flatMap((row) =>
  Object.entries(columnsOf).map(
    ([column, [label, field]]): Reference => ({
      key: `${row}.${column}`,
      label: `${rowLabels[row]}, ${label}`,
      type: 'money',
      isByYear: false,
      read: (figures) =>
        (field === 'actualToDate' || field === 'variance') && !hasActuals(figures)
          ? null
          : (figures.lines.find((line) => totalOf(line) === row)?.[field] ?? null),
    }),
  ),
)

const yearAt = ({ years, year }: PackFigures, after: number): PackYear | undefined => {
  const at = years.findIndex((one) => one.name === year)
  return at < 0 ? undefined : years[at + after]
}

/** What a year brings in for each pupil. */
export const incomePerPupil = ({ income, pupils }: PackYear): number | null => perPupil(income, pupils)

const ofYears = (
  [
    ['thisYear', 'this year', 0],
    ['nextYear', 'next year', 1],
    ['thirdYear', 'the year after next', 2],
  ] as const
).flatMap(([key, label, after]): Reference[] => [
  {
    key: `${key}.reserve`,
    label: `Reserve at the end of ${label} without capital`,
    type: 'money',
    isByYear: true,
    read: (figures) => yearAt(figures, after)?.reserve ?? null,
  },
  {
    key: `${key}.inYear`,
    label: `Budgeted in-year balance of ${label} without capital`,
    type: 'money',
    isByYear: true,
    read: (figures) => yearAt(figures, after)?.inYear ?? null,
  },
  {
    key: `${key}.staffShare`,
    label: `Staff as a share of income, ${label}`,
    type: 'percent',
    isByYear: true,
    read: (figures) => {
      const year = yearAt(figures, after)
      return year ? shareIn(year.staff, year.income) : null
    },
  },
])

/** The month with the least cash, the first of equals. */
export function lowestOf({ cash }: Pick<PackFigures, 'cash'>): { year: number; month: number; closing: number } | null {
  return (cash?.months ?? []).reduce<{ year: number; month: number; closing: number } | null>(
    (lowest, { year, month, closing }) => (closing === null || (lowest && lowest.closing <= closing) ? lowest : { year, month, closing }),
    null,
  )
}

const staffTotal = ({ staffing }: PackFigures) => staffing?.find((one) => one.isTotal)

/** Every figure that a sentence can hold, in the order in which they are offered. */
export const references: readonly Reference[] = [
  ...ofMonitoring,
  ...(
    [
      ['contracts', 'Contracts', 'number'],
      ['fte', 'Full-time equivalent', 'number'],
      ['cost', 'Budgeted cost of contracts', 'money'],
    ] as const
  ).map(
    ([key, label, type]): Reference => ({
      key: `staffing.${key}`,
      label,
      type,
      isByYear: false,
      read: (figures) => staffTotal(figures)?.[key] ?? null,
    }),
  ),
  { key: 'cash.lowest', label: 'Lowest cash', type: 'money', isByYear: false, read: (figures) => lowestOf(figures)?.closing ?? null },
  {
    key: 'cash.lowestMonth',
    label: 'Month of the lowest cash',
    type: 'text',
    isByYear: false,
    read: (figures) => {
      const lowest = lowestOf(figures)
      return lowest && monthWords(lowest)
    },
  },
  { key: 'cash.floor', label: 'Floor of cash', type: 'money', isByYear: false, read: ({ cash }) => cash?.floor ?? null },
  ...ofYears,
]

const known = new Map(references.map((one) => [one.key, one]))
const inText = /\{([^{}]*)\}/g

/** What of a text stands in braces and is no figure. */
export function unknownIn(text: string): string[] {
  return [...text.matchAll(inText)].flatMap(([, key = '']) => (known.has(key.trim()) ? [] : [key]))
}

/** A figure in words; what has none says so. @param isExact money to the penny, where two figures stand beside each other that are not the same */
export function drawn(value: number | string | null, type: FigureType, isExact = false): string {
  if (value === null) return 'not calculated'
  if (typeof value === 'string') return value
  if (type === 'money') return isExact ? displayMoney(value) : displayWholePounds(value)
  if (type === 'percent') return displayPercent(value)
  return displayDecimal(value, 2)
}

/** A text with its figures in the place of their references. One that is not known stays as it was typed. */
export function withFigures(text: string, figures: PackFigures): string {
  return text.replace(inText, (typed: string, key: string) => {
    const one = known.get(key.trim())
    return one ? drawn(one.read(figures), one.type) : typed
  })
}

/** A figure that is another than it was. */
export interface ChangedFigure {
  key: string
  label: string
  type: FigureType
  before: number | string | null
  now: number | string | null
}

/** Which figures are others than they were, in the order in which they are offered. */
export function changedFigures(before: PackFigures, now: PackFigures): ChangedFigure[] {
  return references.flatMap(({ key, label, type, read }) => {
    const [was, is] = [read(before), read(now)]
    return was === is ? [] : [{ key, label, type, before: was, now: is }]
  })
}
