import { beforeAll, describe, expect, it } from 'vitest'
import { lookups } from '../../domain/lookups/lookups.ts'
import { type OrganisationId, toLocationId } from '../../domain/values/ids.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { type Body, type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'

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

const centres = (body: unknown) => finance.call('POST', '/api/CostCentres/list', body, own)
const add = async (code: string, more: Record<string, unknown> = {}): Promise<Body> =>
  (await finance.call('POST', '/api/CostCentres', { code, description: `Centre ${code}`, locations: [], ...more }, own)).body

describe('start-up', () => {
  it('B-018 one reply holds the lists that fill every choice', async () => {
    const { body } = await finance.call('GET', '/api/Application/types')
    expect(Object.keys(body).length).toBeGreaterThanOrEqual(28)
    expect(body.budgetCodeTypes).toEqual(lookups.budgetCodeTypes.map((item) => ({ ...item })))
    expect(body.permissions).toHaveLength(79)
  })
  it('B-068 B-071 the dictionary has the default terms, including payroll codes for service terms', async () => {
    const { body } = await finance.call('GET', '/api/Terminology', undefined, own)
    expect(body.ServiceTerm).toEqual({ singular: 'Payroll code', plural: 'Payroll codes' })
  })
})

describe('headers', () => {
  it('B-062 a call that needs an organisation returns 400 without its header', async () => {
    const reply = await finance.call('POST', '/api/CostCentres/list', {})
    expect(reply.status).toBe(400)
  })
  it('B-065 a location outside the organisation, or a budget outside the location, returns 403', async () => {
    const [one, other] = Object.keys(places.locations).filter((alias) => places.budgets[alias])
    expect(
      (await finance.call('POST', '/api/StaffContract/paginated', {}, { ...places.at(one!), LocationId: toLocationId(99_999) })).status,
    ).toBe(403)
    expect(
      (await finance.call('POST', '/api/StaffContract/paginated', {}, { ...places.at(one!), BudgetId: places.budgets[other!]! })).status,
    ).toBe(403)
  })
  it('B-053 budgets are identified by mongoId, organisations and locations by id', async () => {
    expect((await finance.call('GET', '/api/Budget/id/1', undefined, own)).status).toBe(404)
    expect(places.budgets.Northgate).toMatch(/^[0-9a-f]{24}$/)
  })
})

