import { calendarMonthOf, looksLikeDate, type Read, readAmount, readDate } from '../../files/cells.ts'
import type { Cells } from '../../files/headings.ts'
import { headingIsOf, namesMonth } from '../../files/periods.ts'
import { fateOf, type ReadTable } from '../../files/proof.ts'
import { tableProblems } from '../../files/rowProblems.ts'
import { type RowKind, tableRows } from '../../files/table.ts'
import { type CellProblem, placeText } from '../../files/texts.ts'
import { exactTotal, saysCount, totalsOf, totalWords } from '../../files/totals.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { IsoDate } from '../../values/calendar.ts'
import { displayDate } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'
import { type CalendarMonth, monthAt, monthIndex, monthText, monthWords } from '../monitoring.ts'
import { amountsAreToDate, type FoundTable, type LedgerTable, ledgerSides, type Meaning, periodsOf } from './columns.ts'

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
  reference: string
  supplier: string
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
  skipped: Record<Exclude<RowKind, 'line'>, number>
  /** The last row that calls itself a total and is one, and what it says. */
  agrees: { row: number; value: string } | null
  /** What the debits of a trial balance are more than its credits; whole pennies. */
  outOfBalance: Pennies
  /** What was done with each cell of money, for the proof. */
  table: ReadTable
}

/** The month that rows are taken of, where they say one themselves. */
export interface ReadMonth extends CalendarMonth {
  /** Months before it in the budget year are taken as well. */
  isCumulative: boolean
  /** In which month budget years begin, 1 to 12. */
  startMonth: number
}

const noCode = 'No code'

/** What each meaning of a column does to an amount of the file: debits less credits. */
const factorOf: Partial<Record<Meaning, 1 | -1>> = { amount: 1, debit: 1, credit: -1, commitment: 1 }

/**
 * Reads the lines of a table. Titles, headings that are repeated, blank rows and sections are no lines, nor are totals: a row counts as one only
 * where the rows above it come to what it says. Rows that say another month themselves, and other tables below, are not added in.
 * @param isPlace whether a section is called as a location is: its rows are then of that location
 */
export function readLedger(
  cells: Cells,
  table: FoundTable,
  { isPlace, month }: { isPlace: (text: string) => boolean; month: ReadMonth },
): ReadLedger {
  const at = Object.fromEntries(table.columns.flatMap((meaning, index) => (meaning ? [[meaning, index]] : [])))
  const { headings } = table
  const figures = (['amount', 'debit', 'credit', 'commitment'] as const).flatMap((meaning) => {
    const column = at[meaning]
    return column === undefined ? [] : [{ meaning, column }]
  })
  const figureColumns = figures.map(({ column }) => column)
  const used = table.columns.flatMap((meaning, index) => (meaning ? [index] : []))
  const texts = used.filter((index) => !figureColumns.includes(index))
  const codes = [at.account, at.costCentre, at.fund].filter((column) => column !== undefined)
  const fates: ReadTable['fates'][number][] = []
  const read: ReadLedger = {
    rows: [],
    problems: tableProblems(cells, table.headingRow, { figures: figureColumns, texts, codes }),
    skipped: { blank: 0, heading: 0, section: 0, total: 0, other: 0, otherMonth: 0 },
    agrees: null,
    outOfBalance: 0,
    table: {
      headingRow: table.headingRow,
      headings,
      factors: table.columns.map((meaning) => (meaning === null ? null : (factorOf[meaning] ?? 0))),
      fates,
    },
  }
  const status = statusColumn(table)
  const totals = totalsOf(figures.length)
  const sides = ledgerSides(cells, table)
  const isOfMonth = monthFilter(cells, table, month)
  const hasCodes = holdsCodes(cells, table)
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

  for (const { column } of figures) {
    const heading = headings[column] ?? ''
    if (!month.isCumulative && namesMonth(heading) && !headingIsOf(heading, month, month.startMonth))
      problem(table.headingRow, {
        column,
        value: heading,
        message: `This column is not for ${monthWords(month)}. Choose its month, or the column for ${monthWords(month)}.`,
      })
  }
  for (const { row, line, kind, values, title } of tableRows(cells, { ...table, used, figures: figureColumns }, isPlace)) {
    const fate = fateOf(kind, title)
    fates.push(fate)
    if (kind !== 'line') {
      read.skipped[kind]++
      continue
    }
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
      fate.kind = 'section'
      continue
    }
    // A row with a code is a line, unless a word of it is a total and nothing else: suppliers are called Total too.
    const isWords = hasCodes && !/\d/.test(account)
    const isCode = account !== '' && !exactTotal.test(account) && !(isWords && totalWords.test(account))
    const isCount = saysCount(account, read.rows.length)
    const isNamedTotal = isCode ? words.some((word) => exactTotal.test(word)) : words.some((word) => totalWords.test(word))
    const mayBeTotal = isNamedTotal || isCount || !words.length || (isCode && totalWords.test(account))
    const least = isCode && !isNamedTotal ? 2 : 1
    const amounts = values.map(readAmount)
    const side = sides.of(line)
    if (side === -1) fate.sign = -1
    const isReadable = amounts.every((one) => 'value' in one)
    const pennies = amounts.map((one) => ('value' in one && one.value ? one.value * fate.sign : 0))
    if (isReadable && mayBeTotal && totals.isTotal(pennies, values, least)) {
      read.skipped.total++
      fate.kind = 'total'
      totals.end(pennies)
      read.agrees = { row, value: values.filter(Boolean).join(' / ') }
      continue
    }
    // What heads printed figures and is neither amount nor line: `Budget £` under a heading of two rows.
    if (!account && !isReadable && row === table.headingRow + 1) {
      read.skipped.heading++
      fate.kind = 'heading'
      continue
    }
    for (const [place, one] of amounts.entries())
      if ('problem' in one)
        problem(row, { column: assertDefined(figures[place]).column, value: assertDefined(values[place]), message: one.problem })
    const isLoose = !isCode
    const state = (line[status] ?? '').trim()
    if (notPosted.test(state))
      problem(row, {
        column: status,
        value: state,
        message: 'This row is not posted. Take it out, or export the file without such rows.',
      })
    if (typeof side === 'object') problem(row, { column: at.sign, value: (line[at.sign ?? -1] ?? '').trim(), message: side.problem })
    const date = dateOf(line, at.date, (value, message) => problem(row, { column: at.date, value, message }))
    const type = codeCell(line, row, 'type')
      .toLowerCase()
      .replace(/^(actual|commitment)s$/, '$1')
    if ((type || table.layout === 'template') && type !== 'actual' && type !== 'commitment')
      problem(row, { column: at.type, value: type, message: 'This is not a valid type. Enter Actual or Commitment.' })
    const of = (meaning: Meaning): number => {
      const place = figures.findIndex((one) => one.meaning === meaning)
      return place < 0 ? 0 : assertDefined(pennies[place])
    }
    const amount = of('amount') + of('debit') - of('credit')
    totals.add(pennies)
    const ofMonth = isOfMonth(line)
    if (ofMonth && 'problem' in ofMonth) problem(row, { column: at.period ?? at.year, ...ofMonth, message: ofMonth.problem })
    else if (ofMonth) {
      read.skipped.otherMonth++
      Object.assign(fate, { kind: 'otherMonth', reason: ofMonth.reason })
      continue
    }
    if (table.layout === 'trialBalance') read.outOfBalance += of('debit') - of('credit')
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
      reference: text('reference'),
      supplier: text('supplier'),
      details: text('details'),
      amount: type === 'commitment' ? 0 : amount,
      commitment: type === 'commitment' ? amount : of('commitment'),
      isLoose,
    })
  }
  const passed = read.skipped.otherMonth && !read.rows.length ? fates.findIndex((fate) => fate.kind === 'otherMonth') : -1
  if (passed >= 0) {
    const column = at.period ?? at.year
    const row = table.headingRow + passed + 1
    const value = (cells[row - 1]?.[column ?? -1] ?? '').trim()
    const said = /^20\d\d[/.]?\d{1,2}$/.test(value) ? periodsOf(cells, table, month.startMonth)?.read(assertDefined(cells[row - 1])) : null
    const message = said?.month
      ? `No row of the file is for ${monthWords(month)}. ${value} was read as period ${said.said.period}, which is ${monthWords(said.month)}. Choose the right month, or rename the column to “Month” if it holds calendar months.`
      : `No row of the file is for ${monthWords(month)}. Choose the month that it is for, or another file.`
    problem(row, { column, value, message })
  }
  return read
}

