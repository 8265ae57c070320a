import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  buildBudgetFile,
  type CodedLine,
  type FileLayout,
  type FileScope,
  findLayoutProblems,
} from '../../../domain/integrations/files/layout.ts'
import { presets } from '../../../domain/integrations/files/presets.ts'

const asked: FileScope = { title: 'Budget journal', year: '2026/27', startMonth: 9, from: 1, to: 12 }
const named = (name: string): FileLayout => presets.find((preset) => preset.name === name)!.layout
const each = (pennies: number | null) => Array.from({ length: 12 }, () => pennies)
const books: CodedLine = {
  location: 'Northgate',
  account: { code: '4300', description: 'Books, and paper', isIncome: false },
  costCentre: 'ENG',
  fund: 'GAG',
  months: [12_345, -500, ...Array.from({ length: 10 }, () => 0)],
}
const grant: CodedLine = {
  ...books,
  account: { code: '1100', description: 'Grant', isIncome: true },
  costCentre: '',
  months: [100_000, ...Array.from({ length: 11 }, () => 0)],
}

describe('a budget as a file of a ledger', () => {
  it('is a journal in which expenditure is a debit and income a credit, at the end of each month', () => {
    const { headings, rows, debits, credits, problems } = buildBudgetFile([books, grant], named('Generic journal'), asked)
    expect(headings).toEqual(['Date', 'Account', 'Cost centre', 'Fund', 'Location', 'Description', 'Debit', 'Credit'])
    expect(rows).toEqual([
      ['30/09/2026', '1100', '', 'GAG', 'Northgate', 'Grant', '', '1000.00'],
      ['30/09/2026', '4300', 'ENG', 'GAG', 'Northgate', 'Books, and paper', '123.45', ''],
      ['31/10/2026', '4300', 'ENG', 'GAG', 'Northgate', 'Books, and paper', '', '5.00'],
    ])
    expect([debits, credits, problems]).toEqual([12_345, 100_500, []])
  })
  it('has the columns of Sage 50, and balances to zero on each date', () => {
    const layout = { ...named('Sage 50 Accounts transactions'), balanceAccount: '9998' }
    expect(buildBudgetFile([books, grant], layout, asked).rows).toEqual([
      ['JC', '', '1100', '0', '30/09/2026', '2026-01', 'Budget journal 2026/27 month 1', '1000.00', 'T9', '0.00'],
      ['JD', '', '4300', '0', '30/09/2026', '2026-01', 'Budget journal 2026/27 month 1', '123.45', 'T9', '0.00'],
      ['JD', '', '9998', '0', '30/09/2026', '2026-01', 'Budget journal 2026/27 month 1', '876.55', 'T9', '0.00'],
      ['JC', '', '4300', '0', '31/10/2026', '2026-02', 'Budget journal 2026/27 month 2', '5.00', 'T9', '0.00'],
      ['JD', '', '9998', '0', '31/10/2026', '2026-02', 'Budget journal 2026/27 month 2', '5.00', 'T9', '0.00'],
    ])
  })
  it('has the columns of Xero, and reports more rows than it accepts', () => {
    const layout = named('Xero manual journals')
    expect(buildBudgetFile([books], layout, { ...asked, to: 1 }).rows).toEqual([
      ['Budget journal 2026/27 month 1', '30/09/2026', 'Books, and paper', '4300', 'No VAT', '123.45', 'Location', 'Northgate'],
    ])
    const many = Array.from({ length: 301 }, (_unused, index) => ({
      ...books,
      costCentre: String(index),
      months: [1, ...Array.from({ length: 11 }, () => 0)],
    }))
    expect(buildBudgetFile(many, layout, asked).problems).toEqual([
      'The file has 301 rows, and the other system accepts 300. Choose fewer months or locations.',
    ])
  })
  it('has the columns of Arbor Finance, with a row for each code', () => {
    expect(buildBudgetFile([books, grant], named('Arbor Finance budgets'), asked).rows).toEqual([
      ['Inc', '1100', 'Grant', '1000.00', '2026-12', 'Budget journal 2026/27', '', '31/08/2027', '', ''],
      ['Exp', '4300', 'Books, and paper', '118.45', '2026-12', 'Budget journal 2026/27', '', '31/08/2027', 'ENG', ''],
    ])
  })
  it('has a column for each month if the ledger takes budgets by period', () => {
    const { headings, rows } = buildBudgetFile([books], named('Generic budget by month'), asked)
    expect(headings.slice(5, 8)).toEqual(['2026-09', '2026-10', '2026-11'])
    expect(headings.slice(-2)).toEqual(['2027-08', 'Year'])
    expect(rows[0]!.slice(5, 8)).toEqual(['123.45', '-5.00', '0.00'])
    expect(rows[0]!.at(-1)).toBe('118.45')
  })
  it('is incomplete while a figure is unknown or the levy has no account', () => {
    const levy: CodedLine = { ...books, account: null, months: each(1000) }
    expect(buildBudgetFile([{ ...books, months: each(null) }], named('Generic journal'), { ...asked, to: 2 }).problems).toEqual([
      '2 monthly figures could not be calculated. Correct the problems listed under Checks, and recalculate.',
    ])
    expect(buildBudgetFile([levy], named('Generic journal'), asked).problems).toEqual([
      'The apprenticeship levy has no budget code. Enter an account for it in the layout.',
    ])
    const { rows, problems } = buildBudgetFile([levy], { ...named('Generic journal'), levyAccount: '7100' }, { ...asked, to: 1 })
    expect([rows[0]![1], problems]).toEqual(['7100', []])
  })
  it('equals the budget to the penny, whatever it contains, and a balanced journal totals zero', () => {
    const pennies = fc.integer({ min: -10_000_000, max: 10_000_000 })
    const line = fc.record({ isIncome: fc.boolean(), months: fc.array(pennies, { minLength: 12, maxLength: 12 }) })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const coded = lines.map(({ isIncome, months }, index) => ({
          ...books,
          account: { code: String(index), description: '', isIncome },
          months,
        }))
        const expected = lines.reduce((sum, { isIncome, months }) => sum + months.reduce((a, b) => a + b, 0) * (isIncome ? -1 : 1), 0)
        const { debits, credits } = buildBudgetFile(coded, named('Generic journal'), asked)
        expect(debits - credits).toBe(expected)
        const { rows } = buildBudgetFile(coded, { ...named('Xero manual journals'), balanceAccount: '999' }, asked)
        expect(rows.reduce((sum, row) => sum + Math.round(Number(row[5]) * 100), 0)).toBe(0)
      }),
    )
  })
  it('reports what a layout lacks', () => {
    for (const { layout } of presets) expect(findLayoutProblems(layout)).toEqual([])
    const { columns, ...rest } = named('Generic journal')
    expect(findLayoutProblems({ ...rest, columns: columns.filter(({ meaning }) => meaning !== 'credit') })).toEqual([
      { field: 'columns', message: 'Debit and credit need a column each: add the other one.' },
    ])
    expect(findLayoutProblems({ ...rest, columns: [] })[0]!.message).toBe('One column must be the budget code.')
  })
})
