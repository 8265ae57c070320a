import { beforeAll, describe, expect, it } from 'vitest'
import type { BudgetId } from '../../domain/values/ids.ts'
import { type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'

let product: Product
let finance: Caller
let places: TrustIds

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
})

const of = (caller: Caller, BudgetId?: BudgetId) =>
  proceduresOf(product, caller, {
    OrganisationId: places.organisationId,
    LocationId: places.locations.Northgate!,
    ...(BudgetId ? { BudgetId } : {}),
  })

const budgetAtNorthgate = async (): Promise<BudgetId> =>
  (await of(finance).budgets.listByLocation.query({ ids: [places.locations.Northgate!] })).rows[0]!.mongoId

describe('the to-do list of a user', () => {
  it('includes a submitted budget for users who may approve it, until it is returned; then for those who may submit it again', async () => {
    const id = await budgetAtNorthgate()
    const manager = await signInAs(product, 'northgate@harbour.example')
    expect((await of(finance).home.waiting.query()).toApprove.count).toBe(0)
    await of(manager, id).approval.submit.mutate({ comment: null })
    expect((await of(finance).home.waiting.query()).toApprove.first).toEqual([
      expect.objectContaining({ budgetId: id, location: expect.stringContaining('Northgate') }),
    ])
    // It comes with the figures that its summary shows.
    const [year] = (await of(finance, id).overview.summary.query()).years
    const { toApprove } = await of(finance).home.waiting.query()
    expect(toApprove.first[0]!.figures).toEqual({ year: '2026/27', inYear: year!.inYear, closing: year!.closing })
    expect((await of(manager).home.waiting.query()).toApprove.count).toBe(0)
    await of(finance, id).approval.return.mutate({ comment: 'Energy is missing' })
    expect((await of(finance).home.waiting.query()).toApprove.count).toBe(0)
    expect((await of(manager).home.waiting.query()).returned.first.map((one) => one.budgetId)).toEqual([id])
  })
  it('includes a budget with outdated costs, for users who may recalculate it', async () => {
    const before = await of(finance).home.waiting.query()
    const { rows } = await of(finance).resources.staffInflationRate!.list.query({ pageSize: 1 })
    await of(finance).resources.staffInflationRate!.update.mutate({ ...rows[0]!, rate: 4.75 })
    const after = await of(finance).home.waiting.query()
    expect(after.toRecalculate.count).toBeGreaterThan(before.toRecalculate.count)
    const governor = await signInAs(product, 'governor@harbour.example')
    expect((await of(governor).home.waiting.query()).toRecalculate).toEqual({ count: 0, first: [] })
  })
  it('includes last month’s month end, at the schools that the user may see and if they may see month ends', async () => {
    const all = await of(finance).home.month.query()
    const manager = await signInAs(product, 'northgate@harbour.example')
    const own = await of(manager).home.month.query()
    expect(all!.closed + all!.open.count).toBeGreaterThan(1)
    expect(own!.open.first.map((one) => one.location)).toEqual([expect.stringContaining('Northgate')])
    const glance = await of(finance).reports.glance.query()
    expect(all!.month).toEqual(glance.month)
    for (const { locationId, inTheWay } of all!.open.first)
      expect(inTheWay).toEqual(glance.rows.find((row) => row.locationId === locationId)?.status.monthEnd?.inTheWay)
  })
  it('includes only the steps of a month end that the user may do', async () => {
    const manager = await signInAs(product, 'northgate@harbour.example')
    const governor = await signInAs(product, 'governor@harbour.example')
    const [all, own, seen] = [
      await of(finance).home.month.query(),
      await of(manager).home.month.query(),
      await of(governor).home.month.query(),
    ]
    expect([all!.mayClose, own!.mayClose, seen!.mayClose]).toEqual([true, false, false])
    const northgate = own!.open.first[0]!
    expect(northgate.inTheWay.length).toBeGreaterThan(northgate.own.length)
    expect(northgate.own.map(({ task }) => task)).not.toContain('payroll')
    expect(northgate.own.map(({ words }) => words)).toEqual(expect.arrayContaining(['adjustments are not made']))
    expect(all!.open.first.find((one) => one.locationId === northgate.locationId)!.own.map(({ words }) => words)).toEqual(
      northgate.inTheWay,
    )
    expect(seen!.open.first[0]!.own).toEqual([])
  })
  it('comes with the lowest cash of each school, as in its cash forecast', async () => {
    const manager = await signInAs(product, 'northgate@harbour.example')
    const { month } = (await of(finance).home.month.query())!
    const lowest = await of(finance).home.lowestCash.query()
    expect(lowest!.length).toBeGreaterThan(1)
    const at = places.locations.Northgate!
    const { lowest: own } = await of(finance).monitoring.cash.forecast.query({ ...month, locationIds: [at] })
    expect(lowest!.find((one) => one.locationId === at)).toMatchObject(own!)
    expect((await of(manager).home.lowestCash.query())!.map((one) => one.locationId)).toEqual([at])
  })
  it('includes a comment that mentions them, which they may answer although they may not comment elsewhere', async () => {
    const id = await budgetAtNorthgate()
    const governor = await signInAs(product, 'governor@harbour.example')
    const readers = await of(finance, id).approval.readers.query({ kind: 'budget' })
    const grace = readers.find(({ name }) => name === 'Grace Hall')!
    const about = { kind: 'budget' } as const
    await of(finance, id).approval.addComment.mutate({ about, text: 'Content, @Grace Hall?', mentionIds: [grace.id] })
    const alone = await of(finance, id).approval.addComment.mutate({ about, text: 'Nobody is asked' })
    const [asked] = (await of(governor).home.comments.query()).first
    expect(asked).toMatchObject({ text: 'Content, @Grace Hall?', isMention: true, mayAnswer: true })
    await expect(of(governor, id).approval.addComment.mutate({ about, text: 'Unasked' })).rejects.toThrow('permission')
    await expect(of(governor).home.answer.mutate({ budgetId: id, id: alone, text: 'Unasked' })).rejects.toThrow('Comment was not found.')
    await of(governor).home.answer.mutate({ budgetId: id, id: asked!.id, text: 'Yes, we are.' })
    expect((await of(governor).home.comments.query()).first.map((one) => one.id)).not.toContain(asked!.id)
    expect((await of(finance).home.comments.query()).first[0]).toMatchObject({ text: 'Yes, we are.', by: 'Grace Hall', isMention: true })
  })
  it('includes nothing of another trust', async () => {
    const other = await signInAs(product, 'finance@meadow.example')
    const there = await findTrustIds(other)
    const own = proceduresOf(product, other, { OrganisationId: there.organisationId })
    expect((await own.home.waiting.query()).returned.count).toBe(0)
    await expect(of(other).home.waiting.query()).rejects.toThrow()
  })
})

