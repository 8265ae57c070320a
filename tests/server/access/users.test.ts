import { beforeAll, describe, expect, it } from 'vitest'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import {
  type Body,
  browserCall,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  setPasswordByLink,
  signInAs,
  signInByPassword,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let administrator: Caller
let finance: Caller
let places: TrustIds
let meadow: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  meadow = await findTrustIds(await signInAs(product, 'finance@meadow.example'))
  own = { OrganisationId: places.organisationId }
})

const userNamed = async (email: string): Promise<Body> =>
  (await administrator.call('POST', '/api/Users/list', { search: email, pageSize: 10 })).body.rows.find((row: Body) => row.email === email)
const groupNamed = async (name: string): Promise<Body> =>
  (await administrator.call('POST', '/api/UserGroups/list', { search: name })).body.rows.find((row: Body) => row.name === name)

describe('an invitation', () => {
  let link: string
  let id: number

  it('is a one-time link shown to the inviter; without choosing a password nobody gets in', async () => {
    const user = await administrator.call('POST', '/api/Users', {
      email: 'new@harbour.example',
      forename: 'New',
      surname: 'Person',
      organisationIds: [places.organisationId],
      locationIds: [places.locations.Northgate],
      userGroupIds: [(await groupNamed('Governor')).id],
    })
    expect(user.status).toBe(201)
    expect(user.body).toMatchObject({ active: true, isAdministrator: false, hasPassword: false })
    id = user.body.id
    const invitation = await browserCall(product, administrator, 'users.invite', { id })
    expect(invitation).toMatchObject({ kind: 'invite', sent: false })
    link = new URL(invitation.link).pathname
    await expect(signInByPassword(product, 'new@harbour.example', 'anything at all')).rejects.toThrow(/Sign-in refused/)
  })
  it('accepts a password that is long enough and typed twice', async () => {
    const post = (password: string, again = password) =>
      fetch(product.origin + link, { method: 'POST', body: new URLSearchParams({ password, again }), redirect: 'manual' })
    expect((await fetch(product.origin + link)).status).toBe(200)
    const short = await post('short')
    expect([short.status, await short.text()]).toEqual([400, expect.stringContaining('at least 12 characters')])
    const other = await post('A long enough password', 'Another long password')
    expect([other.status, await other.text()]).toEqual([400, expect.stringContaining('do not match')])
    expect((await post('A long enough password')).status).toBe(303)
    const again = await post('A second long password')
    expect([again.status, await again.text()]).toEqual([410, expect.stringContaining('no longer valid')])
  })
  it('lets the user in, with the permissions of their groups and the data of their locations', async () => {
    const person = await signInByPassword(product, 'new@harbour.example', 'A long enough password')
    const list = await person.call('POST', '/api/Locations/list', { pageSize: 50 }, own)
    expect(list.body.rows.map((row: Body) => row.id)).toEqual([places.locations.Northgate])
    expect((await person.call('POST', '/api/CostCentres', { code: 'X' }, own)).status).toBe(403)
  })
  it('made again invalidates the former one, and a new password ends the sessions of the old one', async () => {
    const first = await browserCall(product, administrator, 'users.invite', { id })
    expect(first.kind).toBe('reset')
    await browserCall(product, administrator, 'users.invite', { id })
    expect((await fetch(product.origin + new URL(first.link).pathname)).status).toBe(410)
    await setPasswordByLink(product, administrator, id, 'Yet another password')
    await expect(signInByPassword(product, 'new@harbour.example', 'A long enough password')).rejects.toThrow(/Sign-in refused/)
  })
})

describe('permissions', () => {
  it('B-272 a changed user group takes effect at the next call, not at the next sign-in', async () => {
    const person = await inviteAndSignIn(product, administrator, 'codes@harbour.example', ['ConsoleCostCentresRead'], places.organisationId)
    const create = () => person.call('POST', '/api/CostCentres', { code: `N${Date.now() % 100_000}`, description: 'x' }, own)
    expect((await create()).status).toBe(403)
    const group = await groupNamed('Group of codes@harbour.example')
    await administrator.call('PUT', '/api/UserGroups', { ...group, permissions: [{ name: 'ConsoleCostCentresReadUpdate' }] })
    expect((await create()).status).toBe(201)
    const user = await userNamed('codes@harbour.example')
    await administrator.call('PUT', '/api/Users', { ...user, active: false })
    expect((await create()).status).toBe(401)
  })
  it('in one organisation never spread to another by saving the flat lists', async () => {
    const user = await userNamed('governor@harbour.example')
    const { memberships: _own, ...flat } = user
    const reply = await administrator.call('PUT', '/api/Users', {
      ...flat,
      organisationIds: [...flat.organisationIds, meadow.organisationId],
    })
    expect(reply.body.memberships.find((one: Body) => one.organisationId === meadow.organisationId)).toMatchObject({ userGroupIds: [] })
  })
})

