import { assertDefined } from '../../domain/values/assertDefined.ts'
import { toPennies } from '../../domain/values/format.ts'
import type { Pennies } from '../../domain/values/units.ts'
import type { api } from '../shell/api.ts'
import type { BudgetSummary } from './HeadlineFigures.tsx'

export type TreeCategory = Awaited<ReturnType<typeof api.overview.tree.query>>[number]

/** A figure of the tree: the sum that could be calculated in whole pennies, and the number of monthly figures missing from it. */
export interface TreeFigure {
  pennies: Pennies
  missing: number
}

/** What the columns show: the budget's years, or the months of one year, given by its index. */
export type TreeColumns = 'years' | number
export type TreeUnit = 'pounds' | 'perPupil' | 'percent'

const addFigures = (figures: readonly TreeFigure[]): TreeFigure => ({
  pennies: figures.reduce((sum, one) => sum + one.pennies, 0),
  missing: figures.reduce((sum, one) => sum + one.missing, 0),
})

/** Returns the figures of a code, or of one of its sources, in column order. */
export function listColumnFigures(
  node: { years: { total: number; missing: number }[]; months: (number | null)[][] },
  columns: TreeColumns,
): TreeFigure[] {
  if (columns === 'years') return node.years.map(({ total, missing }) => ({ pennies: toPennies(total), missing }))
  return (node.months[columns] ?? []).map((amount) => ({
    pennies: amount === null ? 0 : toPennies(amount),
    missing: amount === null ? 1 : 0,
  }))
}

/** Sums rows by column. */
export function sumColumns(rows: readonly TreeFigure[][]): TreeFigure[] {
  return (rows[0] ?? []).map((_figure, column) => addFigures(rows.map((row) => assertDefined(row[column]))))
}

export const subtractFigures = (a: readonly TreeFigure[], b: readonly TreeFigure[]): TreeFigure[] =>
  a.map((one, column) => ({ pennies: one.pennies - (b[column]?.pennies ?? 0), missing: one.missing + (b[column]?.missing ?? 0) }))

/**
 * Finds the number by which figures in a unit are divided: the pupils of the year, or its income in pennies; null if the unit has no
 * divisor.
 */
export function findUnitDivisor(
  overview: BudgetSummary,
  { unit, columns, column }: { unit: TreeUnit; columns: TreeColumns; column: number },
): number | null {
  const year = overview.years[columns === 'years' ? column : columns]
  if (unit === 'perPupil') return year?.pupils || null
  return year && year.income > 0 ? toPennies(year.income) : null
}
