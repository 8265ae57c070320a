import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { findNamedMonth, readAmount, readDate } from '../../../domain/files/cells.ts'
import type { Cells } from '../../../domain/files/headings.ts'
import { balanceFileMoney, isBalanced, sumFileMoney } from '../../../domain/files/proof.ts'
import { createMappingSuggester, normaliseMappingText } from '../../../domain/files/texts.ts'
import { actualType, budgetCodeType } from '../../../domain/lookups/lookupIds.ts'
import { describeMonitoringEvent } from '../../../domain/monitoring/describe.ts'
import { findLedgerMonth, findLedgerTable } from '../../../domain/monitoring/ledger/columns.ts'
import {
  groupLedgerTexts,
  guessAmountSign,
  isLedgerProved,
  type LedgerMappingOptions,
  mapLedger,
} from '../../../domain/monitoring/ledger/mapping.ts'
import { buildLinesToStore, compareMonthLines } from '../../../domain/monitoring/ledger/month.ts'
import { findMonthProblems, readLedger } from '../../../domain/monitoring/ledger/rows.ts'
import type { ActualLine } from '../../../domain/monitoring/monitoring.ts'
import { toLocationId } from '../../../domain/values/ids.ts'

const september = { year: 2027, month: 9, isCumulative: false, startMonth: 9 }
const nobody = { isPlace: () => false, month: september }
/** Parses a table from text: one row per line, cells separated by bars. */
const file = (text: string): Cells =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))

const trialBalance = file(`
  Harbour Learning Trust
  Trial balance for period 3 2026/27

  Account | Description | Debit | Credit
  Income
  1000 | General annual grant | | 1,000.00
  1100 | Catering income | | 250.50
  Total income | | | 1,250.50
  Expenditure
  4000 | Supply teachers | 300.00 |
  4240 | Energy | 120.25 |
  Account | Description | Debit | Credit
  4330 | Stationery | 0.00 |
  9100 | Bank control | 830.25 |
  Total expenditure | | 1,250.50 |
  Total | | 1,250.50 | 1,250.50
`)

const report = file(`
  Budget monitoring report
  School: Northgate Primary School | | Year to date to 30 November 2026
  | | Year to date | | | |
  Code | Heading | Actual | Budget | Committed | Variance | % spent
  Income | | | | | |
  1000 | General annual grant | 900.00 | 1000.00 | | 100.00 | 90%
  Total income | | 900.00 | 1000.00 | | 100.00 |
  Costs | | | | | |
  4000 | Supply | 300.00 | 200.00 | 40.00 | -100.00 | 150%
  4240 | Energy | 100.00 | 200.00 | 10.00 | 100.00 | 50%
  Total costs | | 400.00 | 400.00 | 50.00 | 0.00 |
  Net | | 500.00 | | | |
`)

const transactions = file(`
  Date | Ref | Details | Account | Cost centre | School | Net amount
  02/11/2026 | INV1 | Agency | 4000 | OFF | S1 | 300.00
  03/11/2026 | INV2 | Gas | 4240 | SITE | S2 | £120.25
  04/11/2026 | JNL1 | Grant | 1000 | OFF | S1 | (1,000.00)
`)

