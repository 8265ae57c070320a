import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'

let product: Product
let finance: Caller
let administrator: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
})

describe('imports', () => {
  const imported = (rows: Record<string, string>[]) => finance.call('POST', '/api/BudgetCodes/import', rows, own)
  const found = async (code: string): Promise<Body> =>
    (
      await finance.call(
        'POST',
        '/api/BudgetCodes/list',
        { filters: [{ filter: 'code', filterType: 'text', type: 'equals', value: code }] },
        own,
      )
    ).body.rows[0]
  it('B-136 columns that are not in the template are ignored, and optional ones may be missing', async () => {
    expect((await imported([{ Code: 'IM1', Type: 'Expenditure', Description: 'x', Nonsense: 'y' }])).status).toBe(200)
  })
  it('B-142 a reference is found by code or name, and several are separated by a semicolon', async () => {
    const [one, other] = Object.keys(places.locations)
    const locations = (await finance.call('POST', '/api/Locations/list', { pageSize: 50 }, own)).body.rows as Body[]
    const named = (alias: string) => locations.find((row) => row.alias === alias).name
    expect(
      (await imported([{ Code: 'IM2', Type: 'Expenditure', Description: 'x', Locations: `${named(one!)}; ${named(other!)}` }])).body,
    ).toMatchObject({ imported: 1 })
    expect((await found('IM2')).locations.sort()).toEqual([places.locations[one!], places.locations[other!]].sort())
  })
  it('B-144 a choice accepts its number or its name', async () => {
    await imported([
      { Code: 'IM3', Type: '1', Description: 'x' },
      { Code: 'IM4', Type: 'income', Description: 'x' },
    ])
    expect([(await found('IM3')).type, (await found('IM4')).type]).toEqual([1, 1])
  })
  it('B-143 dates, flags and amounts are taken as people write them', async () => {
    const allowance = {
      Name: 'Honorarium',
      ProRate: 'yes',
      ErPension: '0',
      InflationSetting: 'None',
      EffectiveDate: '01/09/2026',
      Value: '£1,250.50',
    }
    const reply = await finance.call('POST', '/api/Allowances/import', [allowance], own)
    expect(reply.body).toMatchObject({ imported: 1 })
    const record = (await finance.call('POST', '/api/Allowances/list', { search: 'Honorarium' }, own)).body.rows[0]
    expect(record).toMatchObject({ proRate: true, erPension: false, rates: [{ effectiveDate: '2026-09-01', value: 1250.5 }] })
  })
  it('B-133 two rates for one date are refused', async () => {
    const rates = [
      { effectiveDate: '2026-09-01', value: 1 },
      { effectiveDate: '2026-09-01', value: 2 },
    ]
    expect(
      (
        await finance.call(
          'POST',
          '/api/Allowances',
          { name: 'Twice', proRate: false, erPension: false, inflationSetting: 2, rates, locations: [] },
          own,
        )
      ).status,
    ).toBe(400)
  })
  it('B-128 an archived code is not offered in pickers, but stays where it is used', async () => {
    const codes = (filters: unknown[]) =>
      administrator.call('POST', '/api/FinancialReportingCodes/list', { pageSize: 1, requestType: 2, filters }, {})
    const code = (await codes([])).body.rows[0]
    await administrator.call('PUT', '/api/FinancialReportingCodes', { ...code, archive: true })
    const calls = proceduresOf(product, finance, own)
    const offered = await calls.resources.financialReportingCode!.pick.query({ search: code.code, where: { type: code.type } })
    expect(offered.rows.map((row) => row.id)).not.toContain(code.id)
    const held = await calls.resources.financialReportingCode!.pick.query({ ids: [code.id] })
    expect(held.rows[0]).toMatchObject({ id: code.id, archived: true })
  })
})
