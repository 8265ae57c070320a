import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import type { Cells } from '../../../domain/files/headings.ts'
import { balanceFileMoney, isBalanced, listMoneyToConfirm, sumFileMoney } from '../../../domain/files/proof.ts'
import { findLedgerMonth, findLedgerTable, isLedgerYearToDate } from '../../../domain/monitoring/ledger/columns.ts'
import { type MonthToRead, readLedger } from '../../../domain/monitoring/ledger/rows.ts'

const file = (text: string): Cells => Papa.parse<string[]>(text.trim()).data
const title = 'Northgate Primary School\nSeptember 2027\n'
const september: MonthToRead = { year: 2027, month: 9, isCumulative: false, startMonth: 9 }

/** Reads a file for a month, with every row imported. */
function read(text: string, month: Partial<MonthToRead> = {}) {
  const cells = file(text)
  const table = findLedgerTable(cells)!
  const ledger = readLedger(cells, table, { isPlace: () => false, month: { ...september, ...month } })
  const sum = ledger.rows.reduce((total, row) => total + row.amount, 0)
  const commitments = ledger.rows.reduce((total, row) => total + row.commitment, 0)
  const balance = balanceFileMoney(sumFileMoney(cells, ledger.table), { imported: sum + commitments, leftOut: 0, unmapped: 0 })
  expect(balance.file, 'every cell of money went somewhere').toBe(balance.imported + balance.leftOut + balance.totals)
  return { cells, table, ledger, sum, balance, reasons: balance.notImported.map((one) => [one.reason, one.value]) }
}

describe('the sign of an amount', () => {
  it('is read from a separate column, whatever its name and values', () => {
    const of = (heading: string, [debit, credit]: string[]): number =>
      read(
        `${title}Nominal Code,Description,Value,${heading}\n4240,Energy,10.00,${debit}\n4240,Energy refund,3.00,${credit}\n4330,Paper,5.00,${debit}`,
      ).sum
    for (const heading of ['Dr/Cr', 'CR/DR', 'D/C', 'DC', 'Sign', 'Debit/Credit', 'Debit or Credit', 'Dr / Cr', '+/-', '', 'Ind'])
      for (const words of [
        ['Dr', 'Cr'],
        ['D', 'C'],
        ['DEBIT', 'CREDIT'],
        ['+', '-'],
        ['', 'CR'],
      ])
        expect(of(heading, words), `${heading}: ${words}`).toBe(1200)
  })
  it('is not reversed if credits are negative already', () => {
    expect(read(`${title}Code,Name,Amount,Dr/Cr\n4240,Energy,10.00,Dr\n4240,Refund,-3.00,Cr`).sum).toBe(700)
  })
  it('that a row does not give is asked for, with its cell', () => {
    const { ledger } = read(
      `${title}Code,Name,Amount,Dr/Cr\n4240,Energy,10.00,Dr\n4240,Refund,3.00,Cr\n4330,Paper,5.00,Dr\n4330,Pens,1.00,`,
    )
    expect(ledger.problems).toMatchObject([{ row: 7, column: 'Dr/Cr', message: 'This row does not say debit or credit. Enter Dr or Cr.' }])
  })
  it('is read from Sage’s types of transactions; of A/C and N/C, the nominal code is the account', () => {
    const { table, ledger, sum } = read(
      'No,Type,Date,A/C,N/C,Department,Ref,Details,Net Amount,Tax Amount,T/C,Paid,Amount Paid\n1,PI,03/09/2027,ENE001,4240,0,INV1,Energy,100.00,20.00,T1,N,0.00\n2,PC,04/09/2027,ENE001,4240,0,CR1,Energy credit,30.00,6.00,T1,N,0.00\n3,SI,05/09/2027,LET1,1110,0,S1,Lettings,500.00,0.00,T0,N,0.00',
    )
    expect(table.columns[3]).toBe('supplier')
    expect(ledger.rows.map((row) => [row.account, row.amount, row.supplier, row.reference])).toEqual([
      ['4240', 10_000, 'ENE001', 'INV1'],
      ['4240', -3000, 'ENE001', 'CR1'],
      ['1110', -50_000, 'LET1', 'S1'],
    ])
    expect(sum).toBe(-43_000)
  })
})

