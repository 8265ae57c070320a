import type { Sql } from 'postgres'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { describeDevice } from '../../../domain/people/device.ts'
import { demoPassword } from '../../../server/demo/access.ts'
import { serve } from '../../../server/serve.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { atEnd } from '../../support/product/endings.ts'
import {
  type Body,
  beginSignIn,
  browserAsk,
  browserCall,
  type Caller,
  inviteAndSignIn,
  type SigningIn,
  setPasswordByLink,
  signInByPassword,
} from '../../support/product/http.ts'
import { connect } from '../../support/product/hub.ts'
import { configOf, type Product } from '../../support/product/product.ts'
import { password, type SignInPeople, startSignInPeople } from '../../support/product/signInPeople.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'

let product: Product
let owner: Sql
let other: Product
let administrator: Caller
let own: SignInPeople['own']
let person: SignInPeople['person']
let userNamed: SignInPeople['userNamed']

beforeAll(async () => {
  ;({ product, administrator, own, person, userNamed } = await startSignInPeople())
  owner = connectAsOwner(product.config.databaseUrl)
  // A second server on the same database.
  const config = { ...(await configOf(product.config.databaseUrl)), origin: product.origin, queuePrefix: product.config.queuePrefix }
  const server = await serve(config)
  atEnd(() => server.close())
  other = { config, origin: `http://localhost:${config.port}` }
})

const idOf = async (email: string): Promise<number> => (await userNamed(email)).id

async function signedIn(email: string, agent: string): Promise<{ browser: SigningIn; caller: Caller }> {
  const browser = await beginSignIn(product, { 'User-Agent': agent })
  expect(await browser.send({ email, password })).toBeNull()
  return { browser, caller: await browser.caller() }
}

/** The status of a server’s reply to a token. */
const statusAt = async ({ origin }: Product, { token }: Caller): Promise<number> =>
  (await fetch(`${origin}/api/Authorisation`, { headers: { ApiVersion: '2', Authorization: `Bearer ${token}` } })).status

describe('the sign-ins of a user', () => {
  it('are listed for the user: browser and system by name, from where, since when and last used', async () => {
    await person('places@harbour.example')
    await signedIn('places@harbour.example', firefox)
    const { caller } = await signedIn('places@harbour.example', phone)
    const { data } = await browserAsk(product, caller, 'account.signIns', undefined)
    expect(data.map(({ device, isThis }: Body) => [device, isThis])).toEqual([
      ['Safari on an iPhone', true],
      ['Firefox on Windows', false],
      ['Another browser on another system', false],
    ])
    expect(data[0].address).toMatch(/127\.0\.0\.1|::1/)
    expect(Date.now() - new Date(data[0].lastUsed).getTime()).toBeLessThan(60_000)
  })
  it('stay one when a page renews its token', async () => {
    await person('renewed@harbour.example')
    const { browser } = await signedIn('renewed@harbour.example', firefox)
    const renewed = await browser.renew()
    expect((await browserAsk(product, renewed!, 'account.signIns', undefined)).data).toHaveLength(2)
  })
  it('continue in a page that is open for longer than a grant of the issuer lasts', async () => {
    await person('all.day@harbour.example')
    const { browser } = await signedIn('all.day@harbour.example', firefox)
    const over = () => owner`delete from oidc_payloads where model = 'Grant' and payload ->> 'accountId' = ${String(id)}`
    const id = await idOf('all.day@harbour.example')
    await over()
    expect(await statusAt(product, (await browser.renew())!)).toBe(200)
    await over()
    await owner`update sign_ins set ended_at = now() where user_id = ${id}`
    expect(await browser.renew()).toBeNull()
  })
  it('begin at one server and end at another whose clock is minutes off, and each accepts the other’s tokens', async () => {
    await person('clocks@harbour.example')
    onTestFinished(() => void vi.useRealTimers())
    const apart = 5 * 60_000
    // Servers hold no state, so changing one server’s clock stands for two servers.
    const at = (offMs: number) => {
      vi.useRealTimers()
      if (offMs) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offMs })
    }
    const then = 0
    for (const first of [-apart, apart]) {
      at(first)
      const browser = await beginSignIn(product, { 'User-Agent': firefox })
      at(then)
      expect((await browser.read()).includes('name="password"')).toBe(true)
      at(first)
      expect(await browser.send({ email: 'clocks@harbour.example', password })).toBeNull()
      at(then)
      const caller = await browser.caller()
      expect(await statusAt(product, caller)).toBe(200)
      at(first)
      expect(await statusAt(other, caller)).toBe(200)
      const renewed = await browser.renew()
      at(then)
      expect(await statusAt(other, renewed!)).toBe(200)
    }
  })
  it('lapse if their code is unused for a minute, by the clock of the database', async () => {
    await person('late@harbour.example')
    const browser = await beginSignIn(product, { 'User-Agent': firefox })
    expect(await browser.send({ email: 'late@harbour.example', password })).toBeNull()
    await owner`update oidc_payloads set expires_at = expires_at - interval '1 minute' where model = 'AuthorizationCode'`
    expect((await browser.caller()).token).toBeUndefined()
  })
  it('end one by one: the token is refused by every server, and is not renewed', async () => {
    await person('ended@harbour.example')
    const lost = await signedIn('ended@harbour.example', phone)
    const here = await signedIn('ended@harbour.example', firefox)
    // Both servers cache for seconds which user a token belongs to.
    for (const server of [product, other]) expect(await statusAt(server, lost.caller)).toBe(200)
    const list = (await browserAsk(product, here.caller, 'account.signIns', undefined)).data
    const { id } = list.find((one: Body) => one.device === 'Safari on an iPhone')
    await browserCall(product, here.caller, 'account.endSignIn', { id })
    expect(await statusAt(product, lost.caller)).toBe(401)
    await expect.poll(() => statusAt(other, lost.caller)).toBe(401)
    expect(await lost.browser.renew()).toBeNull()
    expect(await statusAt(product, here.caller)).toBe(200)
    expect(await here.browser.renew()).not.toBeNull()
    await expect(browserCall(product, here.caller, 'account.endSignIn', { id })).rejects.toThrow('Sign-in was not found.')
  })
  it('cannot be ended by others', async () => {
    const mine = await person('mine@harbour.example')
    const theirs = await person('theirs@harbour.example')
    const [{ id }] = (await browserAsk(product, mine, 'account.signIns', undefined)).data
    await expect(browserCall(product, theirs, 'account.endSignIn', { id })).rejects.toThrow('Sign-in was not found.')
    expect(await statusAt(product, mine)).toBe(200)
  })
  it('end everywhere at once, including here and live connections', async () => {
    await person('everywhere@harbour.example')
    const one = await signedIn('everywhere@harbour.example', phone)
    const two = await signedIn('everywhere@harbour.example', firefox)
    const { connection } = await connect(product, one.caller, own.OrganisationId)
    const closed = new Promise((done) => connection.onclose(done))
    expect(await browserCall(product, two.caller, 'account.endSignIns', undefined)).toEqual({ ended: 3 })
    for (const { caller, browser } of [one, two]) {
      expect(await statusAt(product, caller)).toBe(401)
      expect(await browser.renew()).toBeNull()
    }
    await closed
    // The password still signs in.
    expect(await statusAt(product, (await signedIn('everywhere@harbour.example', firefox)).caller)).toBe(200)
  })
  it('end with a new password, so that somebody with the old one is out at once', async () => {
    await person('changed@harbour.example')
    const before = await signedIn('changed@harbour.example', phone)
    expect(await statusAt(product, before.caller)).toBe(200)
    await setPasswordByLink(product, administrator, await idOf('changed@harbour.example'), 'Yet another password')
    expect(await statusAt(product, before.caller)).toBe(401)
    expect(await before.browser.renew()).toBeNull()
  })
  it('cannot start from a link sent to an email address that the user no longer has', async () => {
    await person('old@harbour.example')
    const user = await userNamed('old@harbour.example')
    const invite = async (): Promise<string> =>
      (await browserCall<{ link: string }>(product, administrator, 'users.invite', { id: user.id })).link
    const [link, changed] = [await invite(), { ...user, email: 'new@harbour.example' }]
    expect((await fetch(link)).status).toBe(200)
    expect((await administrator.call('PUT', '/api/Users', changed)).status).toBe(200)
    expect((await fetch(link)).status).toBe(410)
    expect((await fetch(await invite())).status).toBe(200)
  })
  it('end before they have begun, for somebody who typed the old password and waited', async () => {
    await person('waited@harbour.example')
    const fields = { email: 'waited@harbour.example', password }
    const goOn = await (await beginSignIn(product)).hold(fields)
    const another = await (await beginSignIn(product)).hold(fields)
    expect(await goOn()).not.toBeNull()
    await setPasswordByLink(product, administrator, await idOf('waited@harbour.example'), 'Yet another password')
    expect(await another()).toBeNull()
  })
})

