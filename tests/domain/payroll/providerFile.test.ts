import { describe, expect, it } from 'vitest'
import { payrollCodeType, payrollElement } from '../../../domain/lookups/lookupIds.ts'
import { createCodeSuggester } from '../../../domain/payroll/provider/codes.ts'
import { findPayrollTable } from '../../../domain/payroll/provider/columns.ts'
import {
  findPayMonth,
  findPayMonthProblems,
  isMappingLearned,
  isPayrollOfMonth,
  isPayrollProved,
  mapPayrollRows,
  readPayroll,
} from '../../../domain/payroll/provider/rows.ts'
import { toLocationId } from '../../../domain/values/ids.ts'

const cellsOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))

const wide = cellsOf(`
  Harbour Trust payroll report
  Pay period: November 2026
  |
  School    | Emp No | Surname | NI Number | Hours | Basic Pay | TLR   | Gross   | Ers NI | Ers Pension
  Northgate | 00123  | Hill    | AB123456C | 32.5  | 3,000.00  | 50.00 | 3,050.00 | 400.10 | 860.00
  Northgate | 00124  | Ivory   | AB123457C | 16    | 1,500.00  |       | 1,500.00 | 150.00 | 430.00
  Eastfield | 00125  | Jones   | AB123458C | 32.5  | 2,000.50  | 0.00  | 2,000.50 | 210.00 | 0.00
            |        | Total   |           |       | 6,500.50  | 50.00 | 7,050.50 | 760.10 | 1,290.00
`)

describe('the file of a payroll provider with a column for each element', () => {
  const table = findPayrollTable(wide)!

  it('is found below its title rows, with its elements and its month', () => {
    expect(table.layout).toBe('wide')
    expect(table.headingRow).toBe(4)
    expect(table.columns).toEqual(['location', 'employeeNumber', null, null, null, 'element', 'element', null, 'element', 'element'])
    expect(findPayMonth(table)).toEqual({ year: 2026, month: 11 })
  })

  it('gives an amount for each filled cell of an element, and its total row is recognised by its amounts', () => {
    const read = readPayroll(wide, table, () => false)
    expect(read.problems).toEqual([])
    expect(read.skipped.total).toBe(1)
    expect(read.agrees?.row).toBe(8)
    expect(read.rows.filter((row) => row.text)).toHaveLength(11)
    expect(read.rows[0]).toMatchObject({
      row: 5,
      column: 'Basic Pay',
      employeeNumber: '00123',
      code: 'Basic Pay',
      location: 'Northgate',
      value: 300000,
    })
    expect(read.rows.reduce((sum, row) => sum + row.value, 0)).toBe(860060)
  })

  it('treats an empty cell as no pay, also for an employee who was paid nothing at all', () => {
    const blanks = cellsOf(`
      School          | Emp No | Basic Pay | TLR
      Northgate       | 00123  | 3,000.00  | 50.00
      Northgate       | 00124  | 1,500.00  |
      Northgate       | 00125  |           |
                      | 00126  |           |
      Paid by Oakdale |        |           |
                      | Total  | 4,500.00  | 50.00
    `)
    const read = readPayroll(blanks, findPayrollTable(blanks)!, () => false)
    expect(read.problems).toEqual([])
    expect(read.rows.filter((row) => !row.text).map((row) => [row.employeeNumber, row.code, row.value])).toEqual([
      ['00124', 'TLR', 0],
      ['00125', 'Basic Pay', 0],
      ['00125', 'TLR', 0],
      ['00126', 'Basic Pay', 0],
      ['00126', 'TLR', 0],
    ])
    // Only amounts that the file contains are counted, not those filled in.
    expect(mapPayrollRows(read.rows, { code: new Map(), location: new Map() }, toLocationId(7)).proof.file).toEqual({
      rows: 3,
      value: 455000,
    })
  })

  it('for another month than the imported one is reported with its row', () => {
    const read = readPayroll(wide, table, () => false)
    expect(findPayMonthProblems(read.rows, { table, month: { year: 2026, month: 10 }, isMeant: false })).toEqual([
      {
        row: 2,
        column: null,
        value: 'Pay period: November 2026',
        message: 'The file says that it is for November 2026, not October 2026. Choose that month, or another file.',
      },
    ])
    expect(findPayMonthProblems(read.rows, { table, month: { year: 2026, month: 10 }, isMeant: true })).toEqual([])
  })

  it('is proved: imported amounts and those left out on purpose make up the whole file', () => {
    const read = readPayroll(wide, table, () => false)
    const mapping = {
      code: new Map<string, number | null>([
        ['basic pay', 1],
        ['tlr', 2],
        ['ers ni', 3],
      ]),
      location: new Map<string, number | null>([
        ['northgate', 7],
        ['eastfield', null],
      ]),
    }
    const half = mapPayrollRows(read.rows, mapping, null)
    expect(isPayrollProved(half.proof)).toBe(false)
    expect(half.unmapped.map(({ row, kind }) => [row.row, row.column, kind])).toEqual([
      [5, 'Ers Pension', 'code'],
      [6, 'Ers Pension', 'code'],
    ])
    const { proof } = mapPayrollRows(read.rows, { ...mapping, code: new Map([...mapping.code, ['ers pension', 4]]) }, null)
    expect(isPayrollProved(proof)).toBe(true)
    expect(proof.file).toEqual({ rows: 11, value: 860060 })
    expect(proof.leftOut.value).toBe(221050)
    expect(proof.imported.value).toBe(639010)
  })

  it('reports the place of an amount turned into a date, a row without an employee and a wrong total', () => {
    const broken = cellsOf(`
      Emp No | Basic Pay | TLR
      123    | 3-Oct-26  | 10
             | 20.00     |
      124    | 100.00    | 5
      Total  | 90.00     | 15
    `)
    const found = findPayrollTable(broken)!
    const { problems } = readPayroll(broken, found, () => false)
    expect(problems.map(({ row, column }) => [row, column])).toEqual([
      [2, 'Basic Pay'],
      [3, 'Emp No'],
      [5, 'Emp No'],
    ])
    expect(problems[0]!.message).toContain('turned this amount into a date')
  })
})

