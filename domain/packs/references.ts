import { wholePounds } from '../format.ts'
import { monthWords } from '../monitoring/monitoring.ts'
import { perPupil, shareIn } from '../reports/measures.ts'
import type { PackFigures, PackLine, PackYear } from './pack.ts'

/** How a figure is written. */
type FigureType = 'money' | 'percent' | 'number' | 'text'

/** A figure that sentences can hold by its key, and that two packs are compared by. */
export interface Reference {
  key: string
  label: string
  type: FigureType
  /** Whole pennies, per cent, a number or words; null: it could not be calculated, or is not known. */
  read: (figures: PackFigures) => number | string | null
}

const rowsOf = {
  income: ['Income', 'Total income'],
  staff: ['Staff expenditure', 'Total staff expenditure'],
  other: ['Other expenditure', 'Total other expenditure'],
  expenditure: ['Expenditure', 'Total expenditure'],
  inYear: ['In-year balance', 'In-year balance'],
  broughtForward: ['Brought forward', 'Brought forward'],
  carriedForward: ['Carried forward', 'Carried forward'],
} as const

const columnsOf = {
  toDate: ['budget to date', 'budgetToDate'],
  actual: ['actual to date', 'actualToDate'],
  variance: ['variance to date', 'variance'],
  budget: ['budget of the year', 'fullYearBudget'],
  forecast: ['forecast of the year', 'forecast'],
  forecastVariance: ['variance of the year', 'forecastVariance'],
} as const satisfies Record<string, readonly [string, keyof PackLine]>

/** A sum of the table of monitoring. */
function totalOf({ lines }: Pick<PackFigures, 'lines'>, row: keyof typeof rowsOf): PackLine | undefined {
  return lines.find((line) => (line.kind === 'SectionFooter' || line.kind === 'Total') && line.description === rowsOf[row][1])
}

const ofMonitoring = Object.entries(rowsOf).flatMap(([row, [rowLabel]]) =>
  Object.entries(columnsOf).map(
    ([column, [label, field]]): Reference => ({
      key: `${row}.${column}`,
      label: `${rowLabel}, ${label}`,
      type: 'money',
      read: (figures) => totalOf(figures, row as keyof typeof rowsOf)?.[field] ?? null,
    }),
  ),
)

const yearAt = ({ years, year }: PackFigures, after: number): PackYear | undefined => {
  const at = years.findIndex((one) => one.name === year)
  return at < 0 ? undefined : years[at + after]
}

/** What a year took or spent for each pupil. */
export const spentPerPupil = ({ income, pupils }: PackYear): number | null => perPupil(income, pupils)

const ofYears = (
  [
    ['thisYear', 'this year', 0],
    ['nextYear', 'next year', 1],
    ['thirdYear', 'the year after next', 2],
  ] as const
).flatMap(([key, label, after]): Reference[] => [
  {
    key: `${key}.reserve`,
    label: `Reserve at the end of ${label}`,
    type: 'money',
    read: (figures) => yearAt(figures, after)?.reserve ?? null,
  },
  {
    key: `${key}.inYear`,
    label: `Budgeted in-year balance of ${label}`,
    type: 'money',
    read: (figures) => yearAt(figures, after)?.inYear ?? null,
  },
  {
    key: `${key}.staffShare`,
    label: `Staff as a share of income, ${label}`,
    type: 'percent',
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
  { key: 'staffing.contracts', label: 'Contracts', type: 'number', read: (figures) => staffTotal(figures)?.contracts ?? null },
  { key: 'staffing.fte', label: 'Full-time equivalent', type: 'number', read: (figures) => staffTotal(figures)?.fte ?? null },
  { key: 'staffing.cost', label: 'Budgeted cost of contracts', type: 'money', read: (figures) => staffTotal(figures)?.cost ?? null },
  { key: 'cash.lowest', label: 'Lowest cash', type: 'money', read: (figures) => lowestOf(figures)?.closing ?? null },
  {
    key: 'cash.lowestMonth',
    label: 'Month of the lowest cash',
    type: 'text',
    read: (figures) => {
      const lowest = lowestOf(figures)
      return lowest && monthWords(lowest)
    },
  },
  { key: 'cash.floor', label: 'Floor of cash', type: 'money', read: ({ cash }) => cash?.floor ?? null },
  ...ofYears,
]

const known = new Map(references.map((one) => [one.key, one]))
const inText = /\{([^{}]*)\}/g

/** What of a text stands in braces and is no figure. */
export function unknownIn(text: string): string[] {
  return [...text.matchAll(inText)].flatMap(([, key = '']) => (known.has(key.trim()) ? [] : [key]))
}

/** A figure in words; what has none says so. */
export function drawn(value: number | string | null, type: FigureType): string {
  if (value === null) return 'not calculated'
  if (typeof value === 'string') return value
  if (type === 'money') return wholePounds(value)
  if (type === 'percent') return `${value.toFixed(1).replace('-', '−')} %`
  return value.toLocaleString('en-GB', { maximumFractionDigits: 2 }).replace('-', '−')
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
