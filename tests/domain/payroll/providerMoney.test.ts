import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import type { Cells } from '../../../domain/files/headings.ts'
import { balanceFileMoney, isBalanced, listMoneyToConfirm, sumFileMoney } from '../../../domain/files/proof.ts'
import { buildPayrollTable, findPayrollTable, findPossibleAmountColumns } from '../../../domain/payroll/provider/columns.ts'
import { findPayMonthProblems, mapPayrollRows, readPayroll } from '../../../domain/payroll/provider/rows.ts'
import { toLocationId } from '../../../domain/values/ids.ts'

const file = (text: string): Cells => Papa.parse<string[]>(text.trim()).data
const nobody = () => false

/** Reads a file with every code mapped. @returns what happened to its money */
function read(cells: Cells) {
  const table = findPayrollTable(cells)!
  const pay = readPayroll(cells, table, nobody)
  const code = new Map(pay.rows.map((row) => [row.code.toLowerCase(), 1]))
  const { proof } = mapPayrollRows(pay.rows, { code, location: new Map() }, toLocationId(7))
  const money = sumFileMoney(cells, pay.table)
  const sums = { imported: proof.imported.value, leftOut: proof.leftOut.value, unmapped: proof.unmapped.value }
  return { table, pay, proof, balance: balanceFileMoney(money, sums) }
}

