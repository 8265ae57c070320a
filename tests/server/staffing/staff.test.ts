import { beforeAll, expect, it } from 'vitest'
import { type LocationId, type OrganisationId, toLocationId } from '../../../domain/values/ids.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { importStaff } from '../../../server/shared/staff/commands.ts'
import { atEnd } from '../../support/product/endings.ts'
import { type Body, type Caller, findTrustIds, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { openCountingStore } from '../../support/product/statements.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { idsFor, teacherContract } from '../../support/samples/contract.ts'

let product: Product
let finance: Caller
let manager: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let elsewhere: LocationId
let stranger: Body

const person = (employeeNumber: string, locations: LocationId[], more: object = {}) => ({
  employeeNumber,
  forename: 'Test',
  surname: employeeNumber,
  locations,
  ...more,
})

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  manager = await signInAs(product, 'northgate@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  elsewhere = Object.entries(places.locations).find(([alias]) => alias !== 'Northgate')![1]
  stranger = (await finance.call('POST', '/api/Staff', person('X-1', [elsewhere]), own)).body
})

it('B-003 a user limited to one school can neither read, change nor delete employees of another', async () => {
  const calls = [
    manager.call('GET', `/api/Staff/${stranger.id}`, undefined, own),
    manager.call('PUT', '/api/Staff', { ...stranger, surname: 'Taken' }, own),
    manager.call('DELETE', `/api/Staff/${stranger.id}`, undefined, own),
    manager.call('POST', '/api/Staff/delete', { state: { selectAll: false, toggledNodes: [stranger.id] } }, own),
  ]
  for (const reply of await Promise.all(calls)) expect(reply.status).toBe(404)
  expect((await finance.call('GET', `/api/Staff/${stranger.id}`, undefined, own)).body.surname).toBe('X-1')
})
it('nor assign employees to schools where they may not, nor to a location of another trust', async () => {
  const reply = await manager.call('POST', '/api/Staff', person('X-2', [elsewhere]), own)
  expect(reply.status).toBe(400)
  expect(reply.body).toBe('Choose only your own locations.')
  const made = await manager.call('POST', '/api/Staff', person('Y-2', []), own)
  expect(made.body.locations).toEqual([places.locations.Northgate])
  expect((await manager.call('PUT', '/api/Staff', { ...made.body, locations: [] }, own)).body).toBe(
    'Choose at least one of your locations.',
  )
  expect((await finance.call('POST', '/api/Staff', person('X-2', [toLocationId(99_999)]), own)).body).toBe('Location was not found.')
})
it('a contract can be given only to employees of its location, and others are not revealed', async () => {
  const northgate = places.at('Northgate')
  const contract = teacherContract(await idsFor(finance, northgate), { employeeNumber: 'X-1' })
  const reply = await manager.call('PUT', '/api/StaffContract', contract, northgate)
  expect(reply.status).toBe(400)
  expect(reply.body).toBe('Employee number was not found.')
})
it('deleting everybody in the list of one location deletes nobody of another', async () => {
  const made = await finance.call('POST', '/api/Staff', person('X-3', [places.locations.Northgate!]), own)
  const selection = { state: { selectAll: true, toggledNodes: [] }, search: 'X-', locationId: places.locations.Northgate }
  expect((await finance.call('POST', '/api/Staff/delete', selection, own)).body).toEqual({ deleted: 1 })
  expect((await finance.call('GET', `/api/Staff/${made.body.id}`, undefined, own)).status).toBe(404)
  expect((await finance.call('GET', `/api/Staff/${stranger.id}`, undefined, own)).status).toBe(200)
})
it('an employee number is unique, and an employee with a contract cannot be deleted', async () => {
  expect((await finance.call('POST', '/api/Staff', person('X-1', [elsewhere]), own)).status).toBe(409)
  const [busy] = (await finance.call('POST', '/api/Staff/list', { pageSize: 1, sort: 'employeeNumber' }, own)).body.rows
  const reply = await finance.call('DELETE', `/api/Staff/${busy.id}`, undefined, own)
  expect(reply.status).toBe(409)
  expect(reply.body).toMatch(/in use by \d+ staff contracts?/)
})
it('an employee cannot be deleted while somebody gives them a contract', async () => {
  const northgate = places.at('Northgate')
  const ids = await idsFor(finance, northgate)
  const lost: string[] = []
  for (const round of [1, 2, 3, 4]) {
    const { body } = await finance.call('POST', '/api/Staff', person(`G-${round}`, [places.locations.Northgate!]), own)
    const [saved, removed] = await Promise.all([
      finance.call('PUT', '/api/StaffContract', teacherContract(ids, { employeeNumber: `G-${round}` }), northgate),
      finance.call('DELETE', `/api/Staff/${body.id}`, undefined, own),
    ])
    if (saved.status === 200 && removed.status === 204) lost.push(`G-${round}`)
  }
  expect(lost).toEqual([])
})
it('a contract of a deleted employee is not restored by an undo', async () => {
  const northgate = places.at('Northgate')
  const calls = proceduresOf(product, finance, northgate)
  const { body: member } = await finance.call('POST', '/api/Staff', person('G-9', [places.locations.Northgate!]), own)
  const contract = teacherContract(await idsFor(finance, northgate), { employeeNumber: 'G-9' })
  const { body: saved } = await finance.call('PUT', '/api/StaffContract', contract, northgate)
  const chosen = { state: { selectAll: false, toggledNodes: [saved.id] } }
  const { body: gone } = await finance.call('POST', '/api/StaffContract/bulkDelete', chosen, northgate)
  expect((await finance.call('DELETE', `/api/Staff/${member.id}`, undefined, own)).status).toBe(204)
  await expect(calls.budgets.undo.mutate({ versions: gone.versions })).rejects.toThrow(
    'This cannot be undone: 1 person who holds a contract in it has since been deleted, which is permanent.',
  )
})
it('a National Insurance number, an e-mail and a date of birth are checked', async () => {
  const wrong = await finance.call(
    'POST',
    '/api/Staff',
    person('X-4', [elsewhere], { niNumber: 'QQ12', email: 'nobody', dateOfBirth: '1990-02-30' }),
    own,
  )
  expect(wrong.body.split('\n').sort()).toEqual([
    'Date of birth is not a valid date.',
    'Email is not an email address.',
    'NI number is not valid.',
  ])
})
it('a changed date of birth requires a recalculation', async () => {
  const [member] = (await finance.call('POST', '/api/Staff/list', { pageSize: 1, sort: 'employeeNumber' }, own)).body.rows
  await finance.call('PUT', '/api/Staff', { ...member, dateOfBirth: '2008-01-15' }, own)
  expect(
    (await finance.call('GET', `/api/BudgetGroup/recalculate/staff-contracts/required/${places.groupId}`, undefined, own)).body,
  ).toMatchObject({ required: true, reason: 'A date of birth' })
})

