import { beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../../domain/people/permissions.ts'
import { allResources, resources } from '../../../domain/resources/all.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import {
  type Body,
  browserAsk,
  browserCall,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  type Reply,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let finance: Caller
let school: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  const administrator = await signInAs(product, 'admin@bursar.example')
  const rights = allPermissions.filter((name) => name !== 'ConsoleUsersReadUpdate')
  school = await inviteAndSignIn(product, administrator, 'one-school@harbour.example', rights, places.organisationId, [
    places.locations.Northgate!,
  ])
})

const asked = (caller: Caller, procedure: string, input: unknown) => browserAsk(product, caller, procedure, input, own)
const told = (caller: Caller, procedure: string, input: unknown): Promise<string> =>
  browserCall(product, caller, procedure, input, own).then(
    () => 'done',
    (error: Error) => error.message,
  )
const everything = { pageNumber: 1, pageSize: 5000 }
const beyond = 'This applies to locations that you cannot see. Ask someone with access to all of them.'
const forAll = 'This applies to the whole organisation. Ask someone with access to all locations.'
const refused = ({ status, body }: Reply) => [status, [beyond, forAll].includes(body)]

/** Creates a code. @returns it as stored */
async function made(path: string, input: Body): Promise<Body> {
  const { status, body } = await finance.call('POST', path, input, own)
  expect(status).toBe(201)
  return body
}

describe('a user of one school changes nothing that other schools share', () => {
  it('in no list of the organisation: not by saving, deleting, bulk editing or importing', async () => {
    const tried: string[] = []
    for (const resource of allResources) {
      if (resource.scope === 'global' || resource.access.write === 'administrator' || resource.reach) continue
      const path = `/api/${resource.path}`
      const list = await finance.call('POST', `${path}/list`, { ...everything, requestType: 2 }, own)
      const row = (list.body.rows as Body[]).find(
        (one) => one.organisationId === places.organisationId && !one.locations?.length && !one.locationId,
      )
      if (!row) continue
      tried.push(resource.name)
      const name = resource.naming[0]
      const node = { state: { selectAll: false, toggledNodes: [row.id] } }
      expect([resource.name, ...refused(await school.call('PUT', path, row, own))]).toEqual([resource.name, 403, true])
      expect([resource.name, ...refused(await school.call('DELETE', `${path}/${row.id}`, undefined, own))]).toEqual([
        resource.name,
        403,
        true,
      ])
      expect(refused(await school.call('POST', `${path}/delete`, node, own))).toEqual([403, true])
      const patch = [{ op: 'replace', path: `/${name}`, value: row[name] }]
      expect(refused(await school.call('PATCH', `${path}/edit`, { ...node, patch }, own))).toEqual([403, true])
      const { body: after } = await finance.call('GET', `${path}/${row.id}`, undefined, own)
      expect(after).toEqual((await finance.call('GET', `${path}/${row.id}`, undefined, own)).body)
      expect(after.version).toBe(row.version)
    }
    expect(tried.length).toBeGreaterThan(12)
    expect(tried).toEqual(
      expect.arrayContaining(['budgetCode', 'costCentre', 'fundCode', 'analysisTag', 'inflation', 'staffAssumptions', 'topSliceTable']),
    )
  })
  it('even if the record belongs to two schools, one of them theirs', async () => {
    const other = Object.entries(places.locations).find(([alias]) => alias !== 'Northgate')![1]
    const code = await made('/api/CostCentres', { code: 'TWO', description: 'Two schools', locations: [places.locations.Northgate, other] })
    const taken = await school.call('PUT', '/api/CostCentres', { ...code, description: 'Mine' }, own)
    expect([taken.status, taken.body]).toEqual([403, beyond])
    const alone = await school.call('PUT', '/api/CostCentres', { ...code, locations: [other] }, own)
    expect(alone.status).toBe(403)
    expect((await school.call('DELETE', `/api/CostCentres/${code.id}`, undefined, own)).status).toBe(403)
  })
  it('but does change what belongs only to their school', async () => {
    const { status, body } = await school.call('POST', '/api/CostCentres', { code: 'OURS', description: 'Our own' }, own)
    expect([status, body.locations]).toEqual([201, [places.locations.Northgate]])
    const saved = await school.call('PUT', '/api/CostCentres', { ...body, description: 'Our very own' }, own)
    expect([saved.status, saved.body.description]).toEqual([200, 'Our very own'])
    expect((await school.call('DELETE', `/api/CostCentres/${body.id}`, undefined, own)).status).toBe(204)
  })
  it('by an import that gives a shared code another description; the same description is accepted', async () => {
    const code = await made('/api/FundCodes', { code: 'F-SHARED', description: 'Of all schools' })
    const rows = [{ Code: code.code, Description: 'Of one school' }]
    const { status, body } = await school.call('POST', '/api/FundCodes/import', rows, own)
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('Code is already used at another location.')])
    const same = await school.call('POST', '/api/FundCodes/import', [{ Code: code.code, Description: code.description }], own)
    expect([same.status, same.body]).toMatchObject([200, { created: 0, updated: 0 }])
  })
  it('by undoing or restoring what somebody else did to it', async () => {
    const code = await made('/api/CostCentres', { code: 'BACK', description: 'First' })
    const after = (await finance.call('PUT', '/api/CostCentres', { ...code, description: 'Second' }, own)).body
    const change = { id: code.id, version: after.version }
    expect(await told(school, 'resources.costCentre.undo', change)).toBe(beyond)
    expect(await told(school, 'resources.costCentre.restore', { id: code.id, version: code.version })).toBe(beyond)
    expect((await finance.call('DELETE', `/api/CostCentres/${code.id}`, undefined, own)).status).toBe(204)
    expect(await told(school, 'resources.costCentre.undo', { id: code.id, version: null })).toBe(beyond)
    expect((await finance.call('GET', `/api/CostCentres/${code.id}`, undefined, own)).status).toBe(404)
  })
  it('nor adds a record to a list of the whole organisation', async () => {
    const { status, body } = await school.call('POST', '/api/Inflation', { name: 'Ours', description: null }, own)
    expect([status, body]).toEqual([403, forAll])
    const [set] = (await finance.call('POST', '/api/Inflation/list', everything, own)).body.rows
    expect((await school.call('POST', `/api/Inflation/duplicate/${set.id}`, undefined, own)).body).toBe(forAll)
  })
  it('nor the organisation itself, its terms, its images or its comparators', async () => {
    const organisation = (await finance.call('GET', `/api/MyOrganisations/${places.organisationId}`, undefined, own)).body
    expect((await school.call('PUT', '/api/MyOrganisations', organisation, own)).body).toBe(forAll)
    const [term] = (await finance.call('POST', '/api/Terminology/list', everything, own)).body.rows
    expect((await school.call('PUT', '/api/Terminology', { ...term, singular: 'Ledger code' }, own)).body).toBe(forAll)
    expect((await school.call('DELETE', `/api/Terminology/${term.id}`, undefined, own)).body).toBe(forAll)
    expect((await school.call('DELETE', '/api/Images/1', undefined, own)).body).toBe(forAll)
    expect(await told(school, 'comparators.delete', { id: 1 })).toBe(forAll)
  })
  it('nor the remembered columns of ledger files, which apply to all schools', async () => {
    const input = { entity: resources.budgetCode.name, columns: [{ heading: 'Nominal', column: 'Description' }] }
    expect(await told(school, 'importColumns.keep', input)).toBe(forAll)
    expect(await told(finance, 'importColumns.keep', input)).toBe('done')
  })
  it('nor an employee who may also work elsewhere', async () => {
    const other = Object.entries(places.locations).find(([alias]) => alias !== 'Northgate')![1]
    const person = {
      employeeNumber: 'SHARED-1',
      surname: 'Peripatetic',
      forename: 'Pat',
      gender: 1,
      title: 1,
      locations: [places.locations.Northgate, other],
    }
    const member = await made('/api/Staff', person)
    expect((await school.call('PUT', '/api/Staff', { ...member, forename: 'Pam' }, own)).body).toBe(beyond)
    expect((await school.call('DELETE', `/api/Staff/${member.id}`, undefined, own)).body).toBe(beyond)
    const node = { state: { selectAll: false, toggledNodes: [member.id] } }
    const patch = [{ op: 'replace', path: '/forename', value: 'Pam' }]
    expect((await school.call('PATCH', '/api/Staff/edit', { ...node, patch }, own)).body).toBe(beyond)
    expect((await school.call('POST', '/api/Staff/delete', node, own)).body).toBe(beyond)
  })
})

