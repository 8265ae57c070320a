import { beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../../server/core/database/database.ts'
import {
  type Body,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  type Selection,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { verifyBudget } from '../../support/stories/replayed.ts'

/** No worker runs here: a few budgets are filled within the call. */
let product: Product
let finance: Caller
let places: TrustIds
let northgate: Required<Selection>
const everything = { pageNumber: 1, pageSize: 5000 }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
})

const own = () => ({ OrganisationId: places.organisationId })
const at = (budget: Body): Required<Selection> => ({ ...northgate, LocationId: budget.locationId, BudgetId: budget.mongoId })
const of = (where: Required<Selection>) => proceduresOf(product, finance, where)
const rows = async (path: string, where: Required<Selection>): Promise<Body[]> =>
  (await finance.call('POST', path, everything, where)).body.rows
const duplicate = async (name: string): Promise<Body> =>
  (await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name }, own())).body
const selection = (...ids: string[]) => ({ state: { selectAll: false, toggledNodes: ids } })

describe('duplicating a budget', () => {
  it('B-155 copies everything under a new name, to the penny, and names its source', async () => {
    const reply = await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name: 'Twin' }, own())
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({
      name: 'Twin',
      sourceBudgetId: northgate.BudgetId,
      state: 1,
      isBeingMade: false,
      budgetGroupId: null,
    })
    const twin = at(reply.body)
    expect((await of(twin).budgets.summary.query()).years).toEqual((await of(northgate).budgets.summary.query()).years)
    expect((await of(twin).overview.summary.query()).years).toEqual((await of(northgate).overview.summary.query()).years)
    for (const path of ['StaffContract', 'BudgetEntry', 'IncomeExpenditureCalculator', 'OpeningBalance', 'QuickCalculator'])
      expect((await rows(`/api/${path}/paginated`, twin)).length).toBe((await rows(`/api/${path}/paginated`, northgate)).length)
    const linked = (await rows('/api/BudgetEntry/paginated', twin)).filter((entry) => entry.source)
    const makers = [
      ...(await rows('/api/IncomeExpenditureCalculator/paginated', twin)),
      ...(await finance.call('GET', '/api/FundingPredictor/list', undefined, twin)).body,
    ].map((maker: Body) => maker.id)
    expect(linked.every((entry) => makers.includes(entry.source.id))).toBe(true)
  })
  it('without a name gets a new one each time; a used name is refused at its field', async () => {
    const first = await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, undefined, own())
    const second = await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, {}, own())
    expect([first.body.name, second.body.name]).toEqual(['2026/27 Working (copy)', '2026/27 Working (copy) (2)'])
    const third = await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name: 'Twin' }, own())
    expect([third.status, third.body]).toEqual([409, 'Name is already used.'])
  })
  it('copies every selected budget, and fills a few of them within the call', async () => {
    const other = places.at('Beacon')
    const reply = await finance.call('POST', '/api/Budget/duplicate', selection(northgate.BudgetId, other.BudgetId), own())
    expect(reply.status).toBe(201)
    expect(reply.body.map((budget: Body) => budget.sourceBudgetId).sort()).toEqual([northgate.BudgetId, other.BudgetId].sort())
    expect(reply.body.every((budget: Body) => !budget.isBeingMade)).toBe(true)
  })
  it('has the state of the source at that time: later changes do not affect it', async () => {
    const copy = at(await duplicate('Before the change'))
    const [entry] = (await rows('/api/BudgetEntry/paginated', northgate)).filter((one) => !one.source)
    await finance.call('PUT', '/api/BudgetEntry/save', { ...entry, description: 'Changed afterwards' }, northgate)
    expect((await rows('/api/BudgetEntry/paginated', copy)).some((one) => one.description === 'Changed afterwards')).toBe(false)
  })
})

