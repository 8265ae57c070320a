import { beforeAll, describe, expect, it } from 'vitest'
import { presets } from '../../../domain/integrations/files/presets.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, type Reply, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let finance: Caller
let meadow: Caller
let administrator: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let theirs: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  meadow = await signInAs(product, 'finance@meadow.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  theirs = { OrganisationId: (await findTrustIds(meadow)).organisationId }
})

const layouts = '/api/integrations/layouts'
const generic = presets[0]!
const withLevy = { ...generic.layout, levyAccount: '7100' }
const add = (name: string, layout: object = withLevy, by = finance, where = own): Promise<Reply> =>
  by.call('POST', layouts, { name, layout }, where)
const ask = (path: 'files' | 'files/try', body: object, by = finance, where = own): Promise<Reply> =>
  by.call('POST', `/api/integrations/${path}`, { connection: 'budgetJournal', yearName: '2026/27', ...body }, where)

describe('a file for the ledger', () => {
  it('equals the trial budget to the penny, month by month and over the year', async () => {
    const { body: layout } = await add('Of the ledger')
    const only = [places.locations.Northgate!]
    const { body: tried } = await ask('files/try', { layoutId: layout.id, locationIds: only })
    expect(tried.problems).toEqual([])
    expect(tried.rows).toBeGreaterThan(20)
    const { body: report } = await finance.call('POST', '/api/Reporting/TrialBudget', { locationIds: only, yearNames: ['2026/27'] }, own)
    const all = report.rows.at(-1)
    const { body: file } = await ask('files', { layoutId: layout.id, locationIds: only })
    const [head, ...lines] = String(file).trim().split('\r\n')
    expect(head).toBe('Date,Account,Cost centre,Fund,Location,Description,Debit,Credit')
    expect(lines).toHaveLength(tried.rows)
    const penniesOf = (text: string | undefined): number => Math.round(Number(text || 0) * 100)
    const sum = lines.reduce((total, line) => total + penniesOf(line.split(',').at(-2)) - penniesOf(line.split(',').at(-1)), 0)
    expect(sum).toBe(Math.round((tried.debits - tried.credits) * 100))
    const year = all.values.filter((value: unknown) => typeof value === 'number').at(-1)
    expect(sum).toBe(Math.round(year * 100))
    const months = await Promise.all(
      [1, 12].map(async (month) => (await ask('files/try', { layoutId: layout.id, locationIds: only, from: month, to: month })).body),
    )
    expect(months.map(({ debits, credits }: Body) => Math.round((debits - credits) * 100))).toEqual(
      [0, 11].map((index) => Math.round(all.values[index] * 100)),
    )
  })
  it('is not made while an obstacle exists, which is named', async () => {
    const { body: tried } = await ask('files/try', { preset: 'Xero manual journals' })
    expect(tried.problems.join(' ')).toMatch(/the other system accepts 300/)
    const refused = await ask('files', { preset: 'Xero manual journals' })
    expect([refused.status, refused.body]).toEqual([400, tried.problems.join(' ')])
  })
  it('of approved budgets leaves the others out, and names them', async () => {
    const { body: tried } = await ask('files/try', { connection: 'approvedBudget', preset: generic.name })
    const { body: all } = await ask('files/try', { preset: generic.name })
    expect(tried.leftOut.length).toBeGreaterThan(all.leftOut.length)
    expect(tried.leftOut).toContainEqual(expect.objectContaining({ reason: 'Its budget is not approved.' }))
  })
  it('of the forecast equals the trust at a glance, to the penny, for users who may see forecasts', async () => {
    const { body: layout } = await add('Of the forecast')
    const { body: glance } = await finance.call('POST', '/api/Reporting/AtAGlance', {}, own)
    const [of, month] = [glance.rows.find((row: Body) => row.locationId === places.locations.Northgate), glance.month]
    const first = month.month >= 9 ? month.year : month.year - 1
    const yearName = `${first}/${String(first + 1).slice(2)}`
    const request = { connection: 'forecast', layoutId: layout.id, locationIds: [of.locationId], yearName }
    const { body: tried } = await ask('files/try', request)
    expect(tried.problems).toEqual([])
    expect(of.outlook.forecast).not.toBe(of.outlook.budget)
    expect(Math.round((tried.credits - tried.debits) * 100)).toBe(Math.round(of.outlook.forecast * 100))
    const { body: budget } = await ask('files/try', { ...request, connection: 'budgetJournal' })
    expect(Math.round((budget.credits - budget.debits) * 100)).toBe(Math.round(of.outlook.budget * 100))
    const rights = ['BudgetingReportsRead', 'BudgetingStaffingRead']
    const reader = await inviteAndSignIn(product, administrator, 'no-forecast@harbour.example', rights, places.organisationId)
    expect((await ask('files/try', request, reader)).status).toBe(403)
    expect((await ask('files', request, reader)).status).toBe(403)
    expect((await ask('files/try', { ...request, connection: 'budgetJournal' }, reader)).status).toBe(200)
  })
  it('refuses an impossible request with a sentence', async () => {
    expect((await ask('files/try', {})).body).toBe('Choose one layout.')
    expect((await ask('files/try', { preset: generic.name, from: 5, to: 4 })).body).toBe('The last month is before the first.')
    expect((await ask('files/try', { preset: generic.name, yearName: '2026/2027' })).body).toBe('Enter the year as 2026/27.')
    expect((await ask('files/try', { layoutId: 999_999 })).status).toBe(404)
  })
})

