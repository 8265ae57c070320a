import type { StaffContract } from '../budget/budget.ts'
import { calculationType } from '../lookups/lookupIds.ts'
import { budgetBounds, type Day, effectiveRow, toDay } from '../values/calendar.ts'

/** What a contract type counts as working full time. */
export interface FullTime {
  calculationType: number
  fullTimeHours: number
  fullTimeWeeks: number
}

/**
 * Mean full-time equivalent of a contract over the days of a budget year, to six decimals: the share of each row that is in force, on the
 * days on which it is paid (rules.md §2 and §4). A planned saving counts negative, as its cost does.
 * @param year the calendar year in which the budget year begins
 */
export function meanFte(contract: StaffContract, { type, year, startMonth }: { type: FullTime; year: number; startMonth: number }): number {
  const { first, last } = budgetBounds(year, 1, startMonth)
  const rows = contract.salary.map((row) => ({ row, from: toDay(row.effectiveDate) }))
  const [start, end] = [toDay(contract.startDate), contract.endDate === null ? last : toDay(contract.endDate)]
  let sum = 0
  for (let day: Day = Math.max(first, start); day <= Math.min(last, end); day++) {
    const found = effectiveRow(rows, day)
    if (!found || (found.row.calculationCeaseDate !== null && day > toDay(found.row.calculationCeaseDate))) continue
    sum += shareOf(found.row, type)
  }
  const mean = Math.round((sum / (last - first + 1)) * 1_000_000) / 1_000_000
  return contract.attritionContract && mean ? -mean : mean
}

function shareOf({ fte, hoursPerWeek, weeksPerYear }: StaffContract['salary'][number], type: FullTime): number {
  if (type.calculationType === calculationType.fte) return fte ?? 1
  return ((hoursPerWeek ?? type.fullTimeHours) / type.fullTimeHours) * ((weeksPerYear ?? type.fullTimeWeeks) / type.fullTimeWeeks)
}
