import { beforeAll, describe, expect, it } from 'vitest'
import type { BudgetGroupId, BudgetId } from '../../../domain/values/ids.ts'
import { type Caller, findTrustIds, type Reply, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let manager: Caller
let places: TrustIds
let codeId: number
let own: { OrganisationId: TrustIds['organisationId'] }

/** A month in which the demonstration has nothing. */
const january = { year: 2027, month: 1 }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  manager = await signInAs(product, 'northgate@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  codeId = (await finance.call('POST', '/api/BudgetCodes', { code: 'REC1', type: 2, description: 'Of record', locations: [] }, own)).body.id
})

const of = (who: Caller, BudgetId?: BudgetId) => proceduresOf(product, who, { ...places.at('Northgate'), ...(BudgetId && { BudgetId }) })

/** A copy of Northgate's budget. */
async function copy(name: string): Promise<BudgetId> {
  const { body } = await finance.call('POST', `/api/Budget/duplicate/${places.budgets.Northgate!}`, { name }, own)
  return body.mongoId
}
async function approve(budget: BudgetId): Promise<void> {
  await of(manager, budget).approval.submit.mutate({})
  await of(finance, budget).approval.approve.mutate({})
}
async function group(name: string, budgets: BudgetId[]): Promise<BudgetGroupId> {
  const items = budgets.map((budgetId) => ({ budgetId }))
  return (await finance.call('POST', '/api/BudgetGroup/create', { name, items }, own)).body.id
}
const write = (groupId: string, who = finance, month = january): Promise<Reply> =>
  who.call('POST', `/api/monitoring/note/${month.year}/${month.month}/${groupId}`, { budgetCodeId: codeId, type: 1, notes: 'Early' }, own)

/** What month end, the packs' figures and the list of budgets say the budget of record is. */
async function ofRecord(month = january): Promise<string[]> {
  const ends = await of(finance).monitoring.monthEnd.list.query({ ...month, locationIds: null })
  const table = await of(finance).monitoring.budgetsVsActuals.query({ ...month, locationIds: [places.locations.Northgate!] })
  const end = ends.find((row) => row.locationId === places.locations.Northgate!)!
  expect(end.budgetId).toBe(table.budgets[0]!.budgetId)
  return [end.budget!, table.budgets[0]!.name]
}

describe('the budget of record of a year', () => {
  it('is the working budget until one is approved, then the one approved last, also where it is locked', async () => {
    const [working] = await ofRecord()
    const first = await copy('Approved in July')
    expect(await ofRecord()).toEqual([working, working])
    expect((await write(places.groupId!)).status).toBe(200)
    await approve(first)
    expect(await ofRecord()).toEqual(['Approved in July', 'Approved in July'])
    const again = await copy('Approved in December')
    await approve(again)
    expect(await ofRecord()).toEqual(['Approved in December', 'Approved in December'])
    const { rows } = await of(finance).budgets.listByLocation.query({ ids: [places.locations.Northgate!] })
    const approved = rows.filter((row) => row.approvedAt !== null).sort((a, b) => (a.approvedAt! < b.approvedAt! ? -1 : 1))
    expect(approved.map((row) => [row.name, row.state])).toEqual([
      ['Approved in July', 2],
      ['Approved in December', 2],
    ])
  })
  it('alone counts at month end, though an API caller may write notes for the group of another budget', async () => {
    const { rows } = await of(finance).budgets.listByLocation.query({ ids: [places.locations.Northgate!] })
    const ids = new Map(rows.map((row) => [row.name, row.mongoId]))
    const superseded = await group('Superseded', [ids.get('Approved in July')!])
    expect((await write(superseded)).status).toBe(200)
    expect((await write(superseded, manager)).status).toBe(200)
    expect(await ofRecord()).toEqual(['Approved in December', 'Approved in December'])
  })
  it('is not asked for at a school that is archived', async () => {
    const at = places.locations.Northgate!
    const administrator = await signInAs(product, 'admin@bursar.example')
    const [record] = (await of(finance).resources.location!.list.query({ pageSize: 100 })).rows.filter((row) => row.id === at)
    await of(administrator).resources.location!.update.mutate({ ...record!, archive: true })
    const { rows } = await of(finance).reports.glance.query()
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map((row) => row.locationId)).not.toContain(at)
    expect((await of(finance).home.month.query())!.open.first.map((one) => one.locationId)).not.toContain(at)
    // Its month can still be read.
    expect(await ofRecord()).toEqual(['Approved in December', 'Approved in December'])
  })
})
