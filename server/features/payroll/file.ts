import { invalid } from '../../../domain/errors.ts'
import { displayCount, penniesOf } from '../../../domain/format.ts'
import { payrollCodeType, payrollElement } from '../../../domain/lookupIds.ts'
import { type CalendarMonth, monthIndex, monthWords } from '../../../domain/monitoring/monitoring.ts'
import { largestImportRows } from '../../../domain/notices.ts'
import { type EmployeeRef, type PayrollLine, staffIdOf } from '../../../domain/payroll/payroll.ts'
import { payrollFile } from '../../../domain/payroll/payrollFile.ts'
import type { ProviderCode } from '../../../domain/payroll/reconcile.ts'
import { columnsOf, matchColumns, readRow } from '../../../domain/resources/columns.ts'
import { seal } from '../../core/database/vault.ts'
import { type ImportError, importRefused, wholeFile } from '../../resources/import/errors.ts'
import type { People } from './people.ts'

type Cells = Record<string, string>

/** A location that payrolls may be for. */
export interface Place {
  id: number
  name: string
  payrollRecId: string | null
}

export interface FileToRead extends CalendarMonth {
  rows: readonly Cells[]
  /** The location that the file is for; null: its rows say where they belong. */
  locationId: number | null
}

/** The same employee and code in several rows, which were added up. */
export interface Doubled {
  employeeNumber: string
  payrollCode: string
  rows: number[]
  /** Whole pennies. */
  value: number
}

/** What a file says of one location; whole pennies. */
export interface ReadLocation {
  rows: number
  sum: number
  lines: PayrollLine[]
}

export interface ReadFile {
  locations: Map<number, ReadLocation>
  doubled: Doubled[]
  /** Numbers that met ours only without spaces and leading zeros. */
  withoutZeros: number
  /** Numbers that nobody here has: they are rows of the payroll only. */
  unknown: string[]
  /** The file says itself which month it is. */
  namesMonth: boolean
}

/** The largest amount of one row, in pounds. */
const largestValue = 10_000_000

const asDate = /^\d{1,4}[-/. ]\d{1,2}([-/. ]\d{1,4})?$|^\d{1,2}[-/ ][a-z]{3,9}([-/ ]\d{2,4})?$|^[a-z]{3,9}[-/ ]\d{2,4}$/i
const asPower = /^\d+(\.\d+)?e\+?\d+$/i

/**
 * Reads a payroll file: every row, or with one broken cell none.
 * @throws DomainError with row, column, value and what to do of each broken cell
 */
