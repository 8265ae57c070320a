import Papa from 'papaparse'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Body, type Caller, findTrustIds, type Selection, signInAs } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let finance: Caller
let northgate: Required<Selection>

const everything = { pageNumber: 1, pageSize: 5000 }
const list = async (): Promise<Body[]> => (await finance.call('POST', '/api/BudgetEntry/paginated', everything, northgate)).body.rows
const imported = (rows: Body[]) => finance.call('PUT', '/api/BudgetEntry/Import', { rows }, northgate)
const line = (change: object = {}): Body => ({
  Description: 'Pens',
  BudgetCode: '4300',
  BudgetYearName: '2026/27',
  Amount: '£1,000.50',
  ...change,
})
const exported = async (): Promise<Record<string, string>[]> => {
  const reply = await finance.call('POST', '/api/BudgetEntry/export', {}, northgate)
  return Papa.parse<Record<string, string>>(String(reply.body).replace(/^\uFEFF/, ''), { header: true, skipEmptyLines: true }).data
}
const version = async (): Promise<number> =>
  (await finance.call('GET', `/api/Budget/id/${northgate.BudgetId}`, undefined, northgate)).body.version

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  northgate = (await findTrustIds(finance)).at('Northgate')
})

describe('a file of budget entries', () => {
  it('B-141 adds new entries and changes existing ones, with a line for each typed year', async () => {
    const first = await imported([
      line({ CostCentre: 'KS2', FundCodes: 'GEN 60; PPG 40', AnalysisTags: 'Under review', Notes: 'A note', ProfileTemplate: 'Term time' }),
      line({ BudgetYearName: '2028/29', Amount: '1,500', CostCentre: 'KS2' }),
      line({ Description: 'Ink' }),
    ])
    expect([first.status, first.body]).toEqual([200, { imported: 3, created: 2, updated: 0 }])
    const pens = (await list()).find((row) => row.description === 'Pens')
    expect(pens.years.map((year: Body) => year.worked.amount)).toEqual([1000.5, 1022.51, 1500, 1530, 1560.6])
    expect(pens.fundCodes.map((share: Body) => share.percentage)).toEqual([60, 40])
    const second = await imported([line({ CostCentre: 'KS2', Amount: '900' })])
    expect(second.body).toEqual({ imported: 1, created: 0, updated: 1 })
    expect((await list()).find((row) => row.description === 'Pens')).toMatchObject({ id: pens.id, amount: 900, notes: 'A note' })
  })
  it('B-150 uses the twelve periods instead of the amount', async () => {
    const periods = Object.fromEntries(Array.from({ length: 12 }, (_unused, index) => [`Period${index + 1}`, index === 3 ? '50' : '']))
    await imported([line({ Description: 'By period', Amount: '999', ...periods })])
    expect((await list()).find((row) => row.description === 'By period')).toMatchObject({ amount: 50, period4: 50, period5: 0 })
  })
  it('B-140 is refused whole, with the row, the column and a sentence for each invalid cell', async () => {
    const before = await version()
    const rows = [
      line({ Description: 'Good' }),
      line({ Description: '' }),
      line({ Description: 'Code', BudgetCode: '9999' }),
      line({ Description: 'Year', BudgetYearName: '2040/41' }),
      line({ Description: 'Amount', Amount: 'much' }),
      line({ Description: 'Funds', FundCodes: 'GEN 60; PPG 30' }),
      line({ Description: 'None', Amount: '' }),
    ]
    const reply = await imported(rows)
    expect(reply.status).toBe(400)
    expect(reply.body.errors.map((error: Body) => [error.row, error.column, error.message])).toEqual([
      [2, 'Description', 'Description is required.'],
      [3, 'BudgetCode', 'Budget code was not found.'],
      [4, 'BudgetYearName', '2040/41 is not a year of this budget. Its years are 2026/27, 2027/28, 2028/29, 2029/30, 2030/31.'],
      [5, 'Amount', 'Amount must be a number.'],
      [6, 'FundCodes', 'The fund code shares must add up to 100.'],
      [7, 'Amount', 'Amount is required.'],
    ])
    expect(await version()).toBe(before)
    expect((await imported([{ Description: 'X' }])).body.errors[0].message).toBe('These columns are missing: BudgetCode, BudgetYearName.')
  })
  it('is exported and imported again without a change, including calculated entries and two of one name', async () => {
    await imported([line({ Description: 'Twin', Amount: '1' }), line({ Description: 'Twin', Amount: '2' })])
    const rows = await exported()
    expect(rows.filter((row) => row.Description === 'Twin')).toHaveLength(2)
    expect(rows.some((row) => row.Description === 'General annual grant')).toBe(true)
    const before = await version()
    const reply = await imported(rows)
    expect([reply.status, reply.body.updated]).toEqual([200, 0])
    expect(await version()).toBe(before)
    const grant = rows.findIndex((row) => row.Description === 'General annual grant')
    const changed = rows.map((row, index) => (index === grant ? { ...row, Amount: '1' } : row))
    expect((await imported(changed)).body.errors[0]).toMatchObject({ row: grant + 1, column: 'Amount' })
  })
  it('of two thousand lines is imported at once', async () => {
    const rows = Array.from({ length: 2000 }, (_unused, index) => line({ Description: `Line ${index}`, Amount: String(index) }))
    expect((await imported(rows)).body).toEqual({ imported: 2000, created: 2000, updated: 0 })
    const page = await finance.call('POST', '/api/BudgetEntry/paginated', { pageNumber: 1, pageSize: 5, search: 'Line 1999' }, northgate)
    expect([page.body.total, page.body.rows[0].amount]).toEqual([1, 1999])
  })
})
