import { type CellReading, looksLikeDate, readAmount, readDate, toCalendarMonth } from '../../files/cells.ts'
import type { Cells } from '../../files/headings.ts'
import type { ReadLeftOutRow } from '../../files/leftOut.ts'
import { headingMatchesMonth, isMonthHeading } from '../../files/periods.ts'
import { createRowClassification, type InterpretedTable } from '../../files/proof.ts'
import { findTableProblems } from '../../files/rowProblems.ts'
import { areCreditsNegative } from '../../files/signs.ts'
import { classifyTableRows, type RowKind } from '../../files/table.ts'
import { type CellProblem, extractSchoolName } from '../../files/texts.ts'
import { createTotalFinder, exactTotalNamePattern, isCountRow, totalNamePattern } from '../../files/totals.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { IsoDate } from '../../values/calendar.ts'
import { displayDate } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'
import { type CalendarMonth, formatIsoMonth, formatMonth, fromMonthIndex, toMonthIndex } from '../monitoring.ts'
import {
  areAmountsYearToDate,
  type ColumnMeaning,
  createLedgerPeriodReader,
  type DetectedLedgerTable,
  type LedgerTable,
  readLedgerSides,
} from './columns.ts'

export const maximumLedgerRows = 120_000

/** The most problems that are listed; the others are only counted. */
const maximumProblems = 5000

/** A row of a ledger file. Amounts are whole pennies with the sign of the file, debits less credits. */
export interface LedgerRow {
  /** Row number of the spreadsheet, from 1. */
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
  /**
   * Whether the user has to decide about the row: it has no code, or has the name of a total without being the sum of other rows. The
   * decision applies to this file only.
   */
  isLoose: boolean
}

export interface LedgerContents {
  rows: LedgerRow[]
  problems: CellProblem[]
  /** Rows that are not lines, counted by reason. */
  skipped: Record<Exclude<RowKind, 'line'>, number>
  /** The row number and value of the last total that equals the sum of the rows above it; null if the file has none. */
  agrees: { row: number; value: string } | null
  /** Debits less credits of a trial balance; whole pennies, 0 if it balances. */
  outOfBalance: Pennies
  /** The rows that the user left out, with their sums in the file's sign. */
  leftOut: ReadLeftOutRow[]
  /** How each cell with an amount was treated, for the proof. */
  table: InterpretedTable
}

/** The month to read. It matters only if each row names its month. */
export interface MonthToRead extends CalendarMonth {
  /** Whether to include earlier months of the budget year. */
  isCumulative: boolean
  /** Month in which budget years begin, 1 to 12. */
  startMonth: number
}

const noCodeText = 'No code'

/**
 * Reads the lines of a table. Skips titles, repeated headings, blank rows, sections, rows of other months, tables further down, and totals.
 * A row counts as a total only if the rows above it add up to it.
 * @param isPlace whether a section heading is the name of a location, which then applies to its rows
 * @param leftOut the rows that the user leaves out, by their numbers from 1
 */