export function readPayrollFile(
  { rows, locationId, ...month }: FileToRead,
  {
    people,
    codes,
    places,
    withYear,
  }: { people: People; codes: readonly ProviderCode[]; places: readonly Place[]; withYear: ReadonlySet<number> },
): ReadFile {
  if (!rows.length) throw wholeFile('The file has no rows. Choose another file.')
  if (rows.length > largestImportRows) throw wholeFile(`The file has more than ${largestImportRows} rows. Send it in parts.`)
  const { matched, missing } = matchColumns(columnsOf(payrollFile), [...new Set(rows.flatMap(Object.keys))], {})
  const headings = new Set([...matched.values()].map((column) => column.heading))
  const lacking = [...(locationId === null && !headings.has('PayrollRecId') ? ['PayrollRecId'] : []), ...missing]
  if (lacking.length) throw wholeFile(`These columns are missing: ${lacking.join(', ')}.`)
  const byCode = new Map(codes.map((code) => [code.code.trim().toLowerCase(), code]))
  const byRecId = new Map(
    places.flatMap((place) => (place.payrollRecId ? [[place.payrollRecId.trim().toLowerCase(), place] as const] : [])),
  )
  const ownPlace = locationId === null ? undefined : places.find((place) => place.id === locationId)
  const errors: ImportError[] = []
  const cells = new Map<string, Cell>()
  const withoutZeros = new Set<EmployeeRef>()
  const unknown = new Set<string>()
  const read: ReadFile = { locations: new Map(), doubled: [], withoutZeros: 0, unknown: [], namesMonth: headings.has('Month') }
  rows.forEach((row, index) => {
    const at = index + 1
    const { values, problems } = readRow(payrollFile, matched, row, () => undefined)
    const add = (column: string, value: string, message: string): void => void errors.push({ row: at, column, value, message })
    for (const problem of problems) errors.push({ row: at, ...problem, message: withAdvice(problem) })
    const isBad = (column: string): boolean => problems.some((problem) => problem.column === column)
    const text = (name: string): string => String(values[name] ?? '').trim()
    for (const { heading, field } of columnsOf(payrollFile))
      if (payrollFile.importRequired?.includes(heading) && !isBad(heading) && text(field) === '')
        add(heading, '', `${heading} is required. Fill it in.`)
    const recId = text('payrollRecId')
    const named = byRecId.get(recId.toLowerCase())
    const place = ownPlace ?? named
    if (ownPlace && recId && named?.id !== ownPlace.id)
      add('PayrollRecId', recId, `This row is not for ${ownPlace.name}. Take it out, or import the file for the whole organisation.`)
    if (!ownPlace && !recId) add('PayrollRecId', '', 'PayrollRecId is required. Fill it in.')
    if (!ownPlace && recId && !place)
      add('PayrollRecId', recId, 'No location has this payroll reconciliation id. Correct it, or give it to a location first.')
    if (place && !withYear.has(place.id))
      add(
        'PayrollRecId',
        recId,
        `${monthWords(month)} lies in no budget of ${place.name}. Make a budget of that year, or choose another month.`,
      )
    const other = otherMonth(text('month'), month)
    if (other) add('Month', text('month'), other)
    const number = text('employeeNumber')
    if (asPower.test(number))
      add('EmployeeNumber', number, 'A spreadsheet has shortened this number. Make the column text, and save the file again.')
    const found = number ? people.find(number) : undefined
    if (found === 'many')
      add('EmployeeNumber', number, 'Several people have this number but for its zeros. Write it as it stands in the list of staff.')
    const written = text('payrollCode')
    const code = byCode.get(written.toLowerCase())
    if (written && !code) add('PayrollCode', written, 'This payroll provider code was not found. Correct it, or add it first.')
    const value = pennies(values.actual)
    if (typeof values.actual === 'number' && value === null)
      add('Actual', row[headingOf(matched, 'Actual')] ?? '', 'Actual must be pounds with two decimals at most, and less than ten million.')
    if (!place || !code || !found || found === 'many' || value === null) return
    if (!found.isExact) withoutZeros.add(found.employee)
    if (staffIdOf(found.employee) === null) unknown.add(number)
    const key = `${place.id} ${code.id} ${found.employee}`
    const cell = cells.get(key) ?? { place, code, employee: found.employee, number, value: 0, rows: [] }
    cell.value += value
    cell.rows.push({ row: at, text: row[headingOf(matched, 'Actual')] ?? '', value })
    cells.set(key, cell)
  })
  for (const cell of cells.values()) {
    const isBasicPay = cell.code.element === payrollElement.basic && cell.code.type === payrollCodeType.payment
    const [negative] = cell.rows.filter((row) => row.value < 0)
    if (isBasicPay && cell.value < 0 && negative)
      errors.push({
        row: negative.row,
        column: 'Actual',
        value: negative.text,
        message: 'Basic pay of a month cannot be negative. Correct it, or put what is taken back under a deduction.',
      })
  }
  if (errors.length)
    throw importRefused(
      errors.sort((a, b) => a.row - b.row),
      rows.length,
    )
  for (const cell of cells.values()) {
    const own = read.locations.get(cell.place.id) ?? { rows: 0, sum: 0, lines: [] }
    own.rows += cell.rows.length
    own.sum += cell.rows.reduce((sum, row) => sum + row.value, 0)
    own.lines.push({
      employee: cell.employee,
      sealedNumber: staffIdOf(cell.employee) === null ? seal(people.organisationKey, cell.number) : null,
      payrollCodeId: cell.code.id,
      value: cell.value,
    })
    read.locations.set(cell.place.id, own)
    if (cell.rows.length > 1)
      read.doubled.push({
        employeeNumber: cell.number,
        payrollCode: cell.code.code,
        rows: cell.rows.map((row) => row.row),
        value: cell.value,
      })
  }
  read.withoutZeros = withoutZeros.size
  read.unknown = [...unknown]
  return read
}

