import { beforeAll, describe, expect, it } from 'vitest'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import {
  type Body,
  browserAsk,
  browserCall,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  type Selection,
  setPasswordByLink,
  signInAs,
  signInByPassword,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let administrator: Caller
let finance: Caller
let meadowFinance: Caller
let governor: Caller
let places: TrustIds
let meadow: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  meadowFinance = await signInAs(product, 'finance@meadow.example')
  governor = await signInAs(product, 'governor@harbour.example')
  places = await findTrustIds(finance)
  meadow = await findTrustIds(meadowFinance)
  own = { OrganisationId: places.organisationId }
})

const everything = { pageNumber: 1, pageSize: 5000 }
const invited = (email: string, permissions: readonly string[], locationIds: readonly LocationId[] = []): Promise<Caller> =>
  inviteAndSignIn(product, administrator, email, permissions, places.organisationId, locationIds)

const asked = (caller: Caller, procedure: string, input: unknown, selection: Selection = {}) =>
  browserAsk(product, caller, procedure, input, selection)

/** The ids of the national tables that Harbour’s budgets use. */
async function nationalTables(): Promise<number[]> {
  const { body } = await finance.call('POST', '/api/AdminTables/list', everything, own)
  return body.rows.slice(0, 12).map((row: Body) => row.id)
}

describe('a governor', () => {
  it('does not learn names or pay from payroll either', async () => {
    for (const [method, path, body] of [
      ['POST', '/api/monitoring/PayrollRec', { year: 2026, month: 9, budgetGroupId: places.groupId }],
      ['GET', `/api/monitoring/PayrollRec/report/2026/9/${places.groupId}`, undefined],
    ] as const)
      expect((await governor.call(method, path, body, { OrganisationId: places.organisationId })).status).toBe(403)
  })
})

describe('the uses of a national record', () => {
  it('are listed only within the selected organisation, which must be selected', async () => {
    let ours = 0
    for (const id of await nationalTables()) {
      const inHarbour = await asked(finance, 'resources.adminTable.uses', { id }, own)
      ours += inHarbour.data.used.length
      const inMeadow = await asked(meadowFinance, 'resources.adminTable.uses', { id }, { OrganisationId: meadow.organisationId })
      for (const one of inMeadow.data.used) if (one.locationId !== null) expect(Object.values(meadow.locations)).toContain(one.locationId)
      expect((await asked(meadowFinance, 'resources.adminTable.uses', { id })).status).toBe(400)
    }
    expect(ours).toBeGreaterThan(20)
  })
  it('name no school of another organisation, and count none', async () => {
    const [school] = (await finance.call('POST', '/api/Locations/list', everything, own)).body.rows
    const input = { id: school.localAuthorityId }
    const { data } = await asked(meadowFinance, 'resources.localAuthority.uses', input, { OrganisationId: meadow.organisationId })
    expect(JSON.stringify(data)).not.toContain(school.name)
    const whole = await asked(administrator, 'resources.localAuthority.uses', input)
    const sum = (counts: Body[]): number => counts.reduce((total, one) => total + one.count, 0)
    expect(sum(whole.data.counts)).toBeGreaterThan(sum(data.counts))
  })
  it('are listed for a user of one school for that school only, with a note that there are more', async () => {
    const only = places.locations.Northgate!
    let hidden = 0
    for (const id of await nationalTables()) {
      const { data } = await asked(governor, 'resources.adminTable.uses', { id }, own)
      for (const one of data.used) if (one.locationId !== null) expect(one.locationId).toBe(only)
      const all = await asked(finance, 'resources.adminTable.uses', { id }, own)
      expect(all.data.hidden).toBe(false)
      if (data.hidden) hidden++
    }
    expect(hidden).toBeGreaterThan(0)
  })
  it('are counted within the organisation, and so are the members of a user group', async () => {
    const groups = await finance.call('POST', '/api/UserGroups/list', everything, own)
    const group = groups.body.rows.find((row: Body) => row.name === 'Trust finance')
    const { data } = await asked(finance, 'resources.userGroup.uses', { id: group.id }, own)
    expect(data.counts).toEqual([{ count: 1, thing: 'user' }])
    expect((await asked(administrator, 'resources.userGroup.uses', { id: group.id })).data.counts).toEqual([{ count: 2, thing: 'users' }])
  })
})

