import type { Sql, TransactionSql } from 'postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDevice } from '../../support/outside/authenticator.ts'
import { readAppCode } from '../../support/outside/authenticatorApp.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { beginSignIn, browserCall, type Caller, type SigningIn } from '../../support/product/http.ts'
import type { Product } from '../../support/product/product.ts'
import { password, type SignInPeople, startSignInPeople } from '../../support/product/signInPeople.ts'

let product: Product
let owner: Sql
let administrator: Caller
let person: SignInPeople['person']
let userNamed: SignInPeople['userNamed']

beforeAll(async () => {
  ;({ product, administrator, person, userNamed } = await startSignInPeople())
  owner = connectAsOwner(product.config.databaseUrl)
})

/** With Redis, wrong codes are counted there, so a database lock cannot delay the call. */
const countedElsewhere = process.env.REDIS_URL !== undefined

const idOf = async (email: string): Promise<number> => (await userNamed(email)).id

/**
 * Makes a call wait for a database lock, chooses a new password through a link meanwhile, and lets the call continue.
 * @param hold locks what the call needs only after it has looked up the user, and what choosing a password never needs
 */
async function meanwhileNewPassword<T>(
  email: string,
  { hold, call }: { hold: (tx: TransactionSql) => Promise<unknown>; call: () => Promise<T> },
): Promise<T> {
  const { link } = await browserCall<{ link: string }>(product, administrator, 'users.invite', { id: await idOf(email) })
  const isWaiting = async () =>
    (await owner`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length
  let called: Promise<T> | undefined
  await owner.begin(async (tx) => {
    await hold(tx)
    called = call()
    await expect.poll(isWaiting).toBe(1)
    const body = new URLSearchParams({ password: newPassword, again: newPassword })
    expect((await fetch(link, { method: 'POST', body, redirect: 'manual' })).status).toBe(303)
  })
  return called!
}

const newPassword = 'Yet another password'
const holdSecondSteps = (tx: TransactionSql) => tx`lock table second_steps in access exclusive mode`

/** Expects that neither the typed password nor the browser’s cookies sign in, and that the new password does. */
async function expectOut(email: string, signingIn: SigningIn): Promise<void> {
  expect(await signingIn.renew()).toBeNull()
  expect(await owner`select from sign_ins where user_id = ${await idOf(email)} and ended_at is null`).toHaveLength(0)
  await signingIn.again()
  expect(await signingIn.send({ email, password: newPassword })).toBeNull()
  expect((await (await signingIn.caller()).call('GET', '/api/Authorisation')).status).toBe(200)
}

describe('a sign-in in progress when a new password ends all of them', () => {
  it('fails if the old password was just accepted', async () => {
    const email = 'verified@harbour.example'
    await person(email)
    const signingIn = await beginSignIn(product)
    const reply = await meanwhileNewPassword(email, { hold: holdSecondSteps, call: () => signingIn.send({ email, password }) })
    expect(reply?.text).toContain('You were signed out everywhere while signing in. Sign in again.')
    await expectOut(email, signingIn)
  })
  it('fails if the page was submitted and the sign-in not yet stored', async () => {
    const email = 'kept@harbour.example'
    await person(email)
    await owner`create function wait_here() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$`
    await owner`create trigger wait_here before insert on oidc_payloads for each row when (new.model = 'Grant') execute function wait_here()`
    const signingIn = await beginSignIn(product)
    await meanwhileNewPassword(email, {
      hold: (tx) => tx`select pg_advisory_xact_lock(1)`,
      call: () => signingIn.send({ email, password }),
    })
    await owner`drop trigger wait_here on oidc_payloads`
    await expectOut(email, signingIn)
  })
  it('fails if the code of the app was just typed', async () => {
    const email = 'code@harbour.example'
    const caller = await person(email)
    const { key } = await browserCall<{ key: string }>(product, caller, 'account.beginSecondStep', { password })
    await browserCall(product, caller, 'account.confirmSecondStep', { code: readAppCode(key, -1) })
    const signingIn = await beginSignIn(product)
    expect((await signingIn.send({ email, password }))?.status).toBe(200)
    await meanwhileNewPassword(email, { hold: holdSecondSteps, call: () => signingIn.send({ code: readAppCode(key) }) })
    expect(await signingIn.renew()).toBeNull()
    expect(await owner`select from sign_ins where user_id = ${await idOf(email)} and ended_at is null`).toHaveLength(0)
  })
  it.skipIf(countedElsewhere)('sets up no app for somebody with the old password', async () => {
    const email = 'app@harbour.example'
    const { user } = (await (await person(email)).call('GET', '/api/Authorisation')).body
    const groups = (await userNamed(email)).userGroupIds
    await owner`update user_groups set second_step_required = true where id = any(${groups})`
    const signingIn = await beginSignIn(product)
    const page = (await signingIn.send({ email, password }))!.text
    const key = /<code[^>]*>([A-Z2-7 ]+)</.exec(page)![1]!
    // Wrong codes are counted in a separate row.
    expect((await signingIn.send({ code: '123' }))?.status).toBe(400)
    const reply = await meanwhileNewPassword(email, {
      hold: (tx) => tx`select from rate_limits where key like 'codes:%' for update`,
      call: () => signingIn.send({ code: readAppCode(key) }),
    })
    expect(reply?.text).toContain('You were signed out everywhere while signing in. Sign in again.')
    expect(await owner`select from second_steps where user_id = ${user.id} and confirmed_at is not null`).toHaveLength(0)
    expect(await signingIn.renew()).toBeNull()
  })
  it.skipIf(countedElsewhere)('sets up no app on the profile page either', async () => {
    const email = 'profile@harbour.example'
    const caller = await person(email)
    const { key } = await browserCall<{ key: string }>(product, caller, 'account.beginSecondStep', { password })
    const confirm = (code: string) => browserCall(product, caller, 'account.confirmSecondStep', { code })
    await expect(confirm('123')).rejects.toThrow('This code is wrong')
    await meanwhileNewPassword(email, {
      hold: (tx) => tx`select from rate_limits where key like 'codes:%' for update`,
      call: () => expect(confirm(readAppCode(key))).rejects.toThrow('Sign in to continue.'),
    })
    expect(await owner`select from second_steps where user_id = ${await idOf(email)} and confirmed_at is not null`).toHaveLength(0)
  })
  it('adds no passkey that was being made, and the two calls do not deadlock', async () => {
    const email = 'making@harbour.example'
    const caller = await person(email)
    const id = await idOf(email)
    const made = createDevice(product.origin).make(await browserCall(product, caller, 'account.beginPasskey', { password, code: '' }))
    const { link } = await browserCall<{ link: string }>(product, administrator, 'users.invite', { id })
    const body = new URLSearchParams({ password: newPassword, again: newPassword })
    const waiting = async () =>
      (await owner`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length
    let both: Promise<unknown>[] = []
    await owner.begin(async (tx) => {
      // Both calls lock the user first, so the second sees what the first has done.
      await tx`select from users where id = ${id} for update`
      both = [fetch(link, { method: 'POST', body, redirect: 'manual' })]
      await expect.poll(waiting).toBe(1)
      both.push(expect(browserCall(product, caller, 'account.addPasskey', { name: 'Late', made })).rejects.toThrow('could not be added'))
      await expect.poll(waiting).toBe(2)
      // Neither call holds a lock that the other needs next, so they cannot deadlock.
      await tx`select from oidc_payloads where id like ${`add ${id} %`} for update nowait`
    })
    expect(await both[0]).toMatchObject({ status: 303 })
    await both[1]
    expect(await owner`select from passkeys where user_id = ${id}`).toHaveLength(0)
  })
  it('fails if a passkey was just accepted', async () => {
    const email = 'device@harbour.example'
    const caller = await person(email)
    const device = createDevice(product.origin)
    const made = device.make(await browserCall(product, caller, 'account.beginPasskey', { password, code: '' }))
    await browserCall(product, caller, 'account.addPasskey', { name: 'Work laptop', made })
    const signingIn = await beginSignIn(product)
    const used = device.use(await (await signingIn.ask('/passkey')).json())
    const user = await idOf(email)
    const reply = await meanwhileNewPassword(email, {
      hold: (tx) => tx`select from passkeys where user_id = ${user} for update`,
      call: () => signingIn.send({ passkey: JSON.stringify(used) }),
    })
    expect(reply?.text).toContain('You were signed out everywhere while signing in. Sign in again.')
    await expectOut(email, signingIn)
  })
})