it('of a user group are not deleted while somebody is added to it', async () => {
  const lost: string[] = []
  for (const round of [1, 2, 3, 4]) {
    const permissions = [{ name: 'ConsoleCostCentresRead' }]
    const { body: group } = await administrator.call('POST', '/api/UserGroups', { name: `Short-lived ${round}`, permissions })
    const email = `short${round}@harbour.example`
    const person = { email, forename: 'Short', surname: 'Lived', organisationIds: [places.organisationId], userGroupIds: [group.id] }
    const [saved, removed] = await Promise.all([
      administrator.call('POST', '/api/Users', person),
      administrator.call('DELETE', `/api/UserGroups/${group.id}`),
    ])
    if (saved.status === 201 && removed.status === 204) lost.push(email)
  }
  expect(lost).toEqual([])
})

describe('users of one organisation', () => {
  const rows = (groups: string, email = 'head@harbour.example') => [
    { Email: email, Forename: 'Una', Surname: 'Head', UserGroups: groups, Locations: 'Northgate Primary School' },
    { Email: 'shared@meadow.example', Forename: 'Somebody', Surname: 'Else', UserGroups: 'Auditor', Locations: '' },
  ]
  const send = (caller: Caller, sent: Record<string, string>[]) => browserCall(product, caller, 'users.own.import', { rows: sent }, own)

  it('are imported all or none, with what is wrong in each invalid cell', async () => {
    const person = { email: 'shared@meadow.example', forename: 'Kit', surname: 'Doyle', organisationIds: [meadow.organisationId] }
    await administrator.call('POST', '/api/Users', { ...person, userGroupIds: [(await groupNamed('School business manager')).id] })
    const refused = await send(administrator, rows('Nobody', 'no address')).catch((error: unknown) => String(error))
    expect(refused).toContain('has a problem')
    expect(await userNamed('shared@meadow.example')).toMatchObject({ organisationIds: [meadow.organisationId] })
    expect(await send(administrator, rows('Governor; Auditor'))).toMatchObject({ imported: 2, created: 1, updated: 1 })
    const head = await userNamed('head@harbour.example')
    expect(head).toMatchObject({ hasPassword: false, locationIds: [places.locations.Northgate], organisationIds: [places.organisationId] })
    expect(head!.userGroupIds).toHaveLength(2)
    expect(await send(administrator, rows('Governor; Auditor'))).toMatchObject({ imported: 2, created: 0, updated: 0 })
    // The thread of long calls begins with the first.
  }, 90_000)
  it('keep their other organisations, and their name', async () => {
    const shared = await userNamed('shared@meadow.example')
    expect(shared).toMatchObject({ forename: 'Kit', surname: 'Doyle' })
    const at = (organisationId: OrganisationId): Body => shared!.memberships.find((one: Body) => one.organisationId === organisationId)
    expect(at(meadow.organisationId).userGroupIds).toEqual([(await groupNamed('School business manager')).id])
    expect(at(places.organisationId)).toMatchObject({ userGroupIds: [(await groupNamed('Auditor')).id], locationIds: [] })
  })
  it('do not get back through an import what they lose elsewhere meanwhile', async () => {
    const shared = assertDefined(await userNamed('shared@meadow.example'))
    const sql = connectAsOwner(product.config.databaseUrl)
    const waiting = async () => (await sql`select from pg_locks where locktype = 'advisory' and not granted`).length
    let imported: Promise<unknown> | undefined
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(7342010)`
      await tx`delete from memberships where user_id = ${shared.id} and organisation_id = ${meadow.organisationId}`
      imported = send(administrator, rows('Governor; Auditor'))
      await expect.poll(waiting, { timeout: 30_000 }).toBeGreaterThan(0)
    })
    await imported
    expect(await userNamed('shared@meadow.example')).toMatchObject({ organisationIds: [places.organisationId] })
  })
  it('can be added only by administrators', async () => {
    await expect(send(finance, rows('Governor'))).rejects.toThrow()
  })
  it('cannot be given a location of another organisation', async () => {
    const [row] = rows('Governor')
    const [place] = Object.keys(meadow.locations)
    const name = (await administrator.call('POST', '/api/Locations/list', { search: place, pageSize: 1 })).body.rows[0].name
    await expect(send(administrator, [{ ...row!, Locations: name }])).rejects.toThrow(/has a problem/)
  })
})

describe('the last administrator', () => {
  it('B-274 cannot lose the flag, be made inactive or be deleted', async () => {
    const admin = await userNamed('admin@bursar.example')
    const message = 'The last administrator cannot be removed.'
    for (const change of [{ isAdministrator: false }, { active: false }]) {
      const reply = await administrator.call('PUT', '/api/Users', { ...admin, ...change })
      expect([reply.status, reply.body]).toEqual([409, message])
    }
    const state = { selectAll: false, toggledNodes: [admin.id] }
    expect(
      (await administrator.call('PATCH', '/api/Users/edit', { state, patch: [{ op: 'replace', path: '/active', value: false }] })).body,
    ).toBe(message)
    expect((await administrator.call('DELETE', `/api/Users/${admin.id}`)).status).toBe(409)
  })
  it('of an organisation may leave it if others stay', async () => {
    const user = await userNamed('finance@meadow.example')
    await inviteAndSignIn(product, administrator, 'second@meadow.example', ['ConsoleCostCentresRead'], meadow.organisationId)
    const reply = await administrator.call('PUT', '/api/Users', { ...user, active: false })
    expect([reply.status, reply.body]).toEqual([409, 'The last administrator cannot be removed.'])
  })
})

describe('console users', () => {
  it('see the users of their organisation only, and nothing of their other organisations', async () => {
    const list = await finance.call('POST', '/api/MyUsers/list', { pageSize: 50 }, own)
    expect(list.body.rows.map((row: Body) => row.email)).not.toContain('finance@meadow.example')
    for (const row of list.body.rows) expect(row.organisationIds).toEqual([places.organisationId])
    const stranger = await userNamed('finance@meadow.example')
    expect((await finance.call('GET', `/api/MyUsers/${stranger.id}`, undefined, own)).status).toBe(404)
    expect((await finance.call('PUT', '/api/MyUsers', { ...stranger }, own)).status).toBe(404)
  })
  it('B-273 can give only groups whose permissions they have, and never the administrator flag', async () => {
    const manager = await inviteAndSignIn(
      product,
      administrator,
      'people@harbour.example',
      ['ConsoleUsersReadUpdate', 'ConsoleCostCentresRead'],
      places.organisationId,
    )
    const list = await manager.call('POST', '/api/MyUsers/list', { search: 'governor@harbour.example' }, own)
    const governor = list.body.rows[0]
    const finances = await groupNamed('Trust finance')
    const more = await manager.call(
      'PUT',
      '/api/MyUsers',
      { ...governor, memberships: undefined, userGroupIds: [...governor.userGroupIds, finances.id] },
      own,
    )
    expect(more.status).toBe(403)
    expect((await manager.call('PUT', '/api/MyUsers', { ...governor, isAdministrator: true }, own)).status).toBe(403)
    expect((await finance.call('PUT', '/api/MyUsers', { ...governor, email: 'mine@harbour.example' }, own)).status).toBe(400)
    const small = await administrator.call('POST', '/api/UserGroups', { name: 'Small', permissions: [{ name: 'ConsoleCostCentresRead' }] })
    await expect(browserCall(product, manager, 'users.own.invite', { id: governor.id }, own)).rejects.toThrow(
      /has more permissions than you/,
    )
    const without = { email: 'less@harbour.example', forename: 'Less', surname: 'Rights', organisationIds: [places.organisationId] }
    const { memberships: _own, ...less } = (await administrator.call('POST', '/api/Users', without)).body
    const given = await manager.call('PUT', '/api/MyUsers', { ...less, userGroupIds: [small.body.id] }, own)
    expect([given.status, given.body.userGroupIds]).toEqual([200, [small.body.id]])
  })
  describe('add a user', () => {
    const person = async (email: string, groups: string[], more: object = {}): Promise<Body> => ({
      email,
      forename: 'Added',
      surname: 'Here',
      userGroupIds: await Promise.all(groups.map(async (name) => (await groupNamed(name)).id)),
      locationIds: [places.locations.Northgate],
      ...more,
    })
    const add = (caller: Caller, body: Body): Promise<Body> => browserCall(product, caller, 'users.own.create', body, own)

    it('who belongs to this organisation only, and is then invited', async () => {
      const elsewhere = {
        isAdministrator: true,
        organisationIds: [meadow.organisationId],
        memberships: [{ organisationId: meadow.organisationId }],
      }
      const made = await add(finance, await person('added@harbour.example', ['Governor'], elsewhere))
      expect(made).toMatchObject({ email: 'added@harbour.example', active: true, isAdministrator: false, hasPassword: false })
      expect((await userNamed('added@harbour.example')).memberships).toEqual([
        { organisationId: places.organisationId, locationIds: [places.locations.Northgate], userGroupIds: made.userGroupIds },
      ])
      expect(await browserCall(product, finance, 'users.own.invite', { id: made.id }, own)).toMatchObject({ kind: 'invite' })
    })
    it('with an address of their own and at least one user group', async () => {
      await expect(add(finance, await person('finance@meadow.example', ['Governor']))).rejects.toThrow('Email is already used.')
      await expect(add(finance, await person('none@harbour.example', []))).rejects.toThrow('User group is required.')
      expect(await userNamed('none@harbour.example')).toBeUndefined()
    })
    it('only with permission, and with no more permissions or locations than they have', async () => {
      const governor = await signInAs(product, 'governor@harbour.example')
      await expect(add(governor, await person('by-governor@harbour.example', ['Governor']))).rejects.toThrow(
        'You do not have permission to do this.',
      )
      const limited = await inviteAndSignIn(
        product,
        administrator,
        'adds@harbour.example',
        ['ConsoleUsersReadUpdate'],
        places.organisationId,
      )
      await expect(add(limited, await person('more@harbour.example', ['Trust finance']))).rejects.toThrow(
        'You do not have permission to do this.',
      )
      const { memberships: _all, ...self } = await userNamed('adds@harbour.example')
      await administrator.call('PUT', '/api/Users', { ...self, locationIds: [places.locations.Northgate] })
      const everywhere = await person('wide@harbour.example', ['Small'], { locationIds: [] })
      await expect(add(limited, everywhere)).rejects.toThrow('Choose at least one of your locations.')
      for (const email of ['by-governor', 'more', 'wide']) expect(await userNamed(`${email}@harbour.example`)).toBeUndefined()
    })
  })
  it('neither add nor delete users through the REST API', async () => {
    expect((await finance.call('POST', '/api/MyUsers', {}, own)).status).toBe(501)
    expect((await finance.call('DELETE', '/api/MyUsers/1', undefined, own)).status).toBe(501)
  })
})

describe('a file of users', () => {
  it('B-141 that was exported is imported again and changes nothing; a new address makes a user without a password', async () => {
    const file = await administrator.call('POST', '/api/Users/export', {})
    const [head, ...lines] = (file.body as string).replace('\uFEFF', '').trim().split('\r\n')
    expect(head).toBe('Email,Forename,Surname,Position,PhoneNumber,Active,Organisations,Locations,UserGroups')
    const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [head!.split(',')[index]!, cell])))
    const again = await administrator.call('POST', '/api/Users/import', rows)
    expect(again.body).toMatchObject({ created: 0, updated: 0 })
    const fresh = {
      Email: 'file@harbour.example',
      Forename: 'File',
      Surname: 'Row',
      Organisations: 'Harbour Learning Trust',
      UserGroups: 'Governor',
    }
    expect((await administrator.call('POST', '/api/Users/import', [fresh])).body).toMatchObject({ imported: 1, created: 1 })
    expect(await userNamed('file@harbour.example')).toMatchObject({ hasPassword: false, active: true })
    const broken = await administrator.call('POST', '/api/Users/import', [{ ...fresh, Email: 'no address' }])
    expect(broken.status).toBe(400)
    expect(broken.body.errors[0]).toMatchObject({ row: 1, column: 'Email', message: 'Email is not an email address.' })
  })
  it('deletes no user named in the history', async () => {
    const user = await userNamed('codes@harbour.example')
    const reply = await administrator.call('DELETE', `/api/Users/${user.id}`)
    expect([reply.status, reply.body]).toEqual([
      409,
      expect.stringContaining('Make the user inactive or erase their personal data instead'),
    ])
    const unused = await userNamed('file@harbour.example')
    expect((await administrator.call('DELETE', `/api/Users/${unused.id}`)).status).toBe(204)
  })
})

describe('a user who manages the users of one school', () => {
  let manager: Caller
  const invitedWith = async (email: string, groups: string[], locationIds: LocationId[]): Promise<Body> => {
    const userGroupIds = await Promise.all(groups.map(async (name) => (await groupNamed(name)).id))
    const user = { email, forename: 'Sample', surname: 'Person', organisationIds: [places.organisationId], locationIds, userGroupIds }
    return (await administrator.call('POST', '/api/Users', user)).body
  }

  it('cannot change users who also work elsewhere, or may do more', async () => {
    const user = await invitedWith('limited@harbour.example', ['Trust finance'], [places.locations.Northgate!])
    manager = await signInByPassword(product, 'limited@harbour.example', await setPasswordByLink(product, administrator, user.id))
    for (const email of ['finance@harbour.example', 'auditor@harbour.example']) {
      const before = await userNamed(email)
      const { memberships: _own, ...flat } = before
      for (const change of [
        { forename: 'Taken' },
        { active: false },
        { userGroupIds: [] },
        { locationIds: [places.locations.Northgate] },
      ]) {
        const reply = await manager.call('PUT', '/api/MyUsers', { ...flat, ...change }, own)
        expect([reply.status, reply.body], JSON.stringify(change)).toEqual([403, expect.stringMatching(/has more permissions than you/)])
      }
      await expect(browserCall(product, manager, 'users.own.invite', { id: before.id }, own)).rejects.toThrow(
        /has more permissions than you/,
      )
      expect(await userNamed(email)).toEqual(before)
    }
  })
  it('can change the users of that school', async () => {
    const user = await invitedWith('clerk@harbour.example', ['Governor'], [places.locations.Northgate!])
    const { memberships: _own, ...flat } = user
    const reply = await manager.call('PUT', '/api/MyUsers', { ...flat, position: 'Clerk', active: false }, own)
    expect([reply.status, reply.body.position, reply.body.active]).toEqual([200, 'Clerk', false])
  })
})

describe('a password link for a user', () => {
  const now = async (caller: Caller): Promise<Body> => {
    const headers = { Authorization: `Bearer ${caller.token}` }
    return ((await (await fetch(`${product.origin}/trpc/communications.now`, { headers })).json()) as Body).result.data.json
  }

  it('is logged with who made it and when it was used, and the user is told until they confirm', async () => {
    const manager = await userNamed('northgate@harbour.example')
    const { link } = await browserCall(product, finance, 'users.own.invite', { id: manager.id }, own)
    const password = 'The password of an impostor'
    await fetch(product.origin + new URL(link).pathname, {
      method: 'POST',
      body: new URLSearchParams({ password, again: password }),
      redirect: 'manual',
    })
    const headers = { Authorization: `Bearer ${finance.token}`, OrganisationId: String(places.organisationId) }
    const input = encodeURIComponent(JSON.stringify({ json: { id: manager.id } }))
    const history = (await (await fetch(`${product.origin}/trpc/users.own.history?input=${input}`, { headers })).json()) as Body
    expect(history.result.data.json.slice(0, 2)).toMatchObject([
      { actor: 'Sam Turner', sentence: 'set a password with that link' },
      { actor: 'Ruth Mensah', sentence: 'made a link to set a new password for this user, shown to them to pass on' },
    ])
    const person = await signInByPassword(product, 'northgate@harbour.example', password)
    const [told] = (await now(person)).passwordLinks
    expect(told).toMatchObject({ by: 'Ruth Mensah', kind: 'reset', mailed: false, usedAt: expect.any(String) })
    expect((await now(finance)).passwordLinks).toEqual([])
    await browserCall(product, finance, 'communications.knowLink', { number: told.number })
    expect((await now(person)).passwordLinks).toHaveLength(1)
    await browserCall(product, person, 'communications.knowLink', { number: told.number })
    expect((await now(person)).passwordLinks).toEqual([])
  })
})
