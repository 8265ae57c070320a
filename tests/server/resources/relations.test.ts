import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { type Body, browserCall, type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../../support/product/http.ts'
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

describe('a record in use', () => {
  it('B-127 has its uses listed by name, with the budget and the location of each contract', async () => {
    const term = await named('ServiceTerms', 'code', 'TCH')
    const { counts, used } = await proceduresOf(product, finance, own).resources.serviceTerm!.uses.query({ id: term.id })
    expect(counts.find((one) => one.thing === 'staff contracts')!.count).toBeGreaterThan(10)
    expect(used.find((one) => one.kind === 'staffContract')).toMatchObject({ budgetId: expect.any(String), locationId: expect.any(Number) })
  })
  it('has its uses moved to another record in one step, marks the groups, and can then be deleted', async () => {
    const old = await named('ServiceTerms', 'code', 'TCH')
    const { id: _id, version: _version, created: _created, ...same } = old
    const other = (await finance.call('POST', '/api/ServiceTerms', { ...same, code: 'TCH2' }, own)).body
    const moved = await browserCall(product, finance, 'resources.serviceTerm.replace', { id: old.id, withId: other.id }, own)
    expect(moved.moved).toBeGreaterThan(10)
    const uses = await proceduresOf(product, finance, own).resources.serviceTerm!.uses.query({ id: other.id })
    expect(uses.counts.some((one) => one.thing.startsWith('staff contract'))).toBe(true)
    const groups = await finance.call('GET', '/api/BudgetGroup/list', undefined, own)
    expect(groups.body[0].recalculationState).toBe(2)
    expect((await finance.call('DELETE', `/api/ServiceTerms/${old.id}`, undefined, own)).status).toBe(204)
  })
  it('keeps its type if it is a code of income or carries balances, whichever way somebody tries', async () => {
    const { id: _id, version: _version, created: _created, ...same } = await named('BudgetCodes', 'code', '4300')
    const code = (await finance.call('POST', '/api/BudgetCodes', { ...same, code: '4391' }, own)).body
    const edit = (path: string, value: number) =>
      finance.call(
        'PATCH',
        '/api/BudgetCodes/edit',
        { state: { selectAll: false, toggledNodes: [code.id] }, patch: [{ op: 'replace', path, value }] },
        own,
      )
    const { changes: _changes, ...record } = code
    expect((await finance.call('PUT', '/api/BudgetCodes', { ...record, type: 1 }, own)).body).toMatchObject({ type: 1 })
    expect((await finance.call('PUT', '/api/BudgetCodes', { ...record, type: 2, version: undefined }, own)).body).toMatchObject({ type: 2 })
    const entry = { description: 'Keeps its code as it is', budgetCodeId: code.id, costCentreId: null, amount: 120 }
    await proceduresOf(product, finance, places.at('Northgate')).entries.change.mutate({ changes: [{ id: null, changes: entry }] })
    const put = (values: Body) => finance.call('PUT', '/api/BudgetCodes', { ...record, version: undefined, ...values }, own)
    const sentence = (what: string): string => `Budget code is in use by 1 budget entry and its ${what} cannot be changed.`
    expect(await put({ type: 1 })).toMatchObject({ status: 409, body: expect.stringContaining(sentence('type')) })
    expect(await put({ category: 4 })).toMatchObject({ status: 409, body: expect.stringContaining(sentence('category')) })
    expect((await put({ category: 3, description: 'Other words' })).status).toBe(200)
    expect((await edit('/type', 1)).status).toBe(409)
  })
  it('is not brought back into a budget by an undo once it was deleted, but is once it is restored', async () => {
    const at = places.at('Northgate')
    const calls = proceduresOf(product, finance, at)
    const { id: _id, version: _version, created: _created, ...same } = await named('BudgetCodes', 'code', '4300')
    const code = (await finance.call('POST', '/api/BudgetCodes', { ...same, code: '4390' }, own)).body
    const entry = { description: 'Gone and back', budgetCodeId: code.id, costCentreId: null, amount: 120 }
    const { ids } = await calls.entries.change.mutate({ changes: [{ id: null, changes: entry }] })
    const versions = await calls.entries.delete.mutate({ ids })
    expect((await finance.call('DELETE', `/api/BudgetCodes/${code.id}`, undefined, own)).status).toBe(204)
    await expect(calls.budgets.undo.mutate({ versions })).rejects.toThrow(
      `This cannot be undone: it needs budget code 4390 ${same.description}, which has since been deleted. Restore that first.`,
    )
    const budgetEntry = () => finance.call('GET', `/api/BudgetEntry/id/${ids[0]}`, undefined, at)
    expect((await budgetEntry()).status).toBe(404)
    await proceduresOf(product, finance, own).bin.restore.mutate({ records: [{ kind: 'budgetCode', id: code.id }] })
    await calls.budgets.undo.mutate({ versions })
    expect((await budgetEntry()).body).toMatchObject({ description: 'Gone and back', budgetCodeId: code.id })
  })
  it('cannot be deleted while somebody saves a reference to it', async () => {
    const calls = proceduresOf(product, finance, places.at('Northgate'))
    const { id: _id, version: _version, created: _created, ...same } = await named('BudgetCodes', 'code', '4300')
    const lost: string[] = []
    for (const round of [1, 2, 3, 4, 5, 6]) {
      const code = (await finance.call('POST', '/api/BudgetCodes', { ...same, code: `439${round}` }, own)).body
      const entry = { description: `At once ${round}`, budgetCodeId: code.id, costCentreId: null, amount: 120 }
      const [saved, removed] = await Promise.allSettled([
        calls.entries.change.mutate({ changes: [{ id: null, changes: entry }] }),
        finance.call('DELETE', `/api/BudgetCodes/${code.id}`, undefined, own),
      ])
      if (saved.status === 'fulfilled' && removed.status === 'fulfilled' && removed.value.status === 204) lost.push(entry.description)
    }
    expect(lost).toEqual([])
  })
  it('cannot have its uses moved by a user who may not change them, or has one school only', async () => {
    const codes = await inviteAndSignIn(
      product,
      administrator,
      'terms@harbour.example',
      ['ConsoleServiceTermsReadUpdate'],
      places.organisationId,
    )
    const [term, other] = await rowsOf('ServiceTerms')
    const ask = (caller: Caller) => browserCall(product, caller, 'resources.serviceTerm.replace', { id: term.id, withId: other.id }, own)
    await expect(ask(codes)).rejects.toThrow(/that you cannot change/)
    const local = await inviteAndSignIn(
      product,
      administrator,
      'local@harbour.example',
      ['ConsoleServiceTermsReadUpdate', 'ConsolePayrollCodesReadUpdate', 'BudgetingStaffingReadUpdate'],
      places.organisationId,
      [places.locations.Northgate!],
    )
    await expect(ask(local)).rejects.toThrow(/that you cannot change/)
  })
  it('cannot be replaced by itself, by an archived record, or by one of another trust', async () => {
    const code = await named('CostCentres', 'code', (await rowsOf('CostCentres'))[0].code)
    const ask = (withId: number) => browserCall(product, finance, 'resources.costCentre.replace', { id: code.id, withId }, own)
    await expect(ask(code.id)).rejects.toThrow(/a different record/)
    await expect(ask(999_999)).rejects.toThrow(/not found/)
  })
})

describe('an employee’s extended leave', () => {
  it('B-186 cannot overlap; B-187 marks the contracts, requires a recalculation and changes the cost', async () => {
    const at = places.at('Northgate')
    const contracts = (await finance.call('POST', '/api/StaffContract/paginated', everything, at)).body.rows
    const contract = contracts.find((row: Body) => row.employeeNumber && row.costYears?.[0] > 20_000 && !row.attritionContract)
    const people = (await finance.call('POST', '/api/Staff/list', { search: contract.employeeNumber }, own)).body.rows
    const set = await named('ExtendedLeaveRuleSet', 'name', 'Statutory maternity')
    const leave = { staffId: people[0].id, extendedLeaveRulesetId: set.id, startDate: '2026-10-05', endDate: '2027-10-03', notes: 'Twins' }
    const made = await finance.call('POST', '/api/AppliedExtendedLeave', leave, own)
    expect([made.status, made.body.notes]).toEqual([201, 'Twins'])
    const twice = await finance.call('POST', '/api/AppliedExtendedLeave', { ...leave, startDate: '2027-10-03', endDate: '2027-12-01' }, own)
    expect([twice.status, twice.body]).toEqual([409, expect.stringContaining('overlap the leave from 05 Oct, 2026')])
    expect((await finance.call('POST', '/api/AppliedExtendedLeave', { ...leave, endDate: '2026-10-01' }, own)).status).toBe(400)
    expect((await finance.call('GET', `/api/AppliedExtendedLeave/staff/${people[0].id}`, undefined, own)).body).toEqual([made.body])
    expect((await finance.call('GET', `/api/Staff/${people[0].id}`, undefined, own)).body.extendedLeave).toHaveLength(1)
    expect((await finance.call('GET', `/api/StaffContract/id/${contract.id}`, undefined, at)).body.hasExtendedLeave).toBe(true)
    const groups = await finance.call('GET', '/api/BudgetGroup/list', undefined, own)
    expect(groups.body[0].recalculationState).toBe(2)
    const saved = await finance.call('PUT', '/api/StaffContract', { ...contract, notes: null }, at)
    expect(saved.body.costYears[0]).toBeLessThan(contract.costYears[0])
    const gone = await finance.call('DELETE', `/api/AppliedExtendedLeave/${made.body.id}`, undefined, own)
    expect(gone.status).toBe(204)
    const again = await finance.call('PUT', '/api/StaffContract', { ...saved.body, notes: null }, at)
    expect(again.body.costYears).toEqual(contract.costYears)
  })
  it('is not accessible to users of other locations', async () => {
    const people = (await finance.call('POST', '/api/Staff/list', everything, own)).body.rows
    const elsewhere = people.find((row: Body) => row.locations.length && !row.locations.includes(places.locations.Northgate))
    expect((await northgate.call('GET', `/api/AppliedExtendedLeave/staff/${elsewhere.id}`, undefined, own)).status).toBe(404)
  })
})

describe('extended leave rules', () => {
  it('of one set cannot overlap, in a save or in a file', async () => {
    const set = await named('ExtendedLeaveRuleSet', 'name', 'Statutory maternity')
    const rule = { extendedLeaveRulesetId: set.id, periodName: 'More', firstWeek: 5, lastWeek: 8, erPensionCalculation: 2 }
    const message = 'First week to last week overlaps with another row, 1 to 6. Change one of the two.'
    expect(await finance.call('POST', '/api/ExtendedLeaveRule', rule, own)).toMatchObject({ status: 400, body: message })
    const row = { ExtendedLeaveRuleset: 'Statutory maternity', PeriodName: 'More', FirstWeek: '5', LastWeek: '6' }
    const file = await finance.call('POST', '/api/ExtendedLeaveRule/import', [row], own)
    expect(file.body.errors).toEqual([{ row: 1, column: 'FirstWeek', value: '5', message }])
    expect((await finance.call('POST', '/api/ExtendedLeaveRule', { ...rule, firstWeek: 53, lastWeek: 60 }, own)).status).toBe(201)
  })
})

describe('points that replace others in a pay table', () => {
  const rates = { mainRate: 30_000, innerRate: 33_000, outerRate: 32_000, fringeRate: 31_000 }
  const newPoint = (point: string, increment: number, more: object = {}): Body => ({
    scale: 'Moved',
    point,
    increment,
    ...rates,
    replacesIncrement: null,
    adminTableId: 1,
    order: 0,
    ...more,
  })
  const make = (body: Body) => administrator.call('POST', '/api/PayScalePoint', body)
  const twice = 'Point N2 already replaces increment 1. Leave this empty, or enter another increment.'

  it('each replace the point of an increment that no other replaces, in a save, in a file and in a bulk edit', async () => {
    const first = await make(newPoint('N2', 2, { replacesIncrement: 1 }))
    expect(first.status, JSON.stringify(first.body)).toBe(201)
    expect(await make(newPoint('N3', 3, { replacesIncrement: 1 }))).toMatchObject({ status: 400, body: twice })
    const third = (await make(newPoint('N3', 3))).body
    const api = proceduresOf(product, administrator, {}).resources.payScalePoint!
    await expect(api.update.mutate({ ...third, replacesIncrement: 1 })).rejects.toMatchObject({
      data: { problem: { fields: [{ field: 'replacesIncrement', message: twice }] } },
    })
    expect((await administrator.call('PUT', '/api/PayScalePoint', { ...first.body, mainRate: 30_500 })).status).toBe(200)
    const patch = [{ op: 'replace', path: '/replacesIncrement', value: 0 }]
    const state = { selectAll: false, toggledNodes: [first.body.id, third.id] }
    expect(await administrator.call('PATCH', '/api/PayScalePoint/edit', { state, patch })).toMatchObject({
      status: 400,
      body: expect.stringContaining('already replaces increment 0.'),
    })
    const table = (await administrator.call('GET', '/api/AdminTables/1')).body
    const row = (point: string, increment: string) => ({
      AdminTable: table.name,
      Scale: 'Moved',
      Point: point,
      Increment: increment,
      MainRate: '30000',
      InnerRate: '33000',
      OuterRate: '32000',
      FringeRate: '31000',
      ReplacesIncrement: '1',
    })
    const file = await administrator.call('POST', '/api/PayScalePoint/import', [row('N4', '4')])
    expect(file.body.errors).toEqual([{ row: 1, column: 'ReplacesIncrement', value: '1', message: twice }])
    const otherScale = { ...row('N4', '4'), Scale: 'Other' }
    const within = await administrator.call('POST', '/api/PayScalePoint/import', [
      otherScale,
      { ...otherScale, Point: 'N5', Increment: '5' },
    ])
    expect(within.body.errors).toEqual([{ row: 2, column: 'ReplacesIncrement', value: '1', message: twice.replace('N2', 'N4') }])
    expect((await administrator.call('POST', '/api/PayScalePoint/import', [otherScale])).status).toBe(200)
  })
  it('do not replace one that the table still has, in either order', async () => {
    expect((await make(newPoint('N6', 6))).status).toBe(201)
    expect(await make(newPoint('N7', 7, { replacesIncrement: 6 }))).toMatchObject({
      status: 400,
      body: 'Increment 6 is still point N6 of this table. Leave this empty, or delete that point first.',
    })
    expect(await make(newPoint('N1', 1))).toMatchObject({
      status: 400,
      body: 'Point N2 replaces increment 1. Enter another increment, or change that point first.',
    })
  })
  it('are saved by only one of two simultaneous saves', async () => {
    const both = await Promise.all([8, 9].map((increment) => make(newPoint(`N${increment}`, increment, { replacesIncrement: 100 }))))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400])
  })
})

