import { calendarYear, type Day, formatPeriodMonth, type Period, toIsoDate } from '../../values/calendar.ts'
import { displayFigure } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'

/** Formats a day for a sentence about a month: `1 September`, with the year if it is not that of the month. */
export function formatDay(day: Day, month: Period): string {
  const iso = toIsoDate(day)
  const words = `${Number(iso.slice(8, 10))} ${formatPeriodMonth(Number(iso.slice(5, 7)), 1)}`
  return calendarYear(day) === calendarYear(month.first) ? words : `${words} ${calendarYear(day)}`
}

/** Formats an FTE or hours without trailing zeros: 0.6, 27.5. */
export function formatFraction(value: number): string {
  return String(Math.round(value * 1_000_000) / 1_000_000)
}

/** Formats whole pennies with a sign, such as `+132.50` or `−132.50`. */
export function formatSignedFigure(pennies: Pennies): string {
  return `${pennies > 0 ? '+' : ''}${displayFigure(pennies)}`
}
