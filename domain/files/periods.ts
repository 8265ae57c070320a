import { type CalendarMonth, toMonthIndex } from '../monitoring/monitoring.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { Cells } from './headings.ts'
import { isMoneyColumn } from './money.ts'

const shortMonths = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthWord =
  /\b(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b/i

/**
 * The period that a row names. A number alone is a period of the budget year. A month name, or a number with a calendar year, is a calendar
 * month.
 */
export interface NamedPeriod {
  period?: number
  /** Calendar month, 1 to 12. */
  month?: number
  /** Calendar year. */
  year?: number
  /** The calendar year in which the budget year begins. */
  firstYear?: number
  /** A single year that may be a calendar year or the year in which a budget year begins. */
  someYear?: number
}

const fullYear = (text: string): number => (text.length === 2 ? 2000 + Number(text) : Number(text))
const isMonth = (number: number): boolean => number >= 1 && number <= 12

/** Reads a year, such as `2027/28`, `2027` or `FY27`; null if the text is not a year. */
function parseYear(text: string): Pick<NamedPeriod, 'firstYear' | 'someYear'> | null {
  const both = /^(?:fy ?|year ?)?(20\d\d|\d\d) ?[/-] ?(20\d\d|\d\d)$/i.exec(text)
  if (both && fullYear(assertDefined(both[2])) === fullYear(assertDefined(both[1])) + 1)
    return { firstYear: fullYear(assertDefined(both[1])) }
  const one = /^(?:fy ?|year ?)?(20\d\d)$|^fy ?(\d\d)$/i.exec(text)
  return one ? { someYear: fullYear(assertDefined(one[1] ?? one[2])) } : null
}

/** Reads a cell of a column of periods or months: `3`, `P03`, `Period 3 2027/28`, `Sep 2027`, `2027-09`, `202703`, `30/09/2027`. */
export function parsePeriod(cell: string): NamedPeriod | null {
  const text = cell.trim()
  const bare = /^(?:tax |pay )?(?:p|m|pd|per|prd|period|month|mth)?[ .:-]*0?(\d{1,2})$/i.exec(text)
  if (bare && isMonth(Number(bare[1]))) return { period: Number(bare[1]) }
  const named = monthWord.exec(text)
  if (named) {
    const month = shortMonths.indexOf(assertDefined(named[1]).slice(0, 3).toLowerCase()) + 1
    const rest = text
      .replace(assertDefined(named[0]), ' ')
      .replace(/[-/,.()]/g, ' ')
      .replace(/\b(?:period|month|mth|p|m) ?0?\d{1,2}\b/i, ' ')
      .trim()
    if (!rest) return { month }
    const year = /(?:^|\s)(20\d\d|\d\d)$/.exec(rest)
    return year && rest.length <= 12 ? { month, year: fullYear(assertDefined(year[1])) } : null
  }
  const iso = /^(20\d\d)-(\d{1,2})(?:-\d{1,2})?(?:[ T].*)?$/.exec(text)
  if (iso && isMonth(Number(iso[2]))) return { year: Number(iso[1]), month: Number(iso[2]) }
  const day = /^(?:\d{1,2}[/.-])?(\d{1,2})[/.-](20\d\d)$/.exec(text) ?? /^\d{1,2}[/.-](\d{1,2})[/.-]([2-6]\d)$/.exec(text)
  if (day && isMonth(Number(day[1]))) return { year: fullYear(assertDefined(day[2])), month: Number(day[1]) }
  const years = /^(\d\d)(\d\d) ?(?:[/. -] ?[pm]?|[pm])0?(\d{1,2})$/i.exec(text)
  // `2021/05` may be May 2021, so the pattern for year and month below reads it.
  const isJoined = /^2021[/. ]\d/.test(text)
  if (years && !isJoined && Number(years[2]) === Number(years[1]) + 1 && isMonth(Number(years[3])))
    return { firstYear: fullYear(assertDefined(years[1])), period: Number(years[3]) }
  const joined = /^(20\d\d)[/.]?0?(\d{1,2})$/.exec(text)
  if (joined && isMonth(Number(joined[2]))) return { someYear: Number(joined[1]), period: Number(joined[2]) }
  const words =
    /^(?:p|m|period|month)[ .:-]*0?(\d{1,2})[ ,/-]+(.+)$/i.exec(text) ??
    /^(20\d\d ?[/-] ?(?:20)?\d\d)[ ,/-]+(?:p|m|period|month)[ .:-]*0?(\d{1,2})$/i.exec(text)
  if (!words) return null
  const [number, year] = /^\d{1,2}$/.test(assertDefined(words[1]))
    ? [Number(words[1]), parseYear(assertDefined(words[2]))]
    : [Number(words[2]), parseYear(assertDefined(words[1]))]
  return year && isMonth(number) ? { period: number, ...year } : null
}

/** Whether at least nine in ten filled cells of a column name a period or a year. */
export function containsPeriods(
  cells: Cells,
  { headingRow, column, isYear }: { headingRow: number; column: number; isYear: boolean },
): boolean {
  let [said, filled] = [0, 0]
  for (let row = headingRow; row < cells.length; row++) {
    const cell = (assertDefined(cells[row])[column] ?? '').trim()
    if (!cell) continue
    filled++
    if (isYear ? parseYear(cell) : parsePeriod(cell)) said++
  }
  return said > 0 && said * 10 >= filled * 9
}

/** Whether a period column contains different values that are not periods, and may therefore separate months. */
export function containsUnknownPeriods(cells: Cells, headingRow: number, column: number): boolean {
  const words = new Set(
    cells.slice(headingRow).flatMap((line) => (/\d/.test(line[column] ?? '') ? [assertDefined(line[column]).trim()] : [])),
  )
  return words.size > 1 && isMoneyColumn(cells, headingRow, column) === 'no'
}

/** The month or period named in the heading of an amount column: `Sep`, `Sep-27 Actual`, `P01`; null if it names none, or a day. */
function parseHeadingPeriod(heading: string): NamedPeriod | null {
  const text = heading.replace(/\bactuals?\b|£/gi, '').trim()
  if (/^\d{1,2}(?:st|nd|rd|th)?[ /.-]?[a-z\d]/i.test(text) && !/^20\d\d-/.test(text)) return null
  const said = parsePeriod(text)
  return said?.someYear === undefined ? said : null
}

/** Whether a heading names a calendar month. */
export const isMonthHeading = (heading: string): boolean => parseHeadingPeriod(heading)?.month !== undefined

/** Whether a heading names the given month. Without a year it matches every year. */
export function headingMatchesMonth(heading: string, wanted: CalendarMonth, startMonth: number): boolean {
  const said = parseHeadingPeriod(heading)
  return said !== null && createPeriodReader([], 0, { period: -1, year: -1, isMonth: true, startMonth }).fits(said, wanted)
}

const planned = /\b(?:budgets?|forecasts?|profiled?|plan(?:ned)?)\b/i

/**
 * Finds the amount columns of a table that has one column for each month. Empty if the headings or titles mention a plan, because the
 * figures may then be planned amounts.
 */
export function findMonthColumns(cells: Cells, headingRow: number): number[] {
  const headings = cells[headingRow - 1] ?? []
  if (cells.slice(0, headingRow).some((line) => line.some((cell) => planned.test(cell)))) return []
  const names = new Set<number>()
  const columns = headings.flatMap((heading, column) => {
    const said = parseHeadingPeriod(heading)
    const name = said?.month ?? said?.period
    const isEmpty = (): boolean => cells.slice(headingRow).every((line) => !line[column]?.trim())
    if (name === undefined || (isMoneyColumn(cells, headingRow, column) !== 'yes' && !isEmpty())) return []
    names.add(name)
    return [column]
  })
  return names.size > 1 ? columns : []
}

/** The columns that name the month of each row, and how months are counted. */
export interface PeriodColumns {
  /** Column numbers from 0; −1 if there is none. */
  period: number
  year: number
  /** Whether the heading of the period column says month. A number with a calendar year is then a calendar month. */
  isMonth: boolean
  /** The calendar month in which budget years begin, 1 to 12. */
  startMonth: number
}

/**
 * Returns functions that read the month of a row and compare it with another month.
 * @returns `read` gives the text of the row's period, and the row's month (null if ambiguous); null if the row names no period
 */
export function createPeriodReader(cells: Cells, headingRow: number, at: PeriodColumns) {
  const saidIn = (line: readonly string[]): { words: string; said: NamedPeriod } | null => {
    const cell = at.period < 0 ? '' : (line[at.period] ?? '').trim()
    const yearCell = at.year < 0 ? '' : (line[at.year] ?? '').trim()
    const words = [cell, yearCell].filter(Boolean).join(' of ')
    const period = cell ? parsePeriod(cell) : {}
    const year = yearCell ? parseYear(yearCell) : {}
    if (!words || !period || !year) return null
    const said = { ...year, ...period }
    // A month name, or a month number with a calendar year, belongs to that calendar year.
    const isCalendar = said.month !== undefined || (at.isMonth && said.someYear !== undefined)
    if (!isCalendar || said.someYear === undefined) return { words, said }
    return { words, said: { month: said.month ?? said.period, year: said.someYear } }
  }
  const years = new Set<number>()
  for (let row = headingRow; row < cells.length; row++) {
    const some = saidIn(assertDefined(cells[row]))?.said.someYear
    if (some !== undefined) years.add(some)
  }
  const monthOf = ({ period, month, year, firstYear, someYear }: NamedPeriod): CalendarMonth | null => {
    if (month !== undefined && year !== undefined) return { year, month }
    const first = firstYear ?? someYear
    if (first === undefined) return null
    const index = period !== undefined ? period - 1 : month !== undefined ? (month - at.startMonth + 12) % 12 : undefined
    if (index === undefined) return null
    const from = at.startMonth - 1 + index
    return { year: first + Math.floor(from / 12), month: (from % 12) + 1 }
  }
  return {
    read: (line: readonly string[]) => {
      const found = saidIn(line)
      return found && { ...found, month: monthOf(found.said) }
    },
    /** Whether the period that a row names is compatible with a month. The month or year may be missing from the row. */
    fits: (said: NamedPeriod, wanted: CalendarMonth): boolean => {
      const place = (wanted.month - at.startMonth + 12) % 12
      const first = wanted.year - (wanted.month < at.startMonth ? 1 : 0)
      const exact = monthOf(said)
      if (exact && said.someYear === undefined) return toMonthIndex(exact) === toMonthIndex(wanted)
      if (said.month !== undefined && said.month !== wanted.month) return false
      if (said.period !== undefined && said.period !== place + 1) return false
      if (said.firstYear !== undefined) return said.firstYear === first
      // A single year means the budget year that begins in it. If no row names the year in which the wanted budget year begins, the year in
      // which it ends matches too.
      if (said.someYear !== undefined) return said.someYear === first || (said.someYear === first + 1 && !years.has(first))
      return said.year === undefined || said.year === wanted.year
    },
  }
}