export function readLedger(
  cells: Cells,
  table: DetectedLedgerTable,
  { isPlace, month, leftOut }: { isPlace: (text: string) => boolean; month: MonthToRead; leftOut?: ReadonlySet<number> },
): LedgerContents {
  const columnByMeaning = Object.fromEntries(table.columns.flatMap((meaning, index) => (meaning ? [[meaning, index]] : [])))
  const { headings } = table
  const figures = (['amount', 'debit', 'credit', 'commitment'] as const).flatMap((meaning) => {
    const column = columnByMeaning[meaning]
    return column === undefined ? [] : [{ meaning, column }]
  })
  const figureColumns = figures.map(({ column }) => column)
  const { debit: debits = -1, credit: credits = -1 } = columnByMeaning
  const creditFactor = areCreditsNegative(cells, table.headingRow, { debits, credits }) ? 1 : -1
  /** The sign with which each kind of amount column is added: the sum is debits less credits. */
  const factors: Partial<Record<ColumnMeaning, 1 | -1>> = { amount: 1, debit: 1, credit: creditFactor, commitment: 1 }
  const used = table.columns.flatMap((meaning, index) => (meaning ? [index] : []))
  const texts = used.filter((index) => !figureColumns.includes(index))
  const codes = [columnByMeaning.account, columnByMeaning.costCentre, columnByMeaning.fund].filter((column) => column !== undefined)
  const classifications: InterpretedTable['classifications'][number][] = []
  const read: LedgerContents = {
    rows: [],
    problems: findTableProblems(cells, table.headingRow, { figures: figureColumns, texts, codes, leftOut }),
    skipped: { blank: 0, heading: 0, section: 0, total: 0, other: 0, otherMonth: 0, leftOut: 0 },
    leftOut: [],
    agrees: null,
    outOfBalance: 0,
    table: {
      headingRow: table.headingRow,
      headings,
      factors: table.columns.map((meaning) => (meaning === null ? null : (factors[meaning] ?? 0))),
      classifications,
    },
  }
  const status = findStatusColumn(table)
  const totals = createTotalFinder(figures.length)
  const sides = readLedgerSides(cells, table)
  const isOfMonth = createMonthFilter(cells, table, month)
  const hasCodes = areAccountsCodes(cells, table)
  let section = ''

  const problem = (row: number, { column, value, message }: { column: number | undefined; value: string; message: string }): void => {
    if (read.problems.length < maximumProblems)
      read.problems.push({ row, column: column === undefined ? null : headings[column] || `Column ${column + 1}`, value, message })
  }
  const codeCell = (line: readonly string[], row: number, meaning: ColumnMeaning): string => {
    const column = columnByMeaning[meaning]
    const value = column === undefined ? '' : (line[column] ?? '').trim()
    if (value && looksLikeDate(value))
      problem(row, {
        column,
        value,
        message: 'The spreadsheet has turned this code into a date. Format the column as text and enter the code again.',
      })
    return value
  }

  for (const { column } of figures) {
    const heading = headings[column] ?? ''
    if (!month.isCumulative && isMonthHeading(heading) && !headingMatchesMonth(heading, month, month.startMonth))
      problem(table.headingRow, {
        column,
        value: heading,
        message: `This column is not for ${formatMonth(month)}. Choose its month, or the column for ${formatMonth(month)}.`,
      })
  }
  for (const { row, line, kind, values, title } of classifyTableRows(cells, { ...table, used, figures: figureColumns }, isPlace)) {
    const fate = createRowClassification(kind, title)
    classifications.push(fate)
    if (kind !== 'line') {
      read.skipped[kind]++
      continue
    }
    const account = columnByMeaning.account === undefined ? '' : (line[columnByMeaning.account] ?? '').trim()
    const words = texts.map((column) => (line[column] ?? '').trim()).filter(Boolean)
    if (values.every((value) => !value)) {
      // A row with a code but without amounts is a line of zero. Any other row without amounts is a section heading or a remark below the
      // table.
      if (!account || words.length === 1) {
        const name = extractSchoolName(words[0] ?? '')
        if (isPlace(name)) section = name
        if (!words.some((word) => totalNamePattern.test(word))) totals.begin()
      }
      read.skipped.section++
      fate.kind = 'section'
      continue
    }
    // A row with a code is a line even if it contains “Total”, because suppliers can have that name. It is a total only if one of its cells
    // is exactly a total word.
    const isWords = hasCodes && !/\d/.test(account)
    const isCode = account !== '' && !exactTotalNamePattern.test(account) && !(isWords && totalNamePattern.test(account))
    const isCount = isCountRow(account, read.rows.length)
    // A dated row is a transaction, even with a supplier called Total.
    const isDated = isCode && columnByMeaning.date !== undefined && Boolean((line[columnByMeaning.date] ?? '').trim())
    const isNamedTotal = isCode ? words.some((word) => exactTotalNamePattern.test(word)) : words.some((word) => totalNamePattern.test(word))
    const mayBeTotal = !isDated && (isNamedTotal || isCount || !words.length || (isCode && totalNamePattern.test(account)))
    const least = isCode && !isNamedTotal && !isTotalOf(account, read.rows.at(-1)?.account) ? 2 : 1
    const amounts = values.map(readAmount)
    const side = sides.sideOf(line)
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
    // The row is the second of two heading rows, such as `Budget £`.
    if (!account && !isReadable && row === table.headingRow + 1) {
      read.skipped.heading++
      fate.kind = 'heading'
      continue
    }
    if (table.layout === 'transactions' && words.some((word) => balancePattern.test(word))) {
      Object.assign(fate, { kind: 'other', reason: 'An opening or closing balance is not a transaction of the month.' })
      continue
    }
    const amountUnder = (meaning: ColumnMeaning): number => {
      const place = figures.findIndex((one) => one.meaning === meaning)
      return place < 0 ? 0 : assertDefined(pennies[place])
    }
    const amount = amountUnder('amount') + amountUnder('debit') + creditFactor * amountUnder('credit')
    if (leftOut?.has(row)) {
      // The totals in the file include rows that the user leaves out.
      totals.add(pennies)
      read.skipped.leftOut++
      fate.kind = 'leftOut'
      read.leftOut.push({ row, value: amount + amountUnder('commitment') })
      continue
    }
    for (const [place, one] of amounts.entries())
      if ('problem' in one)
        problem(row, { column: assertDefined(figures[place]).column, value: assertDefined(values[place]), message: one.problem })
    const isLoose = !isCode
    const state = (line[status] ?? '').trim()
    if (notPostedPattern.test(state))
      problem(row, {
        column: status,
        value: state,
        message: 'This row is not posted. Remove it, or export the file without unposted rows.',
      })
    if (typeof side === 'object')
      problem(row, { column: columnByMeaning.sign, value: (line[columnByMeaning.sign ?? -1] ?? '').trim(), message: side.problem })
    const date = readRowDate(line, columnByMeaning.date, (value, message) => problem(row, { column: columnByMeaning.date, value, message }))
    const type = codeCell(line, row, 'type')
      .toLowerCase()
      .replace(/^(actual|commitment)s$/, '$1')
    if ((type || table.layout === 'template') && type !== 'actual' && type !== 'commitment')
      problem(row, { column: columnByMeaning.type, value: type, message: 'This is not a valid type. Enter Actual or Commitment.' })
    totals.add(pennies)
    const ofMonth = isOfMonth(line)
    if (ofMonth && 'problem' in ofMonth)
      problem(row, { column: columnByMeaning.period ?? columnByMeaning.year, ...ofMonth, message: ofMonth.problem })
    else if (ofMonth) {
      read.skipped.otherMonth++
      Object.assign(fate, { kind: 'otherMonth', reason: ofMonth.reason })
      continue
    }
    if (table.layout === 'trialBalance') read.outOfBalance += amountUnder('debit') + creditFactor * amountUnder('credit')
    const text = (meaning: ColumnMeaning): string =>
      columnByMeaning[meaning] === undefined ? '' : (line[columnByMeaning[meaning]] ?? '').trim()
    read.rows.push({
      row,
      account: isLoose ? (words[0] ? `${words[0]} (row ${row})` : noCodeText) : codeCell(line, row, 'account'),
      accountName: text('accountName'),
      costCentre: codeCell(line, row, 'costCentre'),
      fund: codeCell(line, row, 'fund'),
      tag: text('tag'),
      location: columnByMeaning.location === undefined ? section : text('location'),
      date,
      reference: text('reference'),
      supplier: text('supplier'),
      details: text('details'),
      amount: type === 'commitment' ? 0 : amount,
      commitment: type === 'commitment' ? amount : amountUnder('commitment'),
      isLoose,
    })
  }
  const firstOtherMonth =
    read.skipped.otherMonth && !read.rows.length ? classifications.findIndex((fate) => fate.kind === 'otherMonth') : -1
  if (firstOtherMonth >= 0) {
    const column = columnByMeaning.period ?? columnByMeaning.year
    const row = table.headingRow + firstOtherMonth + 1
    const value = (cells[row - 1]?.[column ?? -1] ?? '').trim()
    const period = /^20\d\d[/.]?\d{1,2}$/.test(value)
      ? createLedgerPeriodReader(cells, table, month.startMonth)?.read(assertDefined(cells[row - 1]))
      : null
    const message = period?.month
      ? `No row in the file is for ${formatMonth(month)}. ${value} was read as period ${period.said.period}, which is ${formatMonth(period.month)}. Choose the right month, or rename the column to “Month” if it holds calendar months.`
      : `No row in the file is for ${formatMonth(month)}. Choose the month that it is for, or another file.`
    problem(row, { column, value, message })
  }
  return read
}

