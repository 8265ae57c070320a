import { beforeAll, describe, expect, it } from 'vitest'
import { derivePasskeySite } from '../../../server/auth/passkeys/site.ts'
import { createDevice, type ReplyFault } from '../../support/outside/authenticator.ts'
import { readAppCode } from '../../support/outside/authenticatorApp.ts'
import { startMailbox } from '../../support/outside/mailbox.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import {
  type Body,
  beginSignIn,
  browserAsk,
  browserCall,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  type SigningIn,
  signInAs,
  signInByPassword,
} from '../../support/product/http.ts'
import type { Product } from '../../support/product/product.ts'
import { password, type SignInPeople, startSignInPeople } from '../../support/product/signInPeople.ts'
import { until } from '../../support/running/worker.ts'

let product: Product
let administrator: Caller
let mailbox: Awaited<ReturnType<typeof startMailbox>>
let own: SignInPeople['own']
let person: SignInPeople['person']
let userNamed: SignInPeople['userNamed']

beforeAll(async () => {
  mailbox = await startMailbox()
  ;({ product, administrator, own, person, userNamed } = await startSignInPeople())
})

const refused = 'This passkey was not accepted. Try again, or sign in with your password.'
type Device = ReturnType<typeof createDevice>

const listOf = async (caller: Caller): Promise<Body[]> => (await browserAsk(product, caller, 'account.passkeys', undefined)).data.list
const beginFor = (caller: Caller, code = '') => browserCall(product, caller, 'account.beginPasskey', { password, code })

/** Adds a passkey on the profile page. */
async function add(caller: Caller, device: Device, name = 'Work laptop'): Promise<void> {
  const made = device.make(await beginFor(caller))
  await browserCall(product, caller, 'account.addPasskey', { name, made })
}

/** Adds a new device with a passkey. Each key may be tried only ten times a minute. */
async function added(caller: Caller, name?: string): Promise<Device> {
  const device = createDevice(product.origin)
  await add(caller, device, name)
  return device
}

/** Requests the challenge for the device during a sign-in. */
const questionOf = async (signingIn: SigningIn): Promise<{ rpId: string; challenge: string }> => (await signingIn.ask('/passkey')).json()

/** Signs in with the passkey of a device. @returns the text of the page that refused it, and the sign-in once it succeeds */
async function signInWith(device: Device, wrong?: ReplyFault): Promise<{ page: string | null; signingIn: SigningIn }> {
  const signingIn = await beginSignIn(product, { 'User-Agent': 'Mozilla/5.0 (Macintosh) Version/26.0 Safari/605' })
  const used = device.use(await questionOf(signingIn), wrong)
  const reply = await signingIn.send({ passkey: JSON.stringify(used) })
  return { page: reply && `${reply.status} ${reply.text}`, signingIn }
}

async function expectRefused(device: Device, wrong?: ReplyFault): Promise<void> {
  const { page, signingIn } = await signInWith(device, wrong)
  expect(page).toMatch(/^400 /)
  expect(page).toContain(refused)
  expect(await signingIn.renew()).toBeNull()
}

