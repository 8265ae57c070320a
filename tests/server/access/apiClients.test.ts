import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import {
  type Body,
  browserCall,
  type Caller,
  createCaller,
  findTrustIds,
  inviteAndSignIn,
  type Reply,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let administrator: Caller
let finance: Caller
let places: TrustIds
let meadow: TrustIds
let own: { OrganisationId: OrganisationId }
let groups: Record<string, number>

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  meadow = await findTrustIds(await signInAs(product, 'finance@meadow.example'))
  own = { OrganisationId: places.organisationId }
  const { body } = await administrator.call('POST', '/api/UserGroups/list', { pageSize: 100 })
  groups = Object.fromEntries(body.rows.map((row: Body) => [row.name, row.id]))
})

const token = async (clientId: string, secret: string): Promise<string | number> => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret, scope: 'api' })
  const reply = await fetch(`${product.origin}/oidc/token`, { method: 'POST', body })
  return reply.ok ? ((await reply.json()) as { access_token: string }).access_token : reply.status
}
const calls = async (bearer: string, path = '/api/CostCentres/list', selection: Record<string, number> = own): Promise<Reply> => {
  const headers = { ApiVersion: '2', Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' }
  const reply = await fetch(product.origin + path, {
    method: 'POST',
    headers: { ...headers, ...Object.fromEntries(Object.entries(selection).map(([name, value]) => [name, String(value)])) },
    body: '{}',
  })
  const text = await reply.text()
  return { status: reply.status, body: text.startsWith('{') ? JSON.parse(text) : text, headers: reply.headers }
}
let number = 0
const made = async (more: Record<string, unknown> = {}, by = finance): Promise<Reply> =>
  by.call('POST', '/api/ApiClients', { name: `System ${++number}`, userGroupIds: [groups.Integration!], ...more }, own)

describe('an API client', () => {
  it('is added with a secret that is shown once, signs in, and shows when it last called', async () => {
    const { status, body } = await made({ name: 'Payroll bureau' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'Payroll bureau', active: true, lastUsed: null })
    expect(body.secret.length).toBeGreaterThan(40)
    const bearer = (await token(body.clientId, body.secret)) as string
    expect((await calls(bearer)).status).toBe(200)
    const shown = await finance.call('GET', `/api/ApiClients/${body.id}`, undefined, own)
    expect(Date.now() - new Date(shown.body.lastUsed).getTime()).toBeLessThan(60_000)
    const list = await finance.call('POST', '/api/ApiClients/list', { search: 'payroll' }, own)
    expect(list.body.rows.map((row: Body) => row.name)).toEqual(['Harbour payroll', 'Payroll bureau'])
    for (const text of [JSON.stringify(shown.body), JSON.stringify(list.body)]) {
      expect(text).not.toContain(body.secret)
      expect(text).not.toMatch(/[Ss]ecret"/)
    }
    const [row] = await connectAsOwner(product.config.databaseUrl)`select secret from api_clients where client_id = ${body.clientId}`
    expect(row!.secret).not.toContain(body.secret)
  })
  it('gets a new secret beside the former one, which is valid for another day; a third invalidates the first', async () => {
    const { body: first } = await made()
    const { status, body: second } = await finance.call('POST', `/api/ApiClients/${first.id}/secret`, undefined, own)
    expect(status).toBe(201)
    expect(second.secret).not.toBe(first.secret)
    const hours = (new Date(second.previousUntil).getTime() - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(24)
    for (const { secret } of [first, second]) expect(typeof (await token(first.clientId, secret))).toBe('string')
    const { body: third } = await finance.call('POST', `/api/ApiClients/${first.id}/secret`, undefined, own)
    expect(await token(first.clientId, first.secret)).toBe(401)
    for (const { secret } of [second, third]) expect(typeof (await token(first.clientId, secret))).toBe('string')
    await connectAsOwner(
      product.config.databaseUrl,
    )`update api_clients set previous_until = now() - interval '1 second' where id = ${first.id}`
    expect(await token(first.clientId, second.secret)).toBe(401)
    expect(typeof (await token(first.clientId, third.secret))).toBe('string')
  })
  it('that is revoked loses access at once: with its secrets, and with the tokens it already has', async () => {
    const { body } = await made()
    const bearer = (await token(body.clientId, body.secret)) as string
    expect((await calls(bearer)).status).toBe(200)
    const revoked = await finance.call('POST', `/api/ApiClients/${body.id}/revoke`, undefined, own)
    expect([revoked.status, revoked.body.active]).toEqual([200, false])
    expect((await calls(bearer)).status).toBe(401)
    expect(await token(body.clientId, body.secret)).toBe(401)
    for (const again of ['secret', 'revoke'])
      expect((await finance.call('POST', `/api/ApiClients/${body.id}/${again}`, undefined, own)).status).toBe(409)
    expect((await made({ name: body.name })).status).toBe(201)
  })
  it('is renamed and limited to user groups and locations, with effect from its next call', async () => {
    const { body } = await made()
    const bearer = (await token(body.clientId, body.secret)) as string
    const seen = async (): Promise<number> => (await calls(bearer, '/api/Locations/list')).body.rows.length
    expect((await calls(bearer, '/api/ApiClients/list')).status).toBe(200)
    expect(await seen()).toBeGreaterThan(1)
    const limited = { id: body.id, version: body.version, name: 'Northgate only', userGroupIds: [groups.Governor!] }
    const saved = await finance.call('PUT', '/api/ApiClients', { ...limited, locationIds: [places.locations.Northgate!] }, own)
    expect([saved.status, saved.body.name, saved.body.version]).toEqual([200, 'Northgate only', body.version + 1])
    expect((await calls(bearer, '/api/ApiClients/list')).status).toBe(403)
    expect(await seen()).toBe(1)
    const stale = await finance.call('PUT', '/api/ApiClients', { ...limited, name: 'Stale' }, own)
    expect([stale.status, String(stale.body)]).toEqual([409, expect.stringContaining('Someone else has changed this')])
  })
  it('has a unique name, and a duplicate is refused with one sentence at its field', async () => {
    const { body } = await made({ name: 'Only one' })
    expect((await made({ name: 'only ONE' })).status).toBe(409)
    expect((await made({ name: '  ' })).body).toContain('Name is required.')
    expect((await made({ userGroupIds: [] })).body).toContain('Choose at least one user group.')
    expect((await made({ userGroupIds: [99_999] })).body).toContain('User group was not found.')
    expect((await made({ locationIds: [Object.values(meadow.locations)[0]] })).body).toContain('Location was not found.')
    expect(body.version).toBe(1)
  })
  it('has a history of who added, changed and revoked it', async () => {
    const { body } = await made({ name: 'Traced' })
    await finance.call('POST', `/api/ApiClients/${body.id}/secret`, undefined, own)
    await administrator.call('POST', `/api/ApiClients/${body.id}/revoke`, undefined, own)
    const input = encodeURIComponent(JSON.stringify({ json: { id: body.id } }))
    const headers = { Authorization: `Bearer ${finance.token}`, OrganisationId: String(own.OrganisationId) }
    const reply = await fetch(`${product.origin}/trpc/apiClients.history?input=${input}`, { headers })
    const entries = ((await reply.json()) as Body).result.data.json
    expect(entries.map((entry: Body) => `${entry.actor} ${entry.action}`)).toEqual([
      'Alex Grant updated',
      'Ruth Mensah updated',
      'Ruth Mensah created',
    ])
    expect(JSON.stringify(entries)).not.toContain(body.secret)
  })
})

describe('a user with API clients', () => {
  it('may read them with the permission to read users, and add them with the permission to change users, and not otherwise', async () => {
    const reader = await inviteAndSignIn(product, administrator, 'reads.users@sample.example', ['ConsoleUsersRead'], own.OrganisationId)
    expect((await reader.call('POST', '/api/ApiClients/list', {}, own)).status).toBe(200)
    expect((await made({}, reader)).status).toBe(403)
    const governor = await signInAs(product, 'governor@harbour.example')
    expect((await governor.call('POST', '/api/ApiClients/list', {}, own)).status).toBe(403)
    const { body } = await made()
    for (const by of [reader, governor]) {
      expect((await by.call('POST', `/api/ApiClients/${body.id}/secret`, undefined, own)).status).toBe(403)
      expect((await by.call('POST', `/api/ApiClients/${body.id}/revoke`, undefined, own)).status).toBe(403)
    }
  })
  it('can give no more rights than they have themselves, and cannot change a client with more', async () => {
    const rights = ['ConsoleUsersReadUpdate', 'ConsoleCostCentresRead']
    const manager = await inviteAndSignIn(product, administrator, 'manages@sample.example', rights, own.OrganisationId)
    const refused = await made({}, manager)
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('no more permissions than you have')])
    const { body: strong } = await made()
    for (const path of ['secret', 'revoke'])
      expect((await manager.call('POST', `/api/ApiClients/${strong.id}/${path}`, undefined, own)).status).toBe(403)
    const small = await administrator.call('POST', '/api/UserGroups', {
      name: 'Cost centres only',
      permissions: [{ name: 'ConsoleCostCentresRead' }],
    })
    const weak = await made({ userGroupIds: [small.body.id] }, manager)
    expect(weak.status).toBe(201)
    const more = { id: weak.body.id, name: weak.body.name, userGroupIds: [groups['Trust finance']!] }
    expect((await manager.call('PUT', '/api/ApiClients', more, own)).status).toBe(400)
  })
  it('stays within their own locations', async () => {
    const { Northgate: northgate } = places.locations
    const other = Object.values(places.locations).find((id) => id !== northgate)!
    const rights = ['ConsoleUsersReadUpdate', 'ConsoleCostCentresRead']
    const manager = await inviteAndSignIn(product, administrator, 'of.one@sample.example', rights, own.OrganisationId, [northgate!])
    const small = {
      userGroupIds: [(await administrator.call('POST', '/api/UserGroups/list', { search: 'Cost centres only' })).body.rows[0].id],
    }
    for (const locationIds of [[], [other], [northgate, other]])
      expect((await made({ ...small, locationIds }, manager)).body).toContain('Choose only your own locations.')
    const fits = await made({ ...small, locationIds: [northgate] }, manager)
    expect(fits.status).toBe(201)
    const elsewhere = await made({ ...small, locationIds: [other] })
    expect((await manager.call('GET', `/api/ApiClients/${elsewhere.body.id}`, undefined, own)).status).toBe(404)
    const everywhere = await made(small)
    expect((await manager.call('POST', `/api/ApiClients/${everywhere.body.id}/revoke`, undefined, own)).status).toBe(403)
  })
  it('has no access to those of another organisation', async () => {
    const stranger = await signInAs(product, 'finance@meadow.example')
    const theirs = { OrganisationId: meadow.organisationId }
    const { body } = await made()
    expect((await stranger.call('POST', '/api/ApiClients/list', {}, own)).status).toBe(403)
    expect((await stranger.call('GET', `/api/ApiClients/${body.id}`, undefined, theirs)).status).toBe(404)
    for (const path of ['secret', 'revoke'])
      expect((await stranger.call('POST', `/api/ApiClients/${body.id}/${path}`, undefined, theirs)).status).toBe(404)
    const change = { id: body.id, name: 'Taken', userGroupIds: body.userGroupIds }
    expect((await stranger.call('PUT', '/api/ApiClients', change, theirs)).status).toBe(404)
  })
  it('is never an API client itself, whatever its groups allow', async () => {
    const { body } = await made({ userGroupIds: [groups['Trust finance']!] })
    const bearer = (await token(body.clientId, body.secret)) as string
    const client = { ...finance, token: bearer }
    await expect(
      browserCall(product, client, 'apiClients.create', { name: 'Child', userGroupIds: body.userGroupIds }, own),
    ).rejects.toThrow()
    await expect(browserCall(product, client, 'apiClients.rotate', { id: body.id }, own)).rejects.toThrow()
    expect((await calls(bearer, '/api/ApiClients/list')).body.total).toBeGreaterThan(1)
  })
})

describe('a deletion by an API client', () => {
  it('is in the same log and the same bin, and is undone on the screen', async () => {
    const { body: client } = await made({ name: 'Tidy system', userGroupIds: [groups['Trust finance']!] })
    const system = createCaller(product, String(await token(client.clientId, client.secret)))
    const northgate = places.at('Northgate')
    const calls = proceduresOf(product, finance, northgate)
    const drop = async (path: string): Promise<void> => expect((await system.call('DELETE', path, undefined, own)).status, path).toBe(204)

    const code = (await finance.call('POST', '/api/CostCentres', { code: 'TIDY1', description: 'Tidied away' }, own)).body
    const twin = (await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name: 'Tidied away' }, own)).body
    const items = [{ budgetId: twin.mongoId }]
    const group = (await finance.call('POST', '/api/BudgetGroup/create', { name: 'Tidied away', items }, own)).body
    await drop(`/api/CostCentres/${code.id}`)
    await drop(`/api/BudgetGroup/${group.id}`)
    await drop(`/api/Budget/${twin.mongoId}`)
    expect((await calls.bin.list.query({ search: 'TIDY1' })).rows).toMatchObject([{ kind: 'costCentre', id: code.id }])
    expect((await calls.bin.groups.query({ search: 'Tidied' })).map(({ id }) => id)).toEqual([group.id])
    expect((await calls.bin.budgets.query({ search: 'Tidied' })).rows.map(({ id }) => id)).toEqual([twin.mongoId])
    await calls.bin.restore.mutate({ records: [{ kind: 'costCentre', id: code.id }] })
    await calls.bin.restoreBudgets.mutate({ ids: [twin.mongoId] })
    await calls.bin.restoreGroups.mutate({ ids: [group.id] })
    expect((await finance.call('GET', `/api/BudgetGroup/edit/id/${group.id}`, undefined, own)).body.items).toMatchObject(items)

    const there = { ...northgate, BudgetId: twin.mongoId }
    const [contract] = (await system.call('POST', '/api/StaffContract/paginated', { pageSize: 1 }, there)).body.rows
    const state = { selectAll: false, toggledNodes: [contract.id] }
    const gone = (await system.call('POST', '/api/StaffContract/bulkDelete', { state }, there)).body
    const line = async (who: Caller) =>
      (await proceduresOf(product, who, there).budgets.history.query({})).find(({ version }) => version === gone.versions[0])
    expect(await line(finance)).toMatchObject({ undoable: true })
    // A user who does not manage budgets can undo only their own changes.
    const manager = await signInAs(product, 'northgate@harbour.example')
    expect(await line(manager)).toMatchObject({ undoable: false })
    await expect(proceduresOf(product, manager, there).budgets.undo.mutate({ versions: gone.versions })).rejects.toThrow(
      'Only the person who made',
    )
    // Nor can a user undo what they may not change by hand.
    const keeper = await inviteAndSignIn(
      product,
      administrator,
      'keeps@sample.example',
      ['ConsoleBudgetManagementReadUpdate'],
      own.OrganisationId,
    )
    expect(await line(keeper)).toMatchObject({ undoable: false })
    await expect(proceduresOf(product, keeper, there).budgets.undo.mutate({ versions: gone.versions })).rejects.toThrow('permission')
    await proceduresOf(product, finance, there).budgets.undo.mutate({ versions: gone.versions })
    expect((await finance.call('GET', `/api/StaffContract/id/${contract.id}`, undefined, there)).status).toBe(200)
  })
})
