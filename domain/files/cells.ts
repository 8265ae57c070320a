import type { CalendarMonth } from '../monitoring/monitoring.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { type IsoDate, isDate } from '../values/calendar.ts'
import { dayInLondon, toPennies } from '../values/format.ts'
import type { Pennies } from '../values/units.ts'
import { explainSpoiltCell } from './spoilt.ts'

/** The largest amount allowed in one cell, in whole pennies. */
const largestPennies = 1_000_000_000_000

/** The value of a cell, or a sentence about why it cannot be read. */
export type CellReading<T> = { value: T } | { problem: string }

const shortMonths = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The number of the month whose English name begins with `name`, 1 to 12; 0 if none does. */
function parseMonthName(name: string): number {
  return shortMonths.indexOf(name.slice(0, 3).toLowerCase()) + 1
}

/** Whether a cell looks like a date. Spreadsheets turn codes such as `3-10` or `MAR10` into dates. */
export function looksLikeDate(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}([ T]|$)/.test(text) ||
    /^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}$/.test(text) ||
    /^(\d{1,2}[- ])?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ]\d{2,4}$/i.test(text) ||
    /^\d{1,2}[- ](jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$/i.test(text)
  )
}

/** Explains what a spreadsheet has done to a code and how to correct it; null if the cell may be a correct code. */
export function explainMangledCode(text: string): string | null {
  if (looksLikeDate(text)) return 'The spreadsheet has turned this code into a date. Format the column as text and enter the code again.'
  if (/[\r\n]/.test(text)) return 'This code runs over several lines. Put it on one line.'
  return explainShortenedCode(text)
}

/** Explains how to correct a long code that a spreadsheet has put in exponent notation; null if the cell may be a correct code. */
export function explainShortenedCode(text: string): string | null {
  return /^-?\d(?:\.\d+)?E\+\d{1,3}$/i.test(text)
    ? 'The spreadsheet has shortened this code, so different codes may look the same. Format the column as text and enter the code again.'
    : null
}

/** A number as its digits before and after the decimal point. */
export interface ParsedDecimal {
  isNegative: boolean
  whole: string
  decimals: string
}

/** Replaces full-width characters and typographic minus signs by their ASCII forms. */
function replaceUnusualSigns(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/\uFFE1/g, '£')
    .replace(/[\u2010-\u2015\u2212\uFE63]/g, '-')
    .replace(/\s/g, ' ')
    .trim()
}

/**
 * Reads a number as ledgers, payrolls and people write it: `1234.5`, `£1,234.50`, `(1,234.50)`, `1,234.50-`, `1,234.50 CR`. Commas separate
 * thousands, or Indian digit groups as in `1,23,456`. A decimal comma is refused, because `1,5` could be read as fifteen.
 * @returns null for anything else
 */
export function readDecimal(text: string): ParsedDecimal | null {
  let rest = replaceUnusualSigns(text).replace(/£|\bGBP\b/gi, '')
  let minuses = 0
  const take = (sign: RegExp, isMinus: (found: string) => boolean): void => {
    const found = sign.exec(rest)
    if (!found) return
    if (isMinus(found[0])) minuses++
    rest = rest.replace(sign, '').trim()
  }
  rest = rest.trim()
  take(/\s*\b(?:CR|DR)\.?$|^(?:CR|DR)\b\.?\s*|(?<=\d)(?:CR|DR)\.?$/i, (found) => /cr/i.test(found))
  if (/^\(.*\)$/.test(rest)) {
    minuses++
    rest = rest.slice(1, -1).trim()
  }
  take(/^[-+]\s*|\s*-$/, (found) => found.includes('-'))
  const power = /^(\d{1,20}(?:\.\d{1,20})?)E(-?\d{1,2})$/i.exec(rest)
  if (power) rest = expandExponent(assertDefined(power[1]), Number(power[2]))
  const match = /^(\d+|\d{1,3}(?:[ ,]\d{3})+|\d{1,2}(?:,\d\d)+,\d{3})?(?:\.(\d*))?$/.exec(rest)
  // Two minus signs are ambiguous.
  if (!match || (match[1] === undefined && !match[2]) || minuses > 1) return null
  return { isNegative: minuses === 1, whole: (match[1] ?? '0').replace(/[ ,]/g, ''), decimals: (match[2] ?? '').replace(/0+$/, '') }
}

