import { type IsoDate, isDate } from '../calendar.ts'
import { penniesOf } from '../format.ts'
import type { CalendarMonth } from '../monitoring/monitoring.ts'
import { must } from '../must.ts'
import type { Pennies } from '../units.ts'

/** The largest amount of one cell, in whole pennies. */
const largestPennies = 1_000_000_000_000

/** What a cell of a file says, or why it cannot be read, in a sentence. */
export type Read<T> = { value: T } | { problem: string }

const shortMonths = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** 1 to 12, of a name that begins as a month's does; 0 for none. */
function monthNamed(name: string): number {
  return shortMonths.indexOf(name.slice(0, 3).toLowerCase()) + 1
}

/** Whether a cell holds what a spreadsheet makes of `3-10` or `MAR10` when it takes it for a date. */
export function looksLikeDate(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}([ T]|$)/.test(text) ||
    /^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}$/.test(text) ||
    /^(\d{1,2}[- ])?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ]\d{2,4}$/i.test(text) ||
    /^\d{1,2}[- ](jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$/i.test(text)
  )
}

const plain = /^(-?)(\d+)(?:\.(\d{1,2}))?$/

/**
 * An amount as ledgers print it: `1234.5`, `£1,234.50`, `(1,234.50)`, `1,234.50-`, `1,234.50 CR`; nothing and a dash are nothing.
 * @returns whole pennies
 */
export function readAmount(text: string): Read<number> {
  const trimmed = text.trim()
  if (trimmed === '' || /^[-–—]$/.test(trimmed)) return { value: 0 }
  const quick = plain.exec(trimmed)
  if (quick) return amountOf({ whole: must(quick[2]), decimals: quick[3] ?? '', isNegative: Boolean(quick[1]), text: trimmed })
  if (looksLikeDate(trimmed))
    return { problem: 'The spreadsheet has turned this amount into a date. Format the column as a number and type the amount again.' }
  let rest = trimmed.replace(/[\s\u00a0]/g, '').replace(/−/g, '-')
  const isCredit = /cr$/i.test(rest)
  rest = rest.replace(/(cr|dr)$/i, '').replace('£', '')
  const inBrackets = /^\(.*\)$/.test(rest)
  if (inBrackets) rest = rest.slice(1, -1).replace('£', '')
  const isNegative = /^-/.test(rest) || /-$/.test(rest)
  rest = rest.replace(/^[-+]|-$/g, '').replace('£', '')
  const match = /^(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d*))?$/.exec(rest)
  if (!match || (match[1] === undefined && !match[2])) return { problem: 'This is no amount. Write pounds, as in 1234.50.' }
  const decimals = (match[2] ?? '').replace(/0+$/, '')
  if (decimals.length > 2) return { problem: 'An amount can have at most two decimals. Round it to the penny.' }
  return amountOf({
    whole: (match[1] ?? '0').replaceAll(',', ''),
    decimals,
    isNegative: [isCredit, inBrackets, isNegative].filter(Boolean).length === 1,
    text: trimmed,
  })
}

function amountOf({
  whole,
  decimals,
  isNegative,
  text,
}: {
  whole: string
  decimals: string
  isNegative: boolean
  text: string
}): Read<number> {
  const pennies = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  if (pennies >= largestPennies) return { problem: `${text} is too large. Write less than ten thousand million pounds.` }
  return { value: isNegative && pennies ? -pennies : pennies }
}

const twoDigitYear = (year: number): number => (year < 100 ? 2000 + year : year)

/** A date as ledgers print it, day before month. @returns null for an empty cell */
export function readDate(text: string): Read<IsoDate | null> {
  const trimmed = text.trim()
  if (!trimmed) return { value: null }
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T].*)?$/.exec(trimmed)
  const numbers = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})(?: .*)?$/.exec(trimmed)
  const words = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -](\d{2}|\d{4})$/i.exec(trimmed)
  const parts = iso
    ? [Number(iso[1]), Number(iso[2]), Number(iso[3])]
    : numbers
      ? [twoDigitYear(Number(numbers[3])), Number(numbers[2]), Number(numbers[1])]
      : words && monthNamed(must(words[2]))
        ? [twoDigitYear(Number(words[3])), monthNamed(must(words[2])), Number(words[1])]
        : null
  if (!parts) return { problem: 'This is no date. Write day, month and year, as in 30/11/2026.' }
  const date = `${parts[0]}-${String(parts[1]).padStart(2, '0')}-${String(parts[2]).padStart(2, '0')}`
  if (!isDate(date)) return { problem: 'There is no such day. Correct the date, day before month, as in 30/11/2026.' }
  return { value: date }
}

/** What the lines above a table say of its month: a calendar month, or a period of a budget year. */
export type SaidMonth = CalendarMonth | { period: number; firstYear: number }

const anyMonth =
  /\b(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?[ -]*(20\d\d)\b/gi

/** How much of a line above a table is looked at: titles are short, and what is not would be looked through again and again. */
const longestTitle = 200

/** The month that a line above a table names; the last one, for what is to date ends with it. @returns null for a line that names none */
export function monthSaid(line: string): SaidMonth | null {
  const text = line.slice(0, longestTitle)
  // When a list was printed says nothing of what it is about.
  if (/\b(print|run|produced|created|extracted|generated|report date)/i.test(text)) return null
  const period = /\b(?:period|p|month)[ .:]*(\d{1,2})\b.*?\b(20\d\d)\s*[/-]\s*(?:20)?(\d\d)\b/i.exec(text)
  if (period && Number(period[1]) >= 1 && Number(period[1]) <= 12) return { period: Number(period[1]), firstYear: Number(period[2]) }
  const named = [...text.matchAll(anyMonth)].at(-1)
  if (named) return { year: Number(named[2]), month: monthNamed(must(named[1])) }
  const day = [...text.matchAll(/\b\d{1,2}[/.-](\d{1,2})[/.-](20\d\d)\b/g)].at(-1)
  if (day && Number(day[1]) >= 1 && Number(day[1]) <= 12) return { year: Number(day[2]), month: Number(day[1]) }
  const iso = [...text.matchAll(/\b(20\d\d)-(\d{2})(?:-\d{2})?\b/g)].at(-1)
  if (iso && Number(iso[2]) >= 1 && Number(iso[2]) <= 12) return { year: Number(iso[1]), month: Number(iso[2]) }
  return null
}

/** @param startMonth in which month a budget year begins, 1 to 12 */
export function calendarMonthOf(said: SaidMonth, startMonth: number): CalendarMonth {
  if ('month' in said) return said
  const index = startMonth - 1 + said.period - 1
  return { year: said.firstYear + Math.floor(index / 12), month: (index % 12) + 1 }
}

/** Pounds as whole pennies; null for what is no amount of whole pennies, or is as large as `limit` pounds. */
export function penniesBelow(limit: number, value: unknown): Pennies | null {
  if (typeof value !== 'number' || Math.abs(value) >= limit) return null
  try {
    return penniesOf(value)
  } catch {
    return null
  }
}
