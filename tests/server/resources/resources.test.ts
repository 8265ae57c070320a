import Papa from 'papaparse'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let finance: Caller
let administrator: Caller
let governor: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  governor = await signInAs(product, 'governor@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
})

/** The entities that these tests use: who may write them, a valid record, and a change. */
const entities: {
  path: string
  writer: () => Caller
  selection: () => Record<string, number>
  make: (n: number) => Promise<Body>
  change: [string, unknown]
  name: string
}[] = [
  {
    path: 'CostCentres',
    writer: () => finance,
    selection: () => own,
    make: async (n) => ({ code: `T${n}`, description: `Cost centre ${n}`, locations: [] }),
    change: ['description', 'Changed'],
    name: 'code',
  },
  {
    path: 'FundCodes',
    writer: () => finance,
    selection: () => own,
    make: async (n) => ({ code: `T${n}`, description: `Fund ${n}`, locations: [places.locations.Northgate] }),
    change: ['description', 'Changed'],
    name: 'code',
  },
  {
    path: 'BudgetCodes',
    writer: () => finance,
    selection: () => own,
    make: async (n) => ({ code: `T${n}`, type: 2, description: `Budget code ${n}`, locations: [] }),
    change: ['description', 'Changed'],
    name: 'code',
  },
  {
    path: 'ContractTypes',
    writer: () => finance,
    selection: () => own,
    make: async (n) => ({
      name: `Type ${n}`,
      description: 'A type',
      calculationType: 1,
      payScaleTypes: 1,
      locations: [],
      fullTimeHours: 37,
      fullTimeWeeks: 52.143,
    }),
    change: ['description', 'Changed'],
    name: 'name',
  },
  {
    path: 'Clusters',
    writer: () => finance,
    selection: () => own,
    make: async (n) => ({ name: `Cluster ${n}`, description: 'x', locations: [] }),
    change: ['description', 'Changed'],
    name: 'name',
  },
  {
    path: 'PayrollCodes',
    writer: () => finance,
    selection: () => own,
    make: async (n) => ({ code: `T${n}`, type: 1, description: 'x', element: 2, locations: [], serviceTerms: [] }),
    change: ['description', 'Changed'],
    name: 'code',
  },
  {
    path: 'StudentGroups',
    writer: () => finance,
    selection: () => own,
    make: async (n) => ({ code: `T${n}`, description: 'x', budgetCodeId: 1, costCentreId: null }),
    change: ['description', 'Changed'],
    name: 'code',
  },
  {
    path: 'ProfileTemplates',
    writer: () => finance,
    selection: () => own,
    make: async (n) => ({
      name: `Profile ${n}`,
      description: 'x',
      locations: [],
      ...Object.fromEntries(Array.from({ length: 12 }, (_unused, index) => [`period${index + 1}`, index])),
    }),
    change: ['period1', 5],
    name: 'name',
  },
  {
    path: 'IncomeType',
    writer: () => administrator,
    selection: () => ({}),
    make: async (n) => ({ name: `Income ${n}`, description: 'x', order: n, active: true }),
    change: ['description', 'Changed'],
    name: 'name',
  },
  {
    path: 'Locations',
    writer: () => administrator,
    selection: () => ({}),
    make: async (n) => ({
      organisationId: places.organisationId,
      name: `School ${n}`,
      alias: `S${n}`,
      localAuthorityId: 1,
      contractExpiryDate: '2030-08-31',
      maximumBudgetYears: 5,
      currency: 1,
      payScaleRegion: 1,
    }),
    change: ['name', 'Changed school'],
    name: 'name',
  },
  {
    path: 'PayScalePoint',
    writer: () => administrator,
    selection: () => ({}),
    make: async (n) => ({
      scale: 'Test',
      point: `X${n}`,
      increment: n,
      mainRate: 30_000 + n,
      innerRate: 33_000,
      outerRate: 32_000,
      fringeRate: 31_000,
      adminTableId: 1,
      order: 900 + n,
    }),
    change: ['mainRate', 31_234.56],
    name: 'point',
  },
]