describe('rolling a budget forward', () => {
  it('B-156 starts a year later with the same pennies in the remaining years, and opens with the closing balances', async () => {
    const before = await of(northgate).overview.summary.query()
    const staffBefore = (await of(northgate).budgets.summary.query()).years
    const reply = await finance.call('POST', '/api/Budget/rollforward', { ids: [northgate.BudgetId] }, own())
    expect(reply.status).toBe(201)
    const [next] = reply.body
    expect(next).toMatchObject({ firstYear: 2027, name: '2027/28 Working', sourceBudgetId: northgate.BudgetId })
    const where = at(next)
    const staffAfter = (await of(where).budgets.summary.query()).years
    expect(staffAfter.slice(0, -1).map((year) => year.total)).toEqual(staffBefore.slice(1).map((year) => year.total))
    const after = await of(where).overview.summary.query()
    expect(after.years[0]!.opening).toBe(before.years[0]!.closing)
    for (const { type, opening } of after.years[0]!.balances)
      expect(opening).toBe(before.years[0]!.balances.find((balance) => balance.type === type)!.closing)
    const amounts = async (budget: Required<Selection>) =>
      new Map(
        (await rows('/api/BudgetEntry/paginated', budget)).map((entry) => [
          entry.description,
          entry.years.map((year: Body) => year.worked.amount),
        ]),
      )
    const [old, rolled] = [await amounts(northgate), await amounts(where)]
    expect(rolled.size).toBe(old.size)
    for (const [description, years] of rolled) expect(years.slice(0, -1)).toEqual(old.get(description)!.slice(1))
    expect((await of(where).overview.summary.query()).outOfDate).toEqual([])
  })
  it('leaves out contracts that have ended and folds salary rows into one on the first day', async () => {
    const source = at(await duplicate('With an ending'))
    const all = await rows('/api/StaffContract/paginated', source)
    const full = (await finance.call('GET', `/api/StaffContract/id/${all[0]!.id}`, undefined, source)).body
    expect((await finance.call('PUT', '/api/StaffContract', { ...full, endDate: '2027-08-31' }, source)).status).toBe(200)
    const [next] = (await finance.call('POST', '/api/Budget/rollforward', { ids: [source.BudgetId], name: 'Without it' }, own())).body
    const contracts = await rows('/api/StaffContract/paginated', at(next))
    const endings = await Promise.all(
      all.map(
        async ({ id }) => (await finance.call('GET', `/api/StaffContract/id/${id}`, undefined, source)).body.endDate as string | null,
      ),
    )
    expect(contracts.length).toBe(endings.filter((date) => date === null || date >= '2027-09-01').length)
    expect(contracts.length).toBeLessThan(all.length)
    for (const { id } of contracts) {
      const { salary } = (await finance.call('GET', `/api/StaffContract/id/${id}`, undefined, at(next))).body
      const early = salary.filter((row: Body) => row.effectiveDate <= '2027-09-01')
      expect(early.length).toBeLessThanOrEqual(1)
    }
  })
  it('may be done twice from one source, with a warning', async () => {
    const ids = [northgate.BudgetId]
    const [preview] = await of(northgate).budgetRound.rollPreview.query({ ids })
    expect(preview!.before).toContain('2027/28 Working')
    const [second] = (await finance.call('POST', '/api/Budget/rollforward', { ids }, own())).body
    expect(second.name).toBe('2027/28 Working (2)')
  })
})