describe('the file of a payroll provider with a row for each element', () => {
  it('is found with sections that name schools, whatever its columns are called', () => {
    const long = cellsOf(`
      Monthly costs
      School: Northgate
      Payroll Number | Name  | Pay Element | Element Description | Amount
      123            | Hill  | 100         | Basic pay           | 3000.00
      School: Eastfield |    |             |                     |
      124            | Ivory | 100         | Basic pay           | 1500.00
      Grand total    |       |             |                     | 4500.00
    `)
    const table = findPayrollTable(long)!
    expect(table.layout).toBe('long')
    expect(table.columns).toEqual(['employeeNumber', null, 'code', 'codeName', 'amount'])
    const read = readPayroll(long, table, (text) => text === 'Eastfield')
    expect(read.problems).toEqual([])
    expect(read.rows.map((row) => [row.employeeNumber, row.code, row.location, row.value])).toEqual([
      ['123', '100', '', 300000],
      ['124', '100', 'Eastfield', 150000],
    ])
  })

  it('with a shortened number, or without an amount, is refused at that cell', () => {
    const long = cellsOf(`
      Employee Number | Code | Amount
      1.2E+11         | 100  | 5
      7               | 100  |
    `)
    const { problems } = readPayroll(long, findPayrollTable(long)!, () => false)
    expect(problems.map(({ row, column }) => [row, column])).toEqual([
      [2, 'Employee Number'],
      [3, 'Amount'],
    ])
  })
})

it('a code is suggested by its name, or because it is the only one for the element in a heading', () => {
  const code = (id: number, text: string, name: string, element: number) => ({
    id,
    codes: [text],
    name,
    type: payrollCodeType.payment,
    element,
  })
  const find = createCodeSuggester([
    code(1, '100', 'Basic pay', payrollElement.basic),
    code(2, '800', 'Employer NI', payrollElement.employerNi),
    code(3, '810', 'Employer pension', payrollElement.employerPension),
    code(4, '200', 'TLR', payrollElement.allowance),
    code(5, '210', 'SEN', payrollElement.allowance),
  ])
  expect(find('Basic Pay', '')).toEqual({ id: 1, by: 'name' })
  expect(find('Ers NI', '')).toEqual({ id: 2, by: 'element' })
  expect(find("Employer's pension (TPS)", '')).toEqual({ id: 3, by: 'element' })
  expect(find('810', '')).toEqual({ id: 3, by: 'code' })
  // A known number with another name is a different code.
  expect(find('200', 'Overtime')).toBeNull()
  expect(find('100', 'Basic salary')).toEqual({ id: 1, by: 'code' })
  // Two codes are for allowances: only the user can tell which one is meant.
  expect(find('Allowances', '')).toBeNull()
  expect(find('Union fee', '')).toBeNull()
})

describe('a file that states its month', () => {
  const month = { year: 2026, month: 11 }
  const monthly = (title: string, months: string[]) => {
    const cells = cellsOf([`${title} | |`, 'Emp No | Month | Basic Pay', ...months.map((one, at) => `${at + 1} | ${one} | 10`)].join('\n'))
    const table = findPayrollTable(cells)!
    return isPayrollOfMonth(readPayroll(cells, table, () => false).rows, table, month)
  }

  it('does so in every row, or in a title that names the imported month', () => {
    expect(monthly('Payroll', ['2026-11', 'Nov-26'])).toBe(true)
    expect(monthly('Payroll of November 2026', ['', ''])).toBe(true)
  })

  it('does not if its rows have none, or the title names another month', () => {
    expect(monthly('Payroll', ['', ''])).toBe(false)
    expect(monthly('Payroll', ['2026-11', ''])).toBe(false)
    expect(monthly('Payroll of October 2026', ['', ''])).toBe(false)
  })
})

it('what one school leaves out of its own import is not left out of the imports of others', () => {
  const trust = { isOfOne: false, isLimited: false }
  expect(isMappingLearned('location', null, trust)).toBe(true)
  expect(isMappingLearned('location', null, { isOfOne: true, isLimited: false })).toBe(false)
  expect(isMappingLearned('code', null, { isOfOne: true, isLimited: false })).toBe(true)
  expect(isMappingLearned('code', null, { isOfOne: true, isLimited: true })).toBe(false)
  expect(isMappingLearned('location', 7, { isOfOne: true, isLimited: true })).toBe(true)
})
