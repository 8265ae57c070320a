import type { IsoDate } from '../../calendar.ts'
import { calendarMonthOf, looksLikeDate, type Read, readAmount, readDate } from '../../files/cells.ts'
import { type Cells, plainHeading } from '../../files/headings.ts'
import { tableProblems } from '../../files/rowProblems.ts'
import { type CellProblem, placeText } from '../../files/texts.ts'
import { totalsOf, totalWords } from '../../files/totals.ts'
import { displayDate } from '../../format.ts'
import { must } from '../../must.ts'
import type { Pennies } from '../../units.ts'
import { type CalendarMonth, monthAt, monthIndex, monthText, monthWords } from '../monitoring.ts'
import type { FoundTable, LedgerTable, Meaning } from './columns.ts'

/** Rows that a file of a ledger may have, headings and totals included. */
export const largestLedgerRows = 120_000

/** Problems that are told; the rest is counted. */
const mostProblems = 5000

/** A line of a ledger's file as it was read. Amounts are whole pennies in the sign of the file, debits less credits. */
export interface LedgerRow {
  /** As the spreadsheet counts, from 1. */
  row: number
  account: string
  accountName: string
  costCentre: string
  fund: string
  tag: string
  location: string
  date: IsoDate | null
  details: string
  amount: Pennies
  commitment: Pennies
  /** It has no code, or calls itself a total that nothing above it comes to: what is decided on it counts for this file alone. */
  isLoose: boolean
}

export interface ReadLedger {
  rows: LedgerRow[]
  problems: CellProblem[]
  /** Rows that are no lines, by why. */
  skipped: { blank: number; heading: number; section: number; total: number }
  /** The last row that calls itself a total and is one, and what it says. */
  agrees: { row: number; value: string } | null
}

const noCode = 'No code'

/**
 * Reads the lines of a table. Titles, headings that are repeated, blank rows and sections are no lines, nor are totals: a row counts as one only
 * where the rows above it come to what it says.
 * @param isPlace whether a section is called as a location is: its rows are then of that location
 */
export function readLedger(cells: Cells, table: LedgerTable, isPlace: (text: string) => boolean): ReadLedger {
  const at = Object.fromEntries(table.columns.flatMap((meaning, index) => (meaning ? [[meaning, index]] : [])))
  const headings = (cells[table.headingRow - 1] ?? []).map((cell) => cell.trim())
  // Of the columns that are used: the others may be left out of what is sent.
  const wordsOf = (line: readonly string[]): string =>
    table.columns.flatMap((meaning, index) => (meaning ? [plainHeading(line[index] ?? '')] : [])).join('|')
  const repeated = wordsOf(headings)
  const figures = (['amount', 'debit', 'credit', 'commitment'] as const).flatMap((meaning) => {
    const column = at[meaning]
    return column === undefined ? [] : [{ meaning, column }]
  })
  const texts = table.columns.flatMap((meaning, index) => (meaning && !figures.some((one) => one.column === index) ? [index] : []))
  const codes = [at.account, at.costCentre, at.fund].filter((column) => column !== undefined)
  const problems = tableProblems(cells, table.headingRow, { texts, codes })
  const read: ReadLedger = { rows: [], problems, skipped: { blank: 0, heading: 0, section: 0, total: 0 }, agrees: null }
  const totals = totalsOf(figures.length)
  let section = ''

  const problem = (row: number, { column, value, message }: { column: number | undefined; value: string; message: string }): void => {
    if (read.problems.length < mostProblems)
      read.problems.push({ row, column: column === undefined ? null : headings[column] || `Column ${column + 1}`, value, message })
  }
  const codeCell = (line: readonly string[], row: number, meaning: Meaning): string => {
    const column = at[meaning]
    const value = column === undefined ? '' : (line[column] ?? '').trim()
    if (value && looksLikeDate(value))
      problem(row, {
        column,
        value,
        message: 'The spreadsheet has turned this code into a date. Format the column as text and type the code again.',
      })
    return value
  }

  for (let index = table.headingRow; index < cells.length; index++) {
    const line = must(cells[index])
    const row = index + 1
    const filled = line.some((cell) => cell.trim())
    if (!filled) {
      read.skipped.blank++
      continue
    }
    if (wordsOf(line) === repeated) {
      read.skipped.heading++
      continue
    }
    const values = figures.map(({ column }) => (line[column] ?? '').trim())
    const account = at.account === undefined ? '' : (line[at.account] ?? '').trim()
    const words = texts.map((column) => (line[column] ?? '').trim()).filter(Boolean)
    if (values.every((value) => !value)) {
      // A code without amounts is a line of nothing; other words head a section, or stand below the table.
      if (!account || words.length === 1) {
        const name = placeText(words[0] ?? '')
        if (isPlace(name)) section = name
        if (!words.some((word) => totalWords.test(word))) totals.begin()
      }
      read.skipped.section++
      continue
    }
    const isNamedTotal = totalWords.test(account) || (!account && words.some((word) => totalWords.test(word)))
    const amounts = values.map(readAmount)
    const isReadable = amounts.every((one) => 'value' in one)
    const pennies = amounts.map((one) => ('value' in one ? one.value : 0))
    if (isReadable && (isNamedTotal || (!account && !words.length)) && totals.isTotal(pennies, values)) {
      read.skipped.total++
      totals.end(pennies)
      read.agrees = { row, value: values.filter(Boolean).join(' / ') }
      continue
    }
    // What heads printed figures and is neither amount nor line: `Budget £` under a heading of two rows.
    if (!account && !isReadable && row === table.headingRow + 1) {
      read.skipped.heading++
      continue
    }
    for (const [place, one] of amounts.entries())
      if ('problem' in one) problem(row, { column: must(figures[place]).column, value: must(values[place]), message: one.problem })
    const isLoose = isNamedTotal || !account
    const date = dateOf(line, at.date, (value, message) => problem(row, { column: at.date, value, message }))
    const type = codeCell(line, row, 'type').toLowerCase()
    if (table.layout === 'template' && type !== 'actual' && type !== 'commitment')
      problem(row, { column: at.type, value: type, message: 'This is no type. Write Actual or Commitment.' })
    const of = (meaning: Meaning): number => {
      const place = figures.findIndex((one) => one.meaning === meaning)
      return place < 0 ? 0 : must(pennies[place])
    }
    const amount = of('amount') + of('debit') - of('credit')
    totals.add(pennies)
    const text = (meaning: Meaning): string => (at[meaning] === undefined ? '' : (line[at[meaning]] ?? '').trim())
    read.rows.push({
      row,
      account: isLoose ? (words[0] ? `${words[0]} (row ${row})` : noCode) : codeCell(line, row, 'account'),
      accountName: text('accountName'),
      costCentre: codeCell(line, row, 'costCentre'),
      fund: codeCell(line, row, 'fund'),
      tag: text('tag'),
      location: at.location === undefined ? section : text('location'),
      date,
      details: [text('reference'), text('details')].filter(Boolean).join(' · '),
      amount: type === 'commitment' ? 0 : amount,
      commitment: type === 'commitment' ? amount : of('commitment'),
      isLoose,
    })
  }
  return read
}