describe('the first steps of an organisation', () => {
  it('are ticked automatically from its records, for the users who set it up', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const made = await administrator.call('POST', '/api/Organisations', { name: 'New Trust', organisationType: 1 })
    const ofNew = proceduresOf(product, administrator, { OrganisationId: made.body.id })
    const done = async () => (await ofNew.home.firstSteps.query()).filter(({ isDone }) => isDone).map(({ step }) => step)
    expect(await done()).toEqual([])
    // Nothing of the new organisation was encrypted yet, so it has no key.
    expect(await ofNew.home.comments.query()).toEqual({ count: 0, first: [] })
    const places = await administrator.call('POST', '/api/Locations/list', { pageSize: 1 })
    const { id: _id, version: _version, ...place } = places.body.rows[0]
    await administrator.call('POST', '/api/Locations', { ...place, name: 'New School', organisationId: made.body.id })
    await ofNew.resources.budgetCode!.create.mutate({ code: '1000', description: 'Grant', type: 1 })
    expect(await done()).toEqual(['locations', 'codes'])
    const pay = await ofNew.resources.contractType!.create.mutate({
      name: 'Teacher',
      description: 'Teachers',
      calculationType: 1,
      payScaleTypes: 1,
    })
    const set = await ofNew.resources.staffAssumptions!.create.mutate({ name: 'Main' })
    const { rows: groups } = await administrator.call('POST', '/api/UserGroups/list', { search: 'Governor' }).then(({ body }) => body)
    const colleague = {
      forename: 'Kit',
      surname: 'Lane',
      email: 'kit@new.example',
      organisationIds: [made.body.id],
      userGroupIds: [groups[0].id],
    }
    const { id } = (await administrator.call('POST', '/api/Users', colleague)).body
    // A set of assumptions without rates costs no pension yet, and an employee is not an invited user.
    expect(await done()).toEqual(['locations', 'codes', 'contractTypes'])
    const rate = { staffAssumptionsId: set.id, contractTypeId: pay.id, effectiveDate: '2026-04-01', rate: 28.68 }
    await ofNew.resources.staffErPensionRate!.create.mutate(rate)
    await ofNew.users.invite.mutate({ id })
    expect(await done()).toEqual(['locations', 'codes', 'contractTypes', 'assumptions', 'users'])
    const demo = await of(finance).home.firstSteps.query()
    for (const step of ['contracts', 'group', 'recalculation'])
      expect(demo.filter(({ isDone }) => !isDone).map((one) => one.step)).not.toContain(step)
    const governor = await signInAs(product, 'governor@harbour.example')
    await expect(of(governor).home.firstSteps.query()).rejects.toMatchObject({ data: { code: 'FORBIDDEN' } })
  })
})