describe('the settings of an organisation and its locations', () => {
  it('B-130 make the cost centre of a service term required while they are mandatory', async () => {
    const organisation = (await administrator.call('GET', `/api/Organisations/${places.organisationId}`)).body
    const term = (await rowsOf('ServiceTerms'))[0]
    const save = () => finance.call('PUT', '/api/ServiceTerms', { ...term, version: null, niCostCentreId: null }, own)
    expect((await save()).status).toBe(200)
    await administrator.call('PUT', '/api/Organisations', { ...organisation, costCentresMandatory: true })
    expect(await save()).toMatchObject({ status: 400, body: 'NI cost centre is required by your organisation.' })
    const row = {
      Code: term.code,
      Description: 'x',
      BasicBudgetCode: '3100',
      NiBudgetCode: '3101',
      PensionBudgetCode: '3102',
      NiCostCentre: '',
    }
    expect((await finance.call('POST', '/api/ServiceTerms/import', [row], own)).body.errors[0]).toMatchObject({
      row: 1,
      column: 'NiCostCentre',
    })
  })
  it('B-131 keep one location’s records out of another', async () => {
    const code = await finance.call(
      'POST',
      '/api/BudgetCodes',
      { code: 'R1', type: 2, description: 'x', category: 2, locations: [places.locations.Riverside] },
      own,
    )
    const tables = await rowsOf('TopSliceTables')
    const slice = {
      topSliceTableId: tables[0].id,
      method: 3,
      value: 100,
      budgetCodeId: code.body.id,
      centralBudgetCodeId: (await named('BudgetCodes', 'code', '1070')).id,
    }
    const at = (alias: string) => finance.call('POST', '/api/TopSlices', { ...slice, locationId: places.locations[alias] }, own)
    expect(await at('Northgate')).toMatchObject({ status: 400, body: 'Budget code belongs to another location.' })
    expect((await at('Riverside')).status).toBe(201)
  })
})