/** Whether a subtotal is named after the code above it, as spreadsheets do: `4240 Total` below a single line of 4240. */
const isTotalOf = (text: string, above: string | undefined): boolean => text.replace(/[\s:–-]*totals?$/i, '') === above

/** Matches the details of a row that shows the balance of an account before or after its transactions. */
const balancePattern =
  /^(?:(?:opening|closing|starting|ending) (?:balance|bal)|(?:balance|bal)\.? (?:[bc] ?\/ ?(?:f|d|fwd)|[bc]fwd|(?:brought|carried) (?:forward|down))|[bc] ?\/ ?(?:f|d|fwd)(?: balance)?|(?:brought|carried) (?:forward|down))[.:]?$/i

/** Matches the statuses of lines that a ledger has not posted or has removed. */
const notPostedPattern =
  /^(?:drafts?|void(?:ed)?|deleted|un-?posted|not (?:yet )?posted|rejected|declined|(?:awaiting|pending) (?:approval|authorisation|posting))$/i

/** The column of the posting status; −1 if there is none, or if the file has orders, which are commitments whatever their status. */
function findStatusColumn({ headings, columns }: DetectedLedgerTable): number {
  if (columns.includes('commitment') || columns.includes('type')) return -1
  return headings.findIndex((heading) =>
    /^(?:(?:transaction|trans|invoice|document|journal|posting|approval|line) )?status$/i.test(heading.trim()),
  )
}