describe('the table of a file', () => {
  it('is found below title rows, with its kind, its columns and its month', () => {
    const found = findLedgerTable(trialBalance)!
    expect(found).toMatchObject({ layout: 'trialBalance', headingRow: 4, columns: ['account', 'accountName', 'debit', 'credit'] })
    expect(findLedgerMonth(trialBalance, found, 9)).toEqual({ year: 2026, month: 11 })
    expect(findLedgerMonth(trialBalance, found, 4)).toEqual({ year: 2026, month: 6 })
  })
  it('is found under two rows of headings, ignoring budgets and variances', () => {
    const found = findLedgerTable(report)!
    expect(found.columns).toEqual(['account', 'accountName', 'amount', null, 'commitment', null, null])
    expect(found).toMatchObject({ layout: 'budgetReport', headingRow: 4, isCumulative: true })
    expect(findLedgerMonth(report, found, 9)).toEqual({ year: 2026, month: 11 })
  })
  it('of a list of transactions has a month by its dates', () => {
    const found = findLedgerTable(transactions)!
    expect(found).toMatchObject({ layout: 'transactions', headingRow: 1, isCumulative: false })
    expect(found.columns).toEqual(['date', 'reference', 'details', 'account', 'costCentre', 'location', 'amount'])
    expect(findLedgerMonth(transactions, found, 9)).toEqual({ year: 2026, month: 11 })
  })
  it('is the product’s own template if it has its headings', () => {
    const found = findLedgerTable(
      file('Type,BudgetCodeFilter,Value,BudgetCode,CostCentre,Description,FundCode,AnalysisTag'.replaceAll(',', '|')),
    )!
    expect(found.layout).toBe('template')
    expect(found.columns).toEqual(['type', 'location', 'amount', 'account', 'costCentre', 'accountName', 'fund', 'tag'])
  })
  it('is missing if nothing reads like headings', () => {
    expect(findLedgerTable(file('a | b\n1 | 2'))).toBeNull()
  })
})

describe('the lines of a file', () => {
  it('leave out titles, sections, repeated headings and totals, and equal the file’s total', () => {
    const read = readLedger(trialBalance, findLedgerTable(trialBalance)!, nobody)
    expect(read.problems).toEqual([])
    expect(read.rows.map((row) => [row.row, row.account, row.amount])).toEqual([
      [6, '1000', -100_000],
      [7, '1100', -25_050],
      [10, '4000', 30_000],
      [11, '4240', 12_025],
      [13, '4330', 0],
      [14, '9100', 83_025],
    ])
    expect(read.skipped).toMatchObject({ total: 3, section: 2, heading: 1 })
    expect(read.agrees).toEqual({ row: 16, value: '1,250.50 / 1,250.50' })
  })
  it('count a total that differs from two others', () => {
    const read = readLedger(report, findLedgerTable(report)!, nobody)
    expect(read.rows.map((row) => row.account)).toEqual(['1000', '4000', '4240'])
    expect(read.rows.map((row) => row.commitment)).toEqual([0, 4000, 1000])
    expect(read.skipped.total).toBe(3)
  })
  it('of the documentation’s sample file equal its own total, and name both schools', () => {
    const path = join(import.meta.dirname, '../../../docs/users/files/ledger-2026-11.csv')
    const cells = Papa.parse<string[]>(readFileSync(path, 'utf8').trim()).data
    const found = findLedgerTable(cells)!
    expect(found).toMatchObject({ layout: 'budgetReport', headingRow: 4, isCumulative: false })
    expect(findLedgerMonth(cells, found, 9)).toEqual({ year: 2026, month: 11 })
    const read = readLedger(cells, found, nobody)
    expect(read.agrees).toEqual({ row: 14, value: '282,244.05 / 701.00' })
    expect(new Set(read.rows.map((row) => row.location))).toEqual(new Set(['Northgate Primary School', 'St Anne’s Primary School']))
    // One account is not a code of the demo: whoever tries the file must map it.
    expect(read.rows.map((row) => row.account).filter((account) => !/^\d{4}$/.test(account))).toEqual(['SOLAR'])
  })
  it('list a total that matches no sum above it and a row without a code, and lose neither', () => {
    const cells = file('Code | Name | Actual\n4000 | Supply | 10.00\n | Suspense | 5.00\nTotal | | 99.00')
    const read = readLedger(cells, findLedgerTable(cells)!, nobody)
    expect(read.rows.map((row) => [row.account, row.isLoose, row.amount])).toEqual([
      ['4000', false, 1000],
      ['Suspense (row 3)', true, 500],
      ['Total (row 4)', true, 9900],
    ])
  })
  it('belong to the location that their section names', () => {
    const cells = file('Code | Name | Actual\nSchool: Northgate\n4000 | Supply | 10.00\nSouthgate\n4000 | Supply | 20.00')
    const read = readLedger(cells, findLedgerTable(cells)!, { ...nobody, isPlace: (text) => ['Northgate', 'Southgate'].includes(text) })
    expect(read.rows.map((row) => row.location)).toEqual(['Northgate', 'Southgate'])
  })
  it('name each unreadable cell by row, column, value and what to do', () => {
    const cells = file(`
      Date | Details | Account | Amount
      31/02/2026 | Gas | 4240 | 1.00
      soon | Gas | 4240 | a lot
      01/02/2026 | Gas | 2026-10-03 | 1.234
      01/02/2026 | Gas | 4240 | 10-Mar`)
    const { problems } = readLedger(cells, findLedgerTable(cells)!, nobody)
    expect(problems.map(({ row, column, value }) => [row, column, value])).toEqual([
      [2, 'Date', '31/02/2026'],
      [3, 'Amount', 'a lot'],
      [3, 'Date', 'soon'],
      [4, 'Amount', '1.234'],
      [4, 'Account', '2026-10-03'],
      [5, 'Amount', '10-Mar'],
    ])
    expect(problems[0]!.message).toBe('This day does not exist. Correct the date, day before month, such as 30/11/2026.')
    expect(problems[4]!.message).toContain('The spreadsheet has turned this code into a date.')
    for (const { message } of problems) expect(message).toMatch(/\.$/)
  })
  it('dated in another month or year, and a title that names one, are reported', () => {
    const table = findLedgerTable(transactions)!
    const { rows } = readLedger(transactions, table, nobody)
    const wanted = { year: 2025, month: 11, isCumulative: false, yearStart: 2025 * 12 + 8, startMonth: 9, isMeant: false }
    expect(findMonthProblems(rows, table, { ...wanted, year: 2026 })).toEqual([])
    expect(findMonthProblems(rows, table, wanted)[0]).toEqual({
      row: 2,
      column: 'Date',
      value: '2026-11-02',
      message: '02 Nov, 2026 is outside November 2025. Choose the month that the file is for, or another file.',
    })
    const titled = findLedgerTable(trialBalance)!
    expect(findMonthProblems([], titled, wanted)[0]).toMatchObject({ row: 2, value: 'Trial balance for period 3 2026/27' })
    expect(findMonthProblems([], titled, { ...wanted, isMeant: true })).toEqual([])
  })
})

