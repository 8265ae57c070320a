import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { checkDueChain, listBrokenLogs } from '../../../server/audit/verify/selfCheck.ts'
import { openStore, type Store } from '../../../server/core/database/database.ts'
import { createUserKeys } from '../../../server/core/database/userSeal.ts'
import { decryptText, ensureOrganisationKey } from '../../../server/core/database/vault.ts'
import { sealUserHistory } from '../../../server/launch/sealUserHistory.ts'
import { connectAsOwner, ownerUrl } from '../../support/product/database.ts'
import { testDataKey } from '../../support/product/dataKey.ts'
import { atEnd } from '../../support/product/endings.ts'
import {
  type Body,
  browserAsk,
  browserCall,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  setPasswordByLink,
  signInAs,
  signInByPassword,
} from '../../support/product/http.ts'

import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { findProgram } from '../../support/running/programs.ts'
import { until } from '../../support/running/worker.ts'

vi.setConfig({ testTimeout: 120_000 })

let product: Product
let store: Store
let administrator: Caller
let finance: Caller
let own: { OrganisationId: OrganisationId }
let meadow: OrganisationId

beforeAll(async () => {
  product = await startProduct()
  store = openStore(product.config, 3)
  atEnd(() => store.close())
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  own = { OrganisationId: (await findTrustIds(finance)).organisationId }
  meadow = (await findTrustIds(await signInAs(product, 'finance@meadow.example'))).organisationId
})

const owner = () => connectAsOwner(product.config.databaseUrl)

const groupNamed = async (name: string): Promise<Body> =>
  (await administrator.call('POST', '/api/UserGroups/list', { search: name })).body.rows.find((row: Body) => row.name === name)

