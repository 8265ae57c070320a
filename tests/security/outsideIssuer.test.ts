import type { Sql } from 'postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { unlinkAllFromIssuer } from '../../server/auth/outside/people.ts'
import { openStore } from '../../server/core/database/database.ts'
import { readIssuerSettings } from '../../server/core/outsideSettings.ts'
import { readRecordHistory } from '../../server/resources/referenceLog.ts'
import { readAppCode } from '../support/outside/authenticatorApp.ts'
import { type Account, startOutsideIssuer, type TestIssuer } from '../support/outside/outsideIssuer.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { atEnd } from '../support/product/endings.ts'
import { asClient, type Body, browserAsk, browserCall, type Caller, signInThroughIssuer } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { until } from '../support/running/worker.ts'

/** Verified email addresses, opaque access tokens, no end-of-session endpoint. */
let google: TestIssuer
let atGoogle: Product
/** No `email_verified`, groups by id, and an end-of-session endpoint. */
let microsoft: TestIssuer
let atMicrosoft: Product
let owner: Sql

const rule = (value: string, userGroup: string) => ({ value, organisation: 'Harbour Learning Trust', userGroup })
const rules = [rule('finance-team', 'Trust finance'), rule('governors', 'Governor'), rule('everybody', 'No such group')]

beforeAll(async () => {
  atGoogle = await startProduct({
    oidc: async ({ origin }) => {
      google = await startOutsideIssuer(`${origin}/sign-in/callback`, { endsSessions: false, loggedOut: `${origin}/loggedout` })
      atEnd(google.close)
      const { issuer, clientId, clientSecret } = google
      return {
        issuer,
        clientId,
        clientSecret,
        name: 'Google',
        trustEmail: false,
        secondStep: 'here',
        groups: { claim: 'groups', rules: [] },
      }
    },
  })
  owner = connectAsOwner(atGoogle.config.databaseUrl)
  atMicrosoft = await startProduct({
    oidc: async ({ origin }) => {
      microsoft = await startOutsideIssuer(`${origin}/sign-in/callback`, { endsSessions: true, loggedOut: `${origin}/loggedout` })
      atEnd(microsoft.close)
      const { issuer, clientId, clientSecret } = microsoft
      const groups = { claim: 'groups', rules }
      return { issuer, clientId, clientSecret, name: 'Microsoft', trustEmail: true, secondStep: 'here', groups }
    },
  })
})

const who = async (caller: Caller): Promise<string> => (await caller.call('GET', '/api/Authorisation')).body.user.name

/** Signs in with a Google account. @returns who is signed in, or the sentence of the refusal */
async function comesIn(account: Account): Promise<string> {
  google.chooseAccount(account)
  const { caller, page } = await signInThroughIssuer(atGoogle)
  return caller ? who(caller) : page
}
const address = (email: string, more: Record<string, unknown> = {}): Account => ({ sub: email, email, email_verified: true, ...more })