describe('a passkey', () => {
  let caller: Caller
  let device: Device

  it('is added on the profile page with the password, under a name', async () => {
    caller = await person('key@harbour.example')
    device = createDevice(product.origin)
    expect((await browserAsk(product, caller, 'account.passkeys', undefined)).data).toEqual({ list: [], asksCode: false })
    await expect(browserCall(product, caller, 'account.beginPasskey', { password: 'another', code: '' })).rejects.toThrow(
      'The password is wrong.',
    )
    await add(caller, device)
    expect(await listOf(caller)).toEqual([{ id: expect.any(Number), name: 'Work laptop', created: expect.any(String), lastUsed: null }])
    expect(await userNamed('key@harbour.example')).toMatchObject({ hasPasskey: true })
  })
  it('signs its user in without password and code, and the list of sign-ins says so', async () => {
    const { page, signingIn } = await signInWith(device)
    expect(page).toBeNull()
    const signedIn = await signingIn.caller()
    expect((await signedIn.call('GET', '/api/Authorisation')).body.user.email).toBe('key@harbour.example')
    expect(await listOf(caller)).toEqual([expect.objectContaining({ lastUsed: expect.any(String) })])
    const { data } = await browserAsk(product, signedIn, 'account.signIns', undefined)
    expect(data.map((one: Body) => [one.device, one.way])).toEqual([
      ['Safari on a Mac', 'passkey'],
      [expect.any(String), 'password'],
    ])
    expect(await signingIn.renew()).not.toBeNull()
  })
  it('is refused for another site, without user verification, or for another user', async () => {
    const device = await added(caller)
    await expectRefused(device, { origin: 'https://bursar.example' })
    await expectRefused(device, { rpId: 'bursar.example' })
    await expectRefused(device, { isVerified: false })
    await expectRefused(device, { userHandle: Buffer.from('somebody else').toString('base64url') })
    expect((await signInWith(device)).page).toBeNull()
  })
  it('is refused with a challenge that was used before, belongs to another sign-in, or is too old', async () => {
    const device = await added(caller)
    const first = await beginSignIn(product)
    const answered = JSON.stringify(device.use(await questionOf(first), { userHandle: 'bm9ib2R5' }))
    expect((await first.send({ passkey: answered }))!.text).toContain(refused)
    const replayed = await beginSignIn(product)
    const question = await questionOf(replayed)
    const good = JSON.stringify(device.use(question))
    expect(await replayed.send({ passkey: good })).toBeNull()
    const other = await beginSignIn(product)
    await questionOf(other)
    expect((await other.send({ passkey: good }))!.text).toContain(refused)
    const spent = await beginSignIn(product)
    const twice = await questionOf(spent)
    await spent.send({ passkey: JSON.stringify(device.use(twice, { isVerified: false })) })
    expect((await spent.send({ passkey: JSON.stringify(device.use(twice)) }))!.text).toContain(refused)
    const late = await beginSignIn(product)
    const old = await questionOf(late)
    const owner = connectAsOwner(product.config.databaseUrl)
    await owner.begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      await tx`update oidc_payloads set expires_at = now() - interval '1 second' where model = 'PasskeyChallenge'`
    })
    expect((await late.send({ passkey: JSON.stringify(device.use(old)) }))!.text).toContain(refused)
  })
  it('is refused if the device’s counter is lower than before, which the history records', async () => {
    const device = await added(caller, 'Copied')
    expect((await signInWith(device, { count: 50 })).page).toBeNull()
    await expectRefused(device, { count: 1 })
    const { id } = await userNamed('key@harbour.example')
    const [newest] = (await browserAsk(product, administrator, 'users.history', { id })).data
    expect(newest.sentence).toBe('was refused sign-in with the passkey “Copied”, which may have been copied')
    expect((await signInWith(device, { count: 100 })).page).toBeNull()
  })
  it('that nobody has is refused with the same sentence, and so is invalid data', async () => {
    const device = await added(caller)
    const stranger = createDevice(product.origin)
    stranger.make({ rp: { id: 'localhost' }, user: { id: 'bm9ib2R5' }, challenge: 'none' })
    await expectRefused(stranger)
    await expectRefused(device, { credentialId: stranger.credentialId })
    const signingIn = await beginSignIn(product)
    for (const passkey of ['nonsense', '{}', JSON.stringify({ id: 'a'.repeat(9000) })])
      expect((await signingIn.send({ passkey }))!.text).toContain(refused)
  })
  it('works with each supported kind of key, with a device without a counter, and with several of one user', async () => {
    const several = await person('several@harbour.example')
    for (const kind of ['EdDSA', 'RS256', 'ES256'] as const) {
      const another = createDevice(product.origin, kind)
      const made = another.make(await beginFor(several), { count: 0 })
      await browserCall(product, several, 'account.addPasskey', { name: kind, made })
      for (let times = 0; times < 2; times++) expect((await signInWith(another, { count: 0 })).page).toBeNull()
    }
    expect((await listOf(several)).map((one) => one.name)).toEqual(['EdDSA', 'RS256', 'ES256'])
  })
  it('is not added for another site, another sign-in, another kind of key, unverified, twice, or without a name', async () => {
    const careful = await person('careful@harbour.example')
    const known = await added(caller)
    const tried = (made: Body, name = 'Phone', by = careful) => browserCall(product, by, 'account.addPasskey', { name, made })
    const again = 'This passkey could not be added. Start again.'
    for (const wrong of [{ origin: 'https://bursar.example' }, { rpId: 'bursar.example' }, { isVerified: false }, { statement: 'apple' }])
      await expect(tried(createDevice(product.origin).make(await beginFor(careful), wrong))).rejects.toThrow(again)
    await expect(tried(createDevice(product.origin, 'ES384').make(await beginFor(careful)))).rejects.toThrow(again)
    const question = await beginFor(careful)
    const made = createDevice(product.origin).make(question)
    const elsewhere = await signInByPassword(product, 'careful@harbour.example', password)
    await expect(tried(made, 'Phone', elsewhere)).rejects.toThrow(again)
    await expect(tried(made, ' ')).rejects.toThrow('Enter a name.')
    await tried(made)
    await expect(tried(made)).rejects.toThrow(again)
    await expect(tried(known.make(await beginFor(careful)))).rejects.toThrow('This passkey has already been added.')
    expect((await beginFor(careful)).excludeCredentials).toEqual([{ type: 'public-key', id: made.id, transports: ['internal'] }])
    expect(await listOf(careful)).toHaveLength(1)
  })
  it('is one of at most twenty, also if two are added at once', async () => {
    const many = await person('many@harbour.example')
    const again = await signInByPassword(product, 'many@harbour.example', password)
    const { id } = await userNamed('many@harbour.example')
    const owner = connectAsOwner(product.config.databaseUrl)
    const { user } = await beginFor(many)
    await owner`insert into passkeys (user_id, name, credential_id, user_handle, public_key, sign_count)
      select ${id}, 'Key ' || number, 'key ' || number, ${user.id}, '', 0 from generate_series(1, 19) number`
    const asked = await Promise.all([many, again].map((by) => beginFor(by)))
    let both: Promise<PromiseSettledResult<unknown>[]> = Promise.resolve([])
    await owner.begin(async (other) => {
      // Both calls have checked the signature count, and neither has stored it yet.
      await other`lock table passkeys in share mode`
      both = Promise.allSettled(
        [many, again].map((by, index) =>
          browserCall(product, by, 'account.addPasskey', { name: 'Last', made: createDevice(product.origin).make(asked[index]) }),
        ),
      )
      await until('both wait', async () => {
        const [waiting] = await owner`select count(*)::int as count from pg_locks where not granted`
        return waiting!.count === 2
      })
    })
    const refusals = (await both).flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect(refusals).toEqual([expect.stringContaining('You can have at most 20 passkeys.')])
    expect(await listOf(many)).toHaveLength(20)
  })
  it('is renamed and removed by its user alone, who gets an email, and no longer signs anybody in', async () => {
    const stranger = await person('stranger@harbour.example')
    product.config.mail = { url: mailbox.url, from: 'bursar@harbour.example' }
    const second = await added(caller, 'Phone')
    await expect.poll(() => mailbox.mails.at(-1)).toMatch(/^Subject: A passkey was added to your Bursar account$/m)
    const { id } = (await listOf(caller)).at(-1)
    for (const call of ['account.renamePasskey', 'account.removePasskey'])
      await expect(browserCall(product, stranger, call, { id, name: 'Mine' })).rejects.toThrow('Passkey was not found.')
    await browserCall(product, caller, 'account.renamePasskey', { id, name: 'Old phone' })
    expect((await listOf(caller)).at(-1).name).toBe('Old phone')
    const left = await browserCall(product, caller, 'account.removePasskey', { id })
    expect(left).toMatchObject({ rpId: 'localhost', allAcceptedCredentialIds: expect.arrayContaining([device.credentialId]) })
    expect(left.allAcceptedCredentialIds).not.toContain(second.credentialId)
    await expect.poll(() => mailbox.mails.at(-1)).toMatch(/^Subject: A passkey was removed from your Bursar account$/m)
    product.config.mail = null
    await expectRefused(second)
    expect((await signInWith(device)).page).toBeNull()
    const user = await userNamed('key@harbour.example')
    const history = await browserAsk(product, administrator, 'users.history', { id: user.id })
    expect(history.data.map((entry: Body) => entry.sentence).slice(0, 3)).toEqual([
      'removed the passkey “Old phone”',
      'renamed the passkey “Phone” to “Old phone”',
      'added the passkey “Phone”',
    ])
  })
  it('of an inactive user signs nobody in', async () => {
    const device = await added(caller)
    const user = await userNamed('key@harbour.example')
    await administrator.call('PUT', '/api/Users', { ...user, active: false })
    await expectRefused(device)
  })
  it('is checked only a limited number of times a minute for one key from one place', async () => {
    const tried = createDevice(product.origin)
    tried.make({ rp: { id: 'localhost' }, user: { id: 'bm9ib2R5' }, challenge: 'none' })
    for (let count = 0; count < 10; count++) await expectRefused(tried)
    expect((await signInWith(tried)).page).toMatch(/^429 [\s\S]*Too many attempts. Try again in \d+ seconds./)
  })
})

