import type { LocationYear } from './figures.ts'
import { type MonitoringLine, openingName } from './rows.ts'

/** The figures that a location can be shown by. */
export type FigureOfLocation = 'budgetToDate' | 'actualToDate' | 'commitments' | 'variance' | 'fullYearBudget' | 'forecast'

/**
 * One figure of a location, row by row: whole pennies, and null where nothing was imported that it would be made of, which is not nothing.
 * Actuals are of every closed month up to the chosen one, commitments of the chosen month alone (rules.md §17), and those may be in before its
 * actuals are. What the year begins with is known without either.
 */
export function columnOf(
  rows: readonly MonitoringLine[],
  figure: FigureOfLocation,
  { closed, period }: Pick<LocationYear, 'closed' | 'period'>,
): (number | null)[] {
  const isKnown = {
    actualToDate: () => closed.slice(0, period).includes(true),
    commitments: () => Boolean(closed[period - 1]) || rows.some((row) => row.commitments !== 0),
  }
  const isWhole = figure === 'actualToDate' || figure === 'commitments' ? isKnown[figure]() : true
  return rows.map((row) => (isWhole || (figure === 'actualToDate' && row.description === openingName) ? row[figure] : null))
}
