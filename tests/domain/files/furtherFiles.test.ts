import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { detectLedgerFileChoices, findOtherLedgerSheets } from '../../../client/monitoring/ledgers/ledgerFile.ts'
import { findOtherPayrollSheets as otherPaySheets } from '../../../client/payroll/provider/payrollFile.ts'
import type { Cells } from '../../../domain/files/headings.ts'
import { isPrintedMoney, isQuantityHeading } from '../../../domain/files/money.ts'
import {
  addOtherSheets,
  balanceFileMoney,
  type FileBalance,
  isBalanced,
  sumFileMoney,
  type UnimportedMoney,
} from '../../../domain/files/proof.ts'
import { chooseSheet, readRecords, readSheets, type Sheet, splitRowsIntoCells } from '../../../domain/files/sheets.ts'
import { findLedgerMonth, findLedgerTable, selectMonthColumn } from '../../../domain/monitoring/ledger/columns.ts'
import { readLedger } from '../../../domain/monitoring/ledger/rows.ts'
import { buildPayrollTable, findPayrollTable, findPossibleAmountColumns } from '../../../domain/payroll/provider/columns.ts'
import { readPayroll } from '../../../domain/payroll/provider/rows.ts'
import { resources } from '../../../domain/resources/all.ts'
import { listColumns, matchColumns, parseImportRow } from '../../../domain/resources/columns.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'

const sent = (name: string): Uint8Array => readFileSync(join(import.meta.dirname, '../sentFiles/further', name))
const sheetsOf = (name: string): Sheet[] => readSheets(name, sent(name))
const month = { year: 2027, month: 9, isCumulative: false, startMonth: 9 }

/** What reading a file gives: the pounds of its rows, the rows with problems, and the amounts left out or asked about. */
interface Outcome {
  rows: number[]
  problems?: number[]
  /** Pounds left out without a question, by the name of the column or the first cell of the row. */
  left?: Record<string, number>
  /** Pounds left out only once the user confirms it. */
  asked?: Record<string, number>
}

const pounds = (rows: readonly { amount: number }[]): number[] => rows.map(({ amount }) => amount / 100)

function sumsOf(entries: readonly UnimportedMoney[], isPlain: boolean): Record<string, number> {
  return Object.fromEntries(
    entries.filter((one) => one.isPlain === isPlain).map(({ row, column, value }) => [column ?? `row ${row}`, value / 100]),
  )
}

function outcomeOf(
  rows: { amount: number }[],
  { problems, balance }: { problems: readonly { row: number }[]; balance: FileBalance },
): Required<Outcome> {
  expect(balance.file, 'every cell of money went somewhere').toBe(balance.imported + balance.leftOut + balance.totals)
  return {
    rows: pounds(rows),
    problems: [...new Set(problems.map(({ row }) => row))].sort((a, b) => a - b),
    left: sumsOf(balance.notImported, true),
    asked: sumsOf(balance.notImported, false),
  }
}

/** Reads a ledger file as the screen does, for September 2027. */
function ledgerOf(cells: Cells) {
  const found = assertDefined(findLedgerTable(cells))
  const read = readLedger(cells, { ...found, columns: selectMonthColumn(cells, found, month) }, { isPlace: () => false, month })
  const imported = read.rows.reduce((sum, row) => sum + row.amount + row.commitment, 0)
  return { ...read, balance: balanceFileMoney(sumFileMoney(cells, read.table), { imported, leftOut: 0, unmapped: 0 }) }
}

/** Reads a payroll file as the screen does. Where the file does not say which columns are amounts, all possible ones are chosen. */
function payOf(cells: Cells) {
  const found = assertDefined(findPayrollTable(cells))
  const asked = findPossibleAmountColumns(cells, found)
  const columns = found.columns.map((meaning, at) => (asked.includes(at) ? ('amount' as const) : meaning))
  const read = readPayroll(cells, buildPayrollTable(cells, { ...found, columns }), () => false)
  const rows = read.rows.map(({ value, code }) => ({ amount: value, code }))
  const imported = rows.reduce((sum, row) => sum + row.amount, 0)
  return { ...read, rows, balance: balanceFileMoney(sumFileMoney(cells, read.table), { imported, leftOut: 0, unmapped: 0 }) }
}

const cellsIn = (name: string): string[][] => splitRowsIntoCells(assertDefined(sheetsOf(name)[0]).rows)

function refusal(reading: () => unknown): string {
  try {
    reading()
  } catch (error) {
    return (error as Error).message
  }
  return 'It was read.'
}

