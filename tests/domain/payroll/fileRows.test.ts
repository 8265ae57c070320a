import { describe, expect, it } from 'vitest'
import { payrollCodeType, payrollElement } from '../../../domain/lookups/lookupIds.ts'
import {
  describeImportRemarks,
  type EmployeeLookup,
  groupPayRows,
  type LocatedPayRow,
  type PayrollFileInput,
  readPayrollFile,
} from '../../../domain/payroll/fileRows.ts'
import { normaliseEmployeeNumber, toStaffRef, toUnknownEmployeeRef } from '../../../domain/payroll/payroll.ts'
import type { ProviderCode } from '../../../domain/payroll/reconcile.ts'
import { toLocationId, toStaffId } from '../../../domain/values/ids.ts'
import { DomainError } from '../../../domain/words/errors.ts'

const code = (id: number, name: string, element: number, type: number = payrollCodeType.payment): ProviderCode => ({
  id,
  code: name,
  type,
  element,
  locations: [],
  serviceTerms: [],
})
const codes = [
  code(1, '100', payrollElement.basic),
  code(2, '110', payrollElement.allowance),
  code(3, '800', payrollElement.employerNi),
  code(4, 'D1', payrollElement.other, payrollCodeType.deduction),
]
const northgate = { id: toLocationId(7), name: 'Northgate', payrollRecId: 'PR7' }
const riverside = { id: toLocationId(8), name: 'Riverside', payrollRecId: 'PR8' }
const ann = toStaffRef(toStaffId(1))
/** Ann has the number 0042. Two people have numbers that differ only by a leading zero: 7 and 07. */
const people: EmployeeLookup = {
  find(number) {
    if (normaliseEmployeeNumber(number) === '42') return { employee: ann, isExact: number.trim() === '0042' }
    return normaliseEmployeeNumber(number) === '7'
      ? 'many'
      : { employee: toUnknownEmployeeRef(normaliseEmployeeNumber(number)), isExact: true }
  },
  sealNumber: (number) => `sealed ${number}`,
  digestAccount: (account) => `account ${account}`,
}
const known = { people, codes, locations: [northgate, riverside], withYear: new Set([northgate.id, riverside.id]) }
const march = { year: 2027, month: 3 }
type Cells = PayrollFileInput['rows'][number]

const row = (EmployeeNumber: string, PayrollCode: string, Actual: string, more: Record<string, string> = {}): Cells => ({
  EmployeeNumber,
  PayrollCode,
  Actual,
  ...more,
})
const ofNorthgate = (...rows: Cells[]): PayrollFileInput => ({ ...march, rows, locationId: northgate.id })
const ofAll = (...rows: Cells[]): PayrollFileInput => ({ ...march, rows, locationId: null })
const linesOf = (file: PayrollFileInput) =>
  [...readPayrollFile(file, known).locations].map(([id, { rows, sum, lines }]) => [
    id,
    rows,
    sum,
    lines.map(({ employee, payrollCodeId, value }) => [employee, payrollCodeId, value]),
  ])
interface Told {
  row: number
  column: string
  value: string
  message: string
}
/** The problems that a refused file reports, by cell. */
function problemsIn(read: () => unknown): Told[] {
  try {
    read()
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError)
    return ((error as DomainError).details as { errors: Told[] }).errors
  }
  return []
}
const problems = (file: PayrollFileInput, more: Partial<typeof known> = {}) =>
  problemsIn(() => readPayrollFile(file, { ...known, ...more }))

