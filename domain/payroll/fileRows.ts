import { toPenniesBelow } from '../files/cells.ts'
import { describeUnreadColumn } from '../files/proof.ts'
import { createRefusedImportError, createWholeFileError } from '../files/refusals.ts'
import type { CellProblem } from '../files/texts.ts'
import { payrollCodeType, payrollElement } from '../lookups/lookupIds.ts'
import { type CalendarMonth, formatMonth } from '../monitoring/monitoring.ts'
import { listColumns, matchColumns, parseImportRow } from '../resources/columns.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayCount, displayNumber } from '../values/format.ts'
import type { LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import { maximumImportRows } from '../words/notices.ts'
import { type EmployeeRef, type PaidAccount, type PayrollLine, parseStaffRef } from './payroll.ts'
import { payrollFile } from './payrollFile.ts'
import { findMonthMismatch, isShortenedNumber, shortenedNumberSentence } from './provider/rows.ts'
import type { ProviderCode } from './reconcile.ts'

type Cells = Record<string, string>

export interface PayrollLocation {
  id: LocationId
  name: string
  payrollRecId: string | null
}

export interface EmployeeLookup {
  /**
   * Finds an employee by number: by the exact number or, if no employee has it, without regard to spaces and leading zeros (`isExact` is
   * then false). `many` if several employees match.
   */
  find(employeeNumber: string): { employee: EmployeeRef; isExact: boolean } | 'many'
  sealNumber(employeeNumber: string): string
  digestAccount(account: string): string
}

export interface PayrollFileInput extends CalendarMonth {
  rows: readonly Cells[]
  /** The location that the file is for; null if rows name their own locations. */
  locationId: LocationId | null
}

/** An employee and code that occurred in several rows, whose amounts were added up. */
export interface DuplicateLine {
  employeeNumber: string
  payrollCode: string
  rows: number[]
  value: Pennies
}

/** The rows of a file for one location; whole pennies. */
export interface ParsedPayrollLocation {
  rows: number
  sum: Pennies
  lines: PayrollLine[]
  /** Absent if the file does not contain bank accounts. */
  paidInto?: PaidAccount[]
}

export interface ParsedPayrollFile {
  locations: Map<LocationId, ParsedPayrollLocation>
  doubled: DuplicateLine[]
  /** How many employee numbers matched only without regard to spaces and leading zeros. */
  withoutZeros: number
  /** Employee numbers that no member of staff has. Their rows cannot be compared with a budget. */
  unknown: string[]
  /** Whether the titles or every row of the file name the month. */
  namesMonth: boolean
}

/** The largest amount of one row, in pounds. */
const maximumPounds = 10_000_000

const datePattern = /^\d{1,4}[-/. ]\d{1,2}([-/. ]\d{1,4})?$|^\d{1,2}[-/ ][a-z]{3,9}([-/ ]\d{2,4})?$|^[a-z]{3,9}[-/ ]\d{2,4}$/i

/**
 * Reads a payroll file. A single invalid cell rejects the whole file.
 * @throws DomainError with row, column, value and advice for each invalid cell
 */
export function readPayrollFile(
  { rows, locationId, ...month }: PayrollFileInput,
  {
    people,
    codes,
    locations,
    withYear,
  }: { people: EmployeeLookup; codes: readonly ProviderCode[]; locations: readonly PayrollLocation[]; withYear: ReadonlySet<LocationId> },
): ParsedPayrollFile {
  if (!rows.length) throw createWholeFileError('The file has no rows. Choose another file.')
  if (rows.length > maximumImportRows)
    throw createWholeFileError(`The file has more than ${displayNumber(maximumImportRows)} rows. Split it into smaller files.`)
  const { matched, missing } = matchColumns(listColumns(payrollFile), [...new Set(rows.flatMap(Object.keys))], {})
  const headings = new Set([...matched.values()].map((column) => column.heading))
  const lacking = [...(locationId === null && !headings.has('PayrollRecId') ? ['PayrollRecId'] : []), ...missing]
  if (lacking.length) throw createWholeFileError(`These columns are missing: ${lacking.join(', ')}.`)
  const unread = describeUnreadColumn(rows, new Set(matched.keys()))
  if (unread) throw createWholeFileError(unread)
  const byCode = new Map(codes.map((code) => [code.code.trim().toLowerCase(), code]))
  const byRecId = new Map(
    locations.flatMap((location) => (location.payrollRecId ? [[location.payrollRecId.trim().toLowerCase(), location] as const] : [])),
  )
  const ownPlace = locationId === null ? undefined : locations.find((location) => location.id === locationId)
  const errors: CellProblem[] = []
  const placed: LocatedPayRow[] = []
  let hasMonth = true
  rows.forEach((row, index) => {
    const at = index + 1
    const { values, problems } = parseImportRow(payrollFile, { matched, row, find: () => undefined })
    const add = (column: string, value: string, message: string): void => void errors.push({ row: at, column, value, message })
    for (const problem of problems) errors.push({ row: at, ...problem, message: addAdvice(problem) })
    const isBad = (column: string): boolean => problems.some((problem) => problem.column === column)
    const text = (name: string): string => String(values[name] ?? '').trim()
    for (const { heading, field } of listColumns(payrollFile))
      if (payrollFile.importRequired?.includes(heading) && !isBad(heading) && text(field) === '')
        add(heading, '', `${heading} is required. Fill it in.`)
    const recId = text('payrollRecId')
    const named = byRecId.get(recId.toLowerCase())
    const location = ownPlace ?? named
    if (ownPlace && recId && named?.id !== ownPlace.id)
      add('PayrollRecId', recId, `This row is not for ${ownPlace.name}. Remove it, or import the file for the whole organisation.`)
    if (!ownPlace && !recId) add('PayrollRecId', '', 'PayrollRecId is required. Fill it in.')
    if (!ownPlace && recId && !location)
      add('PayrollRecId', recId, 'No location has this payroll reconciliation id. Correct it, or add it to a location first.')
    if (location && !withYear.has(location.id))
      add(
        'PayrollRecId',
        recId,
        `${formatMonth(month)} is not covered by any budget for ${location.name}. Add a budget for that year, or choose another month.`,
      )
    if (!text('month')) hasMonth = false
    const other = findMonthMismatch(text('month'), month)
    if (other) add('Month', text('month'), other)
    const number = text('employeeNumber')
    if (isShortenedNumber(number)) add('EmployeeNumber', number, shortenedNumberSentence)
    const isSeveral = number !== '' && people.find(number) === 'many'
    if (isSeveral) add('EmployeeNumber', number, severalPeopleSentence)
    const written = text('payrollCode')
    const code = byCode.get(written.toLowerCase())
    if (written && !code) add('PayrollCode', written, 'This payroll provider code was not found. Correct it, or add it first.')
    const value = toPenniesBelow(maximumPounds, values.actual)
    if (typeof values.actual === 'number' && value === null)
      add(
        'Actual',
        row[getHeading(matched, 'Actual')] ?? '',
        'Actual must be in pounds, with at most two decimals, and less than 10 million.',
      )
    if (!location || !code || !number || isSeveral || value === null) return
    placed.push({ row: at, column: 'Actual', location, code, number, value, text: row[getHeading(matched, 'Actual')] ?? '' })
  })
  return { ...groupPayRows(placed, { people, errors, rowCount: rows.length }), namesMonth: hasMonth }
}

export interface LocatedPayRow {
  row: number
  /** Heading of the amount column. */
  column: string
  location: Pick<PayrollLocation, 'id'>
  code: ProviderCode
  /** The employee number as written in the file. Numbers that match several people have already been refused. */
  number: string
  value: Pennies
  text: string
  bankAccount?: string
}

/**
 * Groups rows by location, employee and code. Adds up duplicates, and reports them.
 * @param errors problems found so far
 * @throws DomainError with row, column, value and advice for each invalid cell; then nothing is imported
 */
export function groupPayRows(
  placed: readonly LocatedPayRow[],
  { people, errors, rowCount }: { people: EmployeeLookup; errors: CellProblem[]; rowCount: number },
): Omit<ParsedPayrollFile, 'namesMonth'> {
  const cells = new Map<string, ReconciliationCell>()
  const withoutZeros = new Set<EmployeeRef>()
  const unknown = new Set<string>()
  // An employee has a row for each element, so the results of look-ups are cached.
  const employeeByNumber = new Map<string, { employee: EmployeeRef; isExact: boolean }>()
  const accounts = new Map<string, PaidAccount & { placeId: LocationId }>()
  for (const { row, column, location, code, number, value, text, bankAccount } of placed) {
    const foundEmployee = employeeByNumber.get(number) ?? findOnePerson(people, number)
    employeeByNumber.set(number, foundEmployee)
    if (!foundEmployee.isExact) withoutZeros.add(foundEmployee.employee)
    if (text && parseStaffRef(foundEmployee.employee) === null) unknown.add(number)
    const key = `${location.id} ${code.id} ${foundEmployee.employee}`
    const cell = cells.get(key) ?? { location, code, employee: foundEmployee.employee, number, value: 0, rows: [] }
    cell.value += value
    cell.rows.push({ row, column, text, value })
    cells.set(key, cell)
    // An employee has a row for each element, usually with the same account.
    const paid = bankAccount && `${location.id} ${foundEmployee.employee} ${bankAccount}`
    if (paid && !accounts.has(paid))
      accounts.set(paid, { placeId: location.id, employee: foundEmployee.employee, account: people.digestAccount(bankAccount) })
  }
  for (const cell of cells.values()) {
    const isBasicPay = cell.code.element === payrollElement.basic && cell.code.type === payrollCodeType.payment
    const [negative] = cell.rows.filter((row) => row.value < 0)
    if (isBasicPay && cell.value < 0 && negative)
      errors.push({
        row: negative.row,
        column: negative.column,
        value: negative.text,
        message: 'Basic pay for a month cannot be negative. Correct it, or enter amounts recovered as a deduction.',
      })
  }
  if (errors.length)
    throw createRefusedImportError(
      errors.sort((a, b) => a.row - b.row),
      rowCount,
    )
  const read: Omit<ParsedPayrollFile, 'namesMonth'> = {
    locations: new Map(),
    doubled: [],
    withoutZeros: withoutZeros.size,
    unknown: [...unknown],
  }
  for (const cell of cells.values()) {
    const location: ParsedPayrollLocation = read.locations.get(cell.location.id) ?? { rows: 0, sum: 0, lines: [] }
    location.rows += cell.rows.length
    location.sum += cell.value
    location.lines.push({
      employee: cell.employee,
      sealedNumber: parseStaffRef(cell.employee) === null ? people.sealNumber(cell.number) : null,
      payrollCodeId: cell.code.id,
      value: cell.value,
    })
    read.locations.set(cell.location.id, location)
    const filled = cell.rows.filter((row) => row.text)
    if (filled.length > 1)
      read.doubled.push({
        employeeNumber: cell.number,
        payrollCode: cell.code.code,
        // Two columns of a wide file may share a code.
        rows: [...new Set(filled.map((row) => row.row))],
        value: cell.value,
      })
  }
  for (const { placeId, employee, account } of accounts.values()) {
    const location = assertDefined(read.locations.get(placeId))
    location.paidInto = [...(location.paidInto ?? []), { employee, account }]
  }
  return read
}

/** The problem of an employee number that matches several people. */
export const severalPeopleSentence =
  'Several people have this number if leading zeros are ignored. Enter it exactly as in the list of staff.'

function findOnePerson(people: EmployeeLookup, number: string): { employee: EmployeeRef; isExact: boolean } {
  const employee = people.find(number)
  if (employee === 'many') throw new Error('A number of several people was not refused.')
  return employee
}

interface ReconciliationCell {
  location: Pick<PayrollLocation, 'id'>
  code: ProviderCode
  employee: EmployeeRef
  number: string
  value: number
  rows: { row: number; column: string; text: string; value: number }[]
}

function getHeading(matched: ReturnType<typeof matchColumns>['matched'], column: string): string {
  return [...matched].find(([, one]) => one.heading === column)?.[0] ?? column
}

function addAdvice({ column, value, message }: { column: string; value: string; message: string }): string {
  if (column === 'Actual' && datePattern.test(value.trim()))
    return 'The spreadsheet has turned this amount into a date. Format the column as a number, and save the file again.'
  return message.endsWith('must be a number.') ? `${message} Enter pounds, such as 1234.50.` : message
}

export function describeImportRemarks({
  doubled,
  withoutZeros,
  unknown,
}: Pick<ParsedPayrollFile, 'doubled' | 'withoutZeros' | 'unknown'>): string[] {
  const [first] = doubled
  return [
    ...(first
      ? [
          `${displayCount(doubled.length, 'combination of employee and code is', 'combinations of employee and code are')} in the file more than once and ${doubled.length === 1 ? 'was' : 'were'} added together: the first is ${first.employeeNumber} under ${first.payrollCode}, ${first.rows.length > 1 ? `rows ${first.rows.join(' and ')}` : `in several columns of row ${first.rows[0]}`}.`,
        ]
      : []),
    ...(withoutZeros
      ? [`${displayCount(withoutZeros, 'employee number was', 'employee numbers were')} matched without leading zeros or spaces.`]
      : []),
    ...(unknown.length ? [`${displayCount(unknown.length, 'employee number is', 'employee numbers are')} not in the list of staff.`] : []),
  ]
}