describe('a passkey beside two-step verification', () => {
  it('needs a code of the app to be added, and none to sign in', async () => {
    const both = await person('both@harbour.example')
    const { key } = await browserCall<{ key: string }>(product, both, 'account.beginSecondStep', { password })
    await browserCall(product, both, 'account.confirmSecondStep', { code: readAppCode(key, -1) })
    expect((await browserAsk(product, both, 'account.passkeys', undefined)).data.asksCode).toBe(true)
    await expect(beginFor(both)).rejects.toThrow(/This code is wrong/)
    const device = createDevice(product.origin)
    await browserCall(product, both, 'account.addPasskey', { name: 'Phone', made: device.make(await beginFor(both, readAppCode(key, 0))) })
    expect((await signInWith(device)).page).toBeNull()
    const withPassword = await beginSignIn(product)
    expect((await withPassword.send({ email: 'both@harbour.example', password }))!.text).toContain('Your passkey needs no code')
    expect(await withPassword.send({ code: readAppCode(key, 1) })).toBeNull()
    const { data } = await browserAsk(product, await withPassword.caller(), 'account.signIns', undefined)
    expect(data.map((one: Body) => one.way)).toEqual(['passwordAndCode', 'passkey', 'password'])
  })
  it('satisfies it if a user group requires it', async () => {
    const must = await person('must.key@harbour.example')
    const device = createDevice(product.origin)
    await add(must, device)
    const groups = await administrator.call('POST', '/api/UserGroups/list', { search: 'Group of must.key@harbour.example' })
    await administrator.call('PUT', '/api/UserGroups', { ...groups.body.rows[0], secondStepRequired: true })
    const { page, signingIn } = await signInWith(device)
    expect(page).toBeNull()
    expect(await signingIn.renew()).not.toBeNull()
    const withPassword = await beginSignIn(product)
    expect((await withPassword.send({ email: 'must.key@harbour.example', password }))!.text).toContain('requires two-step verification')
    expect(await withPassword.renew()).toBeNull()
  })
})

