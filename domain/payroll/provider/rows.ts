import { calendarMonthOf, looksLikeDate, readAmount } from '../../files/cells.ts'
import type { Cells } from '../../files/headings.ts'
import { periodSaid } from '../../files/periods.ts'
import { fateOf, type ReadTable } from '../../files/proof.ts'
import { tableProblems } from '../../files/rowProblems.ts'
import { sidesOf } from '../../files/signs.ts'
import { type RowKind, tableRows } from '../../files/table.ts'
import { type CellProblem, mappingText, placeText } from '../../files/texts.ts'
import { saysCount, totalsOf, totalWords } from '../../files/totals.ts'
import { type CalendarMonth, monthIndex, monthWords } from '../../monitoring/monitoring.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { type LocationId, toLocationId } from '../../values/ids.ts'
import type { Pennies } from '../../values/units.ts'
import type { FoundPayTable, PayMeaning } from './columns.ts'

/** Amounts of one file, empty cells of a wide one included. */
const mostAmounts = 1_000_000

/** Problems that are told; the rest is counted. */
const mostProblems = 5000

/** What a file says that one employee was paid under one element. */
export interface PayRow {
  /** As the spreadsheet counts, from 1. */
  row: number
  /** The heading of the column that the amount stands in. */
  column: string
  employeeNumber: string
  /** The code of the row, or in a wide file the heading of its column. */
  code: string
  codeName: string
  location: string
  month: string
  /** The amount as it is written; empty for a cell of a wide file that says by being empty that nothing was paid. */
  text: string
  /** Whole pennies. */
  value: Pennies
  /** The bank account that it was paid into, where the file says so: sort code and number without anything between. */
  bankAccount?: string
}

export interface ReadPay {
  rows: PayRow[]
  problems: CellProblem[]
  /** Rows that are no lines, by why. */
  skipped: Record<Exclude<RowKind, 'line'>, number>
  /** The last row that calls itself a total and is one, and what it says. */
  agrees: { row: number; value: string } | null
  /** What was done with each cell of money, for the proof. */
  table: ReadTable
}

const asPower = /^\d+(\.\d+)?e\+?\d+$/i
export const shortened = 'A spreadsheet has shortened this number. Make the column text, and save the file again.'

/** Whether a spreadsheet has written a long number as a power of ten. */
export const isShortened = (employeeNumber: string): boolean => asPower.test(employeeNumber)

/** What heads rows of a printed list and is no school. */
const headsNoPlace = /^(?:page \d|(?:employee|emp|payee|name)\s*[:–-])/i

/**
 * Reads what a payroll file says was paid. Titles, headings that are repeated, blank rows and sections are no lines, nor are totals: a row without
 * an employee counts as one only where the rows above it come to what it says. Where one section is called as a location is, all of them are
 * locations: pay below one that is not known is never that of the school above it.
 * @param isPlace whether a section is called as a location is: its rows are then of that location
 */
