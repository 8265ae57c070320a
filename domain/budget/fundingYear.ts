import { budgetYearOfDate, type IsoDate } from '../values/calendar.ts'
import type { BudgetHead } from './budget.ts'

/**
 * The year of a budget that the rates of a funding table are of, from 0; before the budget it is negative (rules.md §12). It is the year
 * of the date from which the budget names the table, else of the table's own date, never of its name.
 * @param ownDate the table's effective date; without any date the table is taken as one of the budget's first year
 */
export function fundingYear(
  { elements, firstYear, startMonth }: Pick<BudgetHead, 'elements' | 'firstYear' | 'startMonth'>,
  tableId: number,
  ownDate: IsoDate | null,
): number {
  const [named] = elements.localAuthorityFundingRates
    .filter((row) => row.adminTableId === tableId)
    .map((row) => row.effectiveDate)
    .sort()
  const date = named ?? ownDate
  return date ? budgetYearOfDate(date, startMonth) - firstYear : 0
}