describe('an outside issuer like Google', () => {
  it('identifies a user by an ID token with a verified email address, and access tokens stay the product’s own', async () => {
    google.chooseAccount(address('Finance@Harbour.example', { sub: 'outside-7' }))
    const { caller } = await signInThroughIssuer(atGoogle)
    expect(await who(caller!)).toBe('Ruth Mensah')
    expect(Object.fromEntries(google.lastRequest())).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid profile email',
    })
    expect(google.lastRequest().get('nonce')).toBeTruthy()
    const list = await browserAsk(atGoogle, caller!, 'account.signIns', undefined)
    expect(list.data).toHaveLength(1)
  })
  it('opens nothing for an address that is unverified, unknown or missing, and says why', async () => {
    for (const account of [
      { sub: 'new', email: 'auditor@harbour.example' },
      { sub: 'new', email: 'auditor@harbour.example', email_verified: false },
      { sub: 'new', email: 'auditor@harbour.example', email_verified: 'true' },
    ])
      expect(await comesIn(account)).toContain('Google did not confirm that the address auditor@harbour.example is yours.')
    expect(await comesIn({ sub: 'new' })).toContain('Google did not provide your email address.')
    const stranger = await comesIn(address('stranger@elsewhere.example'))
    expect(stranger).toContain('No user here has the address stranger@elsewhere.example.')
    expect(stranger).toContain('Sign in with Google')
  })
  it('lets a refused user choose another account', async () => {
    google.chooseAccount(address('stranger@elsewhere.example'))
    const { again } = await signInThroughIssuer(atGoogle)
    google.chooseAccount(address('auditor@harbour.example'))
    const { caller } = await again()
    expect(google.lastRequest().get('prompt')).toBe('select_account')
    expect(await who(caller!)).toBe('Noor Ali')
  })
  it('identifies the same user for ever, whatever address changes later on either side', async () => {
    const first = address('governor@harbour.example', { sub: 'governor-1' })
    expect(await comesIn(first)).toBe('Grace Hall')
    expect(await comesIn({ ...first, email: 'auditor@harbour.example' })).toBe('Grace Hall')
    expect(await comesIn({ sub: 'governor-1' })).toBe('Grace Hall')
    await owner`update users set email = 'grace@harbour.example' where email = 'governor@harbour.example'`
    expect(await comesIn(first)).toBe('Grace Hall')
  })
  it('does not give a user’s access to the next person with the same address', async () => {
    expect(await comesIn(address('northgate@harbour.example', { sub: 'northgate-1' }))).toBe('Sam Turner')
    expect(await comesIn(address('northgate@harbour.example', { sub: 'northgate-2' }))).toContain('No user here has the address')
  })
  it('refuses an inactive user, and logs who was linked', async () => {
    await owner`update users set active = false where email = 'northgate@harbour.example'`
    expect(await comesIn(address('northgate@harbour.example', { sub: 'northgate-1' }))).toContain('Your account is inactive.')
    const log =
      await owner`select record_id::int as id, after from reference_changes where resource = 'userSignIn' order by reference_changes.id`
    expect(JSON.stringify(log)).not.toContain('governor-1')
    const store = openStore(atGoogle.config, 1)
    const opened = await store.asPlatform(async (tx) => {
      const subjects: unknown[] = []
      for (const { id } of log) subjects.push((await readRecordHistory(tx, { name: 'userSignIn' }, id)).at(-1)?.after?.outsideSubject)
      return subjects
    })
    await store.close()
    expect(opened).toEqual(['outside-7', 'auditor@harbour.example', 'governor-1', 'northgate-1'])
  })
  it('recognises a user who first signs in from two windows at once, in both', async () => {
    google.chooseAccount(address('finance@meadow.example', { sub: 'meadow-1' }))
    let both: Promise<unknown[]> = Promise.resolve([])
    await owner.begin(async (other) => {
      await other`select from users where email = 'finance@meadow.example' for update`
      both = Promise.all([0, 1].map(async () => who((await signInThroughIssuer(atGoogle)).caller!)))
      await until('both wait', async () => {
        const [waiting] =
          await owner`select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and query like 'update "users"%'`
        return waiting!.count === 2
      })
    })
    const [first, second] = await both
    expect(first).toEqual(expect.any(String))
    expect(second).toBe(first)
  })
  it('does not confuse similar letters, and accepts no invalid issuer', async () => {
    await owner`update users set email = 'kim@harbour.example', outside_issuer = null, outside_subject = null where email = 'finance@meadow.example'`
    expect(await comesIn(address('\u212Aim@harbour.example', { sub: 'kelvin' }))).toContain('No user here has the address')
    expect(await comesIn(address('kim\0@harbour.example', { sub: 'nothing' }))).toContain('Google did not confirm that the address')
    expect(await comesIn(address('kim@harbour.example', { sub: 'x'.repeat(256) }))).toContain('Google did not identify you')
    expect(await comesIn(address(' KIM@Harbour.example', { sub: 'kim' }))).not.toContain('<')
  })
  it('is unlinked from a user when an administrator says so, because the account may be made again there', async () => {
    google.chooseAccount(address('admin@bursar.example'))
    const administrator = (await signInThroughIssuer(atGoogle)).caller!
    google.chooseAccount(address('kim@harbour.example', { sub: 'kim' }))
    const kim = (await signInThroughIssuer(atGoogle)).caller!
    const { id } = (await kim.call('GET', '/api/Authorisation')).body.user
    const again = address('kim@harbour.example', { sub: 'kim-made-anew' })
    expect(await comesIn(again)).toContain('No user here has the address')
    await expect(browserCall(atGoogle, kim, 'users.unlinkOutside', { id })).rejects.toThrow('You do not have permission')
    await browserCall(atGoogle, administrator, 'users.unlinkOutside', { id })
    expect((await kim.call('GET', '/api/Authorisation')).status).toBe(401)
    const user = async () => (await administrator.call('GET', `/api/Users/${id}`)).body
    expect(await user()).toMatchObject({ isLinkedOutside: false })
    expect(await comesIn(again)).not.toContain('<')
    expect(await user()).toMatchObject({ isLinkedOutside: true })
    expect(await comesIn(address('kim@harbour.example', { sub: 'kim' }))).toContain('No user here has the address')
    const [latest, before] = (await browserAsk(atGoogle, administrator, 'users.history', { id })).data
    expect([latest.sentence, before]).toMatchObject([
      'was linked to their sign-in at localhost',
      { sentence: 'unlinked this user from their sign-in at localhost', actor: await who(administrator) },
    ])
    // The client was registered again at the issuer, so every user has a new subject.
    const store = openStore(atGoogle.config, 1)
    const count = await store.asPlatform((tx) => unlinkAllFromIssuer(tx, null, new Date()))
    await expect(store.asPlatform((tx) => unlinkAllFromIssuer(tx, 'nobody@harbour.example', new Date()))).rejects.toThrow('was not found')
    await store.close()
    expect(count).toBeGreaterThan(3)
    expect(await comesIn(address('kim@harbour.example', { sub: 'kim-once-more' }))).not.toContain('<')
    await expect(browserCall(atGoogle, administrator, 'users.unlinkOutside', { id: 999_999 })).rejects.toThrow()
  })
  it('gives a reply that is accepted once, in the browser that requested it, and for that request', async () => {
    google.chooseAccount(address('auditor@harbour.example'))
    const { answered, visit } = await signInThroughIssuer(atGoogle)
    const leadsTo = async (browser: typeof visit): Promise<string | null> => {
      const back = await browser(answered)
      return (await browser(back.headers.get('location')!)).headers.get('location')
    }
    // The sign-in it belonged to is over, and another browser never had one.
    expect(await leadsTo(visit)).toBe('/')
    expect(await leadsTo((url) => fetch(new URL(url, atGoogle.origin), { redirect: 'manual' }))).toBe('/')
    const other = await signInThroughIssuer(atGoogle, ({ searchParams }) => searchParams.set('state', `${searchParams.get('state')}x`))
    expect(other.page).toContain('This sign-in took too long or was started again.')
    const wrong = await signInThroughIssuer(atGoogle, ({ searchParams }) => searchParams.set('code', 'made-up'))
    expect(wrong.page).toContain('The sign-in at Google was not finished.')
    const nobody = await fetch(`${atGoogle.origin}/sign-in/callback?code=x&state=y`, { redirect: 'manual' })
    expect(nobody.headers.get('location')).toBe('/')
  })
  it('replaces passwords, and does not affect API clients', async () => {
    google.chooseAccount(address('stranger@elsewhere.example'))
    const { send } = await signInThroughIssuer(atGoogle)
    const { caller, page } = await send({ email: 'finance@harbour.example', password: 'Harbour-demo-26' })
    expect([caller, page]).toEqual([null, expect.stringContaining('Sign in with Google')])
    expect(
      (await fetch(`${atGoogle.origin}/invitation/anything`, { method: 'POST', body: new URLSearchParams({ password: 'x' }) })).status,
    ).toBe(404)
    const client = await asClient(atGoogle, 'harbour')
    expect((await client.call('POST', '/api/Organisations/list', {})).body.rows).toHaveLength(1)
  })
  it('has no end-of-session endpoint: the sign-in here ends, and the page says that the one there continues', async () => {
    google.chooseAccount(address('auditor@harbour.example'))
    const { caller, signOut } = await signInThroughIssuer(atGoogle)
    expect(await signOut()).toBe('/loggedout?elsewhere=1')
    expect((await caller!.call('GET', '/api/Authorisation')).status).toBe(401)
  })
  it('is reported if it cannot be reached', async () => {
    const away = await startProduct({
      oidc: async () => ({
        issuer: 'http://localhost:9',
        clientId: 'bursar',
        clientSecret: null,
        name: 'Keycloak',
        trustEmail: false,
        secondStep: 'here',
        groups: { claim: 'groups', rules: [] },
      }),
    })
    expect((await signInThroughIssuer(away)).page).toContain('Keycloak cannot be reached at the moment.')
  })
  it('replaces passkeys as it replaces passwords', async () => {
    const { caller } = await signInThroughIssuer(atGoogle)
    expect((await browserAsk(atGoogle, caller!, 'account.passkeys', undefined)).data).toBeNull()
    await expect(browserCall(atGoogle, caller!, 'account.beginPasskey', { password: '', code: '' })).rejects.toThrow(
      /^You sign in at .*, so you cannot add a passkey here\.$/,
    )
  })
})

