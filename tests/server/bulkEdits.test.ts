import { beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../support/database.ts'
import { asUser, type Body, type Caller, placesOf } from '../support/http.ts'
import { type Product, startProduct } from '../support/product.ts'

let product: Product
let finance: Caller
let own: { OrganisationId: number }
let northgate: number

beforeAll(async () => {
  product = await startProduct()
  finance = await asUser(product, 'finance@harbour.example')
  const places = await placesOf(finance)
  own = { OrganisationId: places.organisationId }
  northgate = places.locations.Northgate!
})

const codes = (count: number, words: string) =>
  Array.from({ length: count }, (_unused, n) => ({
    Type: 'Expenditure',
    Code: `BULK${n}`,
    Description: `${words} ${n}`,
    Category: 'Non-staffing',
  }))
const send = (rows: Record<string, string>[]) => finance.call('POST', '/api/BudgetCodes/import', rows, own)
const list = async (path: string, search: string): Promise<Body[]> =>
  (await finance.call('POST', `/api/${path}/list`, { search, pageNumber: 1, pageSize: 1000 }, own)).body.rows
const edit = (path: string, ids: number[], changes: Record<string, unknown>) =>
  finance.call(
    'PATCH',
    `/api/${path}/edit`,
    {
      state: { selectAll: false, toggledNodes: ids },
      patch: Object.entries(changes).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value })),
    },
    own,
  )
const logged = (resource: string, ids: number[]) =>
  asOwner(product.config.databaseUrl)`
    select record_id::int as id, version, action, before, after from reference_changes
    where resource = ${resource} and record_id = any(${ids.map(String)}) order by reference_changes.id`

describe('many records at once', () => {
  it('are imported, and imported again with changes: only those that change get a version and a line in the log', async () => {
    expect((await send(codes(700, 'First'))).body).toMatchObject({ imported: 700, created: 700, updated: 0 })
    const again = codes(700, 'First').map((row, n) => (n % 2 ? { ...row, Description: `Second, with "quotes" and £ ${n}` } : row))
    expect((await send(again)).body).toMatchObject({ imported: 700, created: 0, updated: 350 })
    const rows = await list('BudgetCodes', 'BULK')
    expect(rows).toHaveLength(700)
    expect(rows.filter((row) => row.version === 2)).toHaveLength(350)
    expect(rows.find((row) => row.code === 'BULK1')).toMatchObject({ description: 'Second, with "quotes" and £ 1', version: 2 })
    const log = await logged(
      'budgetCode',
      rows.map((row) => row.id),
    )
    expect(log.filter((line) => line.version === 1)).toHaveLength(700)
    const second = log.filter((line) => line.version === 2)
    expect(second).toHaveLength(350)
    for (const line of second) {
      expect(line.action).toBe('imported')
      expect(line.after).toMatchObject({ id: line.id, version: 2, code: line.before.code })
      expect(line.before.description).not.toBe(line.after.description)
    }
  })
  it('are edited: every record has the value and a version more, and the log says what each was before and is now', async () => {
    const before = await list('BudgetCodes', 'BULK')
    const ids = before.map((row) => row.id)
    expect((await edit('BudgetCodes', ids, { locations: [northgate], description: 'All the same' })).body).toMatchObject({ updated: 700 })
    const after = await list('BudgetCodes', 'BULK')
    for (const row of after) {
      const was = before.find((one) => one.id === row.id)!
      expect(row).toEqual({ ...was, locations: [northgate], description: 'All the same', version: was.version + 1 })
    }
    const log = await logged('budgetCode', ids)
    for (const row of after) {
      const line = log.findLast((one) => one.id === row.id)!
      expect(line).toMatchObject({ action: 'updated', version: row.version })
      expect(line.after).toEqual(row)
      expect(line.before).toEqual(before.find((one) => one.id === row.id))
    }
  })
  it('that have a value already are not changed and not logged', async () => {
    const ids = (await list('BudgetCodes', 'BULK')).map((row) => row.id)
    const lines = (await logged('budgetCode', ids)).length
    expect((await edit('BudgetCodes', ids, { description: 'All the same' })).status).toBe(200)
    expect((await logged('budgetCode', ids)).length).toBe(lines)
  })
  it('are all left as they are when two would be called the same, when a value is wrong, and when what is named is not there', async () => {
    const before = await list('BudgetCodes', 'BULK')
    const ids = before.map((row) => row.id)
    const same = await edit('BudgetCodes', ids.slice(0, 3), { code: 'bulk9' })
    expect([same.status, same.body]).toEqual([409, 'Code is already used.'])
    const among = await edit('BudgetCodes', ids.slice(0, 3), { code: 'NOBODY' })
    expect([among.status, among.body]).toEqual([409, 'Code is already used.'])
    const wrong = await edit('BudgetCodes', ids, { description: 'x'.repeat(300) })
    expect([wrong.status, wrong.body]).toEqual([400, expect.stringContaining('can have at most')])
    const nowhere = await edit('BudgetCodes', ids, { locations: [999_999] })
    expect([nowhere.status, nowhere.body]).toEqual([400, expect.stringContaining('was not found')])
    expect(await list('BudgetCodes', 'BULK')).toEqual(before)
  })
  it('keep what is kept as a list of items, as rates or as rows', async () => {
    const types = (await list('ContractTypes', '')).filter((row) => row.organisationId !== null).slice(0, 2)
    const before = types.map(({ payScaleTypes }) => payScaleTypes)
    const ids = types.map((row) => row.id)
    expect((await edit('ContractTypes', ids, { incrementMonth: 7 })).status).toBe(200)
    const now = (await list('ContractTypes', '')).filter((row) => ids.includes(row.id))
    for (const row of now) expect(row).toMatchObject({ incrementMonth: 7, payScaleTypes: before[ids.indexOf(row.id)] })
    const allowances = (await list('Allowances', '')).slice(0, 2)
    const rates = [{ effectiveDate: '2026-09-01', value: 12.34 }]
    expect(
      (
        await edit(
          'Allowances',
          allowances.map((row) => row.id),
          { rates },
        )
      ).status,
    ).toBe(200)
    for (const { id } of allowances) expect((await finance.call('GET', `/api/Allowances/${id}`, undefined, own)).body.rates).toEqual(rates)
  })
})