describe('credits printed with a minus in a column of their own', () => {
  const accounts = (credits: readonly string[]): number[] =>
    read(`${title}Code,Name,Debit,Credit\n4240,Energy,100.00,\n${credits.join('\n')}`).ledger.rows.map(({ amount }) => amount)
  it('are added to the debits', () => {
    expect(accounts(['4250,Refund,,-20.00', '1100,Lettings,,-30.00'])).toEqual([10_000, -2000, -3000])
    expect(read(`${title}Code,Name,Debit,Credit\n4240,Energy,100.00,\n9100,Bank,,-100.00`).ledger.outOfBalance).toBe(0)
  })
  it('are corrections if other credits have none, or if there is one only', () => {
    expect(accounts(['4250,Refund,,-20.00', '1100,Lettings,,30.00'])).toEqual([10_000, 2000, -3000])
    expect(accounts(['4250,Refund,,-20.00'])).toEqual([10_000, 2000])
  })
})

describe('opening, movement and closing balances', () => {
  it('in the rows of a list of transactions are left out, once the user confirms it', () => {
    const { sum, balance } = read(
      'Date,Account Code,Details,Amount\n01/09/2027,4240,Balance b/f,500.00\n03/09/2027,4240,Energy,100.00\n04/09/2027,4240,Balance of the invoice,20.00\n30/09/2027,4240,Closing balance,620.00',
    )
    expect(sum).toBe(12_000)
    expect(listMoneyToConfirm(balance)).toMatchObject([{ row: 2, cells: 2, value: 112_000 }])
  })
  it('are ordinary accounts in a trial balance', () => {
    expect(read(`${title}Code,Name,Debit,Credit\n4240,Energy,70.00,\n3000,Balance b/f,,70.00`).ledger.rows).toHaveLength(2)
  })
  it('under two rows of headings give the movement', () => {
    const { sum, table, balance } = read(
      'Trial Balance Northgate Primary School\nSeptember 2027\n,,Opening,,Movement,,Closing,\nCode,Name,Dr,Cr,Dr,Cr,Dr,Cr\n4240,Energy,1000.00,,50.00,,1050.00,\n4330,Admin,700.00,,20.00,,720.00,',
    )
    expect(sum).toBe(7000)
    expect(table.isCumulative).toBe(false)
    expect(balance.file).toBe(170_000 + 7000 + 177_000)
  })
  it('in one row give the movement, and the totals of debits and credits are not added to it', () => {
    expect(read(`${title}Code,Name,Opening Balance,Movement,Closing Balance\n4240,Energy,1000.00,50.00,1050.00`).sum).toBe(5000)
    expect(read(`${title}Code,Name,Brought Forward,This Period,Carried Forward\n4240,Energy,1000.00,50.00,1050.00`).sum).toBe(5000)
    expect(read(`${title}Code,Name,B/Fwd,In Month,C/Fwd\n4240,Energy,1000.00,50.00,1050.00`).sum).toBe(5000)
    expect(read(`${title}Code,Name,Opening Balance,Debit,Credit,Closing Balance\n4240,Energy,1000.00,60.00,10.00,1050.00`).sum).toBe(5000)
  })
  it('of the month beside the year to date belong to the month', () => {
    const { sum, table } = read(
      ',,September 2027,,Year to date,\nCode,Name,Actual,Budget,Actual,Budget\n4240,Energy,10.00,20.00,30.00,40.00',
    )
    expect(sum).toBe(1000)
    expect(table.isCumulative).toBe(false)
  })
  it('with only closing balances give the year to date, and say so', () => {
    const { sum, table } = read(`${title}Code,Name,Opening Balance,Closing Balance\n4240,Energy,1000.00,1050.00`)
    expect(sum).toBe(105_000)
    expect(table.isCumulative).toBe(true)
  })
})