describe('an outside issuer like Microsoft', () => {
  const finance = (groups: unknown, more: Record<string, unknown> = {}): Account => ({
    sub: 'pairwise-finance',
    oid: '0f5c…',
    tid: '7a11…',
    email: 'northgate@harbour.example',
    preferred_username: 'sam@harbour.example',
    ...(groups !== undefined && { groups }),
    ...more,
  })
  const signInWith = async (account: Account): Promise<Caller> => {
    microsoft.chooseAccount(account)
    return (await signInThroughIssuer(atMicrosoft)).caller!
  }
  const groupsOf = async (caller: Caller): Promise<string[]> => {
    const [row] = await connectAsOwner(atMicrosoft.config.databaseUrl)`
      select array_agg(g.name order by g.name) as names from memberships m join user_groups g on g.id = any(m.user_group_ids)
      where m.user_id = ${(await caller.call('GET', '/api/Authorisation')).body.user.id}`
    return row!.names ?? []
  }

  it('is trusted for addresses without email_verified if the setting says that they belong to the installation, but not for unverified ones', async () => {
    expect(await who(await signInWith({ sub: 'pairwise-1', email: 'auditor@harbour.example' }))).toBe('Noor Ali')
    microsoft.chooseAccount({ sub: 'pairwise-2', email: 'finance@harbour.example', email_verified: false })
    expect((await signInThroughIssuer(atMicrosoft)).page).toContain(
      'Microsoft did not confirm that the address finance@harbour.example is yours.',
    )
  })
  it('gives user groups through its groups, removes those no longer given, and no others', async () => {
    const before = await groupsOf(await signInWith(finance(undefined)))
    expect(before).toEqual(['School business manager'])
    const given = await signInWith(finance(['finance-team', 'everybody', 'something else']))
    expect(await groupsOf(given)).toEqual(['School business manager', 'Trust finance'])
    // A token that replaces its list of groups by a link does not say which groups the user has, so none is removed.
    expect(await groupsOf(await signInWith(finance(undefined, { _claim_names: { groups: 'src1' } })))).toContain('Trust finance')
    const moved = await signInWith(finance(['governors']))
    expect(await groupsOf(moved)).toEqual(['Governor', 'School business manager'])
    expect(await groupsOf(await signInWith(finance(undefined)))).toEqual(before)
    const administrator = await signInWith({ sub: 'pairwise-admin', email: 'admin@bursar.example' })
    const id = (await moved.call('GET', '/api/Authorisation')).body?.user?.id ?? 0
    const history = (await browserAsk(atMicrosoft, administrator, 'users.history', { id })).data
    const sentences = history.flatMap(({ sentence }: Body) => (sentence ? [sentence] : []))
    expect(sentences).toEqual([
      'lost Governor in Harbour Learning Trust because of their groups at Microsoft',
      'was given Governor and lost Trust finance in Harbour Learning Trust because of their groups at Microsoft',
      'was given Trust finance in Harbour Learning Trust because of their groups at Microsoft',
      'was linked to their sign-in at localhost',
    ])
  })
  it('gives user groups once to a user who signs in from two windows at once', async () => {
    const own = connectAsOwner(atMicrosoft.config.databaseUrl)
    let both: Promise<Caller[]> = Promise.resolve([])
    await own.begin(async (other) => {
      await other`select pg_advisory_xact_lock(7342010)`
      both = Promise.all([0, 1].map(() => signInWith(finance(['finance-team']))))
      await until('both wait', async () => {
        const [waiting] = await own`select count(*)::int as count from pg_locks where not granted and locktype = 'advisory'`
        return waiting!.count === 2
      })
    })
    for (const caller of await both) expect(await groupsOf(caller)).toEqual(['School business manager', 'Trust finance'])
    await signInWith(finance([]))
  })
  it('is not called again in a loop if the groups cannot be stored, which is reported', async () => {
    const own = connectAsOwner(atMicrosoft.config.databaseUrl)
    await own`update users set surname = '' where email = 'northgate@harbour.example'`
    microsoft.chooseAccount(finance(['finance-team']))
    const { page } = await signInThroughIssuer(atMicrosoft)
    expect(page).toContain('Something went wrong here.')
    await own`update users set surname = 'Turner' where email = 'northgate@harbour.example'`
  })
  it('gives the groups of an organisation’s own rules as well as those in the settings, there and nowhere else', async () => {
    const administrator = await signInWith({ sub: 'pairwise-admin', email: 'admin@bursar.example' })
    const sql = connectAsOwner(atMicrosoft.config.databaseUrl)
    const organisations = await sql`select id, name from organisations order by id`
    const [harbour, meadow] = ['Harbour Learning Trust', 'Meadow Schools Trust'].map(
      (name) => organisations.find((one) => one.name === name)!.id,
    )
    const auditor = (await sql`select id from user_groups where name = 'Auditor'`)[0]!.id
    const input = { value: 'inspectors', userGroupId: auditor }
    const call = (procedure: string, given: unknown, OrganisationId: OrganisationId, caller = administrator) =>
      browserCall(atMicrosoft, caller, `users.groupRules.${procedure}`, given, { OrganisationId })
    const person = await signInWith(finance(undefined))
    await expect(call('add', input, harbour, person)).rejects.toThrow()
    await call('add', input, meadow)
    await expect(call('add', input, meadow)).rejects.toThrow('There is already a rule with this value for this user group.')
    await expect(call('add', { ...input, userGroupId: 4_000_000 }, meadow)).rejects.toThrow('User group was not found.')
    await expect(call('remove', input, harbour)).rejects.toThrow()
    const listed = await browserAsk(atMicrosoft, administrator, 'users.groupRules.list', undefined, { OrganisationId: harbour })
    expect(listed.data).toMatchObject({ issuer: 'Microsoft', claim: 'groups' })
    expect(listed.data.rules.map(({ value, userGroupId }: Body) => [value, userGroupId])).toEqual([
      ['finance-team', null],
      ['governors', null],
    ])
    const groupsAt = async (organisationId: OrganisationId): Promise<string[]> => {
      const [row] =
        await sql`select array_agg(g.name order by g.name) as names from memberships m join user_groups g on g.id = any(m.user_group_ids)
        join users u on u.id = m.user_id where u.email = 'northgate@harbour.example' and m.organisation_id = ${organisationId}`
      return row!.names ?? []
    }
    await signInWith(finance(['inspectors']))
    expect([await groupsAt(harbour), await groupsAt(meadow)]).toEqual([['School business manager'], ['Auditor']])
    await signInWith(finance(undefined))
    expect(await groupsAt(meadow)).toEqual([])
    await call('remove', input, meadow)
    await signInWith(finance(['inspectors']))
    expect(await groupsAt(meadow)).toEqual([])
    const log = await sql`select action, organisation_id from reference_changes where resource = 'groupRule' order by id`
    expect(log.map((row) => [row.action, row.organisation_id])).toEqual([
      ['created', meadow],
      ['deleted', meadow],
    ])
  })
  it('shows who added and removed which rule, and lets that be undone until somebody changes it', async () => {
    const administrator = await signInWith({ sub: 'pairwise-admin', email: 'admin@bursar.example' })
    const sql = connectAsOwner(atMicrosoft.config.databaseUrl)
    const [harbour, meadow] = ['Harbour Learning Trust', 'Meadow Schools Trust']
    const own = (await sql`select id from organisations where name = ${harbour!}`)[0]!.id
    const other = (await sql`select id from organisations where name = ${meadow!}`)[0]!.id
    const made = await administrator.call('POST', '/api/UserGroups', {
      name: 'Visitors',
      permissions: [{ name: 'ConsoleCostCentresRead' }],
    })
    const rule = { value: 'visiting', userGroupId: made.body.id }
    const call = (procedure: string, given: unknown, OrganisationId = own) =>
      browserCall(atMicrosoft, administrator, `users.groupRules.${procedure}`, given, { OrganisationId })
    const ask = async (procedure: string, OrganisationId = own): Promise<Body[]> => {
      const { data } = await browserAsk(atMicrosoft, administrator, `users.groupRules.${procedure}`, undefined, { OrganisationId })
      return procedure === 'list' ? data.rules.map((one: Body) => one.value) : data
    }
    const said = async (): Promise<string[]> =>
      (await ask('history')).map(({ sentence, undoable }) => `${sentence}${undoable ? ' (undo)' : ''}`)
    const gives = 'the rule that puts everyone with “visiting” in Visitors'

    const first = await call('add', rule)
    expect(await ask('history')).toMatchObject([{ actor: await who(administrator), version: first.id, at: expect.any(String) }])
    await expect(call('undo', first, other)).rejects.toThrow('The change was not found.')
    await call('undo', first)
    expect(await ask('list')).not.toContain('visiting')
    await expect(call('undo', first)).rejects.toThrow(/^This rule has since been removed by .+ on .+\. Nothing was undone\.$/)
    const [removal] = await ask('history')
    await call('undo', { id: removal.version })
    expect(await ask('list')).toContain('visiting')
    expect(await said()).toEqual([`restored ${gives} (undo)`, `removed ${gives}`, `added ${gives}`])
    await expect(call('undo', { id: removal.version })).rejects.toThrow(/^This rule has since been added again by /)

    const gone = await call('remove', rule)
    // Two administrators add the same rule at once: one creates it, and the other finds it.
    const both = await Promise.allSettled([call('add', rule), call('undo', gone)])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await ask('list')).toContain('visiting')

    await call('remove', rule)
    const second = await call('add', { ...rule, value: 'calling' })
    expect((await administrator.call('DELETE', `/api/UserGroups/${made.body.id}`)).status).toBe(204)
    await expect(call('undo', second)).rejects.toThrow('This rule was deleted with its user group. Nothing was undone.')
    const [, third] = await ask('history')
    await expect(call('undo', { id: third.version })).rejects.toThrow(
      'The user group of this rule was deleted, so the rule cannot be restored.',
    )
    expect((await said()).slice(0, 2)).toEqual([
      'added the rule that puts everyone with “calling” in Visitors. It was removed when the user group was deleted',
      `removed ${gives}`,
    ])
    expect((await ask('history', other)).filter(({ sentence }) => sentence.includes('Visitors'))).toEqual([])
  })
  it('gives the rules of a deleted user group back with it, from the bin and by undo, in every organisation', async () => {
    const administrator = await signInWith({ sub: 'pairwise-admin', email: 'admin@bursar.example' })
    const sql = connectAsOwner(atMicrosoft.config.databaseUrl)
    const [harbour, meadow] = await sql<{ id: OrganisationId }[]>`
      select id from organisations where name in ('Harbour Learning Trust', 'Meadow Schools Trust') order by name`
    const group = (
      await administrator.call('POST', '/api/UserGroups', {
        name: 'Inspectors',
        permissions: [{ name: 'ConsoleCostCentresRead' }],
        secondStepRequired: true,
      })
    ).body
    const call = (procedure: string, value: string, OrganisationId: OrganisationId) =>
      browserCall(atMicrosoft, administrator, `users.groupRules.${procedure}`, { value, userGroupId: group.id }, { OrganisationId })
    for (const { id } of [harbour!, meadow!]) await call('add', 'ofsted', id)
    await call('add', 'esfa', harbour!.id)
    await call('remove', 'esfa', harbour!.id)
    await call('add', 'council', harbour!.id)
    await call('remove', 'council', harbour!.id)
    await call('add', 'council', harbour!.id)
    const rulesAt = async (OrganisationId: OrganisationId): Promise<string[]> =>
      (await browserAsk(atMicrosoft, administrator, 'users.groupRules.list', undefined, { OrganisationId })).data.rules
        .filter(({ userGroupId }: Body) => userGroupId === group.id)
        .map(({ value }: Body) => value)
    const stand = { harbour: ['council', 'ofsted'], meadow: ['ofsted'] }
    const all = async () => ({ harbour: await rulesAt(harbour!.id), meadow: await rulesAt(meadow!.id) })
    expect(await all()).toEqual(stand)

    const back: [string, object][] = [
      ['bin.restore', { records: [{ kind: 'userGroup', id: group.id }] }],
      ['resources.userGroup.undo', { id: group.id, version: null }],
    ]
    for (const [procedure, given] of back) {
      expect((await administrator.call('DELETE', `/api/UserGroups/${group.id}`)).status).toBe(204)
      expect(await all()).toEqual({ harbour: [], meadow: [] })
      await browserCall(atMicrosoft, administrator, procedure, given)
      expect(await all()).toEqual(stand)
      expect((await administrator.call('GET', `/api/UserGroups/${group.id}`)).body).toMatchObject({ secondStepRequired: true })
    }
    // A restored rule is like any other: it can be removed, and its history includes both.
    await call('remove', 'ofsted', meadow!.id)
    expect(await all()).toEqual({ ...stand, meadow: [] })
    const { data } = await browserAsk(atMicrosoft, administrator, 'users.groupRules.history', undefined, { OrganisationId: harbour!.id })
    expect(data[0]).toMatchObject({ sentence: 'added the rule that puts everyone with “council” in Inspectors', undoable: true })
  })
  it('ends its own sign-in as well, and names the issuer', async () => {
    microsoft.chooseAccount({ sub: 'pairwise-1', email: 'auditor@harbour.example' })
    const { visit, signOut } = await signInThroughIssuer(atMicrosoft)
    const page = await signOut()
    const there = new URL(/url=([^"]+)"/.exec(page)![1]!.replaceAll('&#38;', '&'))
    expect(there.href).toContain(`${microsoft.issuer}/session/end?`)
    expect(there.searchParams.get('post_logout_redirect_uri')).toBe(`${atMicrosoft.origin}/loggedout`)
    expect(there.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
    expect((await visit(there.href)).status).toBe(200)
  })
  it('leaves two-step verification to the product if a user group requires it, unless the issuer says that it did it', async () => {
    await connectAsOwner(atMicrosoft.config.databaseUrl)`update user_groups set second_step_required = true where name = 'Auditor'`
    const auditor = { sub: 'pairwise-1', email: 'auditor@harbour.example' }
    microsoft.chooseAccount(auditor)
    const { page, send } = await signInThroughIssuer(atMicrosoft)
    expect(page).toContain('Set up two-step verification')
    const key = /<code>([A-Z2-7 ]+)<\/code>/.exec(page)![1]!
    expect((await send({ code: readAppCode(key) })).page).toContain('Recovery codes')
    const { caller, signOut } = await send({ goOn: '1' })
    expect(await who(caller!)).toBe('Noor Ali')
    // The ID token was sent along, so the sign-in at the issuer ends with this one.
    expect(await signOut()).toContain('/session/end')
    microsoft.chooseAccount({ ...auditor, amr: ['pwd', 'mfa'] })
    expect(await who((await signInThroughIssuer(atMicrosoft)).caller!)).toBe('Noor Ali')
  })
})

describe('the settings of an outside issuer', () => {
  const good = { OIDC_ISSUER: 'https://login.microsoftonline.com/7a11/v2.0', OIDC_CLIENT_ID: 'bursar' }

  it('may be just an issuer and a client id', () => {
    expect(readIssuerSettings({})).toBeNull()
    expect(readIssuerSettings(good)).toEqual({
      issuer: good.OIDC_ISSUER,
      clientId: 'bursar',
      clientSecret: null,
      name: 'login.microsoftonline.com',
      trustEmail: false,
      secondStep: 'here',
      groups: { claim: 'groups', rules: [] },
    })
    const groups = readIssuerSettings({ ...good, OIDC_GROUPS_CLAIM: 'roles', OIDC_GROUPS: JSON.stringify(rules) })?.groups
    expect(groups).toEqual({ claim: 'roles', rules })
  })
  it.each([
    [{ OIDC_CLIENT_ID: '' }, 'set without OIDC_CLIENT_ID'],
    [{ OIDC_ISSUER: 'http://issuer.example' }, 'must begin with https://'],
    [{ OIDC_ISSUER: 'issuer' }, 'must begin with https://'],
    [{ OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }, 'Use your own tenant'],
    [{ OIDC_ISSUER: 'https://login.microsoftonline.com/organizations/v2.0' }, 'Use your own tenant'],
    [{ OIDC_ISSUER: 'https://login.microsoftonline.com:443//COMMON/v2.0' }, 'Use your own tenant'],
    [{ OIDC_ISSUER: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0' }, 'Use your own tenant'],
    [{ OIDC_TRUST_EMAIL: 'yes' }, 'It must be 0 or 1'],
    [{ OIDC_SECOND_STEP: 'none' }, 'It must be here or issuer'],
    [{ OIDC_GROUPS: '{' }, 'must be JSON'],
    [{ OIDC_GROUPS: '[{"value":"x"}]' }, 'must be a list of 1 to 1,000 rules'],
  ])('with an error are refused in one sentence: %j', (wrong, sentence) => {
    expect(() => readIssuerSettings({ ...good, ...wrong })).toThrow(sentence)
  })
})
