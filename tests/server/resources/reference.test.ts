import { beforeAll, describe, expect, it } from 'vitest'
import { type LocationId, type OrganisationId, toStaffId } from '../../../domain/values/ids.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { loadDemo } from '../../../server/demo/load.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, browserCall, type Caller, findTrustIds, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let administrator: Caller
let finance: Caller
let northgate: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
const everything = { pageSize: 5000 }

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  northgate = await signInAs(product, 'northgate@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
})

const rowsOf = async (path: string, body: object = {}): Promise<Body[]> =>
  (await finance.call('POST', `/api/${path}/list`, { ...everything, ...body }, own)).body.rows
const named = async (path: string, name: string, value: unknown): Promise<Body> => (await rowsOf(path)).find((row) => row[name] === value)

describe('the built-in reference data', () => {
  it('holds teacher pay of four Septembers, the NJC spine, and says how sure each table is', async () => {
    const tables = await rowsOf('AdminTables')
    const names = tables.map((table) => table.name)
    for (const name of [
      'Teachers Sept 2024',
      'Teachers Sept 2027',
      'NJC April 2026',
      'NI 2023/24',
      'NI 2026/27',
      'Leave 2026/27',
      'NFF 2025/26',
    ])
      expect(names).toContain(name)
    for (const table of tables) expect(table.description, table.name).toMatch(/Confidence: (high|medium|low)/)
    const dates = new Map(tables.map((table) => [table.name, table.effectiveDate]))
    expect(['Teachers Sept 2027', 'NJC April 2026', 'NI 2023/24', 'NFF 2025/26'].map((name) => dates.get(name))).toEqual([
      '2027-09-01',
      '2026-04-01',
      '2023-04-06',
      '2025-09-01',
    ])
    expect(tables.find((table) => table.name === 'Teachers Sept 2027').description).toContain('Announced')
  })
  it('leaves the London columns of the pay tables for support staff empty, because their rates are not known', async () => {
    const points = await rowsOf('PayScalePoint')
    const national = points.filter((point) => point.scale === 'NJC')
    expect(national.length).toBeGreaterThan(120)
    for (const { mainRate, innerRate, outerRate, fringeRate } of national)
      expect([mainRate > 20_000, innerRate, outerRate, fringeRate]).toEqual([true, null, null, null])
    for (const point of points.filter((one) => one.scale === 'Main')) expect(point.innerRate).toBeGreaterThan(point.mainRate)
  })
  it('gives every English authority the factor values of the national formula, and no unknown value', async () => {
    const authorities = await rowsOf('LocalAuthorities')
    expect(authorities).toHaveLength(153)
    const kent = authorities.find((row) => row.name === 'Kent')
    const rates = await rowsOf('LocalAuthorityFundingRates', {
      filters: [{ filter: 'localAuthority', filterType: 'set', values: [kent.id] }],
    })
    expect(rates.length).toBeGreaterThan(60)
    for (const rate of rates) expect(rate.value).toBeGreaterThan(0)
    const tables = new Map((await rowsOf('AdminTables')).map((table) => [table.id, table.name]))
    expect(rates.filter((rate) => tables.get(rate.adminTable) === 'NFF 2026/27')).toHaveLength(5)
  })
  it('has extended leave rules of the statutory schemes and the two books', async () => {
    const sets = await rowsOf('ExtendedLeaveRuleSet')
    expect(sets.map((set) => set.name)).toEqual(
      expect.arrayContaining(['Statutory maternity', 'Burgundy Book maternity', 'Green Book maternity']),
    )
  })
  it('pays leave by the rule set that replaces its own on the start day, so that teachers have eight weeks of full pay from September 2027', async () => {
    const budget = proceduresOf(product, finance, places.at('Northgate'))
    const set = await named('ExtendedLeaveRuleSet', 'name', 'Burgundy Book maternity')
    const replacing = await named('ExtendedLeaveRuleSet', 'name', 'Burgundy Book maternity from September 2027')
    const contracts = await budget.contracts.list.query({ pageNumber: 1, pageSize: 200 })
    const { employeeNumber } = contracts.rows.find((row) => row.employeeNumber !== null && row.endDate === null)!
    const staff = await finance.call('POST', '/api/Staff/list', everything, places.at('Northgate'))
    const staffId = toStaffId(staff.body.rows.find((row: Body) => row.employeeNumber === employeeNumber).id)
    for (const [startDate, endDate, followed, weeks] of [
      ['2027-08-31', '2027-12-01', set.id, [1, 4]],
      ['2028-09-01', '2029-03-01', replacing.id, [1, 6]],
    ] as const) {
      await budget.leave.create.mutate({ staffId, extendedLeaveRulesetId: set.id, startDate, endDate, notes: null })
      const leave = (await budget.leave.periods.query({ id: staffId })).at(-1)!
      expect([startDate, leave.ruleSetId, leave.periods[0]!.name]).toEqual([startDate, followed, 'Full pay'])
      expect([leave.periods[0]!.firstWeek, leave.periods[0]!.weeks]).toEqual(weeks)
    }
  })
})