/**
 * Writes a number without its exponent: `1.5` with −3 is 0.0015. Spreadsheets write `1.5E+06` for a number that they have truncated;
 * programs write `1E6` for an exact one.
 */
function expandExponent(digits: string, power: number): string {
  const [whole = '', decimals = ''] = digits.split('.')
  const all = whole + decimals
  const point = whole.length + power
  if (point <= 0) return `0.${'0'.repeat(-point)}${all}`
  return `${all.slice(0, point).padEnd(point, '0')}.${all.slice(point)}`
}

const plain = /^(-?)(\d+)(?:\.(\d{1,2}))?$/

export const notAnAmount = 'This is not an amount. Enter pounds, such as 1234.50.'

/**
 * Reads an amount from any file, call or connection with `readDecimal`. An empty cell, `nil`, `none` and a dash with or without a pound
 * sign are zero. Floating-point noise is ignored; a real fraction of a penny is a problem and is never rounded silently.
 * @returns whole pennies
 */
export function readAmount(text: string): CellReading<number> {
  const trimmed = text.trim()
  const quick = plain.exec(trimmed)
  if (quick) return amountOf({ isNegative: Boolean(quick[1]), whole: assertDefined(quick[2]), decimals: quick[3] ?? '' }, trimmed)
  if (/^(?:nil|none)?$/i.test(trimmed) || /^\(?-{1,2}\)?$/.test(replaceUnusualSigns(trimmed).replace(/[£ ]/g, ''))) return { value: 0 }
  const spoilt = explainSpoiltCell(trimmed)
  if (spoilt) return { problem: spoilt }
  if (looksLikeDate(trimmed))
    return { problem: 'The spreadsheet has turned this amount into a date. Format the column as a number and enter the amount again.' }
  if (/%$/.test(trimmed)) return { problem: 'This is a percentage, not an amount. Enter pounds, such as 1234.50.' }
  if (/\dE\+\d/i.test(trimmed))
    return {
      problem: 'The spreadsheet has shortened this amount. Format the column as a number with two decimal places, and save the file again.',
    }
  const decimal = readDecimal(trimmed)
  return decimal ? amountOf(decimal, trimmed) : { problem: notAnAmount }
}

function amountOf({ isNegative, whole, decimals }: ParsedDecimal, text: string): CellReading<number> {
  const fraction = decimals.slice(2)
  const roundsUp = fraction >= '5'
  const pennies = Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0')) + (roundsUp ? 1 : 0)
  if (pennies >= largestPennies) return { problem: `${text} is too large. Enter less than £10 billion.` }
  const value = isNegative && pennies ? -pennies : pennies
  if (fraction && !/^(?:0{4}|9{4})/.test(fraction)) {
    const behind = Number(`0.00${fraction}`)
    const difference = Number((roundsUp ? 0.01 - behind : behind).toPrecision(6))
    return {
      problem: `This amount has a fraction of a penny. Rounded, it is ${(value / 100).toFixed(2)}, a difference of ${difference} pounds. Enter the rounded amount if it is correct.`,
    }
  }
  return { value }
}

/**
 * For birthdays, two-digit years up to this one are in this century and later ones in the last, because nobody born later can be employed
 * yet.
 */
const youngestBirth = 20
/** For other dates, two-digit years from this one on are in the twentieth century. */
const oldestDate = 70

function fullYear(digits: string, isBirthday: boolean): number {
  const year = Number(digits)
  if (digits.length > 2) return year
  return year > (isBirthday ? youngestBirth : oldestDate - 1) ? 1900 + year : 2000 + year
}