const ledgers: Record<string, Outcome> = {
  // The months are columns, and only the imported month is read.
  'ledger-months-across.csv': { rows: [100, 50], left: { Oct: 170, Total: 320 } },
  'ledger-months-across-years.csv': { rows: [100, 50], left: { 'Sep-26': 130, 'Aug-27': 140, 'Oct-27': 170 } },
  'ledger-periods-across.csv': { rows: [100, 50], left: { P02: 170, P03: 11, YTD: 331 } },
  'ledger-months-across-dates.xlsx': { rows: [100, 50], left: { '2027-10-01': 170 } },
  'ledger-two-heading-months.csv': {
    rows: [10, 11],
    problems: [2],
    left: { 'Aug-27 Budget': 41, 'Sep-27 Budget': 190 },
    asked: { 'Sep-27 Actual': 230 },
  },
  // Amounts split at their commas, although each half fits its column.
  'ledger-million.csv': { rows: [1, 50], problems: [2], asked: { Note: 234 } },
  'ledger-debit-credit-cut.csv': { rows: [-233.5, 80, -1314.5], problems: [2] },
  // Small numbers beside amounts that are not split amounts.
  'ledger-fund-small.csv': { rows: [234.5, 5, 1234, 999.99] },
  'ledger-qty-price.csv': { rows: [120, 450.5, 75] },
  // Figures in thousands instead of pounds.
  'ledger-title-thousands.csv': { rows: [12.3, 5], problems: [2] },
  'ledger-arbor-euro.csv': { rows: [100, 0], problems: [3] },
  'ledger-mixed-decimal.csv': { rows: [0, 0], problems: [2, 3] },
  // Columns that give the side, the month or the kind of each row in unknown words.
  'ledger-sap-soll-haben.csv': { rows: [100, 20], problems: [2, 3] },
  'ledger-posting-key.csv': { rows: [100, 20], problems: [2, 3] },
  'ledger-period-fin.csv': { rows: [100], left: { 'row 3': 200, 'row 4': 300 } },
  'ledger-period-years.csv': { rows: [100], left: { 'row 3': 200, 'row 4': 300 } },
  'ledger-period-joined.csv': { rows: [], problems: [2], left: { 'row 2': 100, 'row 3': 200, 'row 4': 300 } },
  'ledger-unknown-period.csv': { rows: [100, 200], problems: [2, 3] },
  'ledger-scenario.csv': { rows: [100, 120], problems: [3] },
  'ledger-commit-only-type.csv': { rows: [100, 0, 7], problems: [4] },
  // Rows that are not posted in the ledger, or were reversed there.
  'ledger-status.csv': { rows: [100, 250, -250, 40, 8, 7, 3], problems: [5, 6, 7] },
  'ledger-orders-pending.csv': { rows: [100, 10] },
  'ledger-currency-of-invoices.csv': { rows: [85, 10] },
  'ledger-currency.csv': { rows: [100, 10, 5, 6], problems: [3] },
  // Neither notes below a table nor rows without an amount mean that a download broke off.
  'ledger-total-of-two-cells.csv': { rows: [100, 10], asked: { Name: 110 } },
  'ledger-footer-of-two.csv': { rows: [100, 10] },
  // Rows that are totals, and rows that only look like totals.
  'ledger-count-of-records.csv': { rows: [100, 10] },
  'ledger-oracle-pages.csv': { rows: [150, 80], left: { 'YTD Actual': 1120 } },
  'ledger-totals-without-word.csv': { rows: [100, 50, 30, 20] },
  'ledger-total-does-not-add.csv': { rows: [100, 50, 250] },
  'ledger-suppliers.csv': { rows: [1, 2, 4, 8, 16] },
  'ledger-fms-trial-balance-gross.csv': { rows: [400, 200, -600, 0] },
  'ledger-sage-tb-out.csv': { rows: [401, 200, -600] },
  // More files of kinds that are read correctly.
  'ledger-fms-month-and-year.csv': {
    rows: [150, 80],
    left: {
      'This Month Budget': 190,
      'This Month Variance': -40,
      'Year To Date Budget': 1140,
      'Year To Date Actual': 1120,
      'Year To Date Variance': 20,
    },
  },
  'ledger-sage-audit.csv': { rows: [100, -20, 30, -5, 7, -2], left: { Tax: 24 } },
  'ledger-utf16be-nobom.csv': { rows: [1234.5, -80] },
  'ledger-signs.csv': { rows: [-1234.5, -5, -5, -5, 7, -8, -9, 0, 0, -1, -2, -3] },
  'ledger-table-beside.csv': { rows: [100, 50], asked: { 'Income Amount': 525 } },
  'ledger-bfwd-cfwd.csv': { rows: [50, 20], left: { 'B/Fwd': 1700, 'C/Fwd': 1770 } },
  'ledger-mangled-codes.csv': { rows: [1, 2, 3, 4, 5, 6], problems: [2, 3, 4, 5] },
  'ledger-code-formats.xlsx': { rows: [100, 50, 7], problems: [3] },
}