describe('a cell', () => {
  it('is an amount in every format that ledgers print', () => {
    const pennies = {
      '1,234.50': 123_450,
      '(12.30)': -1230,
      '£5': 500,
      '-£5.1': -510,
      '12.00-': -1200,
      '9.99 CR': -999,
      '9.99 DR': 999,
      '': 0,
      '-': 0,
      '.5': 50,
    }
    for (const [text, value] of Object.entries(pennies)) expect(readAmount(text), text).toEqual({ value })
    for (const text of ['1,23.00', 'n/a', '12.345', '#REF!', '--5', '10-Mar', '1 apple'])
      expect(readAmount(text), text).toHaveProperty('problem')
  })
  it('reads any amount of pennies back as it was printed', () => {
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999_99, max: 99_999_999_99 }), (pennies) => {
        const words = (Math.abs(pennies) / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 })
        for (const text of pennies < 0 ? [`-${words}`, `(${words})`, `${words}-`, `£${words}CR`] : [words, `£${words}`, `${words} dr`])
          expect(readAmount(text)).toEqual({ value: pennies })
      }),
    )
  })
  it('is a date with the day before the month, and 31 February is not one', () => {
    for (const text of ['2026-11-03', '3/11/2026', '03.11.26', '3 November 2026', '03-Nov-2026', '2026-11-03T00:00:00'])
      expect(readDate(text), text).toEqual({ value: '2026-11-03' })
    for (const text of ['31/02/2026', '2026-02-31', '11/30/2026', 'November', '46000'])
      expect(readDate(text), text).toHaveProperty('problem')
  })
  it('above a table names its month, which is not the date of printing', () => {
    expect(findNamedMonth('As at 30/11/2026')).toEqual({ year: 2026, month: 11 })
    expect(findNamedMonth('September 2026 to November 2026')).toEqual({ year: 2026, month: 11 })
    expect(findNamedMonth('P7 2025/26')).toEqual({ period: 7, firstYear: 2025 })
    expect(findNamedMonth('Printed on 3 December 2026')).toBeNull()
    // A very long line is not a title, so only its beginning is searched.
    expect(findNamedMonth(`${'p1 '.repeat(1000)} September 2026`)).toBeNull()
  })
})

