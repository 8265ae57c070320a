import { type IsoDate, isDate } from './calendar.ts'
import type { Pennies, Percent, Pounds } from './units.ts'

const shortMonths = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats a date for users: `05 Mar, 2026`. */
export function displayDate(iso: IsoDate | null | undefined): string {
  if (!iso || !isDate(iso.slice(0, 10))) return ''
  return `${iso.slice(8, 10)} ${shortMonths[Number(iso.slice(5, 7)) - 1]}, ${iso.slice(0, 4)}`
}

const hourMs = 3_600_000
const london = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: 'numeric',
  month: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  hourCycle: 'h23',
})

/** London's offset from UTC in milliseconds, by hour since 1970. Cached because `Intl` takes a hundred times as long. */
const utcOffsetCache = new Map<number, number>()
const maxCachedHours = 100_000

/** London's offset from UTC at a given time. Both are in milliseconds. */
function londonOffsetMs(momentMs: number): number {
  const hour = Math.floor(momentMs / hourMs)
  const cached = utcOffsetCache.get(hour)
  if (cached !== undefined) return cached
  const parts = Object.fromEntries(london.formatToParts(new Date(hour * hourMs)).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 0, day = 0, hour: shown = 0 } = parts
  const ahead = Date.UTC(year, month - 1, day, shown) - hour * hourMs
  if (utcOffsetCache.size >= maxCachedHours) utcOffsetCache.clear()
  utcOffsetCache.set(hour, ahead)
  return ahead
}

/**
 * Formats the local date and time in London: `2026-06-03T00:30:12`.
 * @throws RangeError for an invalid moment
 */
export function formatLondonTime(moment: Date | string): string {
  const momentMs = new Date(moment).getTime()
  return new Date(momentMs + londonOffsetMs(momentMs)).toISOString().slice(0, 19)
}

export function dayInLondon(moment: Date | string): IsoDate {
  return formatLondonTime(moment).slice(0, 10)
}

/**
 * Parses a day, or a day and a time. Text without a zone is London time; invalid text gives an invalid date. A time that does not exist
 * because summer time begins becomes an hour later.
 */
export function parseMomentInLondon(text: string): Date {
  const [day, clock = '00:00'] = text.split(/[T ]/)
  if (/Z|[+-]\d{2}:?\d{2}$/.test(clock)) return new Date(`${day}T${clock}`)
  const asUtc = Date.parse(`${day}T${clock}Z`)
  if (Number.isNaN(asUtc)) return new Date(Number.NaN)
  const ahead = [hourMs, 0].find((one) => londonOffsetMs(asUtc - one) === one) ?? 0
  return new Date(asUtc - ahead)
}

/** Converts a day, or a day and a time, to the day in London; null if the date does not exist. */
export function parseDayInLondon(text: string): IsoDate | null {
  const moment = parseMomentInLondon(text)
  return isDate(text.slice(0, 10)) && !Number.isNaN(moment.getTime()) ? dayInLondon(moment) : null
}

/** Formats a moment for users, in London time: `05 Mar 2026, 09:07`. */
export function displayDateTime(moment: Date | string): string {
  const clock = formatLondonTime(moment)
  return `${clock.slice(8, 10)} ${shortMonths[Number(clock.slice(5, 7)) - 1]} ${clock.slice(0, 4)}, ${clock.slice(11, 16)}`
}

function withThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Formats whole pennies as `1,234.50`, for columns whose heading gives the unit. */
export function displayFigure(pennies: Pennies): string {
  const digits = String(Math.abs(pennies)).padStart(3, '0')
  return `${pennies < 0 ? '−' : ''}${withThousands(digits.slice(0, -2))}.${digits.slice(-2)}`
}

/** Formats whole pennies as `£1,234.50`, with a minus before the pound sign. */
export function displayMoney(pennies: Pennies): string {
  const digits = String(Math.abs(pennies)).padStart(3, '0')
  return `${pennies < 0 ? '−' : ''}£${withThousands(digits.slice(0, -2))}.${digits.slice(-2)}`
}

/** Formats whole pennies as whole pounds, `£1,234`. */
export function displayWholePounds(pennies: Pennies): string {
  const pounds = Math.round(Math.abs(pennies) / 100)
  return `${pennies < 0 && pounds > 0 ? '−' : ''}£${withThousands(String(pounds))}`
}

