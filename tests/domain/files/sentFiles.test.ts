import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAmount, readDate } from '../../../domain/files/cells.ts'
import type { Cells } from '../../../domain/files/headings.ts'
import { findRowsWithMovedCells } from '../../../domain/files/rowProblems.ts'
import { chooseSheet, readRecords, readSheets, type Sheet, splitRowsIntoCells } from '../../../domain/files/sheets.ts'
import { actualFile as actuals } from '../../../domain/monitoring/actualFile.ts'
import { findLedgerTable } from '../../../domain/monitoring/ledger/columns.ts'
import { type LedgerContents, readLedger } from '../../../domain/monitoring/ledger/rows.ts'
import { buildPayrollTable } from '../../../domain/payroll/provider/columns.ts'
import { readPayroll } from '../../../domain/payroll/provider/rows.ts'
import { resources } from '../../../domain/resources/all.ts'
import { listColumns, matchColumns, parseImportRow } from '../../../domain/resources/columns.ts'
import { staffMember } from '../../../domain/resources/entities/budget/staffMember.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const sent = (name: string): Uint8Array => readFileSync(join(import.meta.dirname, '../sentFiles', name))
const sheetsOf = (name: string): Sheet[] => readSheets(name, sent(name))
const cellsIn = (name: string): string[][] => splitRowsIntoCells(assertDefined(sheetsOf(name)[0]).rows)
const textCells = (text: string): string[][] => splitRowsIntoCells(assertDefined(readSheets('a.csv', bytesOf(text))[0]).rows)

function ledgerOf(cells: Cells): LedgerContents {
  return readLedger(cells, assertDefined(findLedgerTable(cells)), {
    isPlace: () => false,
    month: { year: 2027, month: 9, isCumulative: false, startMonth: 9 },
  })
}
const sumOf = (cells: Cells): number => ledgerOf(cells).rows.reduce((sum, row) => sum + row.amount, 0)

/** The one sentence with which a file is refused. */
function refusal(reading: () => unknown): string {
  try {
    reading()
  } catch (error) {
    return (error as Error).message
  }
  return 'It was read.'
}

/** The problems of a row of a list. */
function problemsOf(resource: AnyResource, row: Record<string, string>) {
  const { matched } = matchColumns(listColumns(resource), Object.keys(row))
  return parseImportRow(resource, { matched, row, find: () => 1 })
}

describe('an amount with a comma and no quotation marks', () => {
  it('is a problem of its row in a ledger file, and never one pound', () => {
    for (const name of ['thousands-ledger.csv', 'thousands-commitments.csv'])
      expect(ledgerOf(cellsIn(name)).problems, name).toMatchObject([{ row: 4, message: expect.stringContaining('more cells than') }])
  })
  it('is a problem of its row in a payroll file', () => {
    const cells = cellsIn('thousands-payroll.csv')
    const table = buildPayrollTable(cells, { layout: 'wide', headingRow: 1, columns: ['employeeNumber', 'element', 'element'] })
    expect(readPayroll(cells, table, () => false).problems).toMatchObject([{ row: 2 }, { row: 3 }])
  })
  it('is a problem of its row in a list of codes and in a connection', () => {
    expect(findRowsWithMovedCells(cellsIn('thousands-codes.csv'), 1)).toMatchObject([{ row: 2 }])
    expect(refusal(() => readRecords('', sent('thousands-connection.csv')))).toContain('1 of 1 row has a problem. Nothing was imported.')
  })
  it('is a problem of its row even if the row ends with an empty cell', () => {
    expect(ledgerOf(textCells('Account Code,Account Name,Amount,Notes\n4240,Energy,1,234.50,\n4330,Paper,5.00,\n')).problems).toMatchObject(
      [{ row: 2 }],
    )
  })
  it('is a problem of its row even if the row omits its last cells', () => {
    for (const heads of ['Account Code,Account Name,Amount,Notes', 'Account Code,Account Name,Amount,Notes,Reference,Day'])
      expect(ledgerOf(textCells(`${heads}\n4240,Energy,1,234.50\n4330,Paper,5.00\n`)).problems).toMatchObject([{ row: 2 }])
    // Both columns hold amounts, so no amount was split.
    expect(findRowsWithMovedCells(textCells('Code,Name,Budget,Actual\n4240,Energy,1,234.50\n4330,Paper,5,6.00\n'), 1)).toEqual([])
  })
  it('is not confused with a page number beside the table, or with empty cells at the end of each row', () => {
    expect(findRowsWithMovedCells(textCells('Code,Name,Amount\n4240,Energy,10.00,\n4330,Paper,5.00,\n,,,,Page one\n'), 1)).toEqual([])
  })
})