describe('a newer version of the product', () => {
  it('adds its new tables to an installation that never had them, and restores no deleted table', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const store = openStore(product.config, 1)
    const names = async () => (await rowsOf('AdminTables')).map((row) => row.name)
    const [table] = await owner`select id from admin_tables where name = 'Teachers Sept 2027'`
    await owner`delete from pay_scale_points where admin_table_id = ${table!.id}`
    await owner`delete from admin_tables where id = ${table!.id}`
    await loadDemo(store)
    expect(await names()).not.toContain('Teachers Sept 2027')
    await owner`alter table reference_changes disable trigger user`
    await owner`delete from reference_changes where resource = 'adminTable' and after ->> 'name' = 'Teachers Sept 2027'`
    await owner`alter table reference_changes enable trigger user`
    await loadDemo(store)
    await store.close()
    const back = await named('AdminTables', 'name', 'Teachers Sept 2027')
    expect((await rowsOf('PayScalePoint', { filters: [{ filter: 'adminTableId', filterType: 'set', values: [back.id] }] })).length).toBe(67)
  })
})

describe('the lists that screens choose from', () => {
  it('B-191 leave out an admin table that is not active', async () => {
    const list = async () => (await finance.call('POST', '/api/AdminTables/list/byType/3', {}, own)).body.map((row: Body) => row.name)
    expect(await list()).toContain('NI 2023/24')
    const table = await named('AdminTables', 'name', 'NI 2023/24')
    await administrator.call('PUT', '/api/AdminTables', { ...table, active: false })
    expect(await list()).not.toContain('NI 2023/24')
  })
  it('B-154 offer only funding rate tables with rates of the local authority', async () => {
    const kent = await named('LocalAuthorities', 'name', 'Kent')
    const bromley = await named('LocalAuthorities', 'name', 'Bromley')
    const table = await administrator.call('POST', '/api/AdminTables', { name: 'Kent 2027/28', type: 5, active: true })
    await administrator.call('POST', '/api/LocalAuthorityFundingRates', {
      localAuthority: kent.id,
      adminTable: table.body.id,
      category: 1,
      value: 4000,
    })
    const offered = async (localAuthorityId: number) =>
      (await finance.call('POST', '/api/AdminTables/list/byType/5', { localAuthorityId }, own)).body.map((row: Body) => row.name)
    expect(await offered(kent.id)).toContain('Kent 2027/28')
    expect(await offered(bromley.id)).not.toContain('Kent 2027/28')
  })
  it('separate income codes from expenditure codes', async () => {
    const income = (await finance.call('GET', '/api/BudgetCodes/list/income', undefined, own)).body
    const expenditure = (await finance.call('GET', '/api/BudgetCodes/list/expenditure', undefined, own)).body
    expect(income.length + expenditure.length).toBe((await rowsOf('BudgetCodes')).length)
    expect((await finance.call('GET', `/api/budgeting/BudgetCodes/is/income/${income[0].id}`, undefined, own)).body).toBe(true)
    expect((await finance.call('GET', `/api/budgeting/BudgetCodes/is/expenditure/${income[0].id}`, undefined, own)).body).toBe(false)
  })
  it('contain the locations of the user’s own organisation, and of no other', async () => {
    const ours = await finance.call('GET', `/api/Locations/list/organisation/${places.organisationId}`, undefined, own)
    expect(ours.body.length).toBe(Object.keys(places.locations).length)
    expect((await finance.call('GET', `/api/Organisations/locations/${places.organisationId + 1}`, undefined, own)).status).toBe(404)
    const authority = await finance.call('POST', '/api/Locations/localauthority', { locationIds: [places.locations.Northgate] }, own)
    expect(authority.body).toEqual([
      { locationId: places.locations.Northgate, localAuthorityId: expect.any(Number), localAuthorityName: expect.any(String) },
    ])
  })
  it('have the Employment Allowance of 10,500 pounds from 6 April 2025', async () => {
    expect((await rowsOf('EmploymentAllowances')).map((row: Body) => [row.effectiveDate, row.amount])).toEqual([['2025-04-06', 10_500]])
  })
  it('contain each kind of leave once, codes of one scheme, and the levy as in law', async () => {
    const kinds = (await finance.call('GET', '/api/ExtendedLeaveTypes/distinct', undefined, own)).body.map((row: Body) => row.name)
    expect(new Set(kinds).size).toBe(kinds.length)
    const cfr = (await finance.call('GET', '/api/FinancialReportingCodes/list/type/1', undefined, own)).body
    expect(cfr.every((row: Body) => row.type === 1 && !row.archive)).toBe(true)
    expect((await finance.call('GET', '/api/BFRCodes/list/1,2', undefined, own)).body.length).toBeGreaterThan(10)
    expect((await finance.call('GET', '/api/ApprenticeshipLevies/settings', undefined, own)).body).toMatchObject({
      annualAllowance: 15_000,
      ratePercentage: 0.5,
    })
  })
})

