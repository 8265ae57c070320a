import { divideRounded } from '../../monitoring/figures.ts'
import { requireItemAt } from '../../values/assertDefined.ts'
import { entriesOf, keysOf } from '../../values/keysOf.ts'
import type { ColumnType } from '../report.ts'

/**
 * The measures that can be compared, with the labels of their rows in the report. Stored comparators refer to the measures by these keys.
 */
export const comparedMeasures = {
  staffOfIncome: { label: 'Staff, % of income', type: 'percent' },
  staffOfExpenditure: { label: 'Staff, % of expenditure', type: 'percent' },
  teachersOfExpenditure: { label: 'Teachers, % of expenditure', type: 'percent' },
  supplyOfExpenditure: { label: 'Supply teachers, % of expenditure', type: 'percent' },
  teacherCost: { label: 'Average teacher cost (1 FTE), £', type: 'money' },
  pupilsPerTeacher: { label: 'Pupils per teacher (FTE)', type: 'ratio' },
  pupilsPerAdult: { label: 'Pupils per adult (FTE)', type: 'ratio' },
  income: { label: 'Income', type: 'money' },
  teaching: { label: 'Teaching and teaching support staff', type: 'money' },
  nonEducationalSupport: { label: 'Non-educational support staff and services', type: 'money' },
  educationalSupplies: { label: 'Educational supplies', type: 'money' },
  educationalIct: { label: 'Educational ICT', type: 'money' },
  premises: { label: 'Premises staff and services', type: 'money' },
  utilities: { label: 'Utilities', type: 'money' },
  administrativeSupplies: { label: 'Administrative supplies', type: 'money' },
  catering: { label: 'Catering staff and supplies', type: 'money' },
  otherCosts: { label: 'Other costs', type: 'money' },
  inYearOfIncome: { label: 'In-year balance, % of income', type: 'percent' },
  reserveOfIncome: { label: 'Reserve at the end of the year, % of income', type: 'percent' },
  contactRatio: { label: 'Contact ratio', type: 'ratio' },
  classSize: { label: 'Average class size', type: 'ratio' },
  lessonCost: { label: 'Cost per lesson, £', type: 'money' },
} as const satisfies Record<string, { label: string; type: ColumnType }>
export type ComparedMeasure = keyof typeof comparedMeasures

/** The measure that a row of the report shows; undefined if it is not compared. */
export const findComparedMeasure = (label: string): ComparedMeasure | undefined =>
  keysOf(comparedMeasures).find((measure) => comparedMeasures[measure].label === label)

/**
 * How many stored units make one unit of the report. Figures are stored as whole pennies, tenths of a per cent or hundredths of a ratio.
 */
const partsPerUnit = { money: 1, percent: 10, ratio: 100 } as const

/** An imported school with its figures: whole pennies, tenths of a per cent, hundredths of a ratio. */
export interface Comparator {
  /** The school's unique reference number (URN), or its name if the file has no URN. */
  key: string
  name: string
  figures: Partial<Record<ComparedMeasure, number>>
}

export interface ComparatorSet {
  name: string
  /** The file from which the comparators were imported. */
  source: string
  year: string | null
  schools: readonly Comparator[]
}

/**
 * The labels under which measures were stored before keys were used. Earlier templates have them as headings. They must not change, even if
 * a row of the report is renamed.
 */
export const formerMeasureLabels: Readonly<Record<string, ComparedMeasure>> = {
  'Staff, % of income': 'staffOfIncome',
  'Staff, % of expenditure': 'staffOfExpenditure',
  'Teachers, % of expenditure': 'teachersOfExpenditure',
  'Supply teachers, % of expenditure': 'supplyOfExpenditure',
  'Cost of a teacher (FTE 1), £': 'teacherCost',
  'Pupils for each teacher (FTE)': 'pupilsPerTeacher',
  'Pupils for each adult (FTE)': 'pupilsPerAdult',
  Income: 'income',
  'Teaching and teaching support staff': 'teaching',
  'Non-educational support staff and services': 'nonEducationalSupport',
  'Educational supplies': 'educationalSupplies',
  'Educational ICT': 'educationalIct',
  'Premises staff and services': 'premises',
  Utilities: 'utilities',
  'Administrative supplies': 'administrativeSupplies',
  'Catering staff and supplies': 'catering',
  'Other costs': 'otherCosts',
  'In-year balance, % of income': 'inYearOfIncome',
  'Reserve at the end of the year, % of income': 'reserveOfIncome',
  'Contact ratio': 'contactRatio',
  'Average class size': 'classSize',
  'Cost of a lesson, £': 'lessonCost',
}

/** A comparator as it is stored, with figures by the keys of measures or by their former labels. */
export type StoredComparator = Omit<Comparator, 'figures'> & { figures: Readonly<Record<string, number>> }

/** Converts a stored comparator, in which former labels become keys. */
export function parseStoredComparator({ figures, ...school }: StoredComparator): Comparator {
  return { ...school, figures: Object.fromEntries(entriesOf(figures).map(([name, figure]) => [formerMeasureLabels[name] ?? name, figure])) }
}

/** The position is given only if there are at least this many comparators, because it would not be meaningful with fewer. */
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
 * Compares a figure with comparators by the proportion of comparators below it; a comparator with an equal figure counts half. The median
 * of an even number is the mean of the middle two, with halves rounded away from zero.
 * @param own the school's figure as the report shows it; null if unknown
 */
export function compareWithComparators(measure: ComparedMeasure, own: number | null, schools: readonly Comparator[]): ComparatorPosition {
  const parts = partsPerUnit[comparedMeasures[measure].type]
  const figures = schools.flatMap(({ figures: all }) => all[measure] ?? []).sort((a, b) => a - b)
  const count = figures.length
  if (count < minimumComparators) return { band: null, median: null, count }
  const half = Math.floor(count / 2)
  const [low, high] = [requireItemAt(figures, count % 2 ? half : half - 1), requireItemAt(figures, half)]
  const median = divideRounded(low + high, 2) / parts
  if (own === null) return { band: null, median, count }
  const ownFigure = Math.round(own * parts)
  // A comparator below counts 2 and an equal one counts 1, so that no division is needed.
  const below = figures.reduce((sum, one) => sum + (one < ownFigure ? 2 : one === ownFigure ? 1 : 0), 0)
  return { band: describeBand(below, 2 * count), median, count }
}

function describeBand(below: number, of: number): string {
  if (below * 4 < of) return 'in the lowest quarter'
  if (below * 2 < of) return 'below the middle'
  if (below * 2 === of) return 'in the middle'
  return below * 4 <= of * 3 ? 'above the middle' : 'in the highest quarter'
}