describe('a quotation mark', () => {
  it('that is never closed is refused with the row in which it opens', () => {
    const rows = { 'quote-ditto.csv': 3, 'quote-ledger.csv': 5, 'quote-codes.csv': 2, 'quote-tabs.txt': 5 }
    for (const [name, row] of Object.entries(rows))
      expect(
        refusal(() => sheetsOf(name)),
        name,
      ).toMatch(new RegExp(`^Row ${row}: `))
    expect(refusal(() => readRecords('', sent('quote-codes.csv')))).toMatch(/^Row 2: /)
  })
  it('that is closed further down is refused too, if there are table rows in between', () => {
    const inches = 'Account Code,Details,Amount\n4240,Energy,10.00\n4330,"5 reams,200.00\n4300,Pipe 12",300.00\n4200,Paint,400.00\n'
    const ditto = 'Account Code,Cost Centre,Amount\n4240,OFF,10.00\n",KS1,5.00\n4330,OFF,3.00\n",KS2,3.00\n4331,OFF,1.00\n'
    expect(refusal(() => textCells('Code,Amount\n"4240,10.00\n4330,5.00\n4300",7.00\n'))).toMatch(/^Row 2: /)
    for (const text of [inches, ditto]) expect(refusal(() => textCells(text))).toMatch(/^Row 3: /)
  })
  it('within a cell, or around one with several lines, is read as intended', () => {
    expect(textCells('Code,Details,Amount\n1,12" pipe,5\n2,"a ""big"" one",6\n')).toEqual([
      ['Code', 'Details', 'Amount'],
      ['1', '12" pipe', '5'],
      ['2', 'a "big" one', '6'],
    ])
    const lines = 'Code,Details,Amount\n4240,"a, b\nc, d",10.00\n4330,"one\r\ntwo",5.00\n'
    expect(textCells(lines)[1]).toEqual(['4240', 'a, b c, d', '10.00'])
    expect(readRecords('', bytesOf(lines))[0]?.Details).toBe('a, b\nc, d')
  })
  it('never loses a row written by a spreadsheet, whatever its cells contain', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '1', '"', ',', ';', '\t', ' ', '£', '\n'), maxLength: 6 })
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 6 }), (rows) => {
        const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
        const text = ['x,y,z', 'a b,c d,e f', ...rows.map((row) => row.map(quoted).join(','))].join('\r\n')
        let read: Record<string, string>[]
        try {
          read = readRecords('', bytesOf(text))
        } catch {
          // Text within a cell that looks like rows is refused rather than lost.
          return
        }
        const expected = rows.filter((row) => row.some((one) => one.trim())).map((row) => row.map((one) => one.replace(/\t/g, ' ')))
        expect(read.slice(1).map((row) => [row.x, row.y, row.z])).toEqual(expected)
      }),
    )
  })
})

describe('the separator of cells', () => {
  it('is a comma, a semicolon, a tab, a pipe, or the one named in the first line', () => {
    for (const sign of [',', ';', '\t', '|']) expect(textCells(`Code${sign}Amount\n4240${sign}5.00\n`)[1], sign).toEqual(['4240', '5.00'])
    expect(textCells('sep=;\nCode;Name, place;Amount\n4240;a, b;5.00\n')[1]).toEqual(['4240', 'a, b', '5.00'])
    for (const end of ['\n', '\r', '\r\n']) expect(textCells(`Code;Amount${end}4240;5,00${end}`)).toHaveLength(2)
  })
})

describe('the letters of a file', () => {
  it('are read in UTF-8, UTF-16 and the Windows encoding, with or without a byte order mark', () => {
    const words = 'Code;Café ’n £\r\n4240;5.00 €'
    const utf16 = (isBig: boolean, mark: string): Uint8Array => {
      const bytes = Buffer.from(mark + words, 'utf16le')
      return isBig ? bytes.swap16() : bytes
    }
    const windows = Buffer.from('Code;Caf\xe9 \x92n \xa3\r\n4240;5.00 \x80', 'latin1')
    const files = [
      bytesOf(words),
      bytesOf(`\uFEFF${words}`),
      windows,
      ...['', '\uFEFF'].flatMap((mark) => [utf16(false, mark), utf16(true, mark)]),
    ]
    for (const file of files) expect(assertDefined(readSheets('a.csv', file)[0]).rows).toEqual(['Code\tCafé ’n £', '4240\t5.00 €'])
    expect(sumOf(cellsIn('utf-16.csv'))).toBe(10_000)
    expect(readRecords('', sent('windows-1252.csv'))).toMatchObject([{ Value: '£1,234.50', Description: 'Café' }])
  })
  it('that fit no encoding, or were lost before, are reported with their row and never stored', () => {
    const isNamed = (bytes: Uint8Array): void =>
      expect(refusal(() => readSheets('a.csv', bytes))).toMatch(/^Row 2 has a character that cannot be read\./)
    isNamed(Buffer.from('Code,Name\n1,Caf\x81\n', 'latin1'))
    isNamed(Buffer.concat([bytesOf('Code,Café é\n1,Caf'), Buffer.from([0xe9]), bytesOf('\n')]))
    isNamed(bytesOf('Code,Name\n1,Caf\uFFFD\n'))
    isNamed(Buffer.from('\uFEFFCode,Name\n1,\uD800x\n', 'utf16le'))
    expect(problemsOf(resources.budgetCode, { Description: 'Caf\uFFFD' }).problems).toMatchObject([{ column: 'Description' }])
  })
  it('are text even if the first heading is PK, as in a workbook', () => {
    expect(sumOf(cellsIn('heading-pk.csv'))).toBe(10_000)
  })
})