export function readPay(cells: Cells, table: FoundPayTable, isPlace: (text: string) => boolean): ReadPay {
  const at = (meaning: PayMeaning): number => table.columns.indexOf(meaning)
  const figures = table.columns.flatMap((meaning, index) => (meaning === (table.layout === 'wide' ? 'element' : 'amount') ? [index] : []))
  const texts = table.columns.flatMap((meaning, index) => (meaning && !figures.includes(index) ? [index] : []))
  const headingOf = (column: number): string => table.headings[column] || `Column ${column + 1}`
  const used = table.columns.flatMap((meaning, index) => (meaning ? [index] : []))
  // Of two columns of amounts, the credits are taken off the debits.
  const isCredit = (column: number): boolean =>
    table.layout === 'long' && figures.length > 1 && /^(?:cr|credits?)\b/i.test(headingOf(column))
  const factors = table.columns.map((meaning, index) => (meaning === null ? null : !figures.includes(index) ? 0 : isCredit(index) ? -1 : 1))
  const sides = sidesOf(cells, { headingRow: table.headingRow, column: at('sign'), amounts: figures })
  const fates: ReadTable['fates'][number][] = []
  const read: ReadPay = {
    rows: [],
    problems: tableProblems(cells, table.headingRow, { figures, texts, codes: [at('code')] }),
    skipped: { blank: 0, heading: 0, section: 0, total: 0, other: 0, otherMonth: 0 },
    agrees: null,
    table: { headingRow: table.headingRow, headings: table.headings, factors, fates },
  }
  const totals = totalsOf(figures.length)
  const employees = new Set<string>()
  /** What stands alone in a row without amounts, and may head a section. */
  const aloneIn = (line: readonly string[]): string | null => {
    if (figures.some((column) => (line[column] ?? '').trim())) return null
    const words = texts.map((column) => (line[column] ?? '').trim()).filter(Boolean)
    if (words.length) return words.length > 1 ? null : assertDefined(words[0])
    const said = line.map((cell) => cell.trim()).filter(Boolean)
    // `School:` in one cell, and which in the next.
    return (said[0]?.endsWith(':') ? said.join(' ') : said[0]) ?? null
  }
  const callsPlace = (text: string): boolean => placeText(text) !== text || isPlace(text)
  const hasPlaces = cells.some((line, index) => {
    const alone = index >= table.headingRow ? aloneIn(line) : null
    return alone !== null && callsPlace(alone)
  })
  const headsPlace = (text: string): boolean => callsPlace(text) || (hasPlaces && !totalWords.test(text) && !headsNoPlace.test(text))
  let section = ''
  const problem = (row: number, { column, value, message }: { column: number; value: string; message: string }): void => {
    if (read.problems.length < mostProblems) read.problems.push({ row, column: headingOf(column), value, message })
  }
  for (const { row, line, kind, values, title } of tableRows(cells, { ...table, used, figures }, callsPlace)) {
    const textAt = (meaning: PayMeaning): string => (at(meaning) < 0 ? '' : (line[at(meaning)] ?? '').trim())
    const fate = fateOf(kind, title)
    fates.push(fate)
    if (kind !== 'line') {
      read.skipped[kind]++
      continue
    }
    const words = texts.map((column) => (line[column] ?? '').trim()).filter(Boolean)
    const number = textAt('employeeNumber')
    if (values.every((value) => !value) && (table.layout === 'wide' || words.length <= 1)) {
      // A wide row of an employee without amounts is somebody who was paid nothing; one word alone heads a section.
      const alone = aloneIn(line)
      // In a wide file a number alone is an employee's.
      const isHeading = alone !== null && headsPlace(alone) && (callsPlace(alone) || table.layout === 'long' || !/^\S*\d\S*$/.test(number))
      if (isHeading) {
        section = placeText(alone) || alone
        totals.begin()
      }
      const isRemark = alone !== null && /\s/.test(number)
      if (isHeading || isRemark || table.layout === 'long' || !number || totalWords.test(number)) {
        read.skipped.section++
        fate.kind = 'section'
        continue
      }
    }
    const amounts = values.map(readAmount)
    const side = sides.of(line)
    if (side === -1) fate.sign = -1
    const pennies = amounts.map((one, place) =>
      'value' in one && one.value ? one.value * fate.sign * (isCredit(assertDefined(figures[place])) ? -1 : 1) : 0,
    )
    const isNamedTotal = totalWords.test(number) || (!number && line.some((cell) => totalWords.test(cell.trim())))
    // `Employees: 2` in place of an employee number, or `2` beside the word.
    const isCount =
      saysCount(number, employees.size) ||
      (Number(number) === employees.size && line.some((cell) => saysCount(cell.trim(), employees.size)))
    // What one employee is paid, another may be.
    const least = isCount && !isNamedTotal ? 2 : 1
    if ((isNamedTotal || isCount || !number) && amounts.every((one) => 'value' in one) && totals.isTotal(pennies, values, least)) {
      read.skipped.total++
      fate.kind = 'total'
      totals.end(pennies)
      read.agrees = { row, value: values.filter(Boolean).join(' / ') }
      continue
    }
    if (!number || isNamedTotal) {
      const message = isNamedTotal
        ? 'This row calls itself a total, and the rows above it do not come to it. Correct it, or take it out.'
        : 'This row has no employee number. Fill it in, or take the row out.'
      problem(row, { column: at('employeeNumber'), value: number, message })
      continue
    }
    if (looksLikeDate(number))
      problem(row, {
        column: at('employeeNumber'),
        value: number,
        message: 'The spreadsheet has turned this number into a date. Format the column as text and type the number again.',
      })
    if (isShortened(number)) problem(row, { column: at('employeeNumber'), value: number, message: shortened })
    if (typeof side === 'object') problem(row, { column: at('sign'), value: textAt('sign'), message: side.problem })
    for (const [place, one] of amounts.entries())
      if ('problem' in one)
        problem(row, { column: assertDefined(figures[place]), value: assertDefined(values[place]), message: one.problem })
    totals.add(pennies)
    employees.add(number)
    const code = textAt('code')
    if (table.layout === 'long') {
      if (!code) problem(row, { column: at('code'), value: '', message: 'This row has no code. Fill it in, or take the row out.' })
      else if (looksLikeDate(code))
        problem(row, {
          column: at('code'),
          value: code,
          message: 'The spreadsheet has turned this code into a date. Format the column as text and type the code again.',
        })
      if (values.every((value) => !value))
        problem(row, { column: assertDefined(figures[0]), value: '', message: 'This row has no amount. Fill it in, or take the row out.' })
    }
    if (read.rows.length + figures.length > mostAmounts) {
      problem(row, {
        column: at('employeeNumber'),
        value: number,
        message: `The file has more than ${mostAmounts} amounts. Send it in parts.`,
      })
      break
    }
    const bankAccount = plainAccount(textAt('sortCode'), textAt('bankAccount'))
    const shared = {
      row,
      employeeNumber: number,
      location: at('location') < 0 ? section : textAt('location'),
      month: textAt('month'),
      ...(bankAccount && { bankAccount }),
    }
    for (const [place, column] of figures.entries()) {
      // An empty cell of a wide file takes back what stood there before; in a long one it was told.
      if ((!values[place] && table.layout === 'long') || !('value' in assertDefined(amounts[place]))) continue
      const own = table.layout === 'wide' ? headingOf(column) : code
      read.rows.push({
        ...shared,
        column: headingOf(column),
        code: own,
        codeName: textAt('codeName'),
        text: assertDefined(values[place]),
        value: assertDefined(pennies[place]),
      })
    }
  }
  return read
}