describe('a further file of a ledger', () => {
  it.each(Object.entries(ledgers))('%s is read in full, or its problem rows are refused', (name, expected) => {
    const { rows, problems, balance } = ledgerOf(cellsIn(name))
    expect(outcomeOf(rows, { problems, balance })).toEqual({ problems: [], left: {}, asked: {}, ...expected })
  })
  it('keeps a code formatted as text in a spreadsheet', () => {
    expect(ledgerOf(cellsIn('ledger-mangled-codes.csv')).rows.map(({ account }) => account)).toEqual(
      expect.arrayContaining(['0042', '0043']),
    )
  })
  it('never imports a total that does not add up under a code of its own', () => {
    expect(ledgerOf(cellsIn('ledger-total-does-not-add.csv')).rows.map(({ isLoose }) => isLoose)).toEqual([false, false, true])
  })
  it('that is one pound out of balance says so', () => {
    expect(ledgerOf(cellsIn('ledger-sage-tb-out.csv')).outOfBalance).toBe(100)
  })
  it('chooses no month from numbers that some ledgers use for months and others for periods', () => {
    const cells = cellsIn('ledger-period-joined.csv')
    expect(findLedgerMonth(cells, assertDefined(findLedgerTable(cells)), 9)).toBeNull()
  })
  it('with unusual periods says how they were read', () => {
    const [problem] = ledgerOf(cellsIn('ledger-period-joined.csv')).problems
    expect(problem!.message).toBe(
      'No row in the file is for September 2027. 202709 was read as period 9, which is May 2028. Choose the right month, or rename the column to “Month” if it holds calendar months.',
    )
  })
  it('that ends in the middle of a row is refused with that row', () => {
    expect(refusal(() => sheetsOf('ledger-cut-short.csv'))).toMatch(/^Row 4: the file ends in the middle of this row \(4320 Boo\)/)
  })
  it('of an old Mac is refused with the row whose letters would change', () => {
    expect(refusal(() => sheetsOf('ledger-mac-cr.csv'))).toMatch(/^Row 2 has a character that cannot be read\./)
  })
  it('is not read as months in columns if they are budgets, or of other years', () => {
    const across = (heads: string): unknown =>
      findLedgerTable(splitRowsIntoCells([`Code\tName\t${heads}`, '4240\tEnergy\t100.00\t90.00\t5.00', '4330\tPaper\t1.00\t2.00\t3.00']))
    for (const heads of ['Sep\tOct\tAnnual budget', 'Sep-26\tSep-27\tNote', '30 Sep 2027\t31 Aug 2027\tNote'])
      expect(across(heads), heads).toBeNull()
  })
})

const payrolls: Record<string, Outcome> = {
  'payroll-cut-thousands.csv': { rows: [2, 0, 230, 1500, 150, 400], problems: [2] },
  'payroll-sterling-pennies.csv': { rows: [200_000, 23_000, 150_000, 15_000], problems: [1] },
  // Gross is the only pay column here, so it is no total of others.
  'payroll-employer-on-costs.csv': { rows: [230, 500, 10, 150, 400, 7.5], left: { 'Total Employer Cost': 4797.5 }, asked: { Gross: 3500 } },
  'payroll-long-debit-credit.csv': { rows: [2000, -120] },
  'payroll-epm-wide.csv': { rows: [2000, 100, 0, 230, 500, 1500, 0, 50, 150, 400], left: { 'Total Cost': 4930 } },
  'payroll-person-total.csv': { rows: [2000, 1500] },
  'payroll-currency.csv': { rows: [1500, 1600], problems: [3] },
  // Rows with the number of employees and their total pay, and employees whose number is a word.
  'payroll-count.csv': { rows: [1500, 120, 300, 1600, 130, 320] },
  'payroll-employees-total.csv': { rows: [1500, 120, 300, 1600, 130, 320] },
  'payroll-two-employees.csv': { rows: [1500, 120, 300, 1600, 130, 320] },
  'payroll-employee-numbers.csv': { rows: [1500, 120, 300, 1500, 120, 300, 3000, 240, 600] },
  'payroll-status-of-employees.csv': { rows: [1500, 1600] },
  'payroll-staff-numbers.csv': { rows: [1500, 120, 300, 1600, 130, 320, 1700, 140, 340] },
}