/** What a ledger says of a line that it has not posted, or has taken out again. */
const notPosted =
  /^(?:drafts?|void(?:ed)?|deleted|un-?posted|not (?:yet )?posted|rejected|declined|(?:awaiting|pending) (?:approval|authorisation|posting))$/i

/** The column that says whether a line is posted; -1: there is none. Orders wait for much, and are commitments all the same. */
function statusColumn({ headings, columns }: FoundTable): number {
  if (columns.includes('commitment') || columns.includes('type')) return -1
  return headings.findIndex((heading) =>
    /^(?:(?:transaction|trans|invoice|document|journal|posting|approval|line) )?status$/i.test(heading.trim()),
  )
}

/** Whether most accounts of a table are codes, which have digits, rather than names. */
function holdsCodes(cells: Cells, { headingRow, columns }: LedgerTable): boolean {
  const at = columns.indexOf('account')
  let [withDigit, filled] = [0, 0]
  for (let row = headingRow; row < cells.length; row++) {
    const text = (assertDefined(cells[row])[at] ?? '').trim()
    if (!text) continue
    filled++
    if (/\d/.test(text)) withDigit++
  }
  return withDigit * 2 >= filled
}

/**
 * Tells of a line that says its period, month or year itself whether it is of the month that is read.
 * @returns for a line: null where it is; otherwise why it is left out, or what is wrong with what it says
 */
function monthFilter(
  cells: Cells,
  table: FoundTable,
  month: ReadMonth,
): (line: readonly string[]) => { reason: string } | { value: string; problem: string } | null {
  const periods = periodsOf(cells, table, month.startMonth)
  if (!periods) return () => null
  const last = monthIndex(month)
  // Amounts that are to date already hold the months before.
  const first = month.isCumulative && !amountsAreToDate(table) ? last - ((month.month - month.startMonth + 12) % 12) : last
  const known = new Map<string, { reason: string } | null>()
  return (line) => {
    const said = periods.read(line)
    if (!said) {
      const value = [table.columns.indexOf('period'), table.columns.indexOf('year')]
        .map((column) => (line[column] ?? '').trim())
        .filter(Boolean)
        .join(' ')
      return { value, problem: value ? 'This is no period. Write it as in 3 or September 2027.' : 'This row says no period. Fill it in.' }
    }
    const before = known.get(said.words)
    if (before !== undefined) return before
    let fits = false
    for (let index = first; index <= last; index++) fits ||= periods.fits(said.said, monthAt(index))
    const words = /^\d{1,2}(?: of .*)?$/.test(said.words) ? `period ${said.words}` : said.words
    const reason = `Rows of ${words} are not of ${monthWords(month)}${first < last ? ' or the months of its year before it' : ''}.`
    const found = fits ? null : { reason }
    known.set(said.words, found)
    return found
  }
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
  // A document of one month may be posted in another: where rows say the period, that is what counts.
  if (table.columns.includes('period')) return problems
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