/** A bank account as two files write it alike: spreadsheets drop its zeros, people put dashes into it. Empty without a number. */
function plainAccount(sortCode: string, number: string): string {
  const plain = (text: string): string =>
    text
      .replace(/[^\da-z]/gi, '')
      .replace(/^0+/, '')
      .toUpperCase()
  return plain(number) && [plain(sortCode), plain(number)].filter(Boolean).join(' ')
}

/** Payrolls count their periods in tax years: month 6 is September. */
const taxYearStart = 4

/** What is wrong with the month that a row names; null: nothing, or it names none. */
export function otherMonth(text: string, month: CalendarMonth): string | null {
  if (!text) return null
  const said = periodSaid(text)
  if (!said) return `Write the month as in ${month.year}-${String(month.month).padStart(2, '0')}.`
  const number = said.month ?? ((taxYearStart - 2 + assertDefined(said.period)) % 12) + 1
  const first = said.firstYear ?? said.someYear
  const year = said.year ?? (first === undefined ? month.year : first + (number < taxYearStart ? 1 : 0))
  const named = { year, month: number }
  if (monthIndex(named) === monthIndex(month)) return null
  return `This row is of ${monthWords(named)}, and you are importing ${monthWords(month)}. Choose that month, or another file.`
}

/** The month that the titles of a file name; null: none. */
export function payMonthOfFile({ month }: FoundPayTable): CalendarMonth | null {
  return month && calendarMonthOf(month.said, taxYearStart)
}

/** Rows and titles that name another month than the one that is imported. @param isMeant what the titles say is known, and not meant */
export function payMonthProblems(
  rows: readonly PayRow[],
  { table, month, isMeant }: { table: FoundPayTable; month: CalendarMonth; isMeant: boolean },
): CellProblem[] {
  const problems: CellProblem[] = []
  const said = payMonthOfFile(table)
  if (said && !isMeant && monthIndex(said) !== monthIndex(month))
    problems.push({
      row: assertDefined(table.month).row,
      column: null,
      value: assertDefined(table.month).value,
      message: `The file says that it is for ${monthWords(said)}, not ${monthWords(month)}. Choose that month, or another file.`,
    })
  const column = table.headings[table.columns.indexOf('month')] ?? null
  let last = 0
  for (const one of rows) {
    const message = one.row === last ? null : otherMonth(one.month, month)
    last = one.row
    if (message && problems.length < mostProblems) problems.push({ row: one.row, column, value: one.month, message })
  }
  return problems
}