describe('a further file of a payroll', () => {
  it.each(Object.entries(payrolls))('%s is read in full, or its problem rows are refused', (name, expected) => {
    const { rows, problems, balance } = payOf(cellsIn(name))
    expect(outcomeOf(rows, { problems, balance })).toEqual({ problems: [], left: {}, asked: {}, ...expected })
  })
  it('with a total that does not add up names its row, and is not proved', () => {
    const { problems, balance } = payOf(cellsIn('payroll-quarter-total-row-end.csv'))
    expect(problems).toMatchObject([{ row: 4 }])
    expect(isBalanced(balance, true)).toBe(false)
  })
  it('never reads months in columns as pay elements', () => {
    expect(findPayrollTable(cellsIn('payroll-months-across.csv'))).toBeNull()
  })
})

describe('an amount printed anywhere in a file', () => {
  it('cannot change without a change of its rows, its problems or its proof', () => {
    const all: [typeof ledgerOf | typeof payOf, string][] = [
      ...Object.keys(ledgers).map((name): [typeof ledgerOf, string] => [ledgerOf, name]),
      ...Object.keys(payrolls).map((name): [typeof payOf, string] => [payOf, name]),
    ]
    let changed = 0
    for (const [readFile, name] of all) {
      const cells = cellsIn(name)
      const before = JSON.stringify(readFile(cells))
      const { headingRow, headings } = readFile(cells).table
      for (const [row, line] of cells.entries())
        for (const [column, cell] of line.entries()) {
          if (row < headingRow || !/\.\d\d\)?-?$/.test(cell) || !isPrintedMoney(cell) || isQuantityHeading(headings[column] ?? '')) continue
          const other = cells.map((one, at) => (at === row ? one.with(column, '7777.77') : one))
          expect(JSON.stringify(readFile(other)), `${name}, row ${row + 1}, ${cell}`).not.toBe(before)
          changed++
        }
    }
    expect(changed).toBeGreaterThan(250)
  })
})

describe('a workbook with several sheets of money', () => {
  it('shows the totals of the sheets for other months, which the user leaves out', () => {
    const sheets = sheetsOf('ledger-sheets-of-months.xlsx')
    const chosen = sheets.findIndex(({ name }) => name === 'Sep 27')
    const { balance } = ledgerOf(splitRowsIntoCells(assertDefined(sheets[chosen]).rows))
    const whole = addOtherSheets(balance, findOtherLedgerSheets(sheets, chosen, month))
    expect(whole).toMatchObject({
      file: 15_000 + 2300,
      imported: 15_000,
      notImported: [{ column: 'Sheet Aug 27', value: 2300, cells: 2, isPlain: false }],
    })
    expect([isBalanced(whole, false), isBalanced(whole, true)]).toEqual([false, true])
  })
  it('takes the month from the name of the sheet if nothing in it says the month', () => {
    const sheets = sheetsOf('ledger-sheets-of-months.xlsx')
    const targets = { account: [], costCentre: [], fund: [], tag: [], location: [] }
    const open = { startMonth: 9, ledgers: [], keptIsCumulative: false, targets }
    const words = { trialBalance: '', budgetReport: '', transactions: '', template: '' }
    const months = ['Aug 27', 'Sep 27'].map((name) => {
      const sheet = assertDefined(sheets.find((one) => one.name === name))
      return detectLedgerFileChoices(sheet, { open, shown: { year: 2027, month: 10 }, words }).month
    })
    expect(months).toEqual([
      { year: 2027, month: 8 },
      { year: 2027, month: 9 },
    ])
  })
  it('shows the total of a sheet of leavers', () => {
    const sheets = sheetsOf('payroll-sheet-of-leavers.xlsx')
    const chosen = chooseSheet(sheets, (cells) => Number(findPayrollTable(cells) !== null))
    expect(otherPaySheets(sheets, chosen)).toEqual([{ name: 'Leavers', cells: 1, value: 30_000 }])
  })
})

describe('a further file of budget codes', () => {
  it('with a code over two lines is refused with its cell', () => {
    const read = readRecords('', sent('codes-breaks.csv')).map((row) => {
      const { matched } = matchColumns(listColumns(resources.budgetCode), Object.keys(row))
      return parseImportRow(resources.budgetCode, { matched, row, find: () => 1 })
    })
    expect(read.map(({ problems }) => problems.map(({ column }) => column))).toEqual([['Code'], [], []])
  })
})