describe('a user who has lost a device', () => {
  it('has their passkeys removed by a user with at least their rights, gets an email, and the history says so', async () => {
    const lost = await person('lost.key@harbour.example')
    const device = createDevice(product.origin)
    await add(lost, device)
    const { id } = await userNamed('lost.key@harbour.example')
    const manager = await inviteAndSignIn(product, administrator, 'manages@harbour.example', ['ConsoleUsersReadUpdate'], own.OrganisationId)
    await expect(browserCall(product, manager, 'users.own.removePasskeys', { id }, own)).rejects.toThrow(/has more permissions than you/)
    const meadow = await signInAs(product, 'finance@meadow.example')
    const theirs = { OrganisationId: (await findTrustIds(meadow)).organisationId }
    await expect(browserCall(product, meadow, 'users.own.removePasskeys', { id }, theirs)).rejects.toThrow('User was not found.')
    product.config.mail = { url: mailbox.url, from: 'bursar@harbour.example' }
    await browserCall(product, administrator, 'users.removePasskeys', { id })
    await expect.poll(() => mailbox.mails.at(-1)).toMatch(/^Subject: Your passkeys for Bursar were removed$/m)
    product.config.mail = null
    await expectRefused(device)
    const [newest] = (await browserAsk(product, administrator, 'users.history', { id })).data
    expect(newest.sentence).toBe('removed the passkeys of this user: “Work laptop”')
    await expect(browserCall(product, administrator, 'users.removePasskeys', { id })).rejects.toThrow('This user has no passkey.')
    await administrator.call('PUT', '/api/Users', { ...(await userNamed('lost.key@harbour.example')), active: false })
  })
})