describe.each(entities)('$path: the nine calls', ({ path, writer, selection, make, change: [field, changed], name }) => {
  const call = (method: string, rest: string, body?: unknown) => writer().call(method, `/api/${path}${rest}`, body, selection())
  const create = async (n: number): Promise<Body> => {
    const reply = await call('POST', '', await make(n))
    expect(reply.body).toMatchObject({ [name]: expect.anything() })
    expect(reply.status).toBe(201)
    return reply.body
  }

  it('B-073 creates, reads, lists with search, filter, sort and paging', async () => {
    const made = [await create(1), await create(2), await create(3)]
    expect((await call('GET', `/${made[0].id}`)).body).toEqual(made[0])
    const wanted = { search: String(made[1][name]), pageNumber: 1, pageSize: 10 }
    expect((await call('POST', '/list', wanted)).body.rows.map((row: Body) => row.id)).toContain(made[1].id)
    const filtered = await call('POST', '/list', {
      pageNumber: 1,
      pageSize: 10,
      filters: [{ filter: name, filterType: 'text', type: 'equals', value: String(made[2][name]) }],
    })
    expect(filtered.body.rows.map((row: Body) => row.id)).toEqual([made[2].id])
    const page = await call('POST', '/list', { pageNumber: 2, pageSize: 1, sort: name, sortDirection: 'desc' })
    expect(page.body.rows).toHaveLength(1)
    expect(page.body.total).toBeGreaterThanOrEqual(3)
  })
  it('B-119 updates; a second save from the same version returns 409 with what changed', async () => {
    const record = await create(4)
    const first = await call('PUT', '', { ...record, [field]: changed })
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ id: record.id, [field]: changed })
    const second = await call('PUT', '', { ...record, [field]: record[field] })
    expect(second.status).toBe(409)
    expect(second.body).toContain('Someone else has changed this')
  })
  it('B-115 refuses a record without its required fields, naming each, and one with a used code', async () => {
    const empty = await call('POST', '', {})
    expect(empty.status).toBe(400)
    expect(empty.body.split('\n').length).toBeGreaterThanOrEqual(1)
    expect(empty.body).toMatch(/is required/)
    const record = await create(5)
    const twice = await call('POST', '', { ...(await make(5)), [name]: record[name] })
    expect(twice.status).toBe(409)
    expect(twice.body).toMatch(/already used/)
  })
  it('B-094 bulk edits what search and filters select, and bulk deletes it', async () => {
    const made = [await create(6), await create(7), await create(8)]
    const state = { selectAll: false, toggledNodes: made.map((record) => record.id) }
    if (name !== field) {
      const edited = await call('PATCH', '/edit', {
        state,
        patch: [{ op: 'replace', path: `/${field}`, value: changed }],
      })
      expect(edited.status).toBe(200)
      expect((await call('GET', `/${made[0].id}`)).body).toMatchObject({ [field]: changed })
    }
    const removed = await call('POST', '/delete', { state })
    expect(removed.body).toMatchObject({ deleted: 3 })
    expect((await call('GET', `/${made[0].id}`)).status).toBe(404)
  })
  it('deletes one, and returns 404 for an unknown id', async () => {
    const record = await create(9)
    expect((await call('DELETE', `/${record.id}`)).status).toBe(204)
    expect((await call('DELETE', `/${record.id}`)).status).toBe(404)
    expect((await call('GET', '/999999')).status).toBe(404)
  })
  it('B-107 exports a CSV that can be imported again without a change', async () => {
    const record = await create(11)
    const file = await call('POST', '/export', { search: String(record[name]), filters: [] })
    expect(file.headers.get('content-type')).toContain('text/csv')
    const rows = Papa.parse<Record<string, string>>((file.body as string).replace('\uFEFF', ''), {
      header: true,
      skipEmptyLines: true,
    }).data
    expect(rows.length).toBeGreaterThanOrEqual(1)
    const imported = await call('POST', '/import', rows)
    expect(imported.body).toMatchObject({ imported: rows.length, created: 0, updated: 0 })
    expect((await call('GET', `/${record.id}`)).body).toEqual(record)
  })
  it('lets a governor write nothing', async () => {
    for (const [method, rest] of [
      ['POST', ''],
      ['PUT', ''],
      ['POST', '/delete'],
      ['POST', '/import'],
      ['PATCH', '/edit'],
    ] as const) {
      const reply = await governor.call(method, `/api/${path}${rest}`, rest === '/import' ? [] : {}, own)
      expect([400, 403], `${method} ${rest}`).toContain(reply.status)
      expect(reply.status === 403 || rest !== '', `${method} ${rest} answered ${reply.status}`).toBe(true)
    }
  })
})

