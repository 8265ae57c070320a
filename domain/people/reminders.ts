import { daysInMonth, type IsoDate } from '../values/calendar.ts'

/**
 * Finds the day of the month on which a reminder is due; null if it is not due in that month. A recurring reminder is due every year from
 * its first date. One for 29 February is due on 28 February in years without a leap day (behaviour B-260).
 * @param month 1 to 12
 */
export function findReminderDay(
  { when, isRecurring }: { when: IsoDate; isRecurring: boolean },
  year: number,
  month: number,
): IsoDate | null {
  const [firstYear = 0, ownMonth = 0, day = 0] = when.split('-').map(Number)
  if (ownMonth !== month || (isRecurring ? year < firstYear : year !== firstYear)) return null
  const fits = Math.min(day, daysInMonth(year, month))
  return `${year}-${String(month).padStart(2, '0')}-${String(fits).padStart(2, '0')}`
}
