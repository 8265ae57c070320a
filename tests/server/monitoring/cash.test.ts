import { beforeAll, describe, expect, it } from 'vitest'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { verifyAllOnce } from '../../../server/audit/verify/verifyAll.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { type Body, browserCall, type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let administrator: Caller
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let northgate: LocationId
const november = { year: 2026, month: 11 }

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  const lead = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(lead)
  own = { OrganisationId: places.organisationId }
  northgate = places.locations.Northgate!
  finance = await inviteAndSignIn(
    product,
    administrator,
    'cash@harbour.example',
    [
      'ConsoleMonitoringBudgetForecastReadUpdate',
      'BudgetingMonitoringBudgetForecastReadUpdate',
      'BudgetingNonStaffingReadUpdate',
      'ConsoleBudgetCodesReadUpdate',
    ],
    places.organisationId,
  )
}, 300_000)

const call = (name: string, input: Body, who = finance): Promise<Body> => browserCall(product, who, `monitoring.cash.${name}`, input, own)

async function ask(name: string, input: Body, who = finance, where: Record<string, number> = own): Promise<{ status: number; body: Body }> {
  const headers = { Authorization: `Bearer ${who.token}`, OrganisationId: String(where.OrganisationId) }
  const reply = await fetch(`${product.origin}/trpc/monitoring.${name}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`, {
    headers,
  })
  const body = (await reply.json()) as Body
  return { status: reply.status, body: body.result?.data.json ?? body }
}
const cash = async (more: Body = {}, who = finance): Promise<Body> =>
  (await ask('cash.forecast', { ...november, budgetId: places.budgets.Northgate, ...more }, who)).body

describe('the cash forecast of a school', () => {
  it('is not calculated until the opening cash is typed, but shows all movements', async () => {
    // The demo has an opening balance.
    await call('saveOpening', { locationId: northgate, year: 2026, value: null })
    const before = await cash()
    expect(before.months).toHaveLength(12)
    expect(before.months[0]).toMatchObject({ year: 2026, month: 9, opening: null, closing: null })
    expect(before.months[0].receipts).toBeGreaterThan(0)
    expect([before.lowest, before.opening]).toEqual([
      null,
      [{ locationId: northgate, location: 'Northgate Primary School', year: 2026, value: null }],
    ])
  })
  it('starts from the typed opening cash, and names its lowest month', async () => {
    await call('saveOpening', { locationId: northgate, year: 2026, value: 250_000.5 })
    const { months, lowest } = await cash()
    expect(months[0].opening).toBe(250_000.5)
    expect(lowest.closing).toBe(Math.min(...months.map((month: Body) => month.closing)))
  })
  it('counts the cost of a code when it is paid, and does not change the year’s outcome', async () => {
    const made = await finance.call('POST', '/api/BudgetCodes', { code: 'CASH1', type: 2, description: 'Late', locations: [] }, own)
    const before = await cash()
    const periods = Object.fromEntries(Array.from({ length: 12 }, (_unused, index) => [`period${index + 1}`, (index + 1) * 10]))
    const entry = { description: 'Rising', budgetCodeId: made.body.id, budgetYearName: '2026/27', years: [], ...periods }
    expect((await finance.call('PUT', '/api/BudgetEntry/save', entry, places.at('Northgate'))).status).toBe(200)
    const more = async (): Promise<number[]> => {
      const { months } = await cash()
      return months.map((month: Body, index: number) => Math.round((month.payments - before.months[index].payments) * 100) / 100)
    }
    // September and October are closed, and the ledger has nothing on this code.
    await call('chooseLag', { budgetCodeIds: [made.body.id], lag: 2 })
    expect(await more()).toEqual([0, 0, 0, 0, 30, 40, 50, 60, 70, 80, 90, 100])
    expect((await ask('cash.settings', undefined)).body.codes.find((one: Body) => one.budgetCodeId === made.body.id)).toMatchObject({
      name: 'CASH1 Late',
      lag: 2,
    })
    await call('chooseLag', { budgetCodeIds: [made.body.id], lag: null })
    expect((await more())[2]).toBe(30)
  })
  it('warns if the lowest month is below the minimum', async () => {
    const { lowest } = await cash()
    await call('saveFloor', { value: lowest.closing + 1 })
    expect(await cash()).toMatchObject({ floor: lowest.closing + 1, isBelowFloor: true })
    await call('saveFloor', { value: null })
    expect(await cash()).toMatchObject({ floor: null, isBelowFloor: false })
  })
  it('shows up to 24 months, with those beyond every budget not calculated', async () => {
    const { months } = await cash({ count: 24 })
    expect(months).toHaveLength(24)
    expect(months.at(-1)).toMatchObject({ year: 2028, month: 8 })
    for (const count of [11, 25, 12.5]) expect((await ask('cash.forecast', { ...november, count })).status).toBe(400)
  })
})