describe('rows of several months in one file', () => {
  it('give the rows of the month; the others are left out with their period and total', () => {
    const { sum, reasons } = read(
      `${title}Year,Period,Account Code,Account Name,Amount\n2027,1,4240,Energy,100.00\n2027,2,4240,Energy,200.00\n2027,3,4240,Energy,300.00`,
    )
    expect(sum).toBe(10_000)
    expect(reasons).toEqual([
      ['Rows for period 2 of 2027 are not for September 2027.', 20_000],
      ['Rows for period 3 of 2027 are not for September 2027.', 30_000],
    ])
  })
  it('are separated by month, date, number or name, and by year', () => {
    const rows = (heading: string, [mine, others]: string[]): number =>
      read(`Northgate\n${heading},Account Code,Account Name,Amount\n${mine},4240,Energy,100.00\n${others},4240,Energy,200.00`).sum
    for (const [heading, ...words] of [
      ['Month', 'Sep 2027', 'Oct 2027'],
      ['Month', 'September', 'October'],
      ['Period', 'P01', 'P02'],
      ['Period', '1', '2'],
      ['Period', '202701', '202702'],
      ['Month', '2027-09', '2027-10'],
      ['Month end', '30/09/2027', '31/10/2027'],
      ['Financial Year', '2027/28', '2026/27'],
      ['Year', '2027', '2026'],
    ] as [string, string, string][])
      expect(rows(heading, words), `${heading}: ${words}`).toBe(10_000)
    const calendar = read('Year,Month,Code,Amount\n2027,9,4240,100.00\n2027,10,4240,200.00\n2026,9,4240,400.00')
    expect(calendar.sum).toBe(10_000)
  })
  it('give the year up to the month in a cumulative import, unless amounts are cumulative already', () => {
    const rows = '2027,1,4240,100.00\n2027,2,4240,200.00\n2027,3,4240,300.00'
    const november = { month: 11, isCumulative: true }
    expect(read(`Year,Period,Code,Amount\n${rows}`, november).sum).toBe(60_000)
    expect(read(`Year,Period,Code,Actual YTD\n${rows}`, november).sum).toBe(30_000)
  })
  it('without the month report the first row', () => {
    const { ledger } = read('Period,Code,Amount\n2,4240,100.00')
    expect(ledger.problems).toMatchObject([
      {
        row: 2,
        column: 'Period',
        value: '2',
        message: 'No row in the file is for September 2027. Choose the month that it is for, or another file.',
      },
    ])
  })
  it('of a PSF file give actuals and commitments of one period, and separate company, account and ledger', () => {
    const { table, ledger, balance } = read(
      'Company,Ledger,Account,Account Description,Cost Centre,Fund,Period,Budget,Actual,Commitments,Variance\nS1,GL,4240,Energy,OFF,REV,1,100.00,80.00,5.00,15.00\nS1,GL,4240,Energy,OFF,REV,2,100.00,90.00,5.00,5.00',
    )
    expect(table.columns.slice(0, 4)).toEqual(['location', null, 'account', 'accountName'])
    expect(ledger.rows.map((row) => [row.account, row.amount, row.commitment])).toEqual([['4240', 8000, 500]])
    expect(listMoneyToConfirm(balance)).toEqual([])
  })
  it('with periods named in full give the last of them', () => {
    const cells = file(
      'Northgate Primary School\nMonth,Account Code,Account Name,Amount\nSep 2027,4240,Energy,100.00\nOct 2027,4240,Energy,200.00',
    )
    expect(findLedgerMonth(cells, findLedgerTable(cells)!, 9)).toEqual({ year: 2027, month: 10 })
  })
})