describe('an error value of a spreadsheet', () => {
  it('is a problem of its cell in a ledger, a payroll and a list, and never counts as empty', () => {
    expect(ledgerOf(cellsIn('error-ledger.xlsx')).problems).toMatchObject([{ column: 'Amount', message: expect.stringContaining('error') }])
    const cells = cellsIn('error-payroll.xlsx')
    const headingRow = cells.findIndex((row) => row.length > 2) + 1
    const columns = assertDefined(cells[headingRow - 1]).map((_heading, at) =>
      at === 0 ? ('employeeNumber' as const) : at > 1 ? ('element' as const) : null,
    )
    expect(
      readPayroll(cells, buildPayrollTable(cells, { layout: 'wide', headingRow, columns }), () => false).problems.map(({ value }) => value),
    ).toEqual(['#N/A'])
    const codes = cellsIn('error-codes.xlsx')
    expect(codes.flat().filter((cell) => cell.startsWith('#'))).not.toEqual([])
    for (const value of ['#REF!', '#N/A', '#DIV/0!', '#VALUE!', '#NAME?', '#NUM!', '#NULL!', '#SPILL!', 'Err:502', '#####'])
      for (const column of ['Code', 'Description'])
        expect(problemsOf(resources.budgetCode, { [column]: value }).problems, value).toMatchObject([{ column, value }])
  })
  it('in a text of a ledger is a problem of its row and column', () => {
    expect(ledgerOf(textCells('Account Code,Account Name,Amount\n4240,#N/A,5.00\n#REF!,Energy,6.00\n')).problems).toMatchObject([
      { row: 2, column: 'Account Name', value: '#N/A' },
      { row: 3, column: 'Account Code', value: '#REF!' },
    ])
  })
})

describe('a workbook', () => {
  it('is read up to its thousandth column, and refused beyond it', () => {
    expect(assertDefined(cellsIn('wide-payroll.xlsx').find((row) => row.length > 2)).length).toBeGreaterThan(200)
    expect(refusal(() => textCells(`${'a,'.repeat(1001)}a\n`))).toBe(
      'The file has more than 1,000 columns. Keep only the columns that you need, and choose the file again.',
    )
  })
  it('is read from a visible sheet, and from a hidden one only if no other fits', () => {
    const sheets = sheetsOf('hidden-sheet.xlsx')
    const isLedger = (cells: string[][]): number => Number(findLedgerTable(cells) !== null)
    const shown = assertDefined(sheets[chooseSheet(sheets, isLedger)])
    expect(shown.isHidden).toBe(false)
    expect(sumOf(splitRowsIntoCells(shown.rows))).toBe(15_000)
    const others = sheets.map((sheet) => (sheet === shown ? { ...sheet, rows: ['Notes'] } : sheet))
    expect(assertDefined(others[chooseSheet(others, isLedger)]).isHidden).toBe(true)
  })
  it('of a connection is read from its visible sheet, and refused if a second sheet has the same headings', () => {
    expect(refusal(() => readRecords('', sent('further/ledger-sheets-of-months.xlsx')))).toBe(
      'The sheet “Sep 27” has the same headings as “Aug 27”. Put all rows on one sheet.',
    )
  })
  it('with a chart sheet is read', () => {
    const [first] = sheetsOf('chart-sheet.xlsx').filter(({ rows }) => rows.length > 1)
    expect(sumOf(splitRowsIntoCells(assertDefined(first).rows))).toBe(143_450)
  })
})