describe('a record in use', () => {
  it('B-127 cannot be deleted, and the refusal says why', async () => {
    const types = await finance.call('POST', '/api/ContractTypes/list', { search: 'Teacher' }, own)
    const reply = await finance.call('DELETE', `/api/ContractTypes/${types.body.rows[0].id}`, undefined, own)
    expect(reply.status).toBe(409)
    expect(reply.body).toMatch(/in use by .*\d+ (staff contracts|budgets)/)
  })
})

describe('scheme flags', () => {
  it('B-098 B-108 the columns of a scheme that the organisation does not use are in no export', async () => {
    const organisation = (await administrator.call('GET', `/api/Organisations/${places.organisationId}`)).body
    const heads = async () =>
      ((await finance.call('POST', '/api/BudgetCodes/export', {}, own)).body as string).replace('\uFEFF', '').split('\r\n')[0]!.split(',')
    const before = await heads()
    for (const [flag, column] of [
      ['cfrEnabled', 'CfrCode'],
      ['gagEnabled', 'GagCode'],
      ['acoaEnabled', 'AcoaCode'],
      ['customEnabled', 'CustomCode'],
    ])
      expect(before.includes(column!), column).toBe(Boolean(organisation[flag!]))
    await administrator.call('PUT', '/api/Organisations', { ...organisation, cfrEnabled: !organisation.cfrEnabled })
    expect((await heads()).includes('CfrCode')).toBe(!organisation.cfrEnabled)
  })
})

describe('lists', () => {
  it.each([
    ['contains', 'entre'],
    ['startsWith', 'cost'],
    ['endsWith', '21'],
    ['equals', 'Cost centre 21'],
  ])('B-079 B-084 filter text that %s, ignoring case', async (type, value) => {
    await finance.call('POST', '/api/CostCentres', { code: 'F21', description: 'Cost centre 21', locations: [] }, own)
    const reply = await finance.call(
      'POST',
      '/api/CostCentres/list',
      { pageSize: 100, filters: [{ filter: 'description', filterType: 'text', type, value: value.toUpperCase() }] },
      own,
    )
    expect(reply.body.rows.map((row: Body) => row.code)).toContain('F21')
  })
  it('B-086 without text of their own are searched by the names of the records they refer to', async () => {
    const search = (text: string) => finance.call('POST', '/api/ApprenticeshipLevies/list', { search: text, pageSize: 100 }, own)
    const everything = await finance.call('POST', '/api/ApprenticeshipLevies/list', { pageSize: 100 }, own)
    const northgate = (await finance.call('POST', '/api/Locations/list', { search: 'northgate' }, own)).body.rows[0].id
    const found = await search('northgate')
    expect(found.status).toBe(200)
    expect(found.body.rows).toEqual(everything.body.rows.filter((row: Body) => row.locationId === northgate))
    expect(found.body.total).toBeGreaterThan(0)
    expect((await search('no such school')).body).toMatchObject({ rows: [], total: 0 })
  })
  it('include the names of referenced records on request, if the caller may know them', async () => {
    const list = (caller: Caller, body: Body) => caller.call('POST', '/api/CostCentres/list', { pageSize: 100, ...body }, own)
    const { Northgate } = places.locations
    await finance.call('POST', '/api/CostCentres', { code: 'N77', description: 'Of one school', locations: [Northgate] }, own)
    expect((await list(finance, {})).body).not.toHaveProperty('names')
    const { names } = (await list(finance, { withNames: true, search: 'N77' })).body
    expect(names).toEqual({ location: [expect.objectContaining({ id: Northgate, name: expect.stringContaining('Northgate') })] })
    const elsewhere = places.locations.Riverside!
    await finance.call('POST', '/api/CostCentres', { code: 'N78', description: 'Of two schools', locations: [Northgate, elsewhere] }, own)
    const manager = await signInAs(product, 'northgate@harbour.example')
    const seen = (await list(manager, { withNames: true, search: 'N78' })).body
    expect(seen.names.location.map(({ id }: Body) => id)).toEqual([Northgate])
  })
  it('refuse a page of more than 5,000 rows', async () => {
    expect((await finance.call('POST', '/api/CostCentres/list', { pageSize: 5001 }, own)).status).toBe(400)
  })
})