describe('a user of one school, with no organisation selected', () => {
  it('sees no other school in any list, export, choice, history or use', async () => {
    const rows = (await finance.call('POST', '/api/Locations/list', everything, own)).body.rows as Body[]
    const [elsewhere] = rows.filter((row) => row.id !== places.locations.Northgate)
    for (const selection of [{}, own]) {
      expect((await governor.call('GET', `/api/Locations/${elsewhere.id}`, undefined, selection)).status).toBe(404)
      const list = await governor.call('POST', '/api/Locations/list', everything, selection)
      expect(list.body.rows.map((row: Body) => row.id)).toEqual([places.locations.Northgate])
      const listed = await governor.call('GET', `/api/Locations/list/organisation/${places.organisationId}`, undefined, selection)
      expect(listed.body.map((row: Body) => row.id)).toEqual([places.locations.Northgate])
      const names = await governor.call('GET', `/api/Organisations/locations/${places.organisationId}`, undefined, selection)
      expect(names.body.map((row: Body) => row.id)).toEqual([places.locations.Northgate])
      const file = await governor.call('POST', '/api/Locations/export', {}, selection)
      expect(file.body).not.toContain(elsewhere.name)
      const picked = await asked(governor, 'resources.location.pick', {}, selection)
      expect(picked.data.rows.map((row: Body) => row.id)).toEqual([places.locations.Northgate])
      expect((await asked(governor, 'resources.location.history', { id: elsewhere.id }, selection)).status).toBe(404)
    }
  })
  it('is limited in each organisation by the locations there', async () => {
    const both = await invited('both@harbour.example', ['ConsoleLocationsRead'], [places.locations.Northgate!])
    const user = (await administrator.call('POST', '/api/Users/list', { search: 'both@harbour.example' })).body.rows[0]
    const [membership] = user.memberships
    const memberships = [membership, { organisationId: meadow.organisationId, locationIds: [], userGroupIds: membership.userGroupIds }]
    expect((await administrator.call('PUT', '/api/Users', { ...user, memberships })).status).toBe(200)
    const list = await both.call('POST', '/api/Locations/list', everything)
    expect(list.body.rows.map((row: Body) => row.id).sort()).toEqual(
      [places.locations.Northgate, ...Object.values(meadow.locations)].sort(),
    )
  })
})

describe('a member without any user group', () => {
  it('sees no location, no budget and no budget group', async () => {
    const user = await administrator.call('POST', '/api/Users', {
      email: 'nothing@harbour.example',
      forename: 'No',
      surname: 'Rights',
      organisationIds: [places.organisationId],
    })
    const nobody = await signInByPassword(product, 'nothing@harbour.example', await setPasswordByLink(product, administrator, user.body.id))
    for (const selection of [{}, own])
      expect((await nobody.call('POST', '/api/Locations/list', everything, selection)).body.rows).toEqual([])
    expect((await nobody.call('POST', '/api/Budget/paginated/location', { ids: Object.values(places.locations) }, own)).body.rows).toEqual(
      [],
    )
    expect((await nobody.call('GET', `/api/Budget/id/${places.budgets.Northgate}`, undefined, own)).status).toBe(404)
    expect((await nobody.call('GET', '/api/BudgetGroup/names', undefined, own)).body).toEqual([])
    expect((await nobody.call('GET', `/api/BudgetGroup/budgetId/${places.budgets.Northgate}`, undefined, own)).status).toBe(404)
  })
})

describe('a budget group, for a user of one school', () => {
  it('shows the budgets of that school, and can be changed only by a user who sees all of its budgets', async () => {
    const manager = await invited(
      'groups@harbour.example',
      ['ConsoleBudgetGroupReadUpdate', 'BudgetingOverviewRead'],
      [places.locations.Northgate!],
    )
    const whole = (await finance.call('GET', `/api/BudgetGroup/edit/id/${places.groupId}`, undefined, own)).body
    expect(whole.items.length).toBeGreaterThan(1)
    const [group] = (await manager.call('GET', '/api/BudgetGroup/list', undefined, own)).body
    expect(group.items.map((item: Body) => item.budgetId)).toEqual([places.budgets.Northgate])
    const saved = await manager.call('PUT', '/api/BudgetGroup/update', { ...group, description: 'Ours' }, own)
    const refusal = [403, 'This group contains budgets of other locations. Ask someone with access to all of them.']
    expect([saved.status, saved.body]).toEqual(refusal)
    const other = Object.keys(places.locations).find((alias) => alias !== 'Northgate')!
    const more = { name: 'Theirs too', items: [{ budgetId: places.budgets[other] }] }
    expect((await manager.call('POST', '/api/BudgetGroup/create', more, own)).body).toBe('Budget was not found.')
    const gone = await manager.call('DELETE', `/api/BudgetGroup/${group.id}`, undefined, own)
    expect([gone.status, gone.body]).toEqual(refusal)
  })
})