describe('alternative descriptions', () => {
  it('B-163 B-164 are stored for each location, and replace nothing else', async () => {
    const code = await named('BudgetCodes', 'code', '4300')
    const at = places.at('Northgate')
    const saved = await northgate.call('POST', '/api/budgeting/BudgetCodes/altdescription', { id: code.id, altDescription: 'Books' }, at)
    expect(saved.body).toEqual({ id: code.id, code: '4300', description: 'Learning resources', altDescription: 'Books' })
    const read = async (alias: string) =>
      (await finance.call('GET', `/api/budgeting/BudgetCodes/altdescription?id=${code.id}`, undefined, places.at(alias))).body
        .altDescription
    expect(await read('Northgate')).toBe('Books')
    expect(await read('Riverside')).toBeNull()
    expect(await named('BudgetCodes', 'code', '4300')).toMatchObject({ altDescription: null })
    const centre = (await rowsOf('CostCentres'))[0]
    const put = await northgate.call('PUT', '/api/budgeting/CostCentres', { ...centre, code: 'Changed', altDescription: 'Our word' }, at)
    expect(put.body).toMatchObject({ code: centre.code, description: centre.description, altDescription: 'Our word' })
    const file = await northgate.call('POST', '/api/budgeting/CostCentres/export', {}, at)
    expect(file.body).toContain('Our word')
    const side = await proceduresOf(product, finance, own).codeWords.list.query({ resource: 'budgetCode', id: code.id })
    expect(side.filter((row) => row.altDescription).map((row) => [row.location, row.altDescription])).toEqual([
      ['Northgate Primary School', 'Books'],
    ])
    const save = (caller: Caller, locationId: LocationId) =>
      browserCall(
        product,
        caller,
        'codeWords.save',
        { resource: 'budgetCode', id: code.id, words: [{ locationId, altDescription: 'Texts' }] },
        own,
      )
    await save(finance, places.locations.Riverside!)
    expect(await read('Riverside')).toBe('Texts')
    await expect(save(northgate, places.locations.Riverside!)).rejects.toThrow(/not found/)
    await northgate.call('POST', '/api/budgeting/BudgetCodes/altdescription', { id: code.id, altDescription: '' }, at)
    expect(await read('Northgate')).toBeNull()
  })
})

describe('non-staff inflation', () => {
  it('B-177 has exactly five rates for each budget code', async () => {
    const set = (await rowsOf('Inflation'))[0]
    const code = await named('BudgetCodes', 'code', '4900')
    const make = (rates: unknown[]) =>
      finance.call('POST', '/api/InflationRate', { inflationId: set.id, budgetCodeId: code.id, rates }, own)
    expect((await make([1, 2, 3, 4])).body).toBe('Rates must have five rates.')
    expect((await make([1, 2, 3, 4, 5, 6])).status).toBe(400)
    expect((await make([1, 2.5, -3, 0, 5])).body.rates).toEqual([1, 2.5, -3, 0, 5])
  })
  it('B-178 is duplicated with all its rates, under a name of its own', async () => {
    const set = (await rowsOf('Inflation'))[0]
    const rates = (id: number) => finance.call('GET', `/api/InflationRate/list/${id}`, undefined, own)
    const first = await finance.call('POST', `/api/Inflation/duplicate/${set.id}`, undefined, own)
    const second = await finance.call('POST', `/api/Inflation/duplicate/${set.id}`, undefined, own)
    expect([first.status, first.body.name, second.body.name]).toEqual([201, `${set.name} (copy)`, `${set.name} (copy 2)`])
    const tidy = (rows: Body[]) => rows.map((row) => [row.budgetCodeId, row.rates])
    expect(tidy((await rates(first.body.id)).body)).toEqual(tidy((await rates(set.id)).body))
  })
})