describe('a second table', () => {
  it('below, of last year, is not added; its total is shown and the user leaves it out', () => {
    const { sum, balance } = read(
      'Northgate Primary School September 2027,,\nCode,Name,Actual\n4240,Energy,100.00\n4330,Admin,50.00\nTotal,,150.00\n\nLast year September 2026,,\nCode,Name,Actual\n4240,Energy,90.00\n4330,Admin,45.00\nTotal,,135.00',
    )
    expect(sum).toBe(15_000)
    expect(listMoneyToConfirm(balance)).toMatchObject([
      { row: 9, value: 13_500, reason: 'Last year September 2026 is another table, so it is not counted.' },
    ])
    expect(isBalanced(balance, false)).toBe(false)
  })
  it('starts with a title alone, or with headings of its own', () => {
    for (const words of [
      'Prior year',
      'Previous year actuals',
      'Budget',
      'Comparatives',
      'October 2027',
      'Code,Name,Budget',
      'Code,Supplier,Paid',
    ])
      expect(read(`${title}Code,Name,Actual\n4240,Energy,100.00\n\n${words}\n4240,Energy,90.00`).sum, words).toBe(10_000)
  })
  it('that starts again below the first one’s total is not added', () => {
    const { sum, balance } = read(
      `${title}Code,Name,Actual\n4240,Energy,100.00\nTotal,,100.00\n\nCode,Name,Actual\n4240,Energy,90.00\nTotal,,90.00`,
    )
    expect(sum).toBe(10_000)
    expect(listMoneyToConfirm(balance)).toMatchObject([{ value: 9000 }])
  })
  it('of another school, or under a repeated heading, belongs to the file', () => {
    expect(read(`${title}Code,Name,Actual\n4240,Energy,100.00\n\nSouthgate\nCode,Name,Actual\n4240,Energy,90.00`).sum).toBe(19_000)
  })
  it('at the side is an unused column, shown with its total', () => {
    const { sum, balance } = read(`${title}Code,Name,Actual,,Code,Name,Actual\n4240,Energy,100.00,,1000,Grant,70.00`)
    expect(sum).toBe(10_000)
    expect(listMoneyToConfirm(balance)).toMatchObject([{ column: 'Actual', value: 7000 }])
  })
})

describe('a total', () => {
  it('is not a supplier called Total, whatever its amount', () => {
    const bills = '03/09/2027,4240,Total,50.00\n04/09/2027,4240,Total,50.00\nTotal,,,100.00'
    expect(read(`Date,Nominal,Supplier,Amount\n${bills}`).ledger).toMatchObject({
      rows: [{ amount: 5000 }, { amount: 5000 }],
      skipped: { total: 1 },
    })
    const { ledger } = read(
      `${title}Code,Name,Actual\n4240,Total Gas & Power,120.00\n4330,Paper,5.00\n4331,Total Gas & Power,125.00\nTotal,,250.00`,
    )
    expect(ledger.rows.map((row) => row.account)).toEqual(['4240', '4330', '4331'])
    expect(ledger.skipped.total).toBe(1)
    expect(read(`${title}Account,Actual\nGas,120.00\nTotal Gas & Power,120.00\nTotal,240.00`).sum).toBe(24_000)
  })
})

describe('a row that repeats a sum', () => {
  it('at the foot and the head of a page is a total', () => {
    for (const [foot, head] of [
      ['c/f', 'b/f'],
      ['Carried forward', 'Brought forward'],
      ['C/fwd', 'B/fwd'],
    ]) {
      const pages = `${title}Code,Name,Amount\n4240,Energy,100.00\n4250,Water,50.00\n,${foot},150.00\n${head},,150.00\n4330,Paper,20.00\nTotal,,170.00`
      const { ledger } = read(pages)
      expect(ledger.rows.map(({ account }) => account)).toEqual(['4240', '4250', '4330'])
      expect(ledger.skipped.total).toBe(3)
    }
  })
  it('is a total below a single line of its code, as spreadsheets add subtotals', () => {
    const { ledger } = read(
      `${title}Code,Name,Amount\n4240,Energy,100.00\n4240,Energy,50.00\n4240 Total,,150.00\n4250,Water,5.00\n4250 Total,,5.00\nGrand Total,,155.00`,
    )
    expect(ledger.rows.map(({ amount }) => amount)).toEqual([10_000, 5000, 500])
    expect(ledger.skipped.total).toBe(3)
  })
  it('is the surplus or deficit, however it is written', () => {
    for (const words of ['Net (surplus)/deficit', '(Surplus) / deficit', 'Net surplus', 'In-year deficit']) {
      const { ledger } = read(`${title}Code,Name,Amount\n1100,Lettings,-320.00\n4240,Energy,100.00\n${words},,-220.00`)
      expect(ledger.rows, words).toHaveLength(2)
    }
  })
})