it('employees in a file without locations work at the selected one, not everywhere', async () => {
  const row = { EmployeeNumber: 'Z-1', Forename: 'Zoe', Surname: 'Imported' }
  const nowhere = await finance.call('POST', '/api/Staff/import', [row], own)
  expect(nowhere.status).toBe(400)
  expect(nowhere.body.errors).toMatchObject([
    {
      row: 1,
      column: 'Locations',
      message: 'Locations is empty. Enter where this person works, or choose a location at the top before you import.',
    },
  ])
  const chosen = { ...own, LocationId: elsewhere }
  expect((await finance.call('POST', '/api/Staff/import', [row], chosen)).body).toMatchObject({ created: 1 })
  const found = async (number: string) => (await finance.call('POST', '/api/Staff/list', { search: number }, own)).body.rows[0]
  expect((await found('Z-1')).locations).toEqual([elsewhere])
  // A user of one school can assign only that school, whatever is selected. Existing employees keep their schools.
  expect((await manager.call('POST', '/api/Staff/import', [{ ...row, EmployeeNumber: 'Z-2' }], chosen)).body).toMatchObject({ created: 1 })
  expect((await found('Z-2')).locations).toEqual([places.locations.Northgate])
  await finance.call('POST', '/api/Staff/import', [{ ...row, Surname: 'Renamed' }], own)
  expect(await found('Z-1')).toMatchObject({ surname: 'Renamed', locations: [elsewhere] })
})