describe('lists', () => {
  beforeAll(async () => {
    for (const code of ['LA', 'LB', 'LC']) await add(code)
  })
  it('B-077 B-078 every row has created, which the server sets and no caller can change', async () => {
    const record = await add('CRE', { created: '1999-01-01' })
    expect(record.created).toBe(new Date().toISOString().slice(0, 10))
  })
  it('B-081 a date column is filtered by a range that includes both ends', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const filter = (dateFrom: string, dateTo: string) =>
      centres({ pageSize: 100, filters: [{ filter: 'created', filterType: 'date', type: 'inRange', dateFrom, dateTo }] })
    expect((await filter(today, today)).body.total).toBeGreaterThanOrEqual(3)
    expect((await filter('1999-01-01', '1999-12-31')).body.total).toBe(0)
  })
  it('B-080 a number column is filtered by equals, notEqual, greaterThan and lessThan', async () => {
    const points = (type: string, value: number) =>
      administrator.call('POST', '/api/PayScalePoint/list', {
        pageSize: 1,
        requestType: 2,
        filters: [{ filter: 'increment', filterType: 'number', type, value }],
      })
    const [equal, other, more, less] = await Promise.all([
      points('equals', 3),
      points('notEqual', 3),
      points('greaterThan', 3),
      points('lessThan', 3),
    ])
    expect(other.body.total).toBe(more.body.total + less.body.total)
    expect(equal.body.total).toBeGreaterThan(0)
  })
  it('B-082 a boolean column is filtered by any, Yes and No, and any filters nothing', async () => {
    const codes = async (value: string) =>
      (
        await administrator.call('POST', '/api/FinancialReportingCodes/list', {
          pageSize: 1,
          requestType: 2,
          filters: [{ filter: 'archive', filterType: 'boolean', value }],
        })
      ).body.total
    expect(await codes('any')).toBe((await codes('Yes')) + (await codes('No')))
  })
  it('B-083 a choice is filtered by a set of values', async () => {
    const codes = async (values: number[]) =>
      (await finance.call('POST', '/api/BudgetCodes/list', { pageSize: 1, filters: [{ filter: 'type', filterType: 'set', values }] }, own))
        .body.total
    expect(await codes([1, 2])).toBe((await codes([1])) + (await codes([2])))
  })
  it('B-085 filters of different columns are combined with and', async () => {
    const filters = [
      { filter: 'code', filterType: 'text', type: 'startsWith', value: 'L' },
      { filter: 'description', filterType: 'text', type: 'endsWith', value: 'LB' },
    ]
    expect((await centres({ pageSize: 10, filters })).body.rows.map((row: Body) => row.code)).toEqual(['LB'])
  })
  it('B-086 B-089 search covers every text column, and a search for spaces is no search', async () => {
    expect((await centres({ search: 'centre lc' })).body.rows.map((row: Body) => row.code)).toEqual(['LC'])
    expect((await centres({ search: '   ' })).body.total).toBe((await centres({})).body.total)
  })
  it('B-091 B-092 requestType separates own rows from national ones', async () => {
    const points = async (requestType?: number) =>
      (await finance.call('POST', '/api/PayScalePoint/list', { pageSize: 1, requestType }, own)).body.total
    expect(await points(1)).toBe(125)
    expect(await points(2)).toBeGreaterThan(100)
    expect(await points(3)).toBe((await points(1)) + (await points(2)))
    expect(await points()).toBe(await points(3))
  })
  it('B-097 the permission for cost centres also allows bulk editing of fund codes', async () => {
    const manager = await signInAs(product, 'northgate@harbour.example')
    const state = { selectAll: false, toggledNodes: [] }
    expect(
      (await manager.call('PATCH', '/api/FundCodes/edit', { state, patch: [{ op: 'replace', path: '/description', value: 'x' }] }, own))
        .status,
    ).toBe(200)
  })
  it('B-105 a bulk delete that includes a record in use deletes none and says so', async () => {
    const types = (await finance.call('POST', '/api/ContractTypes/list', { pageSize: 50 }, own)).body.rows
    const free = (
      await finance.call(
        'POST',
        '/api/ContractTypes',
        { name: 'Unused', description: 'x', calculationType: 1, payScaleTypes: 1, locations: [], fullTimeHours: 37, fullTimeWeeks: 52.143 },
        own,
      )
    ).body
    const reply = await finance.call(
      'POST',
      '/api/ContractTypes/delete',
      { state: { selectAll: false, toggledNodes: [free.id, types[0].id] } },
      own,
    )
    expect(reply.status).toBe(409)
    expect((await finance.call('GET', `/api/ContractTypes/${free.id}`, undefined, own)).status).toBe(200)
  })
  it('B-106 a patch with another op than replace, or without a field, returns 400 and changes nothing', async () => {
    const record = await add('PAT')
    const state = { selectAll: false, toggledNodes: [record.id] }
    for (const patch of [
      { op: 'remove', path: '/description' },
      { op: 'replace', path: '/nothing', value: 1 },
      { op: 'replace', path: '/organisationId', value: 1 },
    ])
      expect((await finance.call('PATCH', '/api/CostCentres/edit', { state, patch: [patch] }, own)).status).toBe(400)
    expect((await finance.call('GET', `/api/CostCentres/${record.id}`, undefined, own)).body).toEqual(record)
  })
})

