import { assertDefined } from '../../domain/values/assertDefined.ts'
import { toPennies } from '../../domain/values/format.ts'
import type { Pennies } from '../../domain/values/units.ts'
import type { api } from '../shell/api.ts'
import type { Overview } from './Headlines.tsx'

export type Category = Awaited<ReturnType<typeof api.overview.tree.query>>[number]

/** A figure of the tree: the whole pennies that could be calculated, and the number of monthly figures missing. */
export interface Figure {
  pennies: Pennies
  missing: number
}

/** What the columns show: the budget's years, or the months of the year with this index. */
export type Columns = 'years' | number
export type Unit = 'pounds' | 'perPupil' | 'percent'

const add = (figures: readonly Figure[]): Figure => ({
  pennies: figures.reduce((sum, one) => sum + one.pennies, 0),
  missing: figures.reduce((sum, one) => sum + one.missing, 0),
})

/** The figures of a code, or of one of its sources, in column order. */
export function across(node: { years: { total: number; missing: number }[]; months: (number | null)[][] }, columns: Columns): Figure[] {
  if (columns === 'years') return node.years.map(({ total, missing }) => ({ pennies: toPennies(total), missing }))
  return (node.months[columns] ?? []).map((amount) => ({
    pennies: amount === null ? 0 : toPennies(amount),
    missing: amount === null ? 1 : 0,
  }))
}

/** Column totals of some rows. */
export function sums(rows: readonly Figure[][]): Figure[] {
  return (rows[0] ?? []).map((_figure, column) => add(rows.map((row) => assertDefined(row[column]))))
}

export const minus = (a: readonly Figure[], b: readonly Figure[]): Figure[] =>
  a.map((one, column) => ({ pennies: one.pennies - (b[column]?.pennies ?? 0), missing: one.missing + (b[column]?.missing ?? 0) }))

/** The divisor for a unit: pupils of the year, or its income in pennies; null if the unit has none. */
export function divisor(overview: Overview, { unit, columns, column }: { unit: Unit; columns: Columns; column: number }): number | null {
  const year = overview.years[columns === 'years' ? column : columns]
  if (unit === 'perPupil') return year?.pupils || null
  return year && year.income > 0 ? toPennies(year.income) : null
}
