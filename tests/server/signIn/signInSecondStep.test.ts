import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { redeemSecondStepCode, resealSecondSteps } from '../../../server/auth/secondStep.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { createKeySeal } from '../../../server/core/database/keySeal.ts'
import { demoPassword } from '../../../server/demo/access.ts'
import { requirePlatformKey } from '../../../server/launch/sealKeys.ts'
import { decodeKey, readAppCode } from '../../support/outside/authenticatorApp.ts'
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
  setPasswordByLink,
  signInAs,
  signInByPassword,
} from '../../support/product/http.ts'
import type { Product } from '../../support/product/product.ts'
import { password, type SignInPeople, startSignInPeople } from '../../support/product/signInPeople.ts'

let product: Product
let administrator: Caller
let mailbox: Awaited<ReturnType<typeof startMailbox>>
let own: SignInPeople['own']
let person: SignInPeople['person']
let userNamed: SignInPeople['userNamed']

beforeAll(async () => {
  mailbox = await startMailbox()
  // Links are shown and not mailed until everybody is invited.
  ;({ product, administrator, own, person, userNamed } = await startSignInPeople())
})

/** Sets up an authenticator app on the profile page. This uses up the code of the previous half minute. */
async function setUp(caller: Caller): Promise<{ key: string; codes: string[] }> {
  const { key } = await browserCall<{ key: string }>(product, caller, 'account.beginSecondStep', { password })
  const { codes } = await browserCall<{ codes: string[] }>(product, caller, 'account.confirmSecondStep', { code: readAppCode(key, -1) })
  return { key, codes }
}

async function withPassword(email: string): Promise<{ signingIn: SigningIn; page: string }> {
  const signingIn = await beginSignIn(product)
  const reply = await signingIn.send({ email, password })
  return { signingIn, page: reply?.text ?? '' }
}