describe('an amount', () => {
  it('is read by one rule on the screen, in the API and in a connection', () => {
    const pennies = {
      '1,234.50-': -123_450,
      '(1,234.50)': -123_450,
      '(£1,234.50)': -123_450,
      '1,234.50 CR': -123_450,
      '1,234.50CR': -123_450,
      'CR 5.00': -500,
      '1,234.50 DR': 123_450,
      '−5.00': -500,
      '–5.00': -500,
      '1 234.50': 123_450,
      '１２３.５０': 12_350,
      'GBP 5.00': 500,
      ' £-   ': 0,
      '£-': 0,
      '(-)': 0,
      nil: 0,
      '1234.5600000000001': 123_456,
      '-1.4210854715202004e-14': 0,
      '0.30000000000000004': 30,
      '1234.4999999999998': 123_450,
      '1E3': 100_000,
    }
    for (const [text, value] of Object.entries(pennies)) {
      expect(readAmount(text), text).toEqual({ value })
      const { values, problems } = problemsOf(actuals, { Value: text })
      expect([values.value, problems], text).toEqual([value / 100, []])
    }
  })
  it('that is invalid or would have to be rounded gets advice', () => {
    expect(readAmount('33.333333')).toEqual({
      problem:
        'This amount has a fraction of a penny. Rounded, it is 33.33, a difference of 0.003333 pounds. Enter the rounded amount if it is correct.',
    })
    for (const text of ['3.5%', '1.2E+06', '12 34', '1,5', '(-5.00)', '-5.00 CR', '#N/A', '33.335', 'n/a', '05/10/2026']) {
      expect(readAmount(text), text).toHaveProperty('problem')
      expect(problemsOf(actuals, { Value: text }).problems, text).toHaveLength(1)
    }
  })
  it('in accounting format or with floating-point noise equals what the spreadsheet shows', () => {
    expect(ledgerOf(cellsIn('accounting-zero.csv'))).toMatchObject({ problems: [], rows: [{ amount: 123_450 }, { amount: 0 }] })
    expect(ledgerOf(cellsIn('noise.csv'))).toMatchObject({
      problems: [],
      rows: [{ amount: 123_456 }, { amount: 0 }, { amount: 30 }, { amount: 100_000 }],
    })
  })
})

describe('a code', () => {
  it('that a spreadsheet has shortened or turned into a date is a problem in ledgers and lists', () => {
    expect(ledgerOf(cellsIn('shortened-codes.csv')).problems).toMatchObject([
      { row: 4, column: 'Account Code', value: '1.2E+11' },
      { row: 5, column: 'Account Code', value: '1.2E+11' },
    ])
    for (const value of ['1.2E+11', 'Mar-10', '#N/A', '2026-03-10'])
      expect(problemsOf(resources.budgetCode, { Code: value }).problems, value).toMatchObject([{ column: 'Code', value }])
    expect(problemsOf(resources.budgetCode, { Code: '2E1', Description: 'Mar-10' }).problems).toEqual([])
  })
})

describe('a date', () => {
  it('of birth with a two-digit year is never in the future', () => {
    expect(
      problemsOf(
        staffMember,
        assertDefined(readRecords('', sent('two-digit-birthday.csv')).map((row) => ({ DateOfBirth: assertDefined(row.DOB) }))[0]),
      ).values,
    ).toEqual({
      dateOfBirth: '1975-05-14',
    })
    expect(readDate('14/05/38', { isBirthday: true })).toEqual({ value: '1938-05-14' })
    for (const text of ['14/05/2075', '2031-01-01']) expect(readDate(text, { isBirthday: true }), text).toHaveProperty('problem')
    expect(readDate('14/05/08', { isBirthday: true })).toEqual({ value: '2008-05-14' })
    expect(readDate('01/09/98')).toEqual({ value: '1998-09-01' })
    expect(readDate('01/09/31')).toEqual({ value: '2031-09-01' })
  })
  it('with a time and a zone is the day in London', () => {
    const days = {
      '2026-08-31T23:00:00Z': '2026-09-01',
      '1975-05-13T23:00:00.000Z': '1975-05-14',
      '2026-12-31T23:30:00Z': '2026-12-31',
      '2026-09-01T00:00:00+01:00': '2026-09-01',
      '2026-08-31 23:00:00+00': '2026-09-01',
      '31/08/2026 23:00 UTC': '2026-09-01',
      '1 Sep 2026 00:30 +01:00': '2026-09-01',
      '2026-08-31T23:00:00': '2026-08-31',
      '31/08/2026 23:00': '2026-08-31',
    }
    for (const [text, value] of Object.entries(days)) expect(readDate(text), text).toEqual({ value })
    expect(ledgerOf(cellsIn('summer-midnight.csv')).rows).toMatchObject([{ date: '2027-09-01' }])
  })
})