/** Whether a file says itself, in its titles or in every row, that it is of a month. */
export function isOfMonth(rows: readonly PayRow[], table: FoundPayTable, month: CalendarMonth): boolean {
  const said = payMonthOfFile(table)
  if (said && monthIndex(said) === monthIndex(month)) return true
  return rows.length > 0 && rows.every((row) => row.month !== '' && otherMonth(row.month, month) === null)
}

/** The texts of a file that are mapped: codes, and what locations are called. */
export const payTextKinds = ['code', 'location'] as const
export type PayTextKind = (typeof payTextKinds)[number]

/** By the text as `mappingText` writes it: an id; null is left out on purpose. */
export type PayMapping = Record<PayTextKind, ReadonlyMap<string, number | null>>

/**
 * Whether the next file of a provider, anybody's, is read with what was chosen in this one. What one school leaves out of its own import is not
 * left out of everybody's.
 * @param isOfOne the file was imported for one location
 * @param isLimited who chose has only some locations
 */
export function isLearned(kind: PayTextKind, id: number | null, { isOfOne, isLimited }: { isOfOne: boolean; isLimited: boolean }): boolean {
  return id !== null || (!isLimited && (kind === 'code' || !isOfOne))
}

/** Rows of one text, with what they come to; empty cells are not counted. */
export interface PayTextGroup {
  text: string
  name: string
  rows: number
  /** Whole pennies. */
  value: Pennies
}

/** The different texts of a kind, in the order of the file. */
export function groupPayTexts(rows: readonly PayRow[], kind: PayTextKind): PayTextGroup[] {
  const groups = new Map<string, PayTextGroup>()
  for (const row of rows) {
    const text = row[kind]
    if (!text) continue
    const key = mappingText(text)
    const group = groups.get(key)
    const rowCount = row.text ? 1 : 0
    if (group) {
      group.rows += rowCount
      group.value += row.value
    } else groups.set(key, { text, name: kind === 'code' ? row.codeName : '', rows: rowCount, value: row.value })
  }
  return [...groups.values()]
}

interface PaySum {
  /** Amounts that stand there: empty cells are counted only among what is not mapped. */
  rows: number
  /** Whole pennies. */
  value: Pennies
}

/** The sum of a file and where it goes: nothing is saved until all of it is imported or left out on purpose (rules.md §18). */
export interface PayProof {
  file: PaySum
  imported: PaySum
  leftOut: PaySum
  unmapped: PaySum
}

/** A row with the code and the location that it maps to. */
export interface MappedPayRow extends PayRow {
  payrollCodeId: number
  locationId: LocationId
}

/**
 * Maps the rows of a file, and proves them: what is imported is added up from the rows that were made.
 * @param locationId where rows are that name no location; null: every row has to name one
 */
export function mapPay(
  rows: readonly PayRow[],
  mapping: PayMapping,
  locationId: LocationId | null,
): { rows: MappedPayRow[]; proof: PayProof; unmapped: { row: PayRow; kind: PayTextKind }[] } {
  const none = (): PaySum => ({ rows: 0, value: 0 })
  const proof: PayProof = { file: none(), imported: none(), leftOut: none(), unmapped: none() }
  const add = (sum: PaySum, { text, value }: PayRow): void => {
    if (text || sum === proof.unmapped) sum.rows++
    sum.value += value
  }
  const made: MappedPayRow[] = []
  const unmapped: { row: PayRow; kind: PayTextKind }[] = []
  // The same few texts stand in every row.
  const keys = new Map<string, string>()
  const keyOf = (text: string): string => keys.get(text) ?? assertDefined(keys.set(text, mappingText(text)).get(text))
  for (const row of rows) {
    add(proof.file, row)
    const code = mapping.code.get(keyOf(row.code))
    const place = row.location ? mapping.location.get(keyOf(row.location)) : (locationId ?? undefined)
    if (code === null || place === null) add(proof.leftOut, row)
    else if (code === undefined || place === undefined) {
      unmapped.push({ row, kind: code === undefined ? 'code' : 'location' })
      add(proof.unmapped, row)
    } else made.push({ ...row, payrollCodeId: code, locationId: toLocationId(place) })
  }
  for (const row of made) add(proof.imported, row)
  return { rows: made, proof, unmapped }
}

/** Whether all of a file is imported or left out on purpose, to the penny. */
export function isPayProved({ file, imported, leftOut, unmapped }: PayProof): boolean {
  return unmapped.rows === 0 && file.value === imported.value + leftOut.value && file.rows === imported.rows + leftOut.rows
}
