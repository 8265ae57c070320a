import { looksLikeDate, readAmount, toCalendarMonth } from '../../files/cells.ts'
import type { Cells } from '../../files/headings.ts'
import type { ReadLeftOutRow } from '../../files/leftOut.ts'
import { parsePeriod } from '../../files/periods.ts'
import { createRowClassification, type InterpretedTable } from '../../files/proof.ts'
import { findTableProblems } from '../../files/rowProblems.ts'
import { readRowSides } from '../../files/signs.ts'
import { classifyTableRows, type RowKind } from '../../files/table.ts'
import { type CellProblem, extractSchoolName, normaliseMappingText } from '../../files/texts.ts'
import { createTotalFinder, isCountRow, totalNamePattern } from '../../files/totals.ts'
import { type CalendarMonth, formatMonth, toMonthIndex } from '../../monitoring/monitoring.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { displayNumber } from '../../values/format.ts'
import { type LocationId, toLocationId } from '../../values/ids.ts'
import type { Pennies } from '../../values/units.ts'
import type { DetectedPayrollTable, PayMeaning } from './columns.ts'

const maximumAmounts = 1_000_000

const maximumProblems = 5000

export interface PayRow {
  /** Row number of the spreadsheet, from 1. */
  row: number
  /** Heading of the amount column. */
  column: string
  employeeNumber: string
  /** The text of the row's code; in a wide file, the heading of the column. */
  code: string
  codeName: string
  location: string
  month: string
  /** The amount as written in the file. It is empty for an empty cell of a wide file, which means not paid. */
  text: string
  value: Pennies
  /** The bank account: sort code and number without separators; absent if the file has no account for the row. */
  bankAccount?: string
}

export interface PayrollContents {
  rows: PayRow[]
  problems: CellProblem[]
  /** Rows that are not lines, counted by reason. */
  skipped: Record<Exclude<RowKind, 'line'>, number>
  /** The row number and value of the last total that equals the sum of the rows above it; null if the file has none. */
  agrees: { row: number; value: string } | null
  /** The rows that the user left out, with their sums. */
  leftOut: ReadLeftOutRow[]
  /** How each cell with an amount was treated, for the proof. */
  table: InterpretedTable
}

const powerOfTenPattern = /^\d+(\.\d+)?e\+?\d+$/i
export const shortenedNumberSentence = 'The spreadsheet has shortened this number. Format the column as text, and save the file again.'

/** Whether a spreadsheet has converted a long number to a power of ten. */
export const isShortenedNumber = (employeeNumber: string): boolean => powerOfTenPattern.test(employeeNumber)

/** Matches text that begins a section of a printed list but is not the name of a school. */
const notLocationPattern = /^(?:page \d|(?:employee|emp|payee|name)\s*[:–-])/i

/**
 * Reads the lines of a payroll table. Skips titles, repeated headings, blank rows, sections and totals. A row without an employee counts as
 * a total only if the rows above it add up to it. If one section is a location, all sections count as locations, so that pay under an
 * unknown school is never counted at the school above it.
 * @param isPlace whether a section heading is the name of a location, which then applies to its rows
 * @param table `leftOut`: the rows that the user leaves out, by their numbers from 1
 */
