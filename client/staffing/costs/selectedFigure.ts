import { type CostLine, sumLinesByMonth, sumYear } from '../../../domain/calculation/staffing/lines.ts'
import { requireItemAt } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear, formatPeriodMonth } from '../../../domain/values/calendar.ts'

/** A figure of a contract's cost whose derivation can be opened. */
export interface SelectedFigure {
  /** The cost line; null for the total of all lines. */
  line: CostLine['figure'] | null
  year: number
  /** Index from the first month of the budget; null for the whole year. */
  month: number | null
}

/** The figure whose derivation is open, and how to open another. */
export interface FigureSelection {
  selected: SelectedFigure | null
  lines: readonly CostLine[]
  budget: { firstYear: number; startMonth: number }
  onSelect: (figure: SelectedFigure | null) => void
}

/** The month or year of a figure in words. */
export function describeFigurePeriod({ year, month }: SelectedFigure, { firstYear, startMonth }: FigureSelection['budget']): string {
  const name = formatBudgetYear(firstYear, year)
  return month === null ? name : `${formatPeriodMonth(startMonth, (month % 12) + 1)} of ${name}`
}

/** The cost line and value of a figure; undefined if an edit has removed the line. */
export function findFigure(
  lines: readonly CostLine[],
  { line: figure, year, month }: SelectedFigure,
): { line: CostLine | null; pennies: number | null } | undefined {
  const line = lines.find((one) => one.figure === figure) ?? null
  if (figure !== null && !line) return undefined
  const months = line?.months ?? sumLinesByMonth(lines)
  return { line, pennies: month === null ? sumYear(months, year) : requireItemAt(months, month) }
}
