import { findBudgetYearOfDate, type IsoDate } from '../values/calendar.ts'
import type { BudgetHead } from './budget.ts'

/**
 * The budget year that a funding table's rates are for, from 0; negative for years before the budget (rules.md §12). It follows from the
 * date from which the budget uses the table or, if there is none, from the table's own effective date.
 * @param ownDate effective date of the table. Without any date the rates are for the first budget year.
 */
export function findFundingYear(
  { elements, firstYear, startMonth }: Pick<BudgetHead, 'elements' | 'firstYear' | 'startMonth'>,
  tableId: number,
  ownDate: IsoDate | null,
): number {
  const [named] = elements.localAuthorityFundingRates
    .filter((row) => row.adminTableId === tableId)
    .map((row) => row.effectiveDate)
    .sort()
  const date = named ?? ownDate
  return date ? findBudgetYearOfDate(date, startMonth) - firstYear : 0
}