describe('the cash forecast of a trust', () => {
  it('is the sum of its schools', async () => {
    const ids = [northgate, places.locations[Object.keys(places.budgets).find((alias) => alias !== 'Northgate')!]!]
    for (const [index, locationId] of ids.entries()) await call('saveOpening', { locationId, year: 2026, value: 100_000 + index })
    const closings = async (locationIds: LocationId[]): Promise<number[]> =>
      (await cash({ budgetId: null, locationIds })).months.map((month: Body) => Math.round(month.closing * 100))
    const [one, other] = [await closings(ids.slice(0, 1)), await closings(ids.slice(1))]
    expect(await closings(ids)).toEqual(one.map((closing, index) => closing + other[index]!))
  })
})

describe('access to the cash forecast', () => {
  it('is given with access to the forecast, for a school to its own', async () => {
    const school = await inviteAndSignIn(
      product,
      administrator,
      'cashschool@harbour.example',
      ['BudgetingMonitoringBudgetForecastReadUpdate', 'ConsoleMonitoringBudgetForecastReadUpdate'],
      places.organisationId,
      [northgate],
    )
    expect((await cash({ budgetId: null }, school)).opening.map((one: Body) => one.locationId)).toEqual([northgate])
    const other = Object.keys(places.budgets).find((alias) => alias !== 'Northgate')!
    expect((await ask('cash.forecast', { ...november, budgetId: places.budgets[other] }, school)).status).toBe(404)
    await expect(call('saveOpening', { locationId: places.locations[other], year: 2026, value: 1 }, school)).rejects.toThrow('not found')
    await expect(call('saveFloor', { value: 1 }, school)).rejects.toThrow('whole organisation')
    await expect(call('chooseLag', { budgetCodeIds: [1], lag: 1 }, school)).rejects.toThrow('whole organisation')
    const reader = await inviteAndSignIn(
      product,
      administrator,
      'cashreader@harbour.example',
      ['BudgetingMonitoringBudgetForecastRead'],
      places.organisationId,
    )
    await expect(call('saveOpening', { locationId: northgate, year: 2026, value: 1 }, reader)).rejects.toThrow('permission')
    const actuals = await inviteAndSignIn(
      product,
      administrator,
      'cashactuals@harbour.example',
      ['BudgetingMonitoringBudgetActualsRead'],
      places.organisationId,
    )
    expect((await ask('cash.forecast', november, actuals)).status).toBe(403)
  })
  it('is refused to another organisation', async () => {
    const there = await signInAs(product, 'finance@meadow.example')
    const elsewhere = await findTrustIds(there)
    const theirs = { OrganisationId: elsewhere.organisationId }
    expect((await ask('cash.forecast', { ...november, budgetId: places.budgets.Northgate }, there, theirs)).status).toBe(404)
    expect((await ask('cash.forecast', { ...november, locationIds: [northgate] }, there, theirs)).status).toBe(404)
    const elsewhereCall = (name: string, input: Body) => browserCall(product, there, `monitoring.cash.${name}`, input, theirs)
    await expect(elsewhereCall('saveOpening', { locationId: northgate, year: 2026, value: 1 })).rejects.toThrow('not found')
    const codes = (await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 1 }, own)).body.rows as Body[]
    await expect(elsewhereCall('chooseLag', { budgetCodeIds: [codes[0]!.id], lag: 1 })).rejects.toThrow('not found')
  })
  it.each([
    ['half a penny', { value: 1.005 }],
    ['text', { value: 'a lot' }],
    ['more than there is', { value: 1e12 }],
  ])('does not allow typing %s', async (_what, more) => {
    await expect(call('saveOpening', { locationId: northgate, year: 2026, ...more })).rejects.toThrow()
    await expect(call('chooseLag', { budgetCodeIds: [1], lag: 4 })).rejects.toThrow('Choose 0 to 3 months.')
  })
  it('includes undoing one’s own typing, and everything is in an intact log', async () => {
    await call('saveOpening', { locationId: northgate, year: 2026, value: 77 })
    const [newest] = (await ask('history', { locationId: northgate })).body
    expect(newest).toMatchObject({ sentence: 'set the opening cash for 2026/27 to £77.00', undoable: true })
    await browserCall(product, finance, 'monitoring.undo', { locationId: northgate, version: newest.version }, own)
    expect((await cash()).opening[0].value).not.toBe(77)
    const store = openStore(product.config, 1)
    try {
      await store.asPlatform(async (tx) =>
        expect((await verifyAllOnce(tx, { organisation: places.organisationId }, [])).findings).toEqual([]),
      )
    } finally {
      await store.close()
    }
  })
})