describe('a file layout of the organisation', () => {
  it('is saved, changed from the version that was loaded, and deleted, with its history', async () => {
    const { body: layout } = await add('First')
    expect((await add('FIRST')).body).toBe('Name is already used.')
    expect((await add(generic.name)).body).toBe('A built-in layout has this name.')
    const change = (version: number, name: string): Promise<Reply> =>
      finance.call('PUT', layouts, { id: layout.id, version, name, layout: withLevy }, own)
    expect((await change(layout.version, 'Second')).body).toMatchObject({ name: 'Second', version: layout.version + 1 })
    expect((await change(layout.version, 'Third')).status).toBe(409)
    expect((await finance.call('DELETE', `${layouts}/${layout.id}`, undefined, own)).status).toBe(204)
    const actions = await connectAsOwner(product.config.databaseUrl)`
      select action from reference_changes where resource = 'fileLayout' and record_id = ${String(layout.id)} order by id`
    expect(actions.map(({ action }) => action)).toEqual(['created', 'updated', 'deleted'])
  })
  it('must have a budget code and an amount among its columns', async () => {
    const { status, body } = await add('Without', { ...withLevy, columns: [{ heading: 'Date', meaning: 'date', text: '' }] })
    expect([status, body]).toEqual([400, 'One column must be the budget code.'])
  })
})

describe('access to files for the ledger', () => {
  it('is refused to another trust, which sees no layout and no money of this one', async () => {
    const { body: layout } = await add('Ours')
    expect((await meadow.call('GET', `${layouts}/${layout.id}`, undefined, theirs)).status).toBe(404)
    expect((await meadow.call('DELETE', `${layouts}/${layout.id}`, undefined, theirs)).status).toBe(404)
    expect((await ask('files/try', { layoutId: layout.id }, meadow, theirs)).status).toBe(404)
    expect((await ask('files/try', { preset: generic.name }, meadow, own)).status).toBe(403)
    expect((await ask('files/try', { preset: generic.name, locationIds: [places.locations.Northgate] }, meadow, theirs)).status).toBe(404)
  })
  it('is limited to their own school for a user of one school', async () => {
    const only = [places.locations.Northgate!]
    const head = await inviteAndSignIn(
      product,
      administrator,
      'files.school@harbour.example',
      ['BudgetingReportsRead', 'BudgetingStaffingRead'],
      places.organisationId,
      only,
    )
    const { body: theirsAlone } = await ask('files/try', { preset: generic.name }, head)
    expect(theirsAlone).toEqual((await ask('files/try', { preset: generic.name, locationIds: only })).body)
    expect((await ask('files/try', { preset: generic.name, locationIds: [places.locations.Southfield ?? -1] }, head)).status).not.toBe(200)
    expect((await add('Mine', withLevy, head)).status).toBe(403)
  })
  it('needs the permission for reports, while layouts need the permission for the organisation', async () => {
    const keeper = await inviteAndSignIn(
      product,
      administrator,
      'files.keeper@harbour.example',
      ['ConsoleOrganisationsReadUpdate'],
      places.organisationId,
    )
    expect((await add('Kept', withLevy, keeper)).status).toBe(201)
    expect((await ask('files', { preset: generic.name }, keeper)).status).toBe(403)
  })
})