describe('a payroll with a column for each element', () => {
  it('keeps its overtime if one cell prints zero as a pound sign and a dash', () => {
    const { table, proof, balance } = read(
      file('Employee No,Name,Basic Pay,Overtime,Employer NI\n1001,A,"£2,000.00",£120.00,£200.00\n1002,B,"£1,500.00",£-   ,£150.00'),
    )
    expect(table.columns).toEqual(['employeeNumber', null, 'element', 'element', 'element'])
    expect(proof.file.value).toBe(397_000)
    expect(balance).toMatchObject({ file: 397_000, imported: 397_000, notImported: [] })
    expect(isBalanced(balance, false)).toBe(true)
  })
  it('keeps a column with “nil” or a word: nil is zero, and the word is reported with its cell', () => {
    const nil = read(file('Employee No,Name,Basic Pay,Overtime\n1001,A,2000.00,120.00\n1002,B,1500.00,nil'))
    expect(nil.proof.file.value).toBe(362_000)
    const word = read(file('Employee No,Name,Basic Pay,Overtime\n1001,A,2000.00,120.00\n1002,B,1500.00,see note\n1003,C,1.00,5.00'))
    expect(word.table.columns).toEqual(['employeeNumber', null, 'element', 'element'])
    expect(word.pay.problems).toMatchObject([{ row: 3, column: 'Overtime', value: 'see note' }])
  })
  it('keeps columns of money whose headings mention hours, scales and points', () => {
    const { table, proof } = read(
      file(
        'Employee No,Name,Basic Pay,Additional Hours,SEN Scale Point Allowance,Employer NI\n1001,A,2000.00,120.00,30.00,200.00\n1002,B,1500.00,45.50,0.00,150.00',
      ),
    )
    expect(table.columns.filter((meaning) => meaning === 'element')).toHaveLength(4)
    expect(proof.file.value).toBe(404_550)
  })
  it('keeps allowances in whole pounds, and reports hours that may be money without importing them', () => {
    const { table, balance } = read(file('Emp No,Basic Pay,Grade Allowance,Additional Hours\n1,2000,30,12\n2,1500,0,5'))
    expect(table.columns).toEqual(['employeeNumber', 'element', 'element', null])
    expect(balance.notImported).toMatchObject([{ column: 'Additional Hours', value: 1700, isPlain: true }])
  })
  it('keeps a column of money in which every amount is an error, and reports each', () => {
    const { pay } = read(file('Emp No,Name,Basic Pay,Overtime\n1001,A,2000.00,#REF!\n1002,B,1500.00,#VALUE!'))
    expect(pay.problems).toMatchObject([
      { row: 2, column: 'Overtime' },
      { row: 3, column: 'Overtime' },
    ])
  })
  it('has a total below its employees even if only their number names it', () => {
    const { proof } = read(file('Emp No,Name,Basic Pay,ER NI\n1001,A,2000.00,200.00\n1002,B,1500.00,150.00\n2,,3500.00,350.00'))
    expect(proof.file.value).toBe(385_000)
    const employee = read(file('Emp No,Basic Pay\n1001,2000.00\n1002,1500.00\n2,3500.00'))
    expect(employee.proof.file.value).toBe(700_000)
  })
  it('keeps a column of two cells, one of them a word', () => {
    expect(read(file('Emp No,Basic Pay,Overtime\n1,2000.00,120.00\n2,1500.00,TBC')).pay.problems).toMatchObject([
      { column: 'Overtime', row: 3 },
    ])
  })
  it('does not import the number of a post', () => {
    const { table } = read(file('Pers Ref,Post,Basic Pay\n1001,1,1000.00\n1001,2,500.00'))
    expect(table.columns).toEqual(['employeeNumber', null, 'element'])
  })
  it('does not import hours, rates and scale points, and does not count them as money', () => {
    const { table, balance } = read(
      file('Emp No,Contracted Hours,FTE,Hourly Rate,Spine Point,Basic Pay\n1,37.00,1.00,12.50,7,2000.00\n2,32.50,0.88,13.00,8,1500.00'),
    )
    expect(table.columns).toEqual(['employeeNumber', null, null, null, null, 'element'])
    expect(balance).toMatchObject({ file: 350_000, imported: 350_000, notImported: [] })
  })
  it('keeps a column that is empty in its first 300 rows', () => {
    const rows = Array.from({ length: 400 }, (_unused, at) => `${1000 + at},10.00,${at === 350 ? '99.50' : ''}`)
    const { table, proof } = read(file(['Emp No,Basic Pay,Honorarium', ...rows].join('\n')))
    expect(table.columns).toEqual(['employeeNumber', 'element', 'element'])
    expect(proof.imported.value).toBe(400 * 1000 + 9950)
  })
  it('shows the totals of unused columns of money, and is proved only once the user leaves them out', () => {
    const cells = file('Emp No,Basic Pay,Gross,Honorarium\n1,10.00,15.00,5.00\n2,20.00,22.50,2.50')
    const found = findPayrollTable(cells)!
    const table = buildPayrollTable(cells, { ...found, columns: ['employeeNumber', 'element', null, null] })
    const money = sumFileMoney(cells, readPayroll(cells, table, nobody).table)
    const balance = balanceFileMoney(money, { imported: 3000, leftOut: 0, unmapped: 0 })
    expect(balance).toMatchObject({ file: 3000 + 3750 + 750, imported: 3000, leftOut: 4500 })
    expect(listMoneyToConfirm(balance)).toEqual([
      { row: null, column: 'Honorarium', words: '', cells: 2, value: 750, reason: 'The column is not used.', isPlain: false },
    ])
    expect(isBalanced(balance, false)).toBe(false)
    expect(isBalanced(balance, true)).toBe(true)
  })
  it('is not proved if an amount was read that its cells do not contain', () => {
    const cells = file('Emp No,Basic Pay\n1,10.00')
    const money = sumFileMoney(cells, readPayroll(cells, findPayrollTable(cells)!, nobody).table)
    expect(isBalanced(balanceFileMoney(money, { imported: 999, leftOut: 0, unmapped: 0 }), true)).toBe(false)
  })
  it('leaves out a table of last year below, and shows its total', () => {
    const { proof, balance } = read(
      file('Emp No,Basic Pay\n1,10.00\n2,20.00\nTotal,30.00\n\nLast year\nEmp No,Basic Pay\n1,9.00\n2,18.00\nTotal,27.00'),
    )
    expect(proof.file.value).toBe(3000)
    expect(balance).toMatchObject({ file: 3000 + 2700 + 3000 + 2700, leftOut: 2700, totals: 5700 })
    expect(listMoneyToConfirm(balance)).toMatchObject([
      { row: 8, value: 2700, reason: 'Last year is another table, so it is not counted.' },
    ])
  })
})