describe('two-step verification at sign-in', () => {
  let caller: Caller
  let key: string
  let codes: string[]
  /** A code that has already been used to sign in. */
  let spent: string

  it('is set up on the profile page with the password, a key and a code of the app', async () => {
    caller = await person('step@harbour.example')
    const state = () => browserAsk(product, caller, 'account.secondStep', undefined)
    expect((await state()).data).toEqual({ isOn: false, since: null, codesLeft: 0, isRequired: false, asksPassword: true })
    await expect(browserCall(product, caller, 'account.beginSecondStep', { password: 'another password' })).rejects.toThrow(
      'The password is wrong.',
    )
    const begun = await browserCall(product, caller, 'account.beginSecondStep', { password })
    expect(begun.picture).toMatch(/^<svg /)
    await expect(browserCall(product, caller, 'account.confirmSecondStep', { code: '000000' })).rejects.toThrow(/This code is wrong/)
    // An unfinished set-up asks nobody for a code.
    await signInByPassword(product, 'step@harbour.example', password)
    ;({ key, codes } = await setUp(caller))
    expect(codes).toHaveLength(10)
    expect((await state()).data).toMatchObject({ isOn: true, codesLeft: 10 })
    expect(await userNamed('step@harbour.example')).toMatchObject({ hasSecondStep: true })
    await expect(browserCall(product, caller, 'account.beginSecondStep', { password })).rejects.toThrow(/already set up/)
  })
  it('asks for the code after the password, and lets nobody in without it', async () => {
    const { signingIn, page } = await withPassword('step@harbour.example')
    expect(page).toContain('from your authenticator app')
    expect((await signingIn.send({ code: '123' }))!.text).toContain('This code is wrong')
    expect(await signingIn.renew()).toBeNull()
    spent = readAppCode(key)
    expect(await signingIn.send({ code: spent })).toBeNull()
    expect((await (await signingIn.caller()).call('GET', '/api/Authorisation')).body.user.email).toBe('step@harbour.example')
  })
  it('accepts no code twice', async () => {
    const { signingIn } = await withPassword('step@harbour.example')
    expect((await signingIn.send({ code: spent }))!.text).toContain('was already used')
    expect(await signingIn.send({ code: readAppCode(key, 1) })).toBeNull()
  })
  it('accepts a recovery code once instead of the app’s, however it is typed', async () => {
    const first = await withPassword('step@harbour.example')
    expect(await first.signingIn.send({ code: codes[0]!.toLowerCase().replaceAll('-', ' ') })).toBeNull()
    const second = await withPassword('step@harbour.example')
    expect((await second.signingIn.send({ code: codes[0]! }))!.status).toBe(400)
    expect(await second.signingIn.send({ code: codes[1]! })).toBeNull()
    expect((await browserAsk(product, caller, 'account.secondStep', undefined)).data.codesLeft).toBe(8)
  })
  it('gives new recovery codes in exchange for a former one, which all become invalid', async () => {
    const renewed = await browserCall(product, caller, 'account.renewRecoveryCodes', { code: codes[2] })
    expect(renewed.codes).toHaveLength(10)
    const { signingIn } = await withPassword('step@harbour.example')
    expect((await signingIn.send({ code: codes[3]! }))!.status).toBe(400)
    expect(await signingIn.send({ code: renewed.codes[0] })).toBeNull()
  })
  it('starts again with the password on request', async () => {
    const { signingIn } = await withPassword('step@harbour.example')
    expect((await signingIn.send({ again: '1' }))!.text).toContain('name="password"')
    expect((await signingIn.send({ email: 'step@harbour.example', password: 'wrong' }))!.text).toContain('is wrong')
  })
  it('is turned off with the password and a code', async () => {
    const tired = await person('tired@harbour.example')
    const { codes: own } = await setUp(tired)
    const off = (given: object) => browserCall(product, tired, 'account.removeSecondStep', given)
    await expect(off({ password: 'another', code: own[1] })).rejects.toThrow('The password is wrong.')
    await expect(off({ password, code: '000000' })).rejects.toThrow(/This code is wrong/)
    expect(await off({ password, code: own[1] })).toMatchObject({ isOn: false, codesLeft: 0 })
    await signInByPassword(product, 'tired@harbour.example', password)
  })
  it('lets nobody in who typed the password before all of the user’s sign-ins were ended', async () => {
    const waiting = await person('waiting@harbour.example')
    const { codes: own } = await setUp(waiting)
    const { signingIn } = await withPassword('waiting@harbour.example')
    await browserCall(product, waiting, 'account.endSignIns', undefined)
    const goOn = await signingIn.hold({ code: own[0]! })
    expect(await goOn()).toBeNull()
    const again = await withPassword('waiting@harbour.example')
    expect(await again.signingIn.send({ code: own[0]! })).toBeNull()
  })
  it('is stored so that reading the database gives nobody a code', async () => {
    const sealed = await person('sealed@harbour.example')
    const { key: typed, codes: shown } = await setUp(sealed)
    const owner = connectAsOwner(product.config.databaseUrl)
    const rows = JSON.stringify([await owner`select * from second_steps`, await owner`select * from recovery_codes`])
    expect(rows).not.toContain(decodeKey(typed).toString('base64'))
    expect(rows).not.toContain(typed.replaceAll(' ', ''))
    for (const code of shown) expect(rows).not.toContain(code.replaceAll('-', ''))
  })
  it('allows only ten guesses in a quarter of an hour', async () => {
    const guessed = await person('guessed@harbour.example')
    await setUp(guessed)
    const { signingIn } = await withPassword('guessed@harbour.example')
    for (let count = 0; count < 10; count++) expect((await signingIn.send({ code: '000000' }))!.status).toBe(400)
    const refused = await signingIn.send({ code: '000000' })
    expect([refused!.status, refused!.text]).toEqual([429, expect.stringMatching(/Too many attempts. Try again in \d+ seconds./)])
    await expect(browserCall(product, guessed, 'account.renewRecoveryCodes', { code: '000000' })).rejects.toThrow(/^Too many requests/)
  })
})