/** Whether most accounts contain digits, and are therefore codes rather than names. */
function areAccountsCodes(cells: Cells, { headingRow, columns }: LedgerTable): boolean {
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
 * Checks whether a row's period, month or year matches the month to read.
 * @returns for a row: null if it matches; otherwise why it is left out, or what is wrong with it
 */
function createMonthFilter(
  cells: Cells,
  table: DetectedLedgerTable,
  month: MonthToRead,
): (line: readonly string[]) => { reason: string } | { value: string; problem: string } | null {
  const periods = createLedgerPeriodReader(cells, table, month.startMonth)
  if (!periods) return () => null
  const last = toMonthIndex(month)
  // Year-to-date amounts already include earlier months.
  const first = month.isCumulative && !areAmountsYearToDate(table) ? last - ((month.month - month.startMonth + 12) % 12) : last
  const known = new Map<string, { reason: string } | null>()
  return (line) => {
    const period = periods.read(line)
    if (!period) {
      const value = [table.columns.indexOf('period'), table.columns.indexOf('year')]
        .map((column) => (line[column] ?? '').trim())
        .filter(Boolean)
        .join(' ')
      return {
        value,
        problem: value ? 'This is not a valid period. Enter one such as 3 or September 2027.' : 'This row has no period. Enter one.',
      }
    }
    const before = known.get(period.words)
    if (before !== undefined) return before
    let fits = false
    for (let index = first; index <= last; index++) fits ||= periods.fits(period.said, fromMonthIndex(index))
    const words = /^\d{1,2}(?: of .*)?$/.test(period.words) ? `period ${period.words}` : period.words
    const reason = `Rows for ${words} are not for ${formatMonth(month)}${first < last ? ' or an earlier month of its year' : ''}.`
    const found = fits ? null : { reason }
    known.set(period.words, found)
    return found
  }
}

function readRowDate(
  line: readonly string[],
  column: number | undefined,
  problem: (value: string, message: string) => void,
): IsoDate | null {
  if (column === undefined) return null
  const value = (line[column] ?? '').trim()
  const read: CellReading<IsoDate | null> = readDate(value)
  if ('value' in read) return read.value
  problem(value, read.problem)
  return null
}

export interface ExpectedMonth extends CalendarMonth {
  /** Whether amounts are year to date. */
  isCumulative: boolean
  /** `toMonthIndex` of the start of the budget year. */
  yearStart: number
  /** Month in which budget years begin, 1 to 12. */
  startMonth: number
  /** Whether the user knows that the file names another month and wants to import it all the same. */
  isMeant: boolean
}

/** Finds lines dated outside the month, and a title that names another month. */
export function findMonthProblems(rows: readonly LedgerRow[], table: DetectedLedgerTable, expected: ExpectedMonth): CellProblem[] {
  const problems: CellProblem[] = []
  if (table.month && !expected.isMeant) {
    const fileMonth = toCalendarMonth(table.month.said, expected.startMonth)
    if (toMonthIndex(fileMonth) !== toMonthIndex(expected))
      problems.push({
        row: table.month.row,
        column: null,
        value: table.month.value,
        message: `The file says that it is for ${formatMonth(fileMonth)}, not ${formatMonth(expected)}. Choose that month, or another file.`,
      })
  }
  const last = formatIsoMonth(expected)
  const first = expected.isCumulative ? formatIsoMonth(fromMonthIndex(expected.yearStart)) : last
  const column = table.headings[table.columns.indexOf('date')] ?? null
  // A document dated in one month may be posted in another. If rows name their period, only the period counts.
  if (table.columns.includes('period')) return problems
  for (const { row, date } of rows) {
    if (!date || (date.slice(0, 7) >= first && date.slice(0, 7) <= last)) continue
    if (problems.length === maximumProblems) break
    const span = expected.isCumulative
      ? `${formatMonth(fromMonthIndex(expected.yearStart))} to ${formatMonth(expected)}`
      : formatMonth(expected)
    problems.push({
      row,
      column,
      value: date,
      message: `${displayDate(date)} is outside ${span}. Choose the month that the file is for, or another file.`,
    })
  }
  return problems
}