describe('a heading', () => {
  it('in thousands is refused with its row, and one with a percentage is no amount', () => {
    expect(read('Code,Name,Amount (£000)\n4240,Energy,12.3').ledger.problems).toMatchObject([{ row: 1, value: 'Amount (£000)' }])
    const { table } = read('Code,Name,Budget,Actual YTD,% Spent\n4240,Energy,100.00,90.00,90%')
    expect(table.columns).toEqual(['account', 'accountName', null, 'amount', null])
  })
  it('over the last column may be in the upper of two rows only', () => {
    const { ledger } = read(`${title},,Actual,Actual,Committed\nCode,Name,Period,YTD,\n4240,Energy,100.00,700.00,3.00`)
    expect(ledger).toMatchObject({ problems: [], rows: [{ amount: 10_000, commitment: 300 }] })
  })
  it('may be missing over the accounts', () => {
    const { ledger } = read(
      'Trial Balance\nAs of September 30 2027\n,Debit,Credit\n4240 Energy,105.00,\n1200 Bank,,105.00\nTOTAL,105.00,105.00',
    )
    expect(ledger.rows.map(({ account, amount }) => [account, amount])).toEqual([
      ['4240 Energy', 10_500],
      ['1200 Bank', -10_500],
    ])
  })
})

describe('the month of a file', () => {
  const monthOf = (lines: string) => findLedgerTable(file(`${lines}\nAccount Code,Account Name,Amount\n4240,Energy,100.00`))!
  it('is stated on a line of its own, and is not the date a budget was approved', () => {
    for (const lines of [
      'Northgate\nBudget approved March 2027\nPeriod: September 2027',
      'Month ending 30 September 2027\nForecast of August 2027',
      'Comparatives: September 2026\nSeptember 2027',
      'Year ending 31 August 2028\nSeptember 2027',
    ])
      expect(monthOf(lines).month?.said, lines).toEqual({ year: 2027, month: 9 })
  })
  it('may have a year of two digits', () => {
    for (const words of [
      'Period ended 31/08/27',
      'Period: Aug-27',
      'As at 31 August 27',
      'Month: Aug ’27',
      'Period: August 27',
      'Period 12 26/27',
    ]) {
      const cells = file(`Northgate\n${words}\nCode,Name,Amount\n4240,Energy,100.00`)
      expect(findLedgerMonth(cells, findLedgerTable(cells)!, 9), words).toEqual({ year: 2027, month: 8 })
    }
  })
  it('may have its period and its year on two lines', () => {
    const cells = file('Northgate\nPeriod: 2\nFinancial Year: 2027/28\nCode,Name,Amount\n4240,Energy,100.00')
    expect(findLedgerMonth(cells, findLedgerTable(cells)!, 9)).toEqual({ year: 2027, month: 10 })
  })
  it('ends a range of months, which is offered as the year to date', () => {
    const dates = ['01/09/2027 to 30/11/2027', 'September to November 2027', '1 September 2027 – 30 November 2027']
    for (const words of [...dates, 'Periods 1 to 3 2027/28', 'Period 01 - 03 2027/28', 'Sep-27 to Nov-27']) {
      const cells = file(`Northgate\n${words}\nCode,Name,Amount\n4240,Energy,100.00`)
      const table = findLedgerTable(cells)!
      expect([table.isCumulative, findLedgerMonth(cells, table, 9)], words).toEqual([true, { year: 2027, month: 11 }])
    }
    for (const words of ['01/09/2027 to 30/09/2027', 'As at 30-11-2027 (30-11-2026: see below)', 'Period 3 2027/28'])
      expect(findLedgerTable(file(`Northgate\n${words}\nCode,Name,Amount\n4240,Energy,1.00`))!.isCumulative, words).toBe(false)
  })
  it('is asked for if lines name different months and none is clear', () => {
    expect(monthOf('March 2027 report\nSeptember 2027 figures')).toMatchObject({ month: null, doubt: [{ row: 1 }, { row: 2 }] })
    expect(monthOf('Budget approved March 2027')).toMatchObject({ month: null, doubt: [] })
  })
})

