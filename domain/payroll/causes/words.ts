import { calendarYear, type Day, type Period, periodName, toIsoDate } from '../../values/calendar.ts'
import { displayFigure } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'

/** A day as a sentence about a month says it: `1 September`, with its year where that is another one. */
export function dayWords(day: Day, month: Period): string {
  const iso = toIsoDate(day)
  const words = `${Number(iso.slice(8, 10))} ${periodName(Number(iso.slice(5, 7)), 1)}`
  return calendarYear(day) === calendarYear(month.first) ? words : `${words} ${calendarYear(day)}`
}

/** An FTE or hours without zeros at the end: 0.6, 27.5. */
export function fractionWords(value: number): string {
  return String(Math.round(value * 1_000_000) / 1_000_000)
}

/** Whole pennies with their sign, `+132.50` or `−132.50`. */
export function signedFigure(pennies: Pennies): string {
  return `${pennies > 0 ? '+' : ''}${displayFigure(pennies)}`
}