const codes = new Map([
  ['1000', { id: 1, type: budgetCodeType.income }],
  ['1100', { id: 2, type: budgetCodeType.income }],
  ['4000', { id: 3, type: budgetCodeType.expenditure }],
  ['4240', { id: 4, type: budgetCodeType.expenditure }],
])
const typeOf = (id: number) => [...codes.values()].find((code) => code.id === id)?.type
const making = (more: Partial<LedgerMappingOptions> = {}): LedgerMappingOptions => ({
  layout: 'trialBalance',
  sign: 'debit',
  mapping: {
    account: new Map([...codes].map(([code, { id }]) => [code, id])),
    costCentre: new Map([
      ['off', 7],
      ['site', 8],
    ]),
    fund: new Map(),
    tag: new Map(),
    location: new Map([
      ['s1', 11],
      ['s2', 12],
    ]),
  },
  locationId: toLocationId(11),
  costCentreId: 7,
  typeOf,
  ...more,
})

describe('a mapping', () => {
  it('is automatic only if number and name agree, or the file has no names', () => {
    const find = createMappingSuggester([
      { id: 1, codes: ['1200'], name: 'Top slice from schools' },
      { id: 2, codes: ['4240'], name: 'Energy' },
      { id: 3, codes: ['4000'], name: 'Supply teachers, agency' },
    ])
    expect(find('1200', 'Bank current account')).toBe('conflict')
    expect(find('1200 Bank current account', '')).toBe('conflict')
    expect(find('4240', 'Energy recharge income')).toBe('conflict')
    // The file has a column of names, but this row’s name is empty.
    expect(find('1200', '', true)).toBe('conflict')
    expect(find('1200', '')).toEqual({ id: 1, by: 'code' })
    expect(find('1200', 'TOP SLICE from school')).toEqual({ id: 1, by: 'code' })
    expect(find('4000', 'Supply')).toEqual({ id: 3, by: 'code' })
    expect(find('4240', 'Energy costs')).toEqual({ id: 2, by: 'code' })
  })
  it('is suggested by an equal identifier, then by a unique equal name', () => {
    const find = createMappingSuggester([
      { id: 1, codes: ['4000'], name: 'Supply' },
      { id: 2, codes: ['4240', 'E16'], name: 'Energy' },
      { id: 3, codes: ['5'], name: 'Energy costs' },
      { id: 4, codes: ['6'], name: 'energy  Costs' },
    ])
    expect(find('4000', '')).toEqual({ id: 1, by: 'code' })
    expect(find('e16', '')).toEqual({ id: 2, by: 'code' })
    expect(find('4240 - Energy', '')).toEqual({ id: 2, by: 'code' })
    expect(find('X9', 'ENERGY')).toEqual({ id: 2, by: 'name' })
    expect(find('X9', 'Energy costs')).toBeNull()
    expect(find('', '')).toBeNull()
    expect(createMappingSuggester([{ id: 5, codes: ['S3', 'Harbour'], name: 'Harbour Academy' }])('Harbour Learning Trust', '')).toBeNull()
  })
  it('makes lines positive on the usual side, and proves the file to the penny', () => {
    const { rows } = readLedger(trialBalance, findLedgerTable(trialBalance)!, nobody)
    const before = mapLedger(rows, making())
    expect(isLedgerProved(before.proof)).toBe(false)
    expect(before.unmapped.map(({ row, kind }) => [row.account, kind])).toEqual([['9100', 'account']])
    const left = mapLedger(
      rows,
      making({ mapping: { ...making().mapping, account: new Map([...making().mapping.account, ['9100', null]]) } }),
    )
    expect(left.lines.map((line) => [line.budgetCodeId, line.value])).toEqual([
      [1, 100_000],
      [2, 25_050],
      [3, 30_000],
      [4, 12_025],
    ])
    expect(left.proof).toEqual({
      file: { rows: 5, amount: 0, commitment: 0 },
      imported: { rows: 4, amount: -83_025, commitment: 0 },
      leftOut: { rows: 1, amount: 83_025, commitment: 0 },
      unmapped: { rows: 0, amount: 0, commitment: 0 },
    })
    expect(isLedgerProved(left.proof)).toBe(true)
  })
  it('needs a location and a cost centre for every line', () => {
    const { rows } = readLedger(transactions, findLedgerTable(transactions)!, nobody)
    expect(mapLedger(rows, making({ layout: 'transactions' })).locationIds).toEqual([11, 12])
    const { rows: bare } = readLedger(trialBalance, findLedgerTable(trialBalance)!, nobody)
    const kinds = mapLedger(bare, making({ locationId: null, costCentreId: null })).unmapped.map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(new Set(['account', 'location']))
    expect(mapLedger(bare, making({ costCentreId: null })).unmapped[0]!.kind).toBe('costCentre')
  })
  it('recognises a file of debits less credits by its negative income', () => {
    const { rows } = readLedger(transactions, findLedgerTable(transactions)!, nobody)
    expect(guessAmountSign(rows, { ...making(), layout: 'transactions' })).toBe('debit')
    const { rows: usual } = readLedger(report, findLedgerTable(report)!, nobody)
    expect(guessAmountSign(usual, { ...making(), layout: 'budgetReport' })).toBe('usual')
  })
  it('never loses a penny: imported, left out and unmapped amounts equal the file, also by text', () => {
    const row = fc.record({
      account: fc.constantFrom('1000', '4000', '4240', '9999', '8888'),
      place: fc.constantFrom('S1', 'S2', 'S9'),
      centre: fc.constantFrom('OFF', 'SITE', ''),
      debit: fc.integer({ min: 0, max: 1_000_000 }),
      credit: fc.integer({ min: 0, max: 1_000_000 }),
      commitment: fc.integer({ min: -100, max: 100_000 }),
    })
    const pounds = (pennies: number): string => (pennies / 100).toFixed(2)
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), fc.constantFrom('debit' as const, 'usual' as const), (drawn, sign) => {
        const cells = [
          ['Account', 'School', 'Cost centre', 'Debit', 'Credit', 'Committed'],
          ...drawn.map((one) => [one.account, one.place, one.centre, pounds(one.debit), pounds(one.credit), pounds(one.commitment)]),
        ]
        const { rows, problems } = readLedger(cells, findLedgerTable(cells)!, nobody)
        expect(problems).toEqual([])
        const mapping = { ...making().mapping, account: new Map([...making().mapping.account, ['8888', null]]) }
        const { proof, lines } = mapLedger(rows, making({ sign, mapping }))
        const total = drawn.reduce((sum, one) => sum + one.debit - one.credit, 0)
        expect(proof.file.amount).toBe(total)
        expect(proof.imported.amount + proof.leftOut.amount + proof.unmapped.amount).toBe(total)
        expect(proof.imported.commitment + proof.leftOut.commitment + proof.unmapped.commitment).toBe(proof.file.commitment)
        const signed = (line: ActualLine): number =>
          sign === 'debit' && typeOf(line.budgetCodeId) === budgetCodeType.income ? -line.value : line.value
        expect(lines.filter((line) => line.type === actualType.actual).reduce((sum, line) => sum + signed(line), 0)).toBe(
          proof.imported.amount,
        )
        expect(groupLedgerTexts(rows, 'account').reduce((sum, group) => sum + group.amount, 0)).toBe(total)
      }),
    )
  })
})

