import { firstDayOfMonth, type IsoDate, toIsoDate } from '../../../domain/values/calendar.ts'
import type { CostingInputs } from './costingInputs.ts'

/** An allowance's annual value in pounds, and the date from which it applies. */
interface AllowanceRate {
  value: string
  from: IsoDate
}

/**
 * The value of an allowance when a salary row starts, or when the budget starts if that is later. Before the
 * allowance's first value, that first value applies.
 * @returns undefined if the budget does not have the allowance
 */
export function findAllowanceRate(
  { frozen: { budget }, shared }: Pick<CostingInputs, 'frozen' | 'shared'>,
  id: number,
  rowDate: IsoDate | null,
): AllowanceRate | undefined {
  const first = toIsoDate(firstDayOfMonth(budget.firstYear, budget.startMonth))
  const day = rowDate !== null && rowDate > first ? rowDate : first
  const rates = shared.allowances[id]?.rates.toSorted((a, b) => a.effectiveDate.localeCompare(b.effectiveDate)) ?? []
  const rate = rates.findLast(({ effectiveDate }) => effectiveDate <= day) ?? rates[0]
  return rate && { value: rate.value, from: rate.effectiveDate }
}