describe('a payroll file', () => {
  it('B-140 with invalid cells is refused whole, with row, column, value and what to do for each', () => {
    const told = problems(
      ofNorthgate(
        row('0042', '100', '1'),
        row('0042', 'NOPE', '2'),
        row('0042', '100', 'a lot'),
        row('0042', '110', 'Sep-26'),
        row('', '100', '3'),
        row('1.2E+05', '100', '4'),
        row('99', '100', '-500'),
        row('99', '110', '5', { PayrollRecId: 'PR8' }),
        row('99', '110', '6', { Month: 'February 2027' }),
        row('99', '110', '1.234'),
        row('7', '110', '8'),
      ),
    )
    expect(told.map(({ row, column, value }) => [row, column, value])).toEqual([
      [2, 'PayrollCode', 'NOPE'],
      [3, 'Actual', 'a lot'],
      [4, 'Actual', 'Sep-26'],
      [5, 'EmployeeNumber', ''],
      [6, 'EmployeeNumber', '1.2E+05'],
      [7, 'Actual', '-500'],
      [8, 'PayrollRecId', 'PR8'],
      [9, 'Month', 'February 2027'],
      [10, 'Actual', '1.234'],
      [11, 'EmployeeNumber', '7'],
    ])
    const said = told.map(({ message }) => message)
    expect(said[2]).toBe('The spreadsheet has turned this amount into a date. Format the column as a number, and save the file again.')
    expect(said[5]).toBe('Basic pay for a month cannot be negative. Correct it, or enter amounts recovered as a deduction.')
    expect(said[7]).toBe('This row is for February 2027, and you are importing March 2027. Choose that month, or another file.')
    for (const message of said) expect(message).toMatch(/\.$/)
  })
  it.each(['EmployeeNumber', 'PayrollCode', 'Actual', 'PayrollRecId'])(
    'B-146 needs %s, and the id of the location only for the whole organisation',
    (left) => {
      const { [left]: _left, ...rest } = row('0042', '100', '1', { PayrollRecId: 'PR7' }) as Record<string, string>
      const missing = `These columns are missing: ${left}.`
      expect(problems(ofAll(rest)).map(({ message }) => message)).toEqual([missing])
      expect(problems(ofNorthgate(rest)).map(({ message }) => message)).toEqual(left === 'PayrollRecId' ? [] : [missing])
    },
  )
  it('B-148 for the whole organisation gives the location of each row, ignoring case', () => {
    const file = ofAll(row('0042', '100', '10', { PayrollRecId: 'pr7' }), row('99', '800', '2.50', { PayrollRecId: 'PR8' }))
    expect(linesOf(file)).toEqual([
      [northgate.id, 1, 1_000, [[ann, 1, 1_000]]],
      [riverside.id, 1, 250, [['number 99', 3, 250]]],
    ])
  })
  it('B-148 with an unknown location id, or a row without one, is refused', () => {
    const told = problems(ofAll(row('0042', '100', '1', { PayrollRecId: 'nowhere' }), row('0042', '100', '1', { PayrollRecId: '' })))
    expect(told.map(({ row, column, value }) => [row, column, value])).toEqual([
      [1, 'PayrollRecId', 'nowhere'],
      [2, 'PayrollRecId', ''],
    ])
    expect(told[0]!.message).toBe('No location has this payroll reconciliation id. Correct it, or add it to a location first.')
  })
  it('for a month without a budget at its school is refused', () => {
    expect(problems(ofNorthgate(row('0042', '100', '1')), { withYear: new Set([riverside.id]) })[0]!.message).toBe(
      'March 2027 is not covered by any budget for Northgate. Add a budget for that year, or choose another month.',
    )
  })
  it('without rows is refused', () => {
    expect(problems(ofNorthgate()).map(({ message }) => message)).toEqual(['The file has no rows. Choose another file.'])
  })
  it('adds up rows with the same employee and code, ignores zeros and spaces in numbers, keeps unknown numbers, and reports them', () => {
    const file = ofNorthgate(row(' 042 ', '100', '700'), row('0042', '100', '300.50'), row('0042', 'D1', '20'), row('ZZ-9', '100', '55'))
    expect(linesOf(file)).toEqual([
      [
        northgate.id,
        4,
        107_550,
        [
          [ann, 1, 100_050],
          [ann, 4, 2_000],
          ['number zz-9', 1, 5_500],
        ],
      ],
    ])
    const read = readPayrollFile(file, known)
    expect(read.locations.get(northgate.id)!.lines.map(({ sealedNumber }) => sealedNumber)).toEqual([null, null, 'sealed ZZ-9'])
    expect(read.doubled).toEqual([{ employeeNumber: '042', payrollCode: '100', rows: [1, 2], value: 100_050 }])
    expect(describeImportRemarks(read)).toEqual([
      '1 combination of employee and code is in the file more than once and was added together: the first is 042 under 100, rows 1 and 2.',
      '1 employee number was matched without leading zeros or spaces.',
      '1 employee number is not in the list of staff.',
    ])
  })
  it('names its month only if every row does', () => {
    const named = row('0042', '100', '1', { Month: '03/2027' })
    expect(readPayrollFile(ofNorthgate(named), known).namesMonth).toBe(true)
    expect(readPayrollFile(ofNorthgate(named, row('0042', '110', '1', { Month: '' })), known).namesMonth).toBe(false)
  })
})

describe('rows combined by employee and code', () => {
  const placed = (row: number, number: string, value: number, more: Partial<LocatedPayRow> = {}): LocatedPayRow => ({
    row,
    column: 'Basic Pay',
    location: northgate,
    code: codes[0]!,
    number,
    value,
    text: value ? String(value / 100) : '',
    ...more,
  })
  const put = (...rows: LocatedPayRow[]) => groupPayRows(rows, { people, errors: [], rowCount: rows.length })

  it('name the row if two columns of a wide file have the same code', () => {
    const read = put(placed(3, '0042', 6_000), placed(3, '0042', 100, { column: 'Ers NI' }))
    expect(read.doubled).toEqual([{ employeeNumber: '0042', payrollCode: '100', rows: [3], value: 6_100 }])
    expect(describeImportRemarks(read)[0]).toBe(
      '1 combination of employee and code is in the file more than once and was added together: the first is 0042 under 100, in several columns of row 3.',
    )
  })
  it('do not count an empty cell as a duplicate, or an unknown employee who was paid nothing', () => {
    const read = put(placed(3, '0042', 6_000), placed(4, '0042', 0), placed(5, '99', 0))
    expect([read.doubled, read.unknown]).toEqual([[], []])
  })
  it('allow negative pay within a month, as long as basic pay does not end below zero', () => {
    expect(put(placed(3, '0042', 6_000), placed(4, '0042', -1_000)).locations.get(northgate.id)!.lines[0]!.value).toBe(5_000)
    expect(problemsIn(() => put(placed(3, '0042', 1_000), placed(4, '0042', -6_000))).map(({ row, value }) => [row, value])).toEqual([
      [4, '-60'],
    ])
    const allowance = put(placed(3, '0042', -6_000, { code: codes[1]! }))
    const deduction = put(placed(3, '0042', -6_000, { code: { ...codes[3]!, element: payrollElement.basic } }))
    expect([allowance, deduction].map((read) => read.locations.get(northgate.id)!.sum)).toEqual([-6_000, -6_000])
  })
  it('keep the bank account of each employee once, as a digest', () => {
    const account = { bankAccount: '040004 1234567' }
    const read = put(placed(3, '0042', 100, account), placed(3, '0042', 5, { ...account, code: codes[2]! }))
    expect(read.locations.get(northgate.id)!.paidInto).toEqual([{ employee: ann, account: 'account 040004 1234567' }])
  })
})