const line = (value: number, more: Partial<ActualLine> = {}): ActualLine => ({
  type: actualType.actual,
  budgetCodeId: 1,
  costCentreId: 7,
  fundCodeId: null,
  analysisTagId: null,
  description: null,
  value,
  ...more,
})
const total = (lines: readonly ActualLine[], code?: number): number =>
  lines.reduce((sum, one) => (code === undefined || one.budgetCodeId === code ? sum + one.value : sum), 0)

describe('a month', () => {
  it('in a cumulative file is the file less the amounts imported before', () => {
    const made = (value: number, more: Partial<ActualLine> & { date?: string | null } = {}) => ({
      ...line(value),
      row: 2,
      locationId: toLocationId(11),
      date: null,
      ...more,
    })
    const kept = buildLinesToStore([made(220), made(40, { type: actualType.commitment })], {
      year: 2026,
      month: 10,
      fileIsCumulative: true,
      storedIsCumulative: false,
      before: [line(90), line(5, { budgetCodeId: 2 })],
    })
    expect(kept.map((one) => [one.type, one.budgetCodeId, one.value])).toEqual([
      [actualType.actual, 1, 130],
      [actualType.actual, 2, -5],
      [actualType.commitment, 1, 40],
    ])
  })
  it('is the same from cumulative and monthly files, however months are stored', () => {
    const movement = fc.record({ code: fc.constantFrom(1, 2, 3), value: fc.integer({ min: -10_000, max: 10_000 }) })
    const months = fc.array(fc.array(movement, { maxLength: 6 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(months, fc.boolean(), fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), (moved, keptIsCumulative, isYtd) => {
        const standing: ActualLine[][] = []
        for (const [index, own] of moved.entries()) {
          const month = { year: 2026, month: index + 1 }
          const fileIsCumulative = isYtd[index]!
          const said = fileIsCumulative ? moved.slice(0, index + 1).flat() : own
          const lines = said.map(({ code, value }) => ({
            ...line(value, { budgetCodeId: code }),
            row: 1,
            locationId: toLocationId(1),
            date: null,
          }))
          const before = keptIsCumulative ? (standing[index - 1] ?? []) : standing.flat()
          standing.push(
            buildLinesToStore(lines, { ...month, fileIsCumulative, storedIsCumulative: keptIsCumulative, before: sums(before) }),
          )
          for (const code of [1, 2, 3]) {
            const toDate = moved
              .slice(0, index + 1)
              .flat()
              .reduce((sum, one) => (one.code === code ? sum + one.value : sum), 0)
            const kept = keptIsCumulative ? total(standing[index]!, code) : total(standing.flat(), code)
            expect(kept).toBe(toDate)
          }
        }
      }),
    )
    function sums(lines: readonly ActualLine[]): ActualLine[] {
      return [1, 2, 3].map((code) => line(total(lines, code), { budgetCodeId: code }))
    }
  })
  it('imported again shows what is added, removed, changed and unchanged', () => {
    const before = [line(100, { description: 'Gas' }), line(50, { description: 'Water' }), line(7, { description: 'Same' })]
    const after = [line(120, { description: 'Gas' }), line(7, { description: 'Same' }), line(3, { description: 'New' })]
    const { changes, same } = compareMonthLines(before, after)
    expect(changes.map(({ kind, description, before: was, after: is }) => [kind, description, was, is])).toEqual([
      ['changed', 'Gas', 100, 120],
      ['gone', 'Water', 50, null],
      ['added', 'New', null, 3],
    ])
    expect(same).toEqual({ lines: 1, value: 7 })
  })
  it('changes from its stored to its new lines by exactly the listed changes', () => {
    const some = fc.array(
      fc
        .record({ value: fc.integer({ min: -5, max: 5 }), code: fc.constantFrom(1, 2), words: fc.constantFrom('a', 'b') })
        .map(({ value, code, words }) => line(value, { budgetCodeId: code, description: words })),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(some, some, (before, after) => {
        const { changes, same } = compareMonthLines(before, after)
        const by = changes.reduce((sum, one) => sum + (one.after ?? 0) - (one.before ?? 0), 0)
        expect(total(before) + by).toBe(total(after))
        expect(same.lines + changes.filter((one) => one.after !== null).length).toBe(after.length)
        expect(same.lines + changes.filter((one) => one.before !== null).length).toBe(before.length)
        expect(compareMonthLines(after, after).changes).toEqual([])
      }),
    )
  })
  it('recognises a text in any spacing and case', () => {
    expect(normaliseMappingText('  Energy   COSTS ')).toBe('energy costs')
  })
})

describe('a row that the user leaves out of a ledger file', () => {
  const cells = file(`
    Code | Name | Actual
    4000 | Supply | 300.00
    4240 | Energy | 100.00
    4330 | Paper | #REF!
    Total | | 400.00
  `)
  const table = findLedgerTable(cells)!
  const leaving = (...rows: number[]) => readLedger(cells, table, { ...nobody, leftOut: new Set(rows) })
  it('has no problem and no line, and still counts towards the total of the file', () => {
    const { rows, problems, skipped, agrees, leftOut } = leaving(3, 4)
    expect(rows.map(({ account }) => account)).toEqual(['4000'])
    expect(problems).toEqual([])
    expect(skipped).toMatchObject({ leftOut: 2, total: 1 })
    expect(agrees).toEqual({ row: 5, value: '400.00' })
    expect(leftOut).toEqual([
      { row: 3, value: 10_000 },
      { row: 4, value: 0 },
    ])
  })
  it('is money that is left out on purpose, with no further question', () => {
    const { table: readTable } = leaving(3, 4)
    const balance = balanceFileMoney(sumFileMoney(cells, readTable), { imported: 30_000, leftOut: 0, unmapped: 0 })
    expect(balance.notImported).toEqual([
      { row: 3, column: null, words: '4240 Energy', cells: 1, value: 10_000, reason: 'You left this row out.', isPlain: true },
    ])
    expect(isBalanced(balance, false)).toBe(true)
  })
  it('is named in the history of the month', () => {
    const data = { year: 2026, month: 9, mode: 1, digest: '', closes: true, lines: [], leftOut: leaving(3, 4).leftOut }
    expect(describeMonitoringEvent({ type: 'ActualsImported', data }, String)).toBe(
      'imported 0 lines for September 2026, leaving out 2 rows of the file (3 and 4): £100.00',
    )
  })
})

describe('files of programs', () => {
  it('may join the words of their headings and write days as eight digits', () => {
    const cells = file(`
      PostingDate | AccountCode | AccountName | CostCentreCode | NetAmount
      20270903 | 4000 | Supply | OFF | 300.00
      20270930 | 4240 | Energy | OFF | 100.00
    `)
    const table = findLedgerTable(cells)!
    expect(table.columns).toEqual(['date', 'account', 'accountName', 'costCentre', 'amount'])
    expect(readLedger(cells, table, nobody)).toMatchObject({ problems: [], rows: [{ date: '2027-09-03' }, { date: '2027-09-30' }] })
  })
  it('do not make a budget an actual by joining its words', () => {
    expect(findLedgerTable(file('AccountCode | AnnualBudget | ActualSpend\n4000 | 100.00 | 90.00'))?.columns).toEqual([
      'account',
      null,
      'amount',
    ])
  })
  it('may group digits by lakhs, which has only one meaning', () => {
    expect(readAmount('1,23,456.50')).toEqual({ value: 12_345_650 })
    expect(readAmount('1,23')).toMatchObject({ problem: expect.any(String) })
    expect(readAmount('1,23,45')).toMatchObject({ problem: expect.any(String) })
    expect(readDate('20270931')).toMatchObject({ problem: expect.stringContaining('does not exist') })
  })
})