it('a governor sees what staff cost, and nobody by name or pay', async () => {
  const governor = await signInAs(product, 'governor@harbour.example')
  const northgate = places.at('Northgate')
  for (const [method, path] of [
    ['POST', '/api/StaffContract/paginated'],
    ['POST', '/api/StaffContract/Export'],
    ['POST', '/api/Staff/list/location'],
    ['POST', '/api/Staff/export/location'],
    ['POST', '/api/Staff/list'],
    ['GET', `/api/Staff/${stranger.id}`],
  ] as const)
    expect((await governor.call(method, path, method === 'GET' ? undefined : {}, northgate)).status, path).toBe(403)
  const people = (await finance.call('POST', '/api/Staff/list', { pageSize: 500 }, own)).body.rows as Body[]
  const overview = JSON.stringify(await proceduresOf(product, governor, northgate).overview.summary.query())
  expect(overview.length).toBeGreaterThan(500)
  for (const { surname } of people.filter((person) => person.surname.length > 5)) expect(overview).not.toContain(`"${surname}`)
})
it('many employees of a file are added and changed with as many statements as a few', async () => {
  const { store, count } = await openCountingStore(product.config)
  const scope = { organisationId: places.organisationId, locationIds: null, isAdministrator: false }
  const actor = { userId: null, requestId: 'file', now: new Date() }
  const imported = (rows: Record<string, string>[]) =>
    store.inOrganisation(places.organisationId, (tx) => importStaff({ tx, scope, actor, locationId: elsewhere }, rows))
  let turn = 0
  /** The number of statements for a file of this many people, either new ones or with a changed value. */
  const statementsOf = async (many: number, areNew: boolean): Promise<number> => {
    const rowsOf = () => {
      turn++
      return Array.from({ length: many }, (_unused, n) => ({
        EmployeeNumber: areNew ? `New ${turn} ${n}` : `Many ${n}`,
        Forename: 'Sam',
        Surname: `Sample ${turn}`,
        // Neighbouring rows have different locations.
        Locations: ['Northgate Primary School', 'Riverside School'].slice(n % 2).join('; '),
      }))
    }
    return (await count(() => imported(rowsOf()))).statements.length
  }
  await statementsOf(60, false)
  expect([await statementsOf(3, true), await statementsOf(3, false)]).toEqual([await statementsOf(60, true), await statementsOf(60, false)])
  const { body } = await finance.call('POST', '/api/Staff/list', { search: 'Many', pageSize: 100 }, own)
  expect(body.rows.filter((row: Body) => row.employeeNumber.startsWith('Many') && row.surname === `Sample ${turn}`)).toHaveLength(60)
})
it('a file does not overwrite what somebody saved of the same employees while it was compared', async () => {
  const store = openStore(product.config, 2)
  atEnd(() => store.close())
  const made = await finance.call('POST', '/api/Staff', person('Beside 1', [elsewhere]), own)
  const scope = { organisationId: places.organisationId, locationIds: null, isAdministrator: false }
  const actor = { userId: null, requestId: 'beside', now: new Date() }
  let saved = 0
  const meanwhile = async (): Promise<void> => {
    if (!saved) saved = (await finance.call('PUT', '/api/Staff', { ...made.body, dateOfBirth: '1980-05-06' }, own)).status
  }
  const rows = [{ EmployeeNumber: 'Beside 1', Forename: 'Test', Surname: 'Of the file' }]
  await store.inOrganisation(places.organisationId, (tx) => importStaff({ tx, scope, actor, locationId: elsewhere }, rows, meanwhile))
  expect(saved).toBe(200)
  const { body } = await finance.call('POST', '/api/Staff/list', { search: 'Beside 1', pageSize: 10 }, own)
  expect(body.rows).toMatchObject([{ surname: 'Of the file', dateOfBirth: '1980-05-06' }])
})