describe('the files of common ledgers', () => {
  it('of Sage 50 use N/C, and have a total row without a code', () => {
    const { ledger, sum } = read(`${title}N/C,Name,Debit,Credit\n4240,Energy,100.00,\n4330,Admin supplies,50.00,\n,Totals:,150.00,0.00`)
    expect(ledger.rows.map((row) => [row.account, row.accountName])).toEqual([
      ['4240', 'Energy'],
      ['4330', 'Admin supplies'],
    ])
    expect(sum).toBe(15_000)
    expect(ledger.outOfBalance).toBe(15_000)
  })
  it('of Xero are cumulative, and leave last year out', () => {
    const { table, sum, balance } = read(
      'Trial Balance\nNorthgate Primary School\nAs at 30 September 2027\n\nAccount Code,Account,Account Type,Debit - Year to date,Credit - Year to date,30 Sept 2026\n4240,Energy,Expense,1234.50,,999.00\nTotal,,,1234.50,0.00,',
    )
    expect(table).toMatchObject({ isCumulative: true, columns: ['account', 'accountName', null, 'debit', 'credit', null] })
    expect(sum).toBe(123_450)
    expect(balance.notImported).toMatchObject([{ column: '30 Sept 2026', value: 99_900 }])
  })
  it('of FMS use the invoiced amount, not the paid one', () => {
    const { ledger } = read(
      'Cost Centre,Ledger Code,Ledger Description,Fund,Original Budget,Current Budget,Actual Invoiced,Actual Paid,Committed,Budget Remaining,% Remaining\nOFF,5004,First Aid,01,100.00,100.00,40.00,35.00,5.00,55.00,55',
    )
    expect(ledger.rows).toMatchObject([
      { account: '5004', accountName: 'First Aid', costCentre: 'OFF', fund: '01', amount: 4000, commitment: 500 },
    ])
  })
  it('of Business Central use the account, and its net change', () => {
    const { ledger } = read('G/L Account No.,Name,Net Change,Balance at Date\n4240,Energy,100.00,700.00')
    expect(ledger.rows).toMatchObject([{ account: '4240', accountName: 'Energy', amount: 10_000 }])
  })
  it('of Access use the movement of the period, and the nominal account', () => {
    const { ledger } = read('Nominal Account,Nominal Description,Period Movement,YTD Balance\n4240,Energy,100.00,700.00')
    expect(ledger.rows).toMatchObject([{ account: '4240', accountName: 'Energy', amount: 10_000 }])
  })
})

describe('money in the wrong column', () => {
  it('in a column of text is reported with its row, while codes that look like money are not', () => {
    const { balance } = read(`${title}Code,Name,Actual\n4240,Energy,100.00\n4330,"1,234.50",\n4331,Pens,5.00`)
    expect(listMoneyToConfirm(balance)).toMatchObject([{ row: 5, column: 'Name', value: 123_450 }])
    const codes = read(`${title}Code,Name,Actual\n4240.10,Energy,100.00\n4240.20,Paper,50.00`)
    expect(codes.balance).toMatchObject({ file: 15_000, notImported: [] })
  })
  it('inside the only text of a row is a problem of that row, while the time of printing is not', () => {
    const { ledger } = read(
      `${title}Code,Name,Actual\n4240,Energy,100.00\n4250 Water 5.00,,\n4260;Gas;5.00,,\n03/10/2027 printed at 10.45,,`,
    )
    expect(ledger.problems).toMatchObject([
      { row: 5, value: '4250 Water 5.00' },
      { row: 6, value: '4260;Gas;5.00' },
    ])
  })
  it('is looked for in a cell of 40,000 characters, which a search in cubic time would never finish', () => {
    const { ledger } = read(`${title}Code,Name,Actual\n4240,Energy,100.00\n"${'1'.repeat(20_000)} ${',1'.repeat(10_000)}",,`)
    expect(ledger.rows).toHaveLength(1)
  })
  it('of last year is shown even if it is not printed with pence', () => {
    const { balance } = read(`${title}Code,Name,Last year,Actual\n4240,Energy,90,100\n4250,Water,45,50`)
    expect(balance.notImported).toMatchObject([{ column: 'Last year', value: 13_500, isPlain: true }])
  })
})

describe('a trial balance', () => {
  const lines = 'Account Code,Account Name,Debit,Credit\n4240,Energy,100.00,\n9100,Bank,,99.00'
  it('as at a date is offered as the year to date, whatever the last file was', () => {
    const cells = file(`Northgate\nTrial balance as at 30 November 2027\n${lines}`)
    const table = findLedgerTable(cells)!
    expect(table.isCumulative).toBe(true)
    expect(isLedgerYearToDate(cells, table, false)).toBe(true)
    expect(findLedgerMonth(cells, table, 9)).toEqual({ year: 2027, month: 11 })
  })
  it('that is one pound out of balance says so', () => {
    expect(read(`${title}${lines}`).ledger.outOfBalance).toBe(100)
  })
})
