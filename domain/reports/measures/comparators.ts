import { divideRounded } from '../../monitoring/figures.ts'
import { elementAt } from '../../values/assertDefined.ts'
import type { ColumnType } from '../report.ts'

/** The measures that can be compared, by the label of their row in the report, with their types. */
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

export const isComparedMeasure = (label: string): label is ComparedMeasure => Object.hasOwn(comparedMeasures, label)

/** How many stored units make one unit of the report. Figures are stored as whole pennies, tenths of a per cent or hundredths of a ratio. */
const partsPerUnit = { money: 1, percent: 10, ratio: 100 } as const

/** An imported school with its figures: whole pennies, tenths of a per cent, hundredths of a ratio. */
export interface Comparator {
  /** The URN, or the name if the file has no URN. */
  key: string
  name: string
  figures: Partial<Record<ComparedMeasure, number>>
}

export interface ComparatorSet {
  name: string
  /** The file that the comparators come from, and the year of their figures if known. */
  source: string
  year: string | null
  schools: readonly Comparator[]
}

/** With fewer comparators than this, a position would not be meaningful. */
export const minimumComparators = 4

/** The position of a school among its comparators for one measure. */
export interface ComparatorPosition {
  /** The position in neutral words; null if there are too few comparators or the school's figure is unknown. */
  band: string | null
  /** The median as the report shows it: whole pennies, per cent or a ratio. */
  median: number | null
  count: number
}

/**
 * Compares a figure with comparators, by the proportion of them that are below it; equal ones count half. The median of an even number is
 * the mean of the middle two, halves away from zero.
 * @param own the school's figure as the report shows it; null if unknown
 */
export function compareWithComparators(measure: ComparedMeasure, own: number | null, schools: readonly Comparator[]): ComparatorPosition {
  const parts = partsPerUnit[comparedMeasures[measure]]
  const figures = schools.flatMap(({ figures: all }) => all[measure] ?? []).sort((a, b) => a - b)
  const count = figures.length
  if (count < minimumComparators) return { band: null, median: null, count }
  const half = Math.floor(count / 2)
  const [low, high] = [elementAt(figures, count % 2 ? half : half - 1), elementAt(figures, half)]
  const median = divideRounded(low + high, 2) / parts
  if (own === null) return { band: null, median, count }
  const ownFigure = Math.round(own * parts)
  // A comparator below counts two and an equal one counts one, so that no division is needed.
  const below = figures.reduce((sum, one) => sum + (one < ownFigure ? 2 : one === ownFigure ? 1 : 0), 0)
  return { band: describeBand(below, 2 * count), median, count }
}

function describeBand(below: number, of: number): string {
  if (below * 4 < of) return 'in the lowest quarter'
  if (below * 2 < of) return 'below the middle'
  if (below * 2 === of) return 'in the middle'
  return below * 4 <= of * 3 ? 'above the middle' : 'in the highest quarter'
}