describe('a user who may not see staff', () => {
  it('sees no person, post or hours in the history of a budget, only that something changed and who changed it', async () => {
    const at = places.at('Northgate')
    const contracts = (await finance.call('POST', '/api/StaffContract/paginated', everything, at)).body.rows as Body[]
    const contract = (await finance.call('GET', `/api/StaffContract/id/${contracts[0].id}`, undefined, at)).body
    const salary = contract.salary.map((row: Body) => ({ ...row, fte: 0.37 }))
    const saved = await finance.call('PUT', '/api/StaffContract', { ...contract, position: 'Unmistakable post', salary }, at)
    expect(saved.status).toBe(200)
    const staff = (await finance.call('POST', '/api/Staff/list', everything, own)).body.rows as Body[]
    for (const [email, permission] of [
      ['other@harbour.example', 'BudgetingNonStaffingRead'],
      ['overview@harbour.example', 'BudgetingOverviewRead'],
      ['console@harbour.example', 'ConsoleBudgetManagementRead'],
    ] as const) {
      const reader = await invited(email, [permission])
      const { data, text } = await asked(reader, 'budgets.history', {}, at)
      const ours = { actor: 'Ruth Mensah', changes: [], contractId: null }
      expect(data.slice(0, 3)).toMatchObject([
        { ...ours, sentence: 'changed pay, so the apprenticeship levy needs recalculating' },
        { ...ours, sentence: 'recalculated staff contracts' },
        { ...ours, sentence: 'saved a staff contract' },
      ])
      expect(text).not.toContain('Unmistakable post')
      // A time such as 10.379 seconds is not the FTE.
      expect(text).not.toMatch(/(?<!\d)0\.37(?!\d)/)
      for (const member of staff) expect(text).not.toContain(`${member.forename} ${member.surname}`)
      expect((await asked(reader, 'budgets.history', { contractId: contract.id }, at)).data).toEqual([])
    }
    expect((await asked(finance, 'budgets.history', {}, at)).text).toContain('Unmistakable post')
  })
  it('sees no comment on a contract', async () => {
    const at = places.at('Northgate')
    const contracts = (await finance.call('POST', '/api/StaffContract/paginated', everything, at)).body.rows as Body[]
    const comment = { about: { kind: 'contract', ref: contracts[0].id }, text: 'She asked to go part-time.' }
    await browserCall(product, finance, 'approval.addComment', comment, at)
    const reader = await invited('comments@harbour.example', ['BudgetingOverviewRead'])
    expect((await asked(reader, 'approval.comments', undefined, at)).text).not.toContain('part-time')
    expect((await asked(finance, 'approval.comments', undefined, at)).text).toContain('part-time')
  })
  it('sees that a scenario changes a contract, but not whose and how', async () => {
    const at = places.at('Northgate')
    const ground = await asked(finance, 'scenarios.list', undefined, at)
    const [contract] = ground.data.contracts
    const changes = [{ kind: 'hours', contractId: contract.id, percentage: 43, from: '2027-01-01' }]
    await browserCall(product, finance, 'scenarios.save', { name: 'Fewer hours', changes }, at)
    const reader = await invited('scenarios@harbour.example', ['BudgetingOverviewRead'])
    const { data } = await asked(reader, 'scenarios.list', undefined, at)
    expect(data.scenarios.at(-1).changes[0].words).toBe('A staff contract changes its hours from 01 Jan, 2027')
    expect(data.scenarios.at(-1).changes[0].change).toEqual({
      kind: 'hours',
      contractId: '0'.repeat(24),
      percentage: 0,
      from: '2027-01-01',
    })
    expect(data.contracts).toEqual([])
    const planner = await invited('planner@harbour.example', ['BudgetingOverviewReadUpdate'])
    const trial = browserCall(product, planner, 'scenarios.save', { name: 'Without one post', changes }, at)
    await expect(trial).rejects.toThrow('This scenario changes staff contracts. Ask someone who can view staff to save it.')
  })
})
