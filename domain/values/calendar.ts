/** Calendar dates without time or zone (rules.md §1). A `Day` counts days from 1970-01-01; in JSON a date is `YYYY-MM-DD`. */
export type Day = number
export type IsoDate = string

const dayMs = 86_400_000

/** Cached, because contracts repeat the same few hundred dates. */
const dayCache = new Map<IsoDate, Day>()

/** Parses a `YYYY-MM-DD` date. @throws RangeError if the date does not exist */
export function toDay(iso: IsoDate): Day {
  const cached = dayCache.get(iso)
  if (cached !== undefined) return cached
  if (!isDate(iso)) throw new RangeError(`${iso} is not a date`)
  const day = firstDayOfMonth(Number(iso.slice(0, 4)), Number(iso.slice(5, 7))) + Number(iso.slice(8, 10)) - 1
  dayCache.set(iso, day)
  return day
}

/** The first day of a month; `month` is 1 to 12. */
export function firstDayOfMonth(year: number, month: number): Day {
  return Date.UTC(year, month - 1, 1) / dayMs
}

export function calendarYear(day: Day): number {
  return new Date(day * dayMs).getUTCFullYear()
}

export function toIsoDate(day: Day): IsoDate {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** The number of days in a month; `month` is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Whether a text is an existing date in the form `YYYY-MM-DD`. */
export function isDate(iso: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso)
  if (!parts) return false
  const [year, month, date] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return year >= 1900 && month >= 1 && month <= 12 && date >= 1 && date <= daysInMonth(year, month)
}

/** Returns the same day of the month some months later; if that month is shorter, its last day. */
export function addMonths(day: Day, months: number): Day {
  const date = new Date(day * dayMs)
  const index = date.getUTCFullYear() * 12 + date.getUTCMonth() + months
  const year = Math.floor(index / 12)
  const month = (index % 12) + 1
  return Date.UTC(year, month - 1, Math.min(date.getUTCDate(), daysInMonth(year, month))) / dayMs
}

/**
 * Returns the day on which a person reaches an age. A birthday on 29 February falls on 1 March in years without a leap day, as in English
 * law.
 * @param age whole years
 */
export function findBirthdayAtAge(dateOfBirth: IsoDate, age: number): Day {
  const year = Number(dateOfBirth.slice(0, 4)) + age
  return Date.UTC(year, Number(dateOfBirth.slice(5, 7)) - 1, Number(dateOfBirth.slice(8, 10))) / dayMs
}

/** Finds the row with the latest effective date on or before a day (rules.md §1); undefined if there is none. */
export function findEffectiveRow<T extends { from: Day }>(rows: readonly T[], day: Day): T | undefined {
  let best: T | undefined
  for (const row of rows) if (row.from <= day && (!best || row.from > best.from)) best = row
  return best
}

/** One month of a budget: its first and last day, its last day as an ISO date, and its number of days. */
export interface Period {
  first: Day
  last: Day
  lastDate: IsoDate
  days: number
}

/** Lists the periods of a budget, twelve for each year. Period 1 is the start month (rules.md §1). */
export function listBudgetPeriods(firstYear: number, years: number, startMonth: number): Period[] {
  return Array.from({ length: years * 12 }, (_, index) => {
    const month0 = startMonth - 1 + index
    const year = firstYear + Math.floor(month0 / 12)
    const month = (month0 % 12) + 1
    const first = Date.UTC(year, month - 1, 1) / dayMs
    const days = daysInMonth(year, month)
    const last = first + days - 1
    return { first, last, lastDate: toIsoDate(last), days }
  })
}

/** The first and last day of a budget. */
export function findBudgetBounds(firstYear: number, years: number, startMonth: number): { first: Day; last: Day } {
  const first = Date.UTC(firstYear, startMonth - 1, 1) / dayMs
  return { first, last: Date.UTC(firstYear + years, startMonth - 1, 1) / dayMs - 1 }
}

/** The calendar year in which the budget year of a date begins. */
export function findBudgetYearOfDate(date: IsoDate, startMonth: number): number {
  const year = Number(date.slice(0, 4))
  return Number(date.slice(5, 7)) < startMonth ? year - 1 : year
}

/** The first day of the budget year of a date. */
export function findBudgetYearStart(date: IsoDate, startMonth: number): IsoDate {
  return toIsoDate(firstDayOfMonth(findBudgetYearOfDate(date, startMonth), startMonth))
}

/** The name of a budget year, such as `2026/27`. */
export function formatBudgetYear(firstYear: number, index: number): string {
  const year = firstYear + index
  return `${year}/${String((year + 1) % 100).padStart(2, '0')}`
}

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** The name of a period's month; `period` is 1 to 12. */
export function formatPeriodMonth(startMonth: number, period: number): string {
  return monthNames[(startMonth - 1 + period - 1) % 12] ?? ''
}