/** The rows of a file that are one cell of a reconciliation. */
interface Cell {
  place: Place
  code: ProviderCode
  employee: EmployeeRef
  number: string
  value: number
  rows: { row: number; text: string; value: number }[]
}

function headingOf(matched: ReturnType<typeof matchColumns>['matched'], column: string): string {
  return [...matched].find(([, one]) => one.heading === column)?.[0] ?? column
}

/** Sentences about cells say what to do. */
function withAdvice({ column, value, message }: { column: string; value: string; message: string }): string {
  if (column === 'Actual' && asDate.test(value.trim()))
    return 'A spreadsheet has made a date of this amount. Make the column a number, and save the file again.'
  return message.endsWith('must be a number.') ? `${message} Write pounds, as in 1234.50.` : message
}

/** Whole pennies; null for what is none, or too much. */
function pennies(value: unknown): number | null {
  if (typeof value !== 'number' || Math.abs(value) >= largestValue) return null
  try {
    return penniesOf(value)
  } catch {
    return null
  }
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** What is wrong with the month that a row names; null: nothing, or it names none. */
function otherMonth(text: string, month: CalendarMonth): string | null {
  if (!text) return null
  const named = monthIn(text)
  if (!named) return `Write the month as in ${month.year}-${String(month.month).padStart(2, '0')}.`
  if (monthIndex(named) === monthIndex(month)) return null
  return `This row is of ${monthWords(named)}, and you are importing ${monthWords(month)}. Choose that month, or another file.`
}

/** `2026-09`, `2026-09-30`, `09/2026`, `30/09/2026`, `September 2026`, `Sep-26`. */
function monthIn(text: string): CalendarMonth | null {
  const numbers = /^(\d{4})[-/](\d{1,2})(?:[-/]\d{1,2})?$/.exec(text) ?? null
  const turned = /^(?:\d{1,2}[-/])?(\d{1,2})[-/](\d{4})$/.exec(text)
  const words = /^(?:\d{1,2}[-/ ])?([a-z]{3,9})[-/ ](\d{4}|\d{2})$/i.exec(text)
  const [year, number] = numbers
    ? [Number(numbers[1]), Number(numbers[2])]
    : turned
      ? [Number(turned[2]), Number(turned[1])]
      : words
        ? [Number(words[2]!.padStart(4, '20')), monthNames.indexOf(words[1]!.slice(0, 3).toLowerCase()) + 1]
        : [0, 0]
  return number >= 1 && number <= 12 ? { year, month: number } : null
}

/** What a reader should know of a file that was taken, in sentences. */
export function remarksOn({ doubled, withoutZeros, unknown }: Pick<ReadFile, 'doubled' | 'withoutZeros' | 'unknown'>): string[] {
  const [first] = doubled
  return [
    ...(first
      ? [
          `${displayCount(doubled.length, 'employee and code stands', 'employees and codes stand')} in the file more than once and ${doubled.length === 1 ? 'was' : 'were'} added up: the first is ${first.employeeNumber} under ${first.payrollCode}, rows ${first.rows.join(' and ')}.`,
        ]
      : []),
    ...(withoutZeros
      ? [`${displayCount(withoutZeros, 'employee number was', 'employee numbers were')} met without leading zeros or spaces.`]
      : []),
    ...(unknown.length ? [`${displayCount(unknown.length, 'employee number is', 'employee numbers are')} not in the list of staff.`] : []),
  ]
}

/** The number as a key for asking again: @throws DomainError 400 for one that would be several people's */
export function oneEmployee(people: People, employeeNumber: string): EmployeeRef {
  const found = people.find(employeeNumber)
  if (found !== 'many') return found.employee
  throw invalid([
    { field: 'employeeNumber', message: 'Several people have this number but for its zeros. Write it as it stands in the list of staff.' },
  ])
}