describe('a user who manages users', () => {
  it('ends all sign-ins of a user, and the history says so', async () => {
    await person('stolen@harbour.example')
    const stolen = await signedIn('stolen@harbour.example', phone)
    const id = await idOf('stolen@harbour.example')
    expect(await browserCall(product, administrator, 'users.endSignIns', { id })).toEqual({ ended: 2 })
    expect(await statusAt(product, stolen.caller)).toBe(401)
    const history = (await browserAsk(product, administrator, 'users.history', { id })).data
    expect(history[0]).toMatchObject({ sentence: 'signed this user out everywhere' })
  })
  it('does so in the console only for users with no more rights', async () => {
    const manager = await inviteAndSignIn(product, administrator, 'watcher@harbour.example', ['ConsoleUsersReadUpdate'], own.OrganisationId)
    await person('more@harbour.example')
    const id = await idOf('more@harbour.example')
    await expect(browserCall(product, manager, 'users.own.endSignIns', { id }, own)).rejects.toThrow(/has more permissions than you/)
    const finance = await signInByPassword(product, 'finance@harbour.example', demoPassword)
    expect(await browserCall(product, finance, 'users.own.endSignIns', { id }, own)).toEqual({ ended: 1 })
  })
})

describe('browsers and systems', () => {
  it('are named by their user agent, though most claim to be others too', () => {
    const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
    expect(describeDevice(firefox)).toBe('Firefox on Windows')
    expect(describeDevice(phone)).toBe('Safari on an iPhone')
    expect(describeDevice(chrome)).toBe('Chrome on Windows')
    expect(describeDevice(`${chrome} Edg/142.0.0.0`)).toBe('Edge on Windows')
    expect(describeDevice(chrome.replace('Windows NT 10.0; Win64; x64', 'X11; CrOS x86_64 14541.0.0'))).toBe('Chrome on a Chromebook')
    expect(describeDevice(chrome.replace('Windows NT 10.0; Win64; x64', 'Linux; Android 15; Pixel 9'))).toBe('Chrome on Android')
    expect(describeDevice('')).toBe('Another browser on another system')
  })
})