export function readPayroll(
  cells: Cells,
  table: DetectedPayrollTable & { leftOut?: ReadonlySet<number> },
  isPlace: (text: string) => boolean,
): PayrollContents {
  const { leftOut } = table
  const at = (meaning: PayMeaning): number => table.columns.indexOf(meaning)
  const figures = table.columns.flatMap((meaning, index) => (meaning === (table.layout === 'wide' ? 'element' : 'amount') ? [index] : []))
  const texts = table.columns.flatMap((meaning, index) => (meaning && !figures.includes(index) ? [index] : []))
  const headingOf = (column: number): string => table.headings[column] || `Column ${column + 1}`
  const used = table.columns.flatMap((meaning, index) => (meaning ? [index] : []))
  // If there are two amount columns, credits are subtracted from debits.
  const isCredit = (column: number): boolean =>
    table.layout === 'long' && figures.length > 1 && /^(?:cr|credits?)\b/i.test(headingOf(column))
  const factors = table.columns.map((meaning, index) => (meaning === null ? null : !figures.includes(index) ? 0 : isCredit(index) ? -1 : 1))
  const sides = readRowSides(cells, { headingRow: table.headingRow, column: at('sign'), amounts: figures })
  const classifications: InterpretedTable['classifications'][number][] = []
  const read: PayrollContents = {
    rows: [],
    problems: findTableProblems(cells, table.headingRow, { figures, texts, codes: [at('code')], leftOut }),
    skipped: { blank: 0, heading: 0, section: 0, total: 0, other: 0, otherMonth: 0, leftOut: 0 },
    leftOut: [],
    agrees: null,
    table: { headingRow: table.headingRow, headings: table.headings, factors, classifications },
  }
  const totals = createTotalFinder(figures.length)
  const employees = new Set<string>()
  /** The text of a row that has no other, which may be a section heading; null for any other row. */
  const onlyText = (line: readonly string[]): string | null => {
    if (figures.some((column) => (line[column] ?? '').trim())) return null
    const words = texts.map((column) => (line[column] ?? '').trim()).filter(Boolean)
    if (words.length) return words.length > 1 ? null : assertDefined(words[0])
    const filled = line.map((cell) => cell.trim()).filter(Boolean)
    // `School:` may be in one cell and the name of the school in the next.
    return (filled[0]?.endsWith(':') ? filled.join(' ') : filled[0]) ?? null
  }
  const callsPlace = (text: string): boolean => extractSchoolName(text) !== text || isPlace(text)
  const hasPlaces = cells.some((line, index) => {
    const alone = index >= table.headingRow ? onlyText(line) : null
    return alone !== null && callsPlace(alone)
  })
  const headsPlace = (text: string): boolean =>
    callsPlace(text) || (hasPlaces && !totalNamePattern.test(text) && !notLocationPattern.test(text))
  // Below rows with the names of employees, a number without a name may be the count of these employees.
  const isBare = (line: readonly string[], number: string): boolean =>
    employees.size > 1 && !employees.has(number) && !line.some(isName) && (cells[table.headingRow] ?? []).some(isName)
  let section = ''
  const problem = (row: number, { column, value, message }: { column: number; value: string; message: string }): void => {
    if (read.problems.length < maximumProblems) read.problems.push({ row, column: headingOf(column), value, message })
  }
  for (const { row, line, kind, values, title } of classifyTableRows(cells, { ...table, used, figures }, callsPlace)) {
    const textAt = (meaning: PayMeaning): string => (at(meaning) < 0 ? '' : (line[at(meaning)] ?? '').trim())
    const fate = createRowClassification(kind, title)
    classifications.push(fate)
    if (kind !== 'line') {
      read.skipped[kind]++
      continue
    }
    const words = texts.map((column) => (line[column] ?? '').trim()).filter(Boolean)
    const number = textAt('employeeNumber')
    if (values.every((value) => !value) && (table.layout === 'wide' || words.length <= 1)) {
      // In a wide file, a row without amounts is an employee who was not paid. A row with a single text is a section heading.
      const alone = onlyText(line)
      // In a wide file, a single number is an employee number, not a heading.
      const isHeading = alone !== null && headsPlace(alone) && (callsPlace(alone) || table.layout === 'long' || !/^\S*\d\S*$/.test(number))
      if (isHeading) {
        section = extractSchoolName(alone) || alone
        totals.begin()
      }
      const isRemark = alone !== null && /\s/.test(number)
      if (isHeading || isRemark || table.layout === 'long' || !number || totalNamePattern.test(number)) {
        read.skipped.section++
        fate.kind = 'section'
        continue
      }
    }
    const amounts = values.map(readAmount)
    const side = sides.sideOf(line)
    if (side === -1) fate.sign = -1
    const pennies = amounts.map((one, index) =>
      'value' in one && one.value ? one.value * fate.sign * (isCredit(assertDefined(figures[index])) ? -1 : 1) : 0,
    )
    const isNamedTotal = totalNamePattern.test(number) || (!number && line.some((cell) => totalNamePattern.test(cell.trim())))
    // The row may have `Employees: 2` in place of an employee number, or `2` in the cell after the word.
    const isCount =
      isCountRow(number, employees.size) ||
      (Number(number) === employees.size && (line.some((cell) => isCountRow(cell.trim(), employees.size)) || isBare(line, number)))
    // Two employees may have the same pay, so a count of employees is a total only if it is the sum of at least two amounts.
    const least = isCount && !isNamedTotal ? 2 : 1
    if ((isNamedTotal || isCount || !number) && amounts.every((one) => 'value' in one) && totals.isTotal(pennies, values, least)) {
      read.skipped.total++
      fate.kind = 'total'
      totals.end(pennies)
      read.agrees = { row, value: values.filter(Boolean).join(' / ') }
      continue
    }
    if (leftOut?.has(row)) {
      // The totals in the file include rows that the user leaves out.
      totals.add(pennies)
      read.skipped.leftOut++
      fate.kind = 'leftOut'
      read.leftOut.push({ row, value: pennies.reduce((sum, value) => sum + value, 0) })
      continue
    }
    if (!number || isNamedTotal) {
      const message = isNamedTotal
        ? 'This row is labelled as a total, but the rows above do not add up to it. Correct it, or remove it.'
        : 'This row has no employee number. Fill it in, or remove the row.'
      problem(row, { column: at('employeeNumber'), value: number, message })
      continue
    }
    if (looksLikeDate(number))
      problem(row, {
        column: at('employeeNumber'),
        value: number,
        message: 'The spreadsheet has turned this number into a date. Format the column as text and enter the number again.',
      })
    if (isShortenedNumber(number)) problem(row, { column: at('employeeNumber'), value: number, message: shortenedNumberSentence })
    if (typeof side === 'object') problem(row, { column: at('sign'), value: textAt('sign'), message: side.problem })
    for (const [index, one] of amounts.entries())
      if ('problem' in one)
        problem(row, { column: assertDefined(figures[index]), value: assertDefined(values[index]), message: one.problem })
    totals.add(pennies)
    employees.add(number)
    const code = textAt('code')
    if (table.layout === 'long') {
      if (!code) problem(row, { column: at('code'), value: '', message: 'This row has no code. Fill it in, or remove the row.' })
      else if (looksLikeDate(code))
        problem(row, {
          column: at('code'),
          value: code,
          message: 'The spreadsheet has turned this code into a date. Format the column as text and enter the code again.',
        })
      if (values.every((value) => !value))
        problem(row, { column: assertDefined(figures[0]), value: '', message: 'This row has no amount. Fill it in, or remove the row.' })
    }
    if (read.rows.length + figures.length > maximumAmounts) {
      problem(row, {
        column: at('employeeNumber'),
        value: number,
        message: `The file has more than ${displayNumber(maximumAmounts)} amounts. Split it into smaller files.`,
      })
      break
    }
    const bankAccount = normaliseAccount(textAt('sortCode'), textAt('bankAccount'))
    const shared = {
      row,
      employeeNumber: number,
      location: at('location') < 0 ? section : textAt('location'),
      month: textAt('month'),
      ...(bankAccount && { bankAccount }),
    }
    for (const [index, column] of figures.entries()) {
      // An empty cell of a wide file removes a value imported earlier. In a long file it has already been reported as a problem.
      if ((!values[index] && table.layout === 'long') || !('value' in assertDefined(amounts[index]))) continue
      const rowCode = table.layout === 'wide' ? headingOf(column) : code
      read.rows.push({
        ...shared,
        column: headingOf(column),
        code: rowCode,
        codeName: textAt('codeName'),
        text: assertDefined(values[index]),
        value: assertDefined(pennies[index]),
      })
    }
  }
  return read
}