describe('many budgets at once', () => {
  it('B-157 B-158 B-159 B-160 are locked together; a locked one refuses changes and deletion, and can be read and copied', async () => {
    const [one, two] = [await duplicate('To lock 1'), await duplicate('To lock 2')]
    expect((await finance.call('POST', '/api/Budget/fix', selection(one.mongoId, two.mongoId), own())).body).toEqual({ updated: 2 })
    expect((await finance.call('POST', '/api/Budget/fix', selection(one.mongoId), own())).body).toEqual({ updated: 0 })
    const edit = { ...selection(one.mongoId), patch: [{ op: 'replace', path: '/numberOfYears', value: 2 }] }
    for (const path of ['/api/Budget/bulkedit', '/api/BudgetElements/bulk/edit']) {
      const reply = await finance.call('POST', path, edit, own())
      expect([reply.status, reply.body]).toEqual([409, '1 budget is locked and cannot be changed: To lock 1. Leave it out.'])
    }
    for (const [method, path, body] of [
      ['DELETE', `/api/Budget/${one.mongoId}`],
      ['POST', '/api/Budget/bulkDelete', selection(one.mongoId, two.mongoId)],
    ] as const)
      expect((await finance.call(method, path, body, own())).status).toBe(409)
    expect((await finance.call('POST', '/api/BudgetEntry/paginated', everything, at(one))).status).toBe(200)
    expect((await finance.call('POST', `/api/Budget/duplicate/${one.mongoId}`, { name: 'Of a locked one' }, own())).status).toBe(201)
    expect((await finance.call('POST', '/api/Budget/rollforward', { ids: [two.mongoId], name: 'From a locked one' }, own())).status).toBe(
      201,
    )
  })
  it('are changed alike, and their groups then need recalculating', async () => {
    const [one, two] = [await duplicate('Edit 1'), await duplicate('Edit 2')]
    const patch = [
      { op: 'replace', path: '/numberOfYears', value: 3 },
      { op: 'replace', path: '/versionType', value: 3 },
    ]
    const reply = await finance.call('POST', '/api/Budget/bulkedit', { ...selection(one.mongoId, two.mongoId), patch }, own())
    expect(reply.body).toEqual({ updated: 2 })
    for (const { mongoId } of [one, two])
      expect((await finance.call('GET', `/api/Budget/id/${mongoId}`, undefined, own())).body).toMatchObject({
        numberOfYears: 3,
        versionType: 3,
      })
    const odd = await finance.call(
      'POST',
      '/api/Budget/bulkedit',
      { ...selection(one.mongoId), patch: [{ op: 'replace', path: '/name', value: 'Same' }] },
      own(),
    )
    expect([odd.status, odd.body]).toEqual([400, 'name cannot be changed for several budgets at once.'])
  })
  it('are deleted, leave their group, and their log stays', async () => {
    const [one, two] = [await duplicate('Delete 1'), await duplicate('Delete 2')]
    const group = (
      await finance.call('POST', '/api/BudgetGroup/create', { name: 'For a while', items: [{ budgetId: one.mongoId }] }, own())
    ).body
    expect((await finance.call('DELETE', `/api/Budget/${one.mongoId}`, undefined, own())).status).toBe(204)
    expect((await finance.call('GET', `/api/Budget/id/${one.mongoId}`, undefined, own())).status).toBe(404)
    expect((await finance.call('GET', `/api/BudgetGroup/edit/id/${group.id}`, undefined, own())).body.items).toEqual([])
    expect((await finance.call('POST', '/api/Budget/bulkDelete', selection(two.mongoId), own())).body).toEqual({ deleted: 1 })
    expect((await finance.call('POST', '/api/Budget/bulkDelete', selection('f'.repeat(24)), own())).status).toBe(404)
    // The name is free again.
    expect((await duplicate('Delete 1')).name).toBe('Delete 1')
  })
  it('of another trust, or of another school, are not found', async () => {
    const meadow = await signInAs(product, 'finance@meadow.example')
    const { organisationId } = await findTrustIds(meadow)
    const there = { OrganisationId: organisationId }
    const id = northgate.BudgetId
    expect((await meadow.call('POST', `/api/Budget/duplicate/${id}`, {}, there)).status).toBe(404)
    expect((await meadow.call('POST', '/api/Budget/rollforward', { ids: [id] }, there)).status).toBe(404)
    expect((await meadow.call('DELETE', `/api/Budget/${id}`, undefined, there)).status).toBe(404)
    for (const path of ['duplicate', 'fix', 'bulkDelete'])
      expect((await meadow.call('POST', `/api/Budget/${path}`, selection(id), there)).status).toBe(404)
  })
})