describe('a payroll with a row for each element', () => {
  it('never reads the column of codes as an element, and asks which columns hold the amount', () => {
    const cells = file('Employee Number,Pay Code,Employee Amount,Employer Amount\n1001,100,2000.00,0.00\n1001,800,0.00,200.00')
    const table = findPayrollTable(cells)!
    expect(table).toMatchObject({ layout: 'long', columns: ['employeeNumber', 'code', null, null] })
    expect(findPossibleAmountColumns(cells, table)).toEqual([2, 3])
  })
  it('asks about a column of money called Employer, which is no place then', () => {
    const cells = file('Emp No,Element,Employee,Employer\n1001,NI,100.00,200.00\n1002,NI,80.00,150.00')
    expect(findPossibleAmountColumns(cells, findPayrollTable(cells)!)).toEqual([2, 3])
  })
  it('reads two columns as amounts once the user says so', () => {
    const cells = file('Employee Number,Pay Code,Employee Amount,Employer Amount\n1001,100,2000.00,\n1001,800,,200.00')
    const table = buildPayrollTable(cells, { layout: 'long', headingRow: 1, columns: ['employeeNumber', 'code', 'amount', 'amount'] })
    const { rows, problems } = readPayroll(cells, table, nobody)
    expect(problems).toEqual([])
    expect(rows.map(({ code, column, value }) => [code, column, value])).toEqual([
      ['100', 'Employee Amount', 200_000],
      ['800', 'Employer Amount', 20_000],
    ])
  })
  it('reads a sign from a separate column', () => {
    const { proof, balance } = read(file('Employee Number,Pay Code,Amount,Dr/Cr\n1,100,2000.00,Dr\n1,100,50.00,Cr'))
    expect(proof.file.value).toBe(195_000)
    expect(isBalanced(balance, false)).toBe(true)
  })
  it('for period 6 is for September, the sixth month of the tax year', () => {
    for (const period of [
      '6',
      '06',
      'Period 6',
      'P6',
      'Month 6',
      '6 2027/28'.replace('6 ', 'P6 '),
      'September',
      'Sep-27',
      '2027-09',
      '30/09/27',
    ]) {
      const cells = file(`Employee Number,Pay Code,Amount,Period\n1001,100,2000.00,${period}`)
      const table = findPayrollTable(cells)!
      const { rows } = readPayroll(cells, table, nobody)
      const problems = (month: number) => findPayMonthProblems(rows, { table, month: { year: 2027, month }, isMeant: false })
      expect(problems(9), period).toEqual([])
      expect(problems(10)[0]?.message, period).toBe(
        'This row is for September 2027, and you are importing October 2027. Choose that month, or another file.',
      )
    }
  })
})

describe('a row that the user leaves out of a payroll', () => {
  const cells = file('Emp No,Name,Basic Pay,Overtime\n1001,A,2000.00,120.00\n1002,B,1500.00,see note\n1003,C,10.00,5.00')
  const table = findPayrollTable(cells)!
  const leaving = (...rows: number[]) => readPayroll(cells, { ...table, leftOut: new Set(rows) }, nobody)
  it('is not imported and reports no problem, and its money is named as left out', () => {
    const { rows, problems, leftOut, skipped, table: readTable } = leaving(3)
    expect(problems).toEqual([])
    expect(new Set(rows.map(({ employeeNumber }) => employeeNumber))).toEqual(new Set(['1001', '1003']))
    expect(leftOut).toEqual([{ row: 3, value: 150_000 }])
    expect(skipped.leftOut).toBe(1)
    const balance = balanceFileMoney(sumFileMoney(cells, readTable), { imported: 213_500, leftOut: 0, unmapped: 0 })
    expect(balance).toMatchObject({ file: 363_500, imported: 213_500, leftOut: 150_000 })
    expect(balance.notImported).toMatchObject([{ row: 3, value: 150_000, reason: 'You left this row out.', isPlain: true }])
    expect(isBalanced(balance, false)).toBe(true)
  })
  it('is imported again when the user takes that back', () => {
    expect(leaving().problems).toMatchObject([{ row: 3, column: 'Overtime', value: 'see note' }])
  })
})