describe('an organisation that requires some of its user groups to use two-step verification', () => {
  const at = (organisationId: OrganisationId) => ({ OrganisationId: organisationId })
  const groupOf = async (email: string): Promise<number> =>
    (await administrator.call('POST', '/api/UserGroups/list', { search: `Group of ${email}` })).body.rows[0].id
  const listed = async (caller: Caller) => (await browserAsk(product, caller, 'users.secondStepGroups.list', undefined, own)).data as Body[]
  let finance: Caller
  const ask = (userGroupId: number, isAsked: boolean, caller = finance, where = own) =>
    browserCall(product, caller, 'users.secondStepGroups.ask', { userGroupId, isAsked }, where)

  it('makes users with one of them set up the app at the next sign-in, and nobody else', async () => {
    finance = await signInAs(product, 'finance@harbour.example')
    await person('asked@harbour.example')
    await person('spared@harbour.example')
    const asked = await groupOf('asked@harbour.example')
    await ask(asked, true)
    await ask(asked, true)
    expect((await listed(finance)).find((group) => group.userGroupId === asked)).toEqual({
      userGroupId: asked,
      name: 'Group of asked@harbour.example',
      isAsked: true,
      isAskedEverywhere: false,
      people: 1,
      without: 1,
    })
    expect((await withPassword('asked@harbour.example')).page).toContain('Your organisation requires two-step verification')
    expect((await withPassword('spared@harbour.example')).page).not.toContain('second step')
  })
  it('does not affect the same group in another organisation, which does not see the setting either', async () => {
    const other = await administrator.call('POST', '/api/Organisations', { name: 'Second step elsewhere' })
    await inviteAndSignIn(product, administrator, 'elsewhere@harbour.example', ['ConsoleOrganisationsReadUpdate'], other.body.id)
    await setPasswordByLink(product, administrator, (await userNamed('elsewhere@harbour.example')).id, password)
    const elsewhere = await signInByPassword(product, 'elsewhere@harbour.example', password)
    const [asked, group] = [await groupOf('asked@harbour.example'), await groupOf('elsewhere@harbour.example')]
    await expect(ask(group, true)).rejects.toThrow('User group was not found.')
    await expect(ask(asked, false, elsewhere, at(other.body.id))).rejects.toThrow('User group was not found.')
    expect((await withPassword('elsewhere@harbour.example')).page).not.toContain('second step')
    await administrator.call('DELETE', '/api/Organisations', [other.body.id])
  })
  it('can be changed only by users who manage the whole organisation', async () => {
    const asked = await groupOf('asked@harbour.example')
    await expect(ask(asked, false, await person('settings@harbour.example'))).rejects.toThrow(/do not have permission/)
    const { locations } = await findTrustIds(finance)
    const ofSchool = await inviteAndSignIn(
      product,
      administrator,
      'school@harbour.example',
      ['ConsoleOrganisationsReadUpdate'],
      own.OrganisationId,
      [locations.Northgate!],
    )
    await expect(ask(asked, false, ofSchool)).rejects.toThrow(/do not have permission/)
    expect(await listed(ofSchool)).toEqual([])
  })
  it('keeps the setting for a user group that was deleted and restored', async () => {
    const asked = await groupOf('asked@harbour.example')
    const inGroups = async (userGroupIds: number[]) => {
      const whole = await userNamed('asked@harbour.example')
      const memberships = whole.memberships.map((one: Body) => ({ ...one, userGroupIds }))
      expect((await administrator.call('PUT', '/api/Users', { ...whole, userGroupIds, memberships })).status).toBe(200)
    }
    await inGroups([])
    expect((await administrator.call('DELETE', `/api/UserGroups/${asked}`)).status).toBe(204)
    await browserCall(product, administrator, 'bin.restore', { records: [{ kind: 'userGroup', id: asked }] })
    await inGroups([asked])
    expect((await listed(finance)).find((group) => group.userGroupId === asked)).toMatchObject({ isAsked: true })
  })
  it('shows in its history who changed it', async () => {
    const asked = await groupOf('asked@harbour.example')
    const history = async () =>
      ((await browserAsk(product, finance, 'users.secondStepGroups.history', undefined, own)).data as Body[]).map((line) => line.sentence)
    expect(await history()).toEqual(['required two-step verification for Group of asked@harbour.example'])
    await ask(asked, false)
    expect((await withPassword('asked@harbour.example')).page).not.toContain('second step')
    expect((await history())[0]).toBe('stopped requiring two-step verification for Group of asked@harbour.example')
  })
})