describe('the bin', () => {
  const binned = (search: string) => of(northgate).bin.budgets.query({ search })
  const restore = (...ids: string[]) => of(northgate).bin.restoreBudgets.mutate({ ids })
  const drop = async ({ mongoId }: Body): Promise<void> =>
    expect((await finance.call('DELETE', `/api/Budget/${mongoId}`, undefined, own())).status).toBe(204)
  const whole = async (budget: Body) => {
    const where = at(budget)
    const lists = ['StaffContract', 'BudgetEntry', 'IncomeExpenditureCalculator', 'OpeningBalance', 'QuickCalculator']
    return {
      staff: (await of(where).budgets.summary.query()).years,
      money: (await of(where).overview.summary.query()).years,
      rows: await Promise.all(lists.map((path) => rows(`/api/${path}/paginated`, where))),
    }
  }
  const proved = async ({ mongoId }: Body): Promise<void> => {
    const store = openStore(product.config, 1)
    expect(await verifyBudget(store, places.organisationId, mongoId)).toEqual([])
    await store.close()
  }

  it('restores a deleted budget with everything in it, under its id, to the penny, with its history', async () => {
    const twin = await duplicate('Into the bin')
    const where = at(twin)
    const [one] = await rows('/api/StaffContract/paginated', where)
    const full = (await finance.call('GET', `/api/StaffContract/id/${one!.id}`, undefined, where)).body
    await finance.call('PUT', '/api/StaffContract', { ...full, endDate: '2028-08-31' }, where)
    await of(where).budgets.rename.mutate({ id: twin.mongoId, name: 'Out of the bin' })
    const [before, told] = [await whole(twin), await of(where).budgets.history.query({})]
    await drop(twin)
    expect(await binned('OUT OF')).toEqual({
      rows: [
        {
          id: twin.mongoId,
          name: 'Out of the bin',
          locationId: twin.locationId,
          firstYear: 2026,
          startMonth: 9,
          numberOfYears: twin.numberOfYears,
          deletedBy: expect.stringMatching(/^\w+ \w+$/),
          deletedAt: expect.any(String),
        },
      ],
      total: 1,
    })
    expect(await restore(twin.mongoId)).toEqual({ restored: 1, said: [] })
    expect(await whole(twin)).toEqual(before)
    const after = await of(where).budgets.history.query({})
    expect(after.map(({ sentence }) => sentence)).toEqual([
      'restored the budget from the bin',
      'deleted the budget',
      ...told.map(({ sentence }) => sentence),
    ])
    expect((await finance.call('GET', `/api/Budget/id/${twin.mongoId}`, undefined, own())).body).toMatchObject({
      requiredReason: 'Restored from the bin',
      created: twin.created,
    })
    await proved(twin)
    expect((await binned('Out of')).total).toBe(0)
    await expect(restore(twin.mongoId)).rejects.toThrow('no longer in the bin')
  })
  it('returns a budget to its group, which then needs recalculating, and says so if the group is gone', async () => {
    const [stays, loses] = [await duplicate('Grouped 1'), await duplicate('Grouped 2')]
    const group = async (name: string, { mongoId }: Body) =>
      (await finance.call('POST', '/api/BudgetGroup/create', { name, items: [{ budgetId: mongoId }] }, own())).body
    const [kept, gone] = [await group('Kept', stays), await group('Gone', loses)]
    await drop(stays)
    await drop(loses)
    expect((await finance.call('DELETE', `/api/BudgetGroup/${gone.id}`, undefined, own())).status).toBe(204)
    expect(await restore(stays.mongoId, loses.mongoId)).toEqual({
      restored: 2,
      said: ['The group that Grouped 2 was in has been deleted, so this budget is not in a group now.'],
    })
    const shown = async ({ mongoId }: Body) => (await finance.call('GET', `/api/Budget/id/${mongoId}`, undefined, own())).body
    expect([(await shown(stays)).budgetGroupId, (await shown(loses)).budgetGroupId]).toEqual([kept.id, null])
    for (const one of [stays, loses]) await proved(one)
  })
  it('restores a deleted budget group under its id with those of its budgets that are in no other, once its name is free', async () => {
    const [stays, moved, lost] = [await duplicate('In a group 1'), await duplicate('In a group 2'), await duplicate('In a group 3')]
    const made = async (name: string, ...budgets: Body[]): Promise<Body> =>
      (await finance.call('POST', '/api/BudgetGroup/create', { name, items: budgets.map(({ mongoId }) => ({ budgetId: mongoId })) }, own()))
        .body
    const group = await made('Twelve schools', stays, moved, lost)
    expect((await finance.call('DELETE', `/api/BudgetGroup/${group.id}`, undefined, own())).status).toBe(204)
    const { bin } = of(northgate)
    expect(await bin.groups.query({ search: 'TWELVE' })).toMatchObject([{ id: group.id, name: 'Twelve schools', left: 3 }])
    const other = await made('Twelve Schools', moved)
    await drop(lost)
    expect(await bin.groups.query({ search: 'twelve' })).toMatchObject([{ left: 1 }])
    await expect(bin.restoreGroups.mutate({ ids: [group.id] })).rejects.toThrow(
      'Another budget group is now called Twelve schools. Rename that one first.',
    )
    await finance.call('PUT', '/api/BudgetGroup/update', { ...other, name: 'Others' }, own())
    expect(await bin.restoreGroups.mutate({ ids: [group.id] })).toEqual({
      restored: 1,
      said: ['2 budgets could not be put back in Twelve schools: they were deleted, or are now in another group.'],
    })
    const back = (await finance.call('GET', `/api/BudgetGroup/edit/id/${group.id}`, undefined, own())).body
    expect(back).toMatchObject({ name: 'Twelve schools', items: [{ budgetId: stays.mongoId }], requiredReason: 'Budgets were added' })
    await expect(bin.restoreGroups.mutate({ ids: [group.id] })).rejects.toThrow('no longer in the bin')
    await proved(stays)
  })
  it('restores a budget group only for users who manage groups, of their own organisation and locations', async () => {
    const twin = await duplicate('Grouped for few')
    const { body: group } = await finance.call(
      'POST',
      '/api/BudgetGroup/create',
      { name: 'For few', items: [{ budgetId: twin.mongoId }] },
      own(),
    )
    await finance.call('DELETE', `/api/BudgetGroup/${group.id}`, undefined, own())
    const meadow = await signInAs(product, 'finance@meadow.example')
    const away = proceduresOf(product, meadow, { OrganisationId: (await findTrustIds(meadow)).organisationId })
    const administrator = await signInAs(product, 'admin@bursar.example')
    const beacon = places.at('Beacon').LocationId
    const invited = await inviteAndSignIn(
      product,
      administrator,
      'groups.beacon@harbour.example',
      ['ConsoleBudgetGroupReadUpdate'],
      places.organisationId,
      [beacon],
    )
    const isNothingToOthers = async () => {
      for (const calls of [away, proceduresOf(product, invited, own())]) {
        expect(await calls.bin.groups.query({ search: 'For few' })).toEqual([])
        await expect(calls.bin.restoreGroups.mutate({ ids: [group.id] })).rejects.toThrow('no longer in the bin')
      }
    }
    await isNothingToOthers()
    // Nor do they gain access when the last of its budgets is deleted.
    await drop(twin)
    await isNothingToOthers()
    const governor = await signInAs(product, 'governor@harbour.example')
    await expect(proceduresOf(product, governor, own()).bin.groups.query({})).rejects.toThrow('You do not have permission')
  })
  it('restores with a budget its unread comments', async () => {
    const twin = await duplicate('Talked about')
    const calls = of(at(twin))
    const about = { kind: 'budget', ref: null, year: null } as const
    const sam = (await calls.approval.readers.query({ kind: 'budget' })).find(({ name }) => name === 'Sam Turner')
    await calls.approval.addComment.mutate({ about, text: 'Is it right, @Sam Turner?', mentionIds: [sam!.id] })
    const manager = await signInAs(product, 'northgate@harbour.example')
    const unread = async () =>
      (await proceduresOf(product, manager, at(twin)).home.comments.query()).first.filter((one) => one.budgetId === twin.mongoId).length
    expect(await unread()).toBe(1)
    await drop(twin)
    expect(await unread()).toBe(0)
    await restore(twin.mongoId)
    expect(await unread()).toBe(1)
  })
  it('restores nothing with a used name, or with a reference to a deleted record', async () => {
    const [first, second] = [await duplicate('Taken'), await duplicate('Also back')]
    await drop(first)
    await drop(second)
    const other = await duplicate('TAKEN')
    const refusal = 'Another budget of this location is now called Taken. Rename that one first.'
    await expect(restore(second.mongoId, first.mongoId)).rejects.toThrow(refusal)
    expect((await binned('Also back')).total).toBe(1)
    await of(at(other)).budgets.rename.mutate({ id: other.mongoId, name: 'Another' })
    expect((await restore(second.mongoId, first.mongoId)).restored).toBe(2)
    const code = (await finance.call('POST', '/api/CostCentres', { code: 'GONE1', description: 'Gone soon' }, own())).body
    const [entry] = (await rows('/api/BudgetEntry/paginated', at(second))).filter((one) => !one.source)
    const saved = await finance.call('PUT', '/api/BudgetEntry/save', { ...entry, costCentreId: code.id }, at(second))
    expect(saved.status).toBe(200)
    await drop(second)
    expect((await finance.call('DELETE', `/api/CostCentres/${code.id}`, undefined, own())).status).toBe(204)
    await expect(restore(second.mongoId)).rejects.toThrow(
      'Also back cannot be restored: it needs cost centre GONE1 Gone soon, which has since been deleted. Restore that first.',
    )
    await of(northgate).bin.restore.mutate({ records: [{ kind: 'costCentre', id: code.id }] })
    expect((await restore(second.mongoId)).restored).toBe(1)
    await proved(second)
  })
  it('restores a budget once if two users try at once, and tells the other', async () => {
    const twin = await duplicate('Restored twice')
    await drop(twin)
    const outcomes = await Promise.allSettled([restore(twin.mongoId), restore(twin.mongoId)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await proved(twin)
  })
  it('shows and restores only budgets of the user’s locations and organisation, if they manage budgets', async () => {
    const twin = await duplicate('Not for all')
    await drop(twin)
    const administrator = await signInAs(product, 'admin@bursar.example')
    const managing = ['ConsoleBudgetManagementReadUpdate'] as const
    const beacon = places.at('Beacon').LocationId
    const elsewhere = await inviteAndSignIn(
      product,
      administrator,
      'budgets.beacon@harbour.example',
      [...managing],
      places.organisationId,
      [beacon],
    )
    const there = proceduresOf(product, elsewhere, own())
    expect(await there.bin.budgets.query({ search: 'Not for' })).toEqual({ rows: [], total: 0 })
    await expect(there.bin.restoreBudgets.mutate({ ids: [twin.mongoId] })).rejects.toThrow('Budget was not found.')
    const meadow = await signInAs(product, 'finance@meadow.example')
    const away = proceduresOf(product, meadow, { OrganisationId: (await findTrustIds(meadow)).organisationId })
    expect((await away.bin.budgets.query({ search: 'Not for' })).total).toBe(0)
    await expect(away.bin.restoreBudgets.mutate({ ids: [twin.mongoId] })).rejects.toThrow('Budget was not found.')
    const governor = await signInAs(product, 'governor@harbour.example')
    await expect(proceduresOf(product, governor, own()).bin.budgets.query({})).rejects.toThrow('You do not have permission')
    expect((await restore(twin.mongoId)).restored).toBe(1)
  })
})
