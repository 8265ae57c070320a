import { roundedQuotient } from '../../monitoring/figures.ts'
import { elementAt } from '../../values/assertDefined.ts'
import type { ColumnType } from '../report.ts'

/** The measures of a school that others may be laid beside, by the label of their row in the report, and what their figures are. */
export const comparedMeasures = {
  'Staff, % of income': 'percent',
  'Staff, % of expenditure': 'percent',
  'Teachers, % of expenditure': 'percent',
  'Supply teachers, % of expenditure': 'percent',
  'Cost of a teacher (FTE 1), £': 'money',
  'Pupils for each teacher (FTE)': 'ratio',
  'Pupils for each adult (FTE)': 'ratio',
  Income: 'money',
  'Teaching and teaching support staff': 'money',
  'Non-educational support staff and services': 'money',
  'Educational supplies': 'money',
  'Educational ICT': 'money',
  'Premises staff and services': 'money',
  Utilities: 'money',
  'Administrative supplies': 'money',
  'Catering staff and supplies': 'money',
  'Other costs': 'money',
  'In-year balance, % of income': 'percent',
  'Reserve at the end of the year, % of income': 'percent',
  'Contact ratio': 'ratio',
  'Average class size': 'ratio',
  'Cost of a lesson, £': 'money',
} as const satisfies Record<string, ColumnType>
export type ComparedMeasure = keyof typeof comparedMeasures

export const isCompared = (label: string): label is ComparedMeasure => Object.hasOwn(comparedMeasures, label)

/** In how many parts of a unit figures are kept, so that they are whole: pennies, tenths of a per cent, hundredths. */
const partsOf = { money: 1, percent: 10, ratio: 100 } as const

/** A school that was imported, with its figures: whole pennies, tenths of a per cent, hundredths of a ratio. */
export interface Comparator {
  /** The URN, or where the file has none the name. */
  key: string
  name: string
  figures: Partial<Record<ComparedMeasure, number>>
}

/** The comparators that an organisation has chosen. */
export interface ComparatorSet {
  name: string
  /** The file that they are of, and the year of their figures where it was said. */
  source: string
  year: string | null
  schools: readonly Comparator[]
}

/** So many comparators have a measure before a band says something. */
export const fewestComparators = 4

/** What comparators have of a measure beside a school's own. */
export interface Beside {
  /** Neutral words; null: too few have it, or the school's own is not known. */
  band: string | null
  /** As the report shows it: whole pennies, per cent, a ratio. */
  median: number | null
  count: number
}

/**
 * Where a figure stands among those of comparators: by the share of them that are below it, those that are equal counted half. The median of
 * an even number is the mean of the two in the middle, halves away from zero.
 * @param own as the report shows it; null: not known
 */
export function besideComparators(measure: ComparedMeasure, own: number | null, schools: readonly Comparator[]): Beside {
  const parts = partsOf[comparedMeasures[measure]]
  const figures = schools.flatMap(({ figures: all }) => all[measure] ?? []).sort((a, b) => a - b)
  const count = figures.length
  if (count < fewestComparators) return { band: null, median: null, count }
  const half = Math.floor(count / 2)
  const [low, high] = [elementAt(figures, count % 2 ? half : half - 1), elementAt(figures, half)]
  const median = roundedQuotient(low + high, 2) / parts
  if (own === null) return { band: null, median, count }
  const mine = Math.round(own * parts)
  // Twice the share, in halves of a comparator, so that nothing is divided.
  const below = figures.reduce((sum, one) => sum + (one < mine ? 2 : one === mine ? 1 : 0), 0)
  return { band: bandOf(below, 2 * count), median, count }
}

function bandOf(below: number, of: number): string {
  if (below * 4 < of) return 'in the lowest quarter'
  if (below * 2 < of) return 'below the middle'
  if (below * 2 === of) return 'in the middle'
  return below * 4 <= of * 3 ? 'above the middle' : 'in the highest quarter'
}