describe('a user group that requires two-step verification', () => {
  let key: string
  const ask = async (email: string) => {
    const groups = await administrator.call('POST', '/api/UserGroups/list', { search: `Group of ${email}` })
    return administrator.call('PUT', '/api/UserGroups', { ...groups.body.rows[0], secondStepRequired: true })
  }

  it('makes its users set up the app at the next sign-in, before going on', async () => {
    await person('must@harbour.example')
    expect((await ask('must@harbour.example')).body).toMatchObject({ secondStepRequired: true })
    const { signingIn, page } = await withPassword('must@harbour.example')
    expect(page).toContain('Your organisation requires two-step verification')
    expect(page).toContain('<svg ')
    key = /<code>([A-Z2-7 ]+)<\/code>/.exec(page)![1]!
    expect(await signingIn.read()).toContain(key)
    expect(await signingIn.renew()).toBeNull()
    expect((await signingIn.send({ code: '000000' }))!.text).toContain(key)
    const shown = await signingIn.send({ code: readAppCode(key, -1) })
    expect(shown!.text.match(/<li><code>[A-Z2-9-]{19}<\/code>/g)).toHaveLength(10)
    expect(await signingIn.read()).not.toMatch(/<li><code>/)
    expect(await signingIn.send({ goOn: '1' })).toBeNull()
    expect((await browserAsk(product, await signingIn.caller(), 'account.secondStep', undefined)).data).toMatchObject({
      isOn: true,
      isRequired: true,
    })
  })
  it('requires the code at the next sign-in', async () => {
    const { signingIn, page } = await withPassword('must@harbour.example')
    expect(page).toContain('from your authenticator app')
    expect(await signingIn.send({ code: readAppCode(key) })).toBeNull()
  })
  it('accepts no code for an app that was set up with another key', async () => {
    await person('twice@harbour.example')
    await ask('twice@harbour.example')
    const first = await withPassword('twice@harbour.example')
    const seen = /<code>([A-Z2-7 ]+)<\/code>/.exec(first.page)![1]!
    const second = await withPassword('twice@harbour.example')
    expect((await second.signingIn.send({ code: readAppCode(seen) }))!.status).toBe(400)
  })
})

describe('a user who has lost the phone and the codes', () => {
  it('has two-step verification turned off by an administrator, gets an email, and the history says so', async () => {
    const lost = await person('lost@harbour.example')
    await setUp(lost)
    const { id } = await userNamed('lost@harbour.example')
    product.config.mail = { url: mailbox.url, from: 'bursar@harbour.example' }
    await browserCall(product, administrator, 'users.resetSecondStep', { id })
    await expect.poll(() => mailbox.mails.at(-1)).toMatch(/^To: lost@harbour.example$/m)
    expect(mailbox.mails.at(-1)).toMatch(/^Subject: Two-step verification was turned off for Bursar$/m)
    product.config.mail = null
    await signInByPassword(product, 'lost@harbour.example', password)
    const history = await browserAsk(product, administrator, 'users.history', { id })
    expect(history.data.map((entry: Body) => entry.sentence).slice(0, 2)).toEqual([
      'turned off two-step verification for this user',
      'set up two-step verification',
    ])
    await expect(browserCall(product, administrator, 'users.resetSecondStep', { id })).rejects.toThrow('No authenticator app is set up.')
  })
  it('has it turned off in the console only by a user with at least their rights', async () => {
    const finance = await signInByPassword(product, 'finance@harbour.example', demoPassword)
    const lost = await person('console@harbour.example')
    await setUp(lost)
    const manager = await inviteAndSignIn(product, administrator, 'looks@harbour.example', ['ConsoleUsersReadUpdate'], own.OrganisationId)
    const { id } = await userNamed('console@harbour.example')
    await expect(browserCall(product, manager, 'users.own.resetSecondStep', { id }, own)).rejects.toThrow(/has more permissions than you/)
    const stranger = await userNamed('finance@meadow.example')
    await expect(browserCall(product, finance, 'users.own.resetSecondStep', { id: stranger.id }, own)).rejects.toThrow(
      'User was not found.',
    )
    await browserCall(product, finance, 'users.own.resetSecondStep', { id }, own)
    expect(await userNamed('console@harbour.example')).toMatchObject({ hasSecondStep: false })
  })
})

describe('another secret for the keys of the database', () => {
  it('still decrypts the apps that were set up before', async () => {
    await person('resealed@harbour.example')
    const caller = await signInByPassword(product, 'resealed@harbour.example', password)
    const { key } = await setUp(caller)
    const { id } = await userNamed('resealed@harbour.example')
    const next = 'another secret than the one that sealed the keys'
    const store = openStore(product.config, 1)
    const count = await store.asPlatform((tx) => resealSecondSteps(tx, createKeySeal(next)))
    await store.close()
    expect(count).toBeGreaterThan(0)
    await requirePlatformKey(connectAsOwner(product.config.databaseUrl), next, { from: 'now' })
    const after = openStore({ ...product.config, dataKey: next }, 1)
    const actor = { userId: id, requestId: 'test', now: new Date() }
    expect(await after.asPlatform((tx) => redeemSecondStepCode({ tx, actor }, id, readAppCode(key)))).toBe('app')
    await after.close()
  })
})
