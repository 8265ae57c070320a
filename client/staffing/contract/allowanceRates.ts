import { firstDayOfMonth, type IsoDate, toIsoDate } from '../../../domain/values/calendar.ts'
import type { LiveInputs } from './draft.ts'

/** A year's value of an allowance in pounds, and the day from which it is that. */
interface AllowanceRate {
  value: string
  from: IsoDate
}

/**
 * What an allowance is worth when a salary row begins, or when the budget does where the row is older; before its first value, that one.
 * @returns undefined for an allowance that the budget does not know
 */
export function allowanceRate(
  { frozen: { budget }, shared }: Pick<LiveInputs, 'frozen' | 'shared'>,
  id: number,
  rowDate: IsoDate | null,
): AllowanceRate | undefined {
  const first = toIsoDate(firstDayOfMonth(budget.firstYear, budget.startMonth))
  const day = rowDate !== null && rowDate > first ? rowDate : first
  const rates = shared.allowances[id]?.rates.toSorted((a, b) => a.effectiveDate.localeCompare(b.effectiveDate)) ?? []
  const rate = rates.findLast(({ effectiveDate }) => effectiveDate <= day) ?? rates[0]
  return rate && { value: rate.value, from: rate.effectiveDate }
}
