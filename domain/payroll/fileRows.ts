import { penniesBelow } from '../files/cells.ts'
import { describeUnreadColumn } from '../files/proof.ts'
import { importRefused, wholeFile } from '../files/refusals.ts'
import type { CellProblem } from '../files/texts.ts'
import { payrollCodeType, payrollElement } from '../lookups/lookupIds.ts'
import { type CalendarMonth, monthWords } from '../monitoring/monitoring.ts'
import { columnsOf, matchColumns, readRow } from '../resources/columns.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayCount } from '../values/format.ts'
import type { LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import { largestImportRows } from '../words/notices.ts'
import { type EmployeeRef, type PaidInto, type PayrollLine, staffNamedBy } from './payroll.ts'
import { payrollFile } from './payrollFile.ts'
import { isShortened, otherMonth, shortened } from './provider/rows.ts'
import type { ProviderCode } from './reconcile.ts'

type Cells = Record<string, string>

/** A location that payrolls may be for. */
export interface Place {
  id: LocationId
  name: string
  payrollRecId: string | null
}

/** Everybody whom a payroll may pay. */
export interface Payees {
  /**
   * Whose employee number it is: as it is written, else without spaces and leading zeros; `many` where it would be several people's.
   * `isExact`: it is written as ours is.
   */
  find(employeeNumber: string): { employee: EmployeeRef; isExact: boolean } | 'many'
  /** Seals a number that nobody here has. */
  sealNumber(employeeNumber: string): string
  /** A digest that recognises a bank account without revealing it. */
  digestAccount(account: string): string
}

export interface FileToRead extends CalendarMonth {
  rows: readonly Cells[]
  /** The location that the file is for; null: its rows say where they belong. */
  locationId: LocationId | null
}

/** The same employee and code in several rows, which were added up. */
export interface Doubled {
  employeeNumber: string
  payrollCode: string
  rows: number[]
  /** Whole pennies. */
  value: Pennies
}

/** What a file says of one location; whole pennies. */
export interface ReadLocation {
  rows: number
  sum: Pennies
  lines: PayrollLine[]
  /** Only where the file says it. */
  paidInto?: PaidInto[]
}

export interface ReadFile {
  locations: Map<LocationId, ReadLocation>
  doubled: Doubled[]
  /** Numbers that met ours only without spaces and leading zeros. */
  withoutZeros: number
  /** Numbers that nobody here has: they are rows of the payroll only. */
  unknown: string[]
  /** The file says itself, in its titles or in every row, which month it is. */
  namesMonth: boolean
}

/** The largest amount of one row, in pounds. */
const largestValue = 10_000_000

const asDate = /^\d{1,4}[-/. ]\d{1,2}([-/. ]\d{1,4})?$|^\d{1,2}[-/ ][a-z]{3,9}([-/ ]\d{2,4})?$|^[a-z]{3,9}[-/ ]\d{2,4}$/i

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
  }: { people: Payees; codes: readonly ProviderCode[]; places: readonly Place[]; withYear: ReadonlySet<LocationId> },
): ReadFile {
  if (!rows.length) throw wholeFile('The file has no rows. Choose another file.')
  if (rows.length > largestImportRows) throw wholeFile(`The file has more than ${largestImportRows} rows. Send it in parts.`)
  const { matched, missing } = matchColumns(columnsOf(payrollFile), [...new Set(rows.flatMap(Object.keys))], {})
  const headings = new Set([...matched.values()].map((column) => column.heading))
  const lacking = [...(locationId === null && !headings.has('PayrollRecId') ? ['PayrollRecId'] : []), ...missing]
  if (lacking.length) throw wholeFile(`These columns are missing: ${lacking.join(', ')}.`)
  const unread = describeUnreadColumn(rows, new Set(matched.keys()))
  if (unread) throw wholeFile(unread)
  const byCode = new Map(codes.map((code) => [code.code.trim().toLowerCase(), code]))
  const byRecId = new Map(
    places.flatMap((place) => (place.payrollRecId ? [[place.payrollRecId.trim().toLowerCase(), place] as const] : [])),
  )
  const ownPlace = locationId === null ? undefined : places.find((place) => place.id === locationId)
  const errors: CellProblem[] = []
  const placed: PlacedRow[] = []
  let hasMonth = true
  rows.forEach((row, index) => {
    const at = index + 1
    const { values, problems } = readRow(payrollFile, { matched, row, find: () => undefined })
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
    if (!text('month')) hasMonth = false
    const other = otherMonth(text('month'), month)
    if (other) add('Month', text('month'), other)
    const number = text('employeeNumber')
    if (isShortened(number)) add('EmployeeNumber', number, shortened)
    const isSeveral = number !== '' && people.find(number) === 'many'
    if (isSeveral) add('EmployeeNumber', number, severalPeople)
    const written = text('payrollCode')
    const code = byCode.get(written.toLowerCase())
    if (written && !code) add('PayrollCode', written, 'This payroll provider code was not found. Correct it, or add it first.')
    const value = penniesBelow(largestValue, values.actual)
    if (typeof values.actual === 'number' && value === null)
      add('Actual', row[headingOf(matched, 'Actual')] ?? '', 'Actual must be pounds with two decimals at most, and less than ten million.')
    if (!place || !code || !number || isSeveral || value === null) return
    placed.push({ row: at, column: 'Actual', place, code, number, value, text: row[headingOf(matched, 'Actual')] ?? '' })
  })
  return { ...gather(placed, { people, errors, rowCount: rows.length }), namesMonth: hasMonth }
}