const timeOfZone = /^[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)? ?(?:Z|UTC|GMT|([+-])(\d{2})(?::?(\d{2}))?)$/i

/** The London day of a time with a zone: late on 31 August in UTC is already September in London. */
function toLondonDay(day: IsoDate, time: string): IsoDate {
  const [whole, hours, minutes, seconds = '0', sign, ahead = '0', more = '0'] = timeOfZone.exec(time) ?? []
  if (!whole) return day
  const offset = (Number(ahead) * 60 + Number(more)) * (sign === '-' ? -1 : 1)
  const moment = Date.parse(`${day}T00:00:00Z`) + ((Number(hours) * 60 + Number(minutes) - offset) * 60 + Number(seconds)) * 1000
  return dayInLondon(new Date(moment))
}

/**
 * Reads a date, day before month. A time with a zone counts as its day in London.
 * @returns null for an empty cell
 */
export function readDate(text: string, { isBirthday = false }: { isBirthday?: boolean } = {}): CellReading<IsoDate | null> {
  const trimmed = text.trim()
  if (!trimmed) return { value: null }
  const spoilt = explainSpoiltCell(trimmed)
  if (spoilt) return { problem: spoilt }
  // Eight digits are year, month and day: read as day, month and year, they would not be a date of this or the last century.
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})([ T].*)?$/.exec(trimmed) ?? /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(trimmed)
  const numbers = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})( .*)?$/.exec(trimmed)
  const words = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -](\d{2}|\d{4})( .*)?$/i.exec(trimmed)
  const parts = iso
    ? [Number(iso[1]), Number(iso[2]), Number(iso[3])]
    : numbers
      ? [fullYear(assertDefined(numbers[3]), isBirthday), Number(numbers[2]), Number(numbers[1])]
      : words && parseMonthName(assertDefined(words[2]))
        ? [fullYear(assertDefined(words[3]), isBirthday), parseMonthName(assertDefined(words[2])), Number(words[1])]
        : null
  if (!parts) return { problem: 'This is not a valid date. Enter day, month and year, such as 30/11/2026.' }
  const date = `${parts[0]}-${String(parts[1]).padStart(2, '0')}-${String(parts[2]).padStart(2, '0')}`
  if (!isDate(date)) return { problem: 'This day does not exist. Correct the date, day before month, such as 30/11/2026.' }
  if (isBirthday && assertDefined(parts[0]) > 2000 + youngestBirth)
    return { problem: `Nobody born in ${parts[0]} can be working yet. Correct the year.` }
  return { value: toLondonDay(date, (iso ?? numbers ?? words)?.[4] ?? '') }
}

/** A month named in a line above a table: a calendar month, or a period of a budget year. */
export type NamedMonth = CalendarMonth | { period: number; firstYear: number }

const monthNames =
  '(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)'
/**
 * In `September 27`, 27 is the year only if it follows a dash, an apostrophe or a day of the month, or if the rest of the line is only
 * `Period` or `Month`. In `To September 27` it may be a day.
 */
const namedMonths = [
  new RegExp(`\\b${monthNames}\\.?[ -]*(20\\d\\d)\\b`, 'gi'),
  new RegExp(`\\b${monthNames}\\.?(?:-| ?['’])([2-6]\\d)\\b(?![/.]?\\d)`, 'gi'),
  new RegExp(`(?:^|\\b(?:period|month)[ .:]+)${monthNames}\\.? ([2-6]\\d)$`, 'gi'),
  new RegExp(`\\b\\d{1,2}(?:st|nd|rd|th)?[ -]${monthNames}\\.?[ -]([2-6]\\d)\\b(?![/.]?\\d)`, 'gi'),
]
const namedDays = /\b\d{1,2}[/.-](\d{1,2})[/.-](20\d\d|[2-6]\d)\b(?!\d)/g
const isoMonths = /\b(20\d\d)-(\d{2})(?:-\d{2})?\b/g
const join = ' ?(?:to|until|through|-|–) ?'
const periods = new RegExp(`\\b(?:periods?|p|months?)[ .:]*(\\d{1,2})(?:${join}(?:periods? |p|month )?(\\d{1,2}))?\\b(.*)$`, 'i')
const monthRange = new RegExp(`\\b${monthNames}\\.?${join}${monthNames}\\b`, 'i')