function dateOf(line: readonly string[], column: number | undefined, problem: (value: string, message: string) => void): IsoDate | null {
  if (column === undefined) return null
  const value = (line[column] ?? '').trim()
  const read: Read<IsoDate | null> = readDate(value)
  if ('value' in read) return read.value
  problem(value, read.problem)
  return null
}

/** What a file must be for. */
export interface WantedMonth extends CalendarMonth {
  /** Amounts are the year to date. */
  isCumulative: boolean
  /** Months counted from the year 0: in which the budget year begins. */
  yearStart: number
  /** In which month budget years begin, 1 to 12. */
  startMonth: number
  /** What the file says of its month is known and not meant. */
  isMeant: boolean
}

/** Lines whose dates lie outside the month, and a month above the table that is another one. */
export function monthProblems(rows: readonly LedgerRow[], table: FoundTable, wanted: WantedMonth): CellProblem[] {
  const problems: CellProblem[] = []
  if (table.month && !wanted.isMeant) {
    const said = calendarMonthOf(table.month.said, wanted.startMonth)
    if (monthIndex(said) !== monthIndex(wanted))
      problems.push({
        row: table.month.row,
        column: null,
        value: table.month.value,
        message: `The file says that it is for ${monthWords(said)}, not ${monthWords(wanted)}. Choose that month, or another file.`,
      })
  }
  const last = monthText(wanted)
  const first = wanted.isCumulative ? monthText(monthAt(wanted.yearStart)) : last
  const column = table.headings[table.columns.indexOf('date')] ?? null
  for (const { row, date } of rows) {
    if (!date || (date.slice(0, 7) >= first && date.slice(0, 7) <= last)) continue
    if (problems.length === mostProblems) break
    const span = wanted.isCumulative ? `${monthWords(monthAt(wanted.yearStart))} to ${monthWords(wanted)}` : monthWords(wanted)
    problems.push({
      row,
      column,
      value: date,
      message: `${displayDate(date)} lies outside ${span}. Choose the month that the file is for, or another file.`,
    })
  }
  return problems
}