/** A row of a file that says where it belongs. */
export interface PlacedRow {
  row: number
  /** The heading that its amount stands under. */
  column: string
  place: Pick<Place, 'id'>
  code: ProviderCode
  /** The employee number as it is written, of one person at most. */
  number: string
  /** Whole pennies. */
  value: Pennies
  text: string
  bankAccount?: string
}

/**
 * Puts the rows of a file together by location, employee and code: what stands there twice is added up, and told.
 * @param errors what was found wrong with the file before
 * @throws DomainError with row, column, value and what to do of each broken cell: with one of them nothing is taken
 */
export function gather(
  placed: readonly PlacedRow[],
  { people, errors, rowCount }: { people: Payees; errors: CellProblem[]; rowCount: number },
): Omit<ReadFile, 'namesMonth'> {
  const cells = new Map<string, Cell>()
  const withoutZeros = new Set<EmployeeRef>()
  const unknown = new Set<string>()
  // The same number stands in a row for each element.
  const found = new Map<string, { employee: EmployeeRef; isExact: boolean }>()
  const accounts = new Map<string, PaidInto & { placeId: LocationId }>()
  for (const { row, column, place, code, number, value, text, bankAccount } of placed) {
    const who = found.get(number) ?? onePerson(people, number)
    found.set(number, who)
    if (!who.isExact) withoutZeros.add(who.employee)
    if (text && staffNamedBy(who.employee) === null) unknown.add(number)
    const key = `${place.id} ${code.id} ${who.employee}`
    const cell = cells.get(key) ?? { place, code, employee: who.employee, number, value: 0, rows: [] }
    cell.value += value
    cell.rows.push({ row, column, text, value })
    cells.set(key, cell)
    // The same account stands in a row for each element.
    const paid = bankAccount && `${place.id} ${who.employee} ${bankAccount}`
    if (paid && !accounts.has(paid))
      accounts.set(paid, { placeId: place.id, employee: who.employee, account: people.digestAccount(bankAccount) })
  }
  for (const cell of cells.values()) {
    const isBasicPay = cell.code.element === payrollElement.basic && cell.code.type === payrollCodeType.payment
    const [negative] = cell.rows.filter((row) => row.value < 0)
    if (isBasicPay && cell.value < 0 && negative)
      errors.push({
        row: negative.row,
        column: negative.column,
        value: negative.text,
        message: 'Basic pay of a month cannot be negative. Correct it, or put what is taken back under a deduction.',
      })
  }
  if (errors.length)
    throw importRefused(
      errors.sort((a, b) => a.row - b.row),
      rowCount,
    )
  const read: Omit<ReadFile, 'namesMonth'> = { locations: new Map(), doubled: [], withoutZeros: withoutZeros.size, unknown: [...unknown] }
  for (const cell of cells.values()) {
    const own: ReadLocation = read.locations.get(cell.place.id) ?? { rows: 0, sum: 0, lines: [] }
    own.rows += cell.rows.length
    own.sum += cell.value
    own.lines.push({
      employee: cell.employee,
      sealedNumber: staffNamedBy(cell.employee) === null ? people.sealNumber(cell.number) : null,
      payrollCodeId: cell.code.id,
      value: cell.value,
    })
    read.locations.set(cell.place.id, own)
    const filled = cell.rows.filter((row) => row.text)
    if (filled.length > 1)
      read.doubled.push({
        employeeNumber: cell.number,
        payrollCode: cell.code.code,
        // Two columns of a wide file may have one code.
        rows: [...new Set(filled.map((row) => row.row))],
        value: cell.value,
      })
  }
  for (const { placeId, employee, account } of accounts.values()) {
    const own = assertDefined(read.locations.get(placeId))
    own.paidInto = [...(own.paidInto ?? []), { employee, account }]
  }
  return read
}

/** Says of a number that it would be several people's. */
export const severalPeople = 'Several people have this number but for its zeros. Write it as it stands in the list of staff.'

function onePerson(people: Payees, number: string): { employee: EmployeeRef; isExact: boolean } {
  const found = people.find(number)
  if (found === 'many') throw new Error('A number of several people was not refused.')
  return found
}

/** The rows of a file that are one cell of a reconciliation. */
interface Cell {
  place: Pick<Place, 'id'>
  code: ProviderCode
  employee: EmployeeRef
  number: string
  value: number
  rows: { row: number; column: string; text: string; value: number }[]
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

/** What a reader should know of a file that was taken, in sentences. */
export function remarksOn({ doubled, withoutZeros, unknown }: Pick<ReadFile, 'doubled' | 'withoutZeros' | 'unknown'>): string[] {
  const [first] = doubled
  return [
    ...(first
      ? [
          `${displayCount(doubled.length, 'employee and code stands', 'employees and codes stand')} in the file more than once and ${doubled.length === 1 ? 'was' : 'were'} added up: the first is ${first.employeeNumber} under ${first.payrollCode}, ${first.rows.length > 1 ? `rows ${first.rows.join(' and ')}` : `in several columns of row ${first.rows[0]}`}.`,
        ]
      : []),
    ...(withoutZeros
      ? [`${displayCount(withoutZeros, 'employee number was', 'employee numbers were')} met without leading zeros or spaces.`]
      : []),
    ...(unknown.length ? [`${displayCount(unknown.length, 'employee number is', 'employee numbers are')} not in the list of staff.`] : []),
  ]
}