describe('a budget group with budgets of other schools', () => {
  it('cannot be changed, reordered, recalculated and cancelled by a user of one school', async () => {
    const message = 'This group contains budgets of other locations. Ask someone with access to all of them.'
    const path = '/api/BudgetGroup'
    const group = (await school.call('GET', `${path}/edit/id/${places.groupId}`, undefined, own)).body
    expect(group.isShared).toBe(true)
    expect((await school.call('PUT', `${path}/update`, { ...group, description: 'Ours' }, own)).body).toBe(message)
    expect((await school.call('PATCH', `${path}/items`, { id: group.id, items: group.items }, own)).body).toBe(message)
    expect((await school.call('DELETE', `${path}/${group.id}`, undefined, own)).body).toBe(message)
    expect((await school.call('POST', `${path}/recalculate/staff-contracts/${group.id}`, undefined, own)).body).toBe(message)
    expect(await told(school, 'groups.cancel', { id: group.id })).toBe(message)
    const state = await asked(school, 'recalculating.state', { id: places.budgets.Northgate })
    expect(state.data.group.isShared).toBe(true)
  })
  it('and gets or loses no budget through a user of one school', async () => {
    const { body: budget } = await school.call('GET', `/api/Budget/elements/${places.budgets.Northgate}`, undefined, own)
    const left = await school.call(
      'PUT',
      '/api/BudgetElements/update',
      { ...budget, budgetId: places.budgets.Northgate, budgetGroupId: null },
      own,
    )
    expect([left.status, left.body]).toEqual([
      403,
      'This group contains budgets of other locations. Ask someone with access to all of them.',
    ])
  })
  it('while a group with only that school’s budgets can be recalculated by its user', async () => {
    const { body: group } = await finance.call('GET', `/api/BudgetGroup/edit/id/${places.groupId}`, undefined, own)
    const rest = group.items.filter((item: Body) => item.budgetId !== places.budgets.Northgate)
    expect((await finance.call('PATCH', '/api/BudgetGroup/items', { id: group.id, items: rest }, own)).status).toBe(200)
    const alone = await made('/api/BudgetGroup/create', { name: 'Northgate alone', items: [{ budgetId: places.budgets.Northgate }] })
    const begun = await school.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${alone.id}`, undefined, own)
    expect(begun.status).toBe(202)
  })
})