const isName = (cell: string): boolean => /[a-z]/i.test(cell)

/**
 * Normalises a bank account, so that it is the same in all files: spreadsheets drop leading zeros, and people add dashes. Empty if there is
 * no account number.
 */
function normaliseAccount(sortCode: string, number: string): string {
  const plain = (text: string): string =>
    text
      .replace(/[^\da-z]/gi, '')
      .replace(/^0+/, '')
      .toUpperCase()
  return plain(number) && [plain(sortCode), plain(number)].filter(Boolean).join(' ')
}

/** The calendar month of period 1. Payrolls number their periods by tax year: period 6 is September. */
const taxYearStart = 4

/** Checks the month that a row names. @returns null if it is the imported month, or if the row names none */
export function findMonthMismatch(text: string, month: CalendarMonth): string | null {
  if (!text) return null
  const period = parsePeriod(text)
  if (!period) return `Enter the month as, for example, ${month.year}-${String(month.month).padStart(2, '0')}.`
  const number = period.month ?? ((taxYearStart - 2 + assertDefined(period.period)) % 12) + 1
  const first = period.firstYear ?? period.someYear
  const year = period.year ?? (first === undefined ? month.year : first + (number < taxYearStart ? 1 : 0))
  const named = { year, month: number }
  if (toMonthIndex(named) === toMonthIndex(month)) return null
  return `This row is for ${formatMonth(named)}, and you are importing ${formatMonth(month)}. Choose that month, or another file.`
}

export function findPayMonth({ month }: DetectedPayrollTable): CalendarMonth | null {
  return month && toCalendarMonth(month.said, taxYearStart)
}

/**
 * Finds rows and titles that name another month than the imported one.
 * @param isMeant whether the user knows that the titles name another month
 */
