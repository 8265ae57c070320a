import { beforeAll, describe, expect, it } from 'vitest'
import { type Body, type Caller, findTrustIds, type Reply, type Selection, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let finance: Caller
let places: TrustIds
let northgate: Required<Selection>

const path = '/api/integrations/pupils'
const day = '2026-10-05'

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
}, 300_000)

const send = (rows: Body[], by = finance, where = northgate): Promise<Reply> => by.call('PUT', path, { rows, day }, where)
const numbers = async (): Promise<Body> => (await finance.call('GET', '/api/PupilNumbers', undefined, northgate)).body
const row = async (yearGroup: number): Promise<Body> => (await numbers()).rows.find((one: Body) => one.yearGroup === yearGroup)

describe('pupil numbers that are imported by hand', () => {
  it('are written to the location’s open budgets, except where somebody typed other numbers', async () => {
    const { id, version } = await numbers()
    const rows = [
      { kind: 'Phase', yearGroup: 2, before: 30, years: [28] },
      { kind: 'Phase', yearGroup: 3, before: 29, years: [] },
    ]
    expect((await finance.call('POST', '/api/PupilNumbers', { id, version, rows }, northgate)).status).toBe(200)
    const { status, body } = await send([
      { YearGroup: 'Reception', Pupils: '31' },
      { YearGroup: 'Year 1', October: '2026', Pupils: '27' },
    ])
    expect([status, body.rows]).toEqual([200, 2])
    expect(body.message).toMatch(
      /^Imported 1 count into 1 budget\. Kept because someone entered the number, in Northgate[^:]*: Reception in October 2026 is 28, not 31\.?/,
    )
    expect([(await row(2)).years[0], (await row(3)).years[0]]).toEqual([28, 27])
    expect((await numbers()).said).toContainEqual({ yearGroup: 2, october: 2026, count: 31 })
  })
  it('are imported all or none, and only for their own location', async () => {
    const wrong = await send([
      { YearGroup: 'Year 1', Pupils: '26' },
      { YearGroup: 'Class 3', Pupils: '1' },
    ])
    expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([400, expect.stringContaining('This is not a year group.')])
    const elsewhere = await send([{ Location: 'Beacon', YearGroup: 'Year 1', Pupils: '26' }])
    expect([elsewhere.status, JSON.stringify(elsewhere.body)]).toEqual([400, expect.stringContaining('another location')])
    expect((await row(3)).years[0]).toBe(27)
  })
  it('are refused from a user who may only read, and for another trust', async () => {
    const rows = [{ YearGroup: 'Year 1', Pupils: '26' }]
    expect((await send(rows, await signInAs(product, 'governor@harbour.example'))).status).toBe(403)
    expect((await send(rows, await signInAs(product, 'finance@meadow.example'))).status).toBe(403)
    expect((await row(3)).years[0]).toBe(27)
  })
})