const invited = async (email: string, more: object = {}): Promise<Body> => {
  const made = await administrator.call('POST', '/api/Users', {
    email,
    forename: 'Perpetua',
    surname: 'Quillfeather',
    position: 'Bursar of Quill',
    phoneNumber: '01632 960999',
    organisationIds: [own.OrganisationId],
    userGroupIds: [(await groupNamed('Trust finance')).id],
    ...more,
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

const erase = (caller: Caller, id: number, email: string) => caller.call('POST', `/api/Users/${id}/erase`, { email })
const eraseOwn = (caller: Caller, id: number, email: string) => caller.call('POST', `/api/MyUsers/${id}/erase`, { email }, own)
const who = /Perpetua|Quillfeather|quill\.example|Bursar of Quill|01632 960999/i

/** The rows that identify the user, in every table, including those of the queue. */
async function traces(pattern: RegExp): Promise<string[]> {
  const tables = await owner()<{ name: string }[]>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`
  expect(tables.map(({ name }) => name)).toContain('bullmq.job')
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await owner()`select count(*)::int as count from ${owner()(name)} row where row::text ~* ${pattern.source}`
    if (row!.count) found.push(`${name}: ${row!.count}`)
  }
  return found
}

describe('the change log of users', () => {
  it('is encrypted: reading the database does not show who they are', async () => {
    const user = await invited('sealed@quill.example')
    await administrator.call('PUT', '/api/Users', { ...user, forename: 'Perpetua Anne', phoneNumber: '01632 960998' })
    const log =
      await owner()`select before, after from reference_changes where resource = 'user' and record_id = ${String(user.id)} order by id`
    expect(log.length).toBe(2)
    expect(JSON.stringify(log)).not.toMatch(who)
    const all = await owner()`
      select count(*)::int as count from reference_changes, users where resource = 'user'
        and concat(before::text, after::text) like '%' || users.email || '%'`
    expect(all[0]!.count).toBe(0)
  })
  it('is decrypted for the history, and an earlier version can be restored', async () => {
    const [user] = (await administrator.call('POST', '/api/Users/list', { search: 'sealed@quill.example' })).body.rows
    const history = (await browserAsk(product, administrator, 'users.history', { id: user.id })).data
    expect(history[0]).toMatchObject({
      before: { forename: 'Perpetua' },
      after: { forename: 'Perpetua Anne', email: 'sealed@quill.example' },
    })
    expect(JSON.stringify(history)).not.toMatch(/"(sealed|digest)":/)
    await browserCall(product, administrator, 'users.restore', { id: user.id, version: 1 })
    expect((await administrator.call('GET', `/api/Users/${user.id}`)).body).toMatchObject({
      forename: 'Perpetua',
      phoneNumber: '01632 960999',
    })
  })
  it('proves without the secret that nobody changed an address in the table', async () => {
    expect((await audit({ DATA_KEY: '' }, 'verify')).out).toContain('every chain is intact')
    await owner()`update users set email = 'thief@quill.example' where email = 'sealed@quill.example'`
    const { code, out } = await audit({}, 'verify')
    expect([code, out]).toEqual([1, expect.stringMatching(/user \d+ in the table differs from the change log: digest\./)])
    await owner()`update users set email = 'sealed@quill.example' where email = 'thief@quill.example'`
  })
  it('cannot be decrypted at all once the user is deleted', async () => {
    const user = await invited('unused@quill.example')
    expect((await administrator.call('DELETE', `/api/Users/${user.id}`)).status).toBe(204)
    expect((await browserAsk(product, administrator, 'users.history', { id: user.id })).data).toMatchObject([
      { action: 'deleted', before: null },
      { action: 'created', after: null },
    ])
  })
})

describe('erasing a user', () => {
  let user: Body
  let person: Caller

  beforeAll(async () => {
    user = await invited('perpetua@quill.example')
    await setPasswordByLink(product, administrator, user.id, 'A long enough password')
    person = await signInByPassword(product, user.email, 'A long enough password')
    const code = await person.call('POST', '/api/CostCentres', { code: 'QF', description: 'Feathers' }, own)
    expect(code.status, JSON.stringify(code.body)).toBe(201)
    const reminder = await person.call('POST', '/api/MyReminders', { description: 'Quillfeather calls the bank', when: '2026-12-09' })
    expect(reminder.status, JSON.stringify(reminder.body)).toBe(201)
    const kept = { ...reminder.body, notes: 'Ask for Perpetua', when: '2026-12-10' }
    expect((await person.call('PUT', '/api/MyReminders', kept)).status).toBe(200)
    await proceduresOf(product, person, own).reportLayouts.create.mutate({
      name: 'Sheet of Quillfeather',
      isShared: false,
      isOverOpen: false,
      request: { report: 'budgetAnalysis', budgetGroupId: (await findTrustIds(person)).groupId },
    })
    await proceduresOf(product, person, own).returnReasons.save.mutate({
      locationId: null,
      firstYear: 2026,
      line: 'income levy',
      text: 'Pupils came late',
      version: 0,
    })
  })

  it('requires their email address to be typed, and is refused for oneself', async () => {
    const wrong = await erase(administrator, user.id, 'other@quill.example')
    expect([wrong.status, wrong.body]).toEqual([400, 'This is not the email address of this user. Type it exactly as shown above.'])
    expect((await erase(finance, user.id, user.email)).status).toBe(403)
    const [self] = (await administrator.call('POST', '/api/Users/list', { search: 'admin@bursar.example' })).body.rows
    const own = await erase(administrator, self.id, self.email)
    expect([own.status, own.body]).toEqual([409, 'You cannot erase yourself. Ask another administrator.'])
  })

  it('is possible within an organisation only for users of no other organisation with no more rights than the caller', async () => {
    const shared = await invited('shared@quill.example', { organisationIds: [own.OrganisationId, meadow] })
    const reply = await eraseOwn(finance, shared.id, shared.email)
    expect([reply.status, reply.body]).toEqual([403, expect.stringMatching(/^This user belongs to other organisations too\./)])
    expect((await eraseOwn(finance, 999_999, shared.email)).status).toBe(404)
    const looker = await inviteAndSignIn(product, administrator, 'looker@harbour.example', ['ConsoleUsersRead'], own.OrganisationId)
    expect((await eraseOwn(looker, user.id, user.email)).status).toBe(403)
    const manager = await inviteAndSignIn(product, administrator, 'manager@harbour.example', ['ConsoleUsersReadUpdate'], own.OrganisationId)
    expect((await eraseOwn(manager, user.id, user.email)).status).toBe(403)
    const small = await invited('small@quill.example', { userGroupIds: [] })
    expect((await eraseOwn(manager, small.id, small.email)).status).toBe(204)
    expect((await erase(administrator, shared.id, shared.email)).status).toBe(204)
  })

  it('ends their access at once', async () => {
    expect((await erase(administrator, user.id, ` ${user.email.toUpperCase()}`)).status).toBe(204)
    expect((await person.call('POST', '/api/CostCentres/list', {}, own)).status).toBe(401)
    await expect(signInByPassword(product, user.email, 'A long enough password')).rejects.toThrow(/Sign-in refused/)
  })

  it('leaves their changes under a neutral name, with who erased them', async () => {
    const erased = await administrator.call('GET', `/api/Users/${user.id}`)
    expect(erased.body).toMatchObject({
      forename: 'Erased',
      surname: `user ${user.id}`,
      email: '',
      position: null,
      phoneNumber: null,
      active: false,
      isErased: true,
      memberships: [],
    })
    const history = (await browserAsk(product, administrator, 'users.history', { id: user.id })).data
    expect(history[0]).toMatchObject({ action: 'erased', sentence: 'erased the personal data', before: null, after: null })
    expect(JSON.stringify(history)).not.toMatch(who)
    const [code] = (await finance.call('POST', '/api/CostCentres/list', { search: 'QF' }, own)).body.rows
    const made = await browserAsk(product, finance, 'resources.costCentre.history', { id: code.id }, own)
    expect(made.text).toContain(`Erased user ${user.id}`)
  })

  it('removes what was stored for them alone, and shows another name beside what they wrote', async () => {
    const [left] = await owner()`select
      (select count(*)::int from reminders where user_id = ${user.id}) as reminders,
      (select count(*)::int from memberships where user_id = ${user.id}) as memberships,
      (select count(*)::int from sign_ins where user_id = ${user.id}) as "signIns"`
    expect(left).toEqual({ reminders: 0, memberships: 0, signIns: 0 })
    const [reason] =
      await owner()`select organisation_id as "organisationId", written_by as by, version from return_reasons where reason is not null order by id desc limit 1`
    const by = await store.inOrganisation(reason!.organisationId, async (tx) =>
      decryptText(await ensureOrganisationKey(tx, reason!.organisationId), reason!.by),
    )
    expect([by, reason!.version]).toEqual([`Erased user ${user.id}`, 2])
  })

  it('keeps that name when the administrator who erased the writer is erased too', async () => {
    const [writer, keeper] = [await invited('writer@quill.example'), await invited('keeper@quill.example', { isAdministrator: true })]
    const signedIn = async ({ id, email }: Body): Promise<Caller> => {
      await setPasswordByLink(product, administrator, id, 'A long enough password')
      return signInByPassword(product, email, 'A long enough password')
    }
    const line = 'expenditure levy'
    const reason = { locationId: null, firstYear: 2026, line, text: 'Lettings came back', version: 0 }
    await proceduresOf(product, await signedIn(writer), own).returnReasons.save.mutate(reason)
    expect((await erase(await signedIn(keeper), writer.id, writer.email)).status).toBe(204)
    expect((await erase(administrator, keeper.id, keeper.email)).status).toBe(204)
    const [row] = await owner()`select written_by as by from return_reasons where line = ${line}`
    const name = await store.inOrganisation(own.OrganisationId, async (tx) =>
      decryptText(await ensureOrganisationKey(tx, own.OrganisationId), row!.by),
    )
    expect(name).toBe(`Erased user ${writer.id}`)
  })

  it('cannot be undone, and the account cannot be changed or used again', async () => {
    const { version: erasedVersion } = (await administrator.call('GET', `/api/Users/${user.id}`)).body
    await expect(browserCall(product, administrator, 'users.restore', { id: user.id, version: 1 })).rejects.toThrow(
      'Version was not found.',
    )
    const change = await administrator.call('PUT', '/api/Users', { ...user, version: null, active: true })
    expect([change.status, change.body]).toEqual([409, 'This user was erased and can no longer be changed.'])
    const selection = { state: { selectAll: false, toggledNodes: [user.id] } }
    const edit = await administrator.call('PATCH', '/api/Users/edit', {
      ...selection,
      patch: [{ op: 'replace', path: '/active', value: true }],
    })
    expect([edit.status, edit.body]).toEqual([409, 'This user was erased and can no longer be changed.'])
    for (const call of ['invite', 'resetSecondStep', 'removePasskeys', 'endSignIns', 'unlinkOutside'])
      await expect(browserCall(product, administrator, `users.${call}`, { id: user.id }), call).rejects.toThrow(
        'This user was erased and can no longer be changed.',
      )
    const at = await administrator.call('GET', `/api/Users/${user.id}`)
    expect(at.body).toMatchObject({ active: false, memberships: [], version: erasedVersion })
    const again = await erase(administrator, user.id, '')
    expect([again.status, again.body]).toEqual([409, 'This user has already been erased.'])
  })

  it('gives no new key to somebody whose changes are being logged at the same time', async () => {
    const busy = await invited('busy@quill.example')
    const subject = `00000000-0000-4000-9000-${Number(busy.id).toString(16).padStart(12, '0')}`
    const keys = async () => (await owner()`select from vault_keys where subject = ${subject}`).length
    expect(await keys()).toBe(1)
    const erasing = await owner().reserve()
    await erasing`begin`
    await erasing`lock table vault_keys in access exclusive mode`
    await erasing`update users set erased_at = now() where id = ${busy.id}`
    await erasing`delete from vault_keys where subject = ${subject}`
    const logging = store.asPlatform((tx) => createUserKeys(tx, [busy.id]))
    await until('it waits for the keys', async () => {
      const waiting = await erasing`select from pg_locks where relation = 'vault_keys'::regclass and not granted`
      return waiting.length > 0
    })
    await erasing`commit`
    await logging
    expect(await keys()).toBe(0)
    await owner()`update users set erased_at = null where id = ${busy.id}`
    erasing.release()
    expect((await erase(administrator, busy.id, busy.email)).status).toBe(204)
  })

  it('makes the email address available for a new user', async () => {
    const again = await invited(user.email)
    expect(again.id).not.toBe(user.id)
    expect((await erase(administrator, again.id, again.email)).status).toBe(204)
  })

  it('leaves their name, address and telephone number in no table, and every chain intact', async () => {
    const [sealed] = (await administrator.call('POST', '/api/Users/list', { search: 'sealed@quill.example' })).body.rows
    expect((await erase(administrator, sealed.id, sealed.email)).status).toBe(204)
    for (const { id, email } of (await administrator.call('POST', '/api/Users/list', { search: 'quill.example', pageSize: 50 })).body.rows)
      expect((await erase(administrator, id, email)).status).toBe(204)
    expect(await traces(who)).toEqual([])
    const keys =
      await owner()`select count(*)::int as count from vault_keys join users on subject::text = '00000000-0000-4000-9000-' || lpad(to_hex(users.id), 12, '0')
      where erased_at is not null`
    expect(keys[0]!.count).toBe(0)
    const { code, out } = await audit({}, 'verify')
    expect(code, out).toBe(0)
  })
})

describe('the log of users that an earlier version wrote unencrypted', () => {
  interface Clear {
    resource: string
    before?: object
    after?: object
  }
  const write = (id: number, { resource, before, after }: Clear) => {
    const record = { id, version: 1, organisationId: null, created: dayInLondon(new Date()) }
    return owner().begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      await tx`insert into reference_changes (resource, record_id, version, action, before, after, request_id)
        values (${resource}, ${String(id)}, 1, ${after ? 'updated' : 'deleted'}, ${before ? tx.json({ ...record, ...before }) : null},
          ${after ? tx.json({ ...record, ...after }) : null}, 'before')`
    })
  }
  /** Runs statements as the owner of the table, outside the product. */
  const tamper = (...statements: string[]) =>
    owner().begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      await tx`alter table reference_changes disable trigger append_only`
      for (const statement of statements) await tx.unsafe(statement)
      await tx`alter table reference_changes enable trigger append_only`
    })
  const grant = (which: string) => `update reference_changes set after = after || '{"isAdministrator": true}' where ${which}`
  const forge = (which: string) =>
    owner().begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      await tx.unsafe(`
        insert into reference_changes (resource, record_id, version, action, after, request_id)
        select 'sealedChanges', '1', 1, 'created', jsonb_build_object('changes', jsonb_build_array(jsonb_build_object('id', log.id::text,
          'was', (select content from log_chain where kind = 'reference' and subject = log.id::text),
          'is', encode(sha256(convert_to(reference_change_text(log), 'UTF8')), 'hex')))), 'forged'
        from reference_changes log where ${which}`)
    })
  let user: Body

  it('is encrypted once, by the upgrade: the chain and its anchors stay valid, and the history can decrypt it', async () => {
    user = await invited('older@quill.example')
    const { email, forename, surname, position } = user
    await write(user.id, { resource: 'user', after: { email, forename, surname, position, phoneNumber: user.phoneNumber, active: true } })
    await write(user.id, { resource: 'passkeys', after: { what: 'removed the passkey “Perpetua’s phone”' } })
    await write(999_999, { resource: 'user', before: { email: 'gone@quill.example', forename, surname } })
    const heads = () => owner()`select sequence::int, hash from log_chain where organisation_id = 0 order by sequence`
    const before = await heads()
    expect(await sealUserHistory(store, ownerUrl(product.config.databaseUrl))).toBe(3)
    expect(await sealUserHistory(store, ownerUrl(product.config.databaseUrl))).toBe(0)
    expect((await heads()).slice(0, before.length)).toEqual([...before])
    const [clear] =
      await owner()`select count(*)::int as count from reference_changes where concat(before::text, after::text) ~* ${who.source}`
    expect(clear!.count).toBe(0)
    const history = (await browserAsk(product, administrator, 'users.history', { id: user.id })).data
    expect(history.filter((entry: Body) => entry.after?.email === email).length).toBe(2)
    expect(JSON.stringify(history)).toContain('Perpetua’s phone')
    const { code, out } = await audit({ DATA_KEY: testDataKey }, 'verify')
    expect(code, out).toBe(0)
    expect(out).toMatch(/3 changes of users were sealed on /)
  })
  it('is append-only again', async () => {
    await expect(owner()`update reference_changes set version = 2 where request_id = 'before'`).rejects.toThrow('is append only')
  })
  it('is covered by the worker’s daily check too, although the links of what was encrypted were checked long ago', async () => {
    const onDay = async (daysAhead: number): Promise<string[]> => {
      const said: string[] = []
      for (;;) {
        const result = await checkDueChain(store, new Date(Date.now() + daysAhead * 86_400_000))
        if (result === 'none') return said
        said.push(result)
      }
    }
    const alarms = () => store.asPlatform(listBrokenLogs)
    const sealed = `request_id = 'before' and after ? 'active'`
    expect(await onDay(1)).not.toContain('broken')
    await tamper(grant(sealed))
    expect(await onDay(2)).toContain('broken')
    expect(await alarms()).toEqual([
      {
        organisation: null,
        finding: expect.stringMatching(/^Change \d+ of the platform was altered when it was sealed\.$/),
        at: expect.any(String),
      },
    ])
    await tamper(`update reference_changes set after = after - 'isAdministrator' where ${sealed}`)
    expect(await onDay(3)).not.toContain('broken')
    expect(await alarms()).toEqual([])
  })
  it('cannot be tampered with under cover of the upgrade: neither an encrypted change nor another', async () => {
    const sealed = `request_id = 'before' and after ? 'active'`
    await tamper(grant(sealed))
    await forge(sealed)
    expect((await audit({}, 'verify')).out).toMatch(/Change \d+ \(user \d+\) of the platform was changed after it was written/)
    await tamper(`update reference_changes set after = after - 'isAdministrator' where ${sealed}`)
    const other = `resource = 'user' and record_id = '${user.id}' and action = 'created'`
    await tamper(grant(other))
    await forge(other)
    expect((await audit({ DATA_KEY: '' }, 'verify')).out).toContain('not compared with their original text, because DATA_KEY is not set')
    expect((await audit({ DATA_KEY: testDataKey }, 'verify')).out).toMatch(/Change \d+ of the platform was altered when it was sealed/)
  })
})

function audit(env: Record<string, string>, ...words: string[]): Promise<{ code: number; out: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [findProgram('audit'), ...words],
      { cwd: join(import.meta.dirname, '../../..'), env: { ...process.env, ...env, DATABASE_URL: ownerUrl(product.config.databaseUrl) } },
      (error, out, problem) => done({ code: error ? Number(error.code) : 0, out: out + problem }),
    )
  })
}
