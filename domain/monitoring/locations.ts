import type { LocationYear } from './figures.ts'
import { broughtForwardLabel, type MonitoringTableRow } from './rows.ts'

export type LocationFigure = 'budgetToDate' | 'actualToDate' | 'commitments' | 'variance' | 'fullYearBudget' | 'forecast'

/**
 * Lists one figure of a location, row by row, in whole pennies. Actuals and commitments are null, not 0, if they have not been imported.
 * Actuals cover every closed month up to the chosen month. Commitments are those of the chosen month only (rules.md §17) and may be
 * imported before its actuals. The balance brought forward is never null.
 */
export function listLocationFigures(
  rows: readonly MonitoringTableRow[],
  figure: LocationFigure,
  { closed, period }: Pick<LocationYear, 'closed' | 'period'>,
): (number | null)[] {
  const isKnown = {
    actualToDate: () => closed.slice(0, period).includes(true),
    commitments: () => Boolean(closed[period - 1]) || rows.some((row) => row.commitments !== 0),
  }
  const isWhole = figure === 'actualToDate' || figure === 'commitments' ? isKnown[figure]() : true
  return rows.map((row) => (isWhole || (figure === 'actualToDate' && row.description === broughtForwardLabel) ? row[figure] : null))
}