describe('records', () => {
  it('B-001 a location belongs to exactly one organisation', async () => {
    const rows = (await administrator.call('POST', '/api/Locations/list', { pageSize: 100 })).body.rows as Body[]
    expect(rows.every((row) => Number.isInteger(row.organisationId))).toBe(true)
    expect(rows.filter((row) => row.organisationId === places.organisationId)).toHaveLength(6)
  })
  it('B-006 users of an organisation cannot change national records', async () => {
    expect((await finance.call('POST', '/api/LocalAuthorities', { name: 'Mine', code: 'X', number: 1 }, own)).status).toBe(403)
    expect((await finance.call('POST', '/api/NationalInsurances', {}, own)).status).toBe(403)
  })
  it('B-120 B-121 B-122 dates that do not exist are refused: 31 April, 29 February of 2023 and 1900, day 0, month 13', async () => {
    const organisation = (await administrator.call('GET', `/api/Organisations/${places.organisationId}`)).body
    for (const onBoardingDate of ['2026-04-31', '2023-02-29', '1900-02-29', '2026-01-00', '2026-13-01'])
      expect((await administrator.call('PUT', '/api/Organisations', { ...organisation, onBoardingDate })).status, onBoardingDate).toBe(400)
    const saved = await administrator.call('PUT', '/api/Organisations', { ...organisation, onBoardingDate: '2024-02-29' })
    expect(saved.body.onBoardingDate).toBe('2024-02-29')
  })
  it('B-125 a new analysis tag is black on light grey', async () => {
    const tag = await finance.call('POST', '/api/AnalysisTags', { name: 'Plain', description: 'x' }, own)
    expect(tag.body).toMatchObject({ textColor: '000000', backgroundColor: 'cccccc' })
  })
  it('B-131 a record for some locations is offered only to those', async () => {
    const manager = await signInAs(product, 'northgate@harbour.example')
    const elsewhere = Object.entries(places.locations).find(([alias]) => alias !== 'Northgate')![1]
    const [all, ours, theirs] = [
      await add('LOC1'),
      await add('LOC2', { locations: [places.locations.Northgate] }),
      await add('LOC3', { locations: [elsewhere] }),
    ]
    const seen = (await manager.call('POST', '/api/CostCentres/list', { pageSize: 500 }, own)).body.rows.map((row: Body) => row.id)
    expect(seen).toEqual(expect.arrayContaining([all.id, ours.id]))
    expect(seen).not.toContain(theirs.id)
  })
  it('B-185 the pay scale types of a contract type are a sum of 1, 2, 4 and 8', async () => {
    const type = { name: 'Flags', description: 'x', calculationType: 1, locations: [], fullTimeHours: 37, fullTimeWeeks: 52.143 }
    expect((await finance.call('POST', '/api/ContractTypes', { ...type, payScaleTypes: 16 }, own)).status).toBe(400)
    expect((await finance.call('POST', '/api/ContractTypes', { ...type, payScaleTypes: 15 }, own)).body.payScaleTypes).toBe(15)
  })
})

describe('permissions', () => {
  it('B-272 a changed user group takes effect at the next call', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const governor = await signInAs(product, 'governor@harbour.example')
    const list = () => governor.call('POST', '/api/CostCentres/list', {}, own)
    await owner`update user_groups set permissions = array_append(permissions, 'ConsoleCostCentresRead') where name = 'Governor'`
    expect((await list()).status).toBe(200)
    await owner`update user_groups set permissions = array_remove(permissions, 'ConsoleCostCentresRead') where name = 'Governor'`
  })
  it('B-275 only an administrator can change a national row', async () => {
    const point = (await finance.call('POST', '/api/PayScalePoint/list', { pageSize: 1, requestType: 2 }, own)).body.rows[0]
    expect((await finance.call('PUT', '/api/PayScalePoint', { ...point, mainRate: 1 }, own)).status).toBe(403)
    expect((await finance.call('DELETE', `/api/PayScalePoint/${point.id}`, undefined, own)).status).toBe(403)
  })
})

describe('recalculation', () => {
  it('B-195 calls tell whether contracts are locked, and what the last recalculation was', async () => {
    expect((await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body).toEqual({
      locked: false,
      budgetGroupIds: [],
    })
    expect((await finance.call('GET', '/api/Application/staffcontracts/recalculation/event', undefined, own)).status).toBeLessThan(300)
  })
})
