import { type Day, isoOf, type Period, periodName, yearOf } from '../../values/calendar.ts'
import { figure } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'

/** A day as a sentence about a month says it: `1 September`, with its year where that is another one. */
export function dayWords(day: Day, month: Period): string {
  const iso = isoOf(day)
  const words = `${Number(iso.slice(8, 10))} ${periodName(Number(iso.slice(5, 7)), 1)}`
  return yearOf(day) === yearOf(month.first) ? words : `${words} ${yearOf(day)}`
}

/** An FTE or hours without zeros at the end: 0.6, 27.5. */
export function fractionWords(value: number): string {
  return String(Math.round(value * 1_000_000) / 1_000_000)
}

/** Whole pennies with their sign, `+132.50` or `−132.50`. */
export function signedFigure(pennies: Pennies): string {
  return `${pennies > 0 ? '+' : ''}${figure(pennies)}`
}