describe('images', () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const send = async (caller: Caller, bytes: Buffer, fileName = 'logo.png') => {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(bytes)]), fileName)
    const headers = { Authorization: `Bearer ${caller.token}`, OrganisationId: String(places.organisationId) }
    const reply = await fetch(`${product.origin}/api/Images`, { method: 'POST', body, headers })
    return { status: reply.status, body: reply.headers.get('content-type')?.includes('json') ? await reply.json() : await reply.text() }
  }

  it('are stored, shown, used as a logo, and cannot be deleted while they are', async () => {
    const made = await send(finance, png)
    expect([made.status, made.body]).toMatchObject([201, { contentType: 'image/png', width: 1, height: 1, size: png.length }])
    const organisation = (await finance.call('GET', `/api/MyOrganisations/${places.organisationId}`, undefined, own)).body
    expect((await finance.call('PUT', '/api/MyOrganisations', { ...organisation, logoId: made.body.id }, own)).body.logoId).toBe(
      made.body.id,
    )
    expect((await finance.call('GET', `/api/Images/${made.body.id}`, undefined, own)).headers.get('content-type')).toContain('image/png')
    expect((await finance.call('DELETE', `/api/Images/${made.body.id}`, undefined, own)).status).toBe(409)
    const stranger = await signInAs(product, 'finance@meadow.example')
    const theirs = { OrganisationId: (await findTrustIds(stranger)).organisationId }
    expect((await stranger.call('GET', `/api/Images/${made.body.id}`, undefined, theirs)).status).toBe(404)
    expect((await stranger.call('DELETE', `/api/Images/${made.body.id}`, undefined, theirs)).status).toBe(404)
  })
  it('that are invalid or too large are refused, and so is a user without permission', async () => {
    expect(await send(finance, Buffer.from('<svg onload="x()"/>'), 'a.png')).toEqual({
      status: 415,
      body: 'This kind of file is not accepted.',
    })
    expect(await send(finance, Buffer.alloc(2 * 1024 * 1024 + 1))).toEqual({ status: 413, body: 'The file is larger than 2 MB.' })
    expect((await send(await signInAs(product, 'governor@harbour.example'), png)).status).toBe(403)
  })
})

describe('a file of staff', () => {
  it('adds new and known employees, all or none, and exports what can be imported again without a change', async () => {
    const row = {
      EmployeeNumber: 'F-1',
      Forename: 'File',
      Surname: 'Person',
      DateOfBirth: '01/02/1990',
      Locations: 'Northgate Primary School',
      NiNumber: 'ab 12 34 56 c',
    }
    const made = await finance.call('POST', '/api/Staff/import', [row], own)
    expect(made.body).toMatchObject({ imported: 1, created: 1, updated: 0 })
    const bad = await finance.call(
      'POST',
      '/api/Staff/import',
      [
        { ...row, Surname: 'Changed' },
        { ...row, EmployeeNumber: 'F-2', Email: 'nobody' },
      ],
      own,
    )
    expect(bad.status).toBe(400)
    expect(bad.body.errors[0]).toMatchObject({ row: 2, column: 'Email', value: 'nobody' })
    const [kept] = (await finance.call('POST', '/api/Staff/list', { search: 'F-1' }, own)).body.rows
    expect(kept).toMatchObject({ surname: 'Person', niNumber: 'AB123456C', dateOfBirth: '1990-02-01' })
    const file = (await finance.call('POST', '/api/Staff/export', {}, own)).body as string
    const [head, ...lines] = file.replace('\uFEFF', '').trim().split('\r\n')
    const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [head!.split(',')[index]!, cell])))
    expect((await finance.call('POST', '/api/Staff/import', rows, own)).body).toMatchObject({ created: 0, updated: 0 })
    const edited = await finance.call(
      'PATCH',
      '/api/Staff/edit',
      { state: { selectAll: false, toggledNodes: [kept.id] }, patch: [{ op: 'replace', path: '/archive', value: true }] },
      own,
    )
    expect(edited.body).toEqual({ updated: 1 })
    const two = ['F-3', 'F-4'].map((EmployeeNumber) => ({ ...row, EmployeeNumber, NiNumber: '' }))
    expect((await finance.call('POST', '/api/Staff/import', two, own)).body).toMatchObject({ created: 2 })
    const several = async (path: string, value: unknown) => {
      const listed = (await finance.call('POST', '/api/Staff/list', { search: 'F-' }, own)).body.rows as Record<string, unknown>[]
      const state = { selectAll: false, toggledNodes: listed.map((one) => one.id) }
      const reply = await finance.call('PATCH', '/api/Staff/edit', { state, patch: [{ op: 'replace', path, value }] }, own)
      return { ...reply, before: listed, after: (await finance.call('POST', '/api/Staff/list', { search: 'F-' }, own)).body.rows }
    }
    const ended = await several('/archive', true)
    expect(ended.body).toEqual({ updated: ended.before.length })
    expect(ended.before.length).toBeGreaterThanOrEqual(3)
    // Nothing else changes, and each version rises by one.
    expect(ended.after).toEqual(ended.before.map((one) => ({ ...one, archive: true, version: Number(one.version) + 1 })))
    for (const [path, value] of [
      ['/locations', [987_654]],
      ['/employeeNumber', 'F-9'],
    ] as const) {
      const refused = await several(path, value)
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(refused.after).toEqual(ended.after)
    }
  })
})