/** The number of characters of a line above a table that are searched. Titles are short, and long lines would be slow to match. */
const longestTitle = 200

/** The first of two years in a text such as `2027/28`, `27-28` or `2027 - 2028`; undefined if the second year does not follow the first. */
function findFirstYear(text: string): number | undefined {
  const years = [...text.matchAll(/\b(?:20)?(\d\d) ?[/-] ?(?:20)?(\d\d)\b/g)].find(([, one, next]) => Number(next) === Number(one) + 1)
  return years && 2000 + Number(years[1])
}

/**
 * The months named in a line above a table, in order. If the line uses several notations for months, those in only one of them are
 * returned.
 */
function listNamedMonths(line: string): NamedMonth[] {
  const text = line.slice(0, longestTitle)
  // A line about when a report was printed does not name its period.
  if (/\b(print|run|produced|created|extracted|generated|report date)/i.test(text)) return []
  const [, first, last, rest = ''] = periods.exec(text) ?? []
  const firstYear = findFirstYear(rest)
  const numbers = [first, last].flatMap((one) => (one === undefined ? [] : [Number(one)]))
  if (firstYear && numbers.length && numbers.every(isMonthNumber)) return numbers.map((period) => ({ period, firstYear }))
  for (const words of namedMonths) {
    const named = [...text.matchAll(words)].map(([, name, year]) => toNamedMonth(year, parseMonthName(assertDefined(name))))
    if (named.length) return named
  }
  const days = [...text.matchAll(namedDays)].map(([, month, year]) => toNamedMonth(year, Number(month)))
  const iso = [...text.matchAll(isoMonths)].map(([, year, month]) => toNamedMonth(year, Number(month)))
  return [days, iso].find((one) => one.length && one.every(({ month }) => isMonthNumber(month))) ?? []
}

const isMonthNumber = (month: number): boolean => month >= 1 && month <= 12

const toNamedMonth = (year: string | undefined, month: number): CalendarMonth => ({ year: (Number(year) % 2000) + 2000, month })

/**
 * Finds the month named in a line above a table; of several months the last, because a range ends with its month.
 * @returns null if the line names no month
 */
export const findNamedMonth = (line: string): NamedMonth | null => listNamedMonths(line).at(-1) ?? null

/** Whether a line above a table names a range of several months, such as `01/09/2027 to 30/11/2027` or `Periods 1 to 3 2027/28`. */
export function namesSeveralMonths(line: string): boolean {
  const text = line.slice(0, longestTitle)
  const months = listNamedMonths(text)
  if (new Set(months.map((one) => JSON.stringify(one))).size < 2) return monthRange.test(text)
  const marked = [...namedMonths, namedDays, isoMonths].reduce((rest, words) => rest.replace(words, '#'), text)
  return months.some((one) => 'period' in one) || rangeOfMarks.test(marked)
}

const rangeOfMarks = new RegExp(`#${join}(?:the )?(?:\\d{1,2}(?:st|nd|rd|th)? )?#`, 'i')

/** Converts a period of a budget year to its calendar month. @param startMonth of the budget year, 1 to 12 */
export function toCalendarMonth(named: NamedMonth, startMonth: number): CalendarMonth {
  if ('month' in named) return named
  const index = startMonth - 1 + named.period - 1
  return { year: named.firstYear + Math.floor(index / 12), month: (index % 12) + 1 }
}

/** Converts pounds to whole pennies; null unless the value is an exact number of pennies below `limit` pounds. */
export function toPenniesBelow(limit: number, value: unknown): Pennies | null {
  if (typeof value !== 'number' || Math.abs(value) >= limit) return null
  try {
    return toPennies(value)
  } catch {
    return null
  }
}