export function findPayMonthProblems(
  rows: readonly PayRow[],
  { table, month, isMeant }: { table: DetectedPayrollTable; month: CalendarMonth; isMeant: boolean },
): CellProblem[] {
  const problems: CellProblem[] = []
  const fileMonth = findPayMonth(table)
  if (fileMonth && !isMeant && toMonthIndex(fileMonth) !== toMonthIndex(month))
    problems.push({
      row: assertDefined(table.month).row,
      column: null,
      value: assertDefined(table.month).value,
      message: `The file says that it is for ${formatMonth(fileMonth)}, not ${formatMonth(month)}. Choose that month, or another file.`,
    })
  const column = table.headings[table.columns.indexOf('month')] ?? null
  let last = 0
  for (const one of rows) {
    const message = one.row === last ? null : findMonthMismatch(one.month, month)
    last = one.row
    if (message && problems.length < maximumProblems) problems.push({ row: one.row, column, value: one.month, message })
  }
  return problems
}

/** Whether the titles or every row of a file name the month. */
export function isPayrollOfMonth(rows: readonly PayRow[], table: DetectedPayrollTable, month: CalendarMonth): boolean {
  const fileMonth = findPayMonth(table)
  if (fileMonth && toMonthIndex(fileMonth) === toMonthIndex(month)) return true
  return rows.length > 0 && rows.every((row) => row.month !== '' && findMonthMismatch(row.month, month) === null)
}

export const payTextKinds = ['code', 'location'] as const
export type PayTextKind = (typeof payTextKinds)[number]

/** Record ids by text (see `normaliseMappingText`). A null id means that rows with the text are left out on purpose. */
export type PayMapping = Record<PayTextKind, ReadonlyMap<string, number | null>>

/**
 * Whether a user's choice also applies to later files of the provider, including those that other users import. A choice to leave a text
 * out of one school's import does not leave it out of the imports of others.
 * @param isOfOne whether the file was imported for one location
 * @param isLimited whether the user has access to some locations only
 */
export function isMappingLearned(
  kind: PayTextKind,
  id: number | null,
  { isOfOne, isLimited }: { isOfOne: boolean; isLimited: boolean },
): boolean {
  return id !== null || (!isLimited && (kind === 'code' || !isOfOne))
}

/** The rows with the same text and their total, without empty cells. */
export interface PayTextGroup {
  text: string
  name: string
  rows: number
  value: Pennies
}

/** Groups rows by the texts of a kind, in the order of the file. */
export function groupPayTexts(rows: readonly PayRow[], kind: PayTextKind): PayTextGroup[] {
  const groups = new Map<string, PayTextGroup>()
  for (const row of rows) {
    const text = row[kind]
    if (!text) continue
    const key = normaliseMappingText(text)
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
  /** The number of amounts. Empty cells count only if they are not mapped. */
  rows: number
  value: Pennies
}

/**
 * The total of a file, and how much of it is imported, left out or unmapped. Nothing is saved until every amount is imported or
 * deliberately left out (rules.md §18).
 */
export interface PayProof {
  file: PaySum
  imported: PaySum
  leftOut: PaySum
  unmapped: PaySum
}

/** A row with its code and location. */
export interface MappedPayRow extends PayRow {
  payrollCodeId: number
  locationId: LocationId
}

/**
 * Maps the rows of a file and proves that no money is lost. The imported sum is calculated from the mapped rows, so that the proof is
 * independent of the mapping.
 * @param locationId location of rows that do not name one; null if every row must name its location
 */
export function mapPayrollRows(
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
  const mapped: MappedPayRow[] = []
  const unmapped: { row: PayRow; kind: PayTextKind }[] = []
  // The keys of texts are cached, because a file repeats a few texts many times.
  const keys = new Map<string, string>()
  const keyOf = (text: string): string => keys.get(text) ?? assertDefined(keys.set(text, normaliseMappingText(text)).get(text))
  for (const row of rows) {
    add(proof.file, row)
    const code = mapping.code.get(keyOf(row.code))
    const mappedLocationId = row.location ? mapping.location.get(keyOf(row.location)) : (locationId ?? undefined)
    if (code === null || mappedLocationId === null) add(proof.leftOut, row)
    else if (code === undefined || mappedLocationId === undefined) {
      unmapped.push({ row, kind: code === undefined ? 'code' : 'location' })
      add(proof.unmapped, row)
    } else mapped.push({ ...row, payrollCodeId: code, locationId: toLocationId(mappedLocationId) })
  }
  for (const row of mapped) add(proof.imported, row)
  return { rows: mapped, proof, unmapped }
}

/** Whether every penny of a file is imported or deliberately left out. */
export function isPayrollProved({ file, imported, leftOut, unmapped }: PayProof): boolean {
  return unmapped.rows === 0 && file.value === imported.value + leftOut.value && file.rows === imported.rows + leftOut.rows
}