describe('a new password through a link', () => {
  it('leaves passkeys as they are, shows them, and removes the ticked ones', async () => {
    const forgot = await person('forgot@harbour.example')
    const [laptop, phone] = [await added(forgot, 'Laptop & tablet'), await added(forgot, 'Phone')]
    const others = await person('forgot.not@harbour.example')
    const safe = await added(others)
    const { id } = await userNamed('forgot@harbour.example')
    const [{ id: phoneId }] = (await listOf(forgot)).filter(({ name }) => name === 'Phone')
    const [{ id: safeId }] = await listOf(others)
    const { link } = await browserCall<{ link: string }>(product, administrator, 'users.invite', { id })
    const page = await (await fetch(link)).text()
    expect(page).toMatch(/Remove Laptop &#38; tablet<small>added .+ · not used yet/)
    const fields = { password: 'Another long password', again: 'Another long password' }
    const mistyped = await fetch(link, { method: 'POST', body: new URLSearchParams({ ...fields, again: 'x', remove: String(phoneId) }) })
    expect(await mistyped.text()).toContain(`value="${phoneId}" checked`)
    product.config.mail = { url: mailbox.url, from: 'bursar@harbour.example' }
    const ticked = [String(phoneId), String(safeId), 'x'].map((value) => ['remove', value])
    const body = new URLSearchParams([...Object.entries(fields), ...ticked])
    const done = await fetch(link, { method: 'POST', body, redirect: 'manual' })
    expect(done.status).toBe(303)
    await expect.poll(() => mailbox.mails.at(-1)).toContain('1 passkey was removed with it.')
    expect(mailbox.mails.at(-1)).toContain('1 passkey still signs you in')
    product.config.mail = null
    await expectRefused(phone)
    expect((await signInWith(laptop)).page).toBeNull()
    expect((await signInWith(safe)).page).toBeNull()
    const sentences = (await browserAsk(product, administrator, 'users.history', { id })).data.map(({ sentence }: Body) => sentence)
    expect(sentences).toContain('removed the passkey “Phone” while choosing a new password')
  })
})

describe('the sign-in page', () => {
  it('may request passkeys, for this site alone', async () => {
    const reply = await fetch(`${product.origin}/signin.css`)
    expect(reply.headers.get('permissions-policy')).toContain('publickey-credentials-get=(self), publickey-credentials-create=(self)')
    const page = await (await beginSignIn(product)).read()
    expect(page).toContain('autocomplete="username webauthn"')
    expect(page).toContain('Use a passkey')
  })
  it('requests passkeys only at a URL for which browsers make them', () => {
    const made = (address: string) => derivePasskeySite(address)?.rpId ?? null
    expect(made('https://budgets.example.org')).toBe('budgets.example.org')
    expect(made('https://budgets.example.org:8443')).toBe('budgets.example.org')
    expect(made('http://localhost:3000')).toBe('localhost')
    expect(made('http://budgets.example.org')).toBeNull()
    expect(made('https://192.0.2.7')).toBeNull()
    expect(made('https://[2001:db8::7]')).toBeNull()
    expect(made('http://127.0.0.1:3000')).toBeNull()
  })
})