/** Formats pounds for the axis of a chart: `£2.4m`, `£850k`, `£40` (field.md). */
export function displayAxisPounds(pounds: Pounds): string {
  const size = Math.abs(pounds)
  // Rounding a larger amount to thousands could give £1000k.
  const [by, unit] = size >= 999_950 ? [1_000_000, 'm'] : size >= 1000 ? [1000, 'k'] : [1, '']
  const shown = (unit ? (size / by).toFixed(1) : String(Math.round(size))).replace(/\.0$/, '')
  return `${pounds < 0 && shown !== '0' ? '−' : ''}£${shown}${unit}`
}

/** Formats a change in whole pennies as signed whole pounds, `+£1,234`; an amount that rounds to zero is `£0`. */
export function displaySignedPounds(pennies: Pennies): string {
  const pounds = displayWholePounds(pennies)
  return pennies > 0 && pounds !== '£0' ? `+${pounds}` : pounds
}

/** Converts pounds from the API to whole pennies. @throws RangeError for more than two decimals */
export function toPennies(pounds: Pounds | string): Pennies {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(pounds))
  if (!match) throw new RangeError(`${pounds} is not an amount in pounds and pennies`)
  const pennies = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  return match[1] ? -pennies : pennies
}

const visibleDigits = 3

/** Replaces all but the last three characters of a confidential number by dots; the length stays the same. */
export function maskNumber(number: string): string {
  const covered = Math.max(0, number.length - visibleDigits)
  return '•'.repeat(covered) + number.slice(covered)
}

/** Converts whole pennies to pounds for the API, a JSON number with at most two decimals (notices F-06). */
export function toPounds(pennies: Pennies): Pounds {
  const digits = String(Math.abs(pennies)).padStart(3, '0')
  return Number(`${pennies < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`)
}

function unitsAgo(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

/** Formats a whole number with thousands separators: `11,628`. */
export function displayNumber(count: number): string {
  return withThousands(String(count))
}

/** Formats a number with thousands separators, a typographic minus and at most `most` decimals: `1,234.5`. */
export function displayDecimal(value: number, most = 3): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: most }).replace('-', '−')
}

/** Formats a number with its unit: `5%` or `£5`. */
export function displayWithUnit(value: number, unit: 'percent' | 'pounds'): string {
  const number = displayDecimal(value, 6)
  return unit === 'percent' ? `${number}%` : `£${number}`
}

/** Formats a number with exactly one decimal and a typographic minus: `2.0`. */
export function displayOneDecimal(value: number): string {
  return value.toFixed(1).replace('-', '−')
}

/** Formats a percentage with one decimal: `2.5%`. */
export function displayPercent(value: Percent): string {
  return `${displayOneDecimal(value)}%`
}

/** Joins words for a sentence: `a, b and c`. */
export function displayList(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words.join()
}

/** Formats a number of things: `1 contract`, `14 contracts`. */
export function displayCount(count: number, thing: string, things = `${thing}s`): string {
  return `${withThousands(String(count))} ${count === 1 ? thing : things}`
}

/** Formats how long ago a moment was: just now, minutes, hours, Yesterday, days, weeks, then a date. */
export function formatRelativeTime(moment: Date | string, now: Date): string {
  const seconds = Math.floor((now.getTime() - new Date(moment).getTime()) / 1000)
  if (seconds < -60) return displayDateTime(moment)
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return unitsAgo(Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return unitsAgo(Math.floor(seconds / 3600), 'hour')
  const days = Math.floor(seconds / 86_400)
  if (days === 1) return 'Yesterday'
  if (days < 7) return unitsAgo(days, 'day')
  if (days < 31) return unitsAgo(Math.floor(days / 7), 'week')
  return displayDate(dayInLondon(moment))
}

/** Formats how long ago a day was. Today lasts until midnight in London; a future day is shown as a date. */
export function formatRelativeDay(day: IsoDate, now: Date): string {
  const today = dayInLondon(now)
  if (day === today) return 'Today'
  return day > today ? displayDate(day) : formatRelativeTime(`${day}T00:00:00Z`, new Date(`${today}T00:00:00Z`))
}

/** Returns the greeting for an hour: morning before 12, afternoon before 18, otherwise evening. */
export function greetingForHour(hour: number): string {
  return `Good ${hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'}`
}

/** Builds the file name of an export from a name, usually the plural term, and the time in London (notices K-23). */
export function buildExportFileName(name: string, now: Date): string {
  const time = formatLondonTime(now).replace('T', ' ').replaceAll(':', '-')
  return `${name.replace(/[\\/:*?"<>|]/g, '-')} ${time}.csv`
}
