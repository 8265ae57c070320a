import { daysInMonth, type IsoDate } from '../values/calendar.ts'

/**
 * The day on which a reminder falls in a month; null when it does not fall there. A recurring one comes back every year from its first on,
 * one of 29 February on 28 February in years without it (behaviour B-260).
 * @param month 1 to 12
 */
export function reminderDay({ when, isRecurring }: { when: IsoDate; isRecurring: boolean }, year: number, month: number): IsoDate | null {
  const [firstYear = 0, ownMonth = 0, day = 0] = when.split('-').map(Number)
  if (ownMonth !== month || (isRecurring ? year < firstYear : year !== firstYear)) return null
  const fits = Math.min(day, daysInMonth(year, month))
  return `${year}-${String(month).padStart(2, '0')}-${String(fits).padStart(2, '0')}`
}
