import type { StaffContract } from '../budget/budget.ts'
import { calculationType } from '../lookups/lookupIds.ts'
import { type Day, findBudgetBounds, findEffectiveRow, toDay } from '../values/calendar.ts'

export interface FullTimeDefinition {
  calculationType: number
  fullTimeHours: number
  fullTimeWeeks: number
}

/**
 * Mean FTE of a contract over the days of a budget year, to six decimals. It uses the FTE of the row that applies on each paid day
 * (rules.md §2 and §4). A planned saving is negative, like its cost.
 * @param year calendar year in which the budget year begins
 */
export function calculateMeanFte(
  contract: StaffContract,
  { type, year, startMonth }: { type: FullTimeDefinition; year: number; startMonth: number },
): number {
  const { first, last } = findBudgetBounds(year, 1, startMonth)
  const rows = contract.salary.map((row) => ({ row, from: toDay(row.effectiveDate) }))
  const [start, end] = [toDay(contract.startDate), contract.endDate === null ? last : toDay(contract.endDate)]
  let sum = 0
  for (let day: Day = Math.max(first, start); day <= Math.min(last, end); day++) {
    const found = findEffectiveRow(rows, day)
    if (!found || (found.row.calculationCeaseDate !== null && day > toDay(found.row.calculationCeaseDate))) continue
    sum += fteOfRow(found.row, type)
  }
  const mean = Math.round((sum / (last - first + 1)) * 1_000_000) / 1_000_000
  return contract.attritionContract && mean ? -mean : mean
}

function fteOfRow({ fte, hoursPerWeek, weeksPerYear }: StaffContract['salary'][number], type: FullTimeDefinition): number {
  if (type.calculationType === calculationType.fte) return fte ?? 1
  return ((hoursPerWeek ?? type.fullTimeHours) / type.fullTimeHours) * ((weeksPerYear ?? type.fullTimeWeeks) / type.fullTimeWeeks)
}
