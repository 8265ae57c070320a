import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { loadSigningKeys } from '../../server/auth/keys.ts'
import { readConfig } from '../../server/core/config.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { readPersonKeys } from '../../server/core/database/vault.ts'
import { prepareData } from '../../server/launch/prepareData.ts'
import { changeDataKey, readNewDataKey, requirePlatformKey } from '../../server/launch/sealKeys.ts'
import { serve } from '../../server/serve.ts'
import { connectAsOwner, createDatabase, ownerUrl } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { findTrustIds, signInAs, signInByPassword } from '../support/product/http.ts'
import { configOf, startProduct } from '../support/product/product.ts'
import { findProgram } from '../support/running/programs.ts'
import { until } from '../support/running/worker.ts'

vi.setConfig({ testTimeout: 90_000 })

const another = 'another secret than the one that sealed the keys'
const otherSecret = /^The keys in this database were sealed with another DATA_KEY\. Set it to that key/

describe('the keys in the database', () => {
  it('cannot be used without the secret to decrypt personal data or sign tokens', async () => {
    const product = await startProduct()
    const finance = await signInAs(product, 'finance@harbour.example')
    const { organisationId } = await findTrustIds(finance)
    await finance.call('POST', '/api/Staff', { employeeNumber: 'S-1', forename: 'Ada', surname: 'New' }, { OrganisationId: organisationId })
    const owner = connectAsOwner(product.config.databaseUrl)
    const [vault] = await owner`select count(*)::int as count, min(octet_length(key)) as shortest from vault_keys`
    expect(vault!.count).toBeGreaterThan(300)
    expect(vault!.shortest).toBeGreaterThan(32)
    const rows = await owner`select to_jsonb(signing_keys) as row from signing_keys`
    expect(rows.length).toBe(1)
    expect(JSON.stringify(rows)).not.toMatch(/kty|P-256|\\"d\\"/)
    expect(rows[0]!.row.cookie_secret).not.toMatch(/^[0-9a-f]{64}$/)
    const store = openStore(product.config, 1)
    const { jwks, cookieSecrets } = await loadSigningKeys(store)
    await store.close()
    expect([jwks.keys[0]!.d, cookieSecrets[0]]).toEqual([expect.any(String), expect.stringMatching(/^[0-9a-f]{64}$/)])
  })

  it('cannot be used for another person when they are moved to that person’s row', async () => {
    const store = openStore(await configOf(await createDatabase()), 1)
    const keys = await store.asPlatform((tx) =>
      tx.execute<{ subject: string }>(sql`select subject from vault_keys order by subject limit 2`),
    )
    const [one, two] = keys.map(({ subject }) => subject)
    await store.asPlatform((tx) =>
      tx.execute(sql`update vault_keys set key = (select key from vault_keys where subject = ${one!}) where subject = ${two!}`),
    )
    await expect(store.asPlatform((tx) => readPersonKeys(tx, [two!]))).rejects.toThrow(otherSecret)
    await store.close()
  })
})

describe('data of an earlier version, with unencrypted keys', () => {
  let databaseUrl: string
  beforeAll(async () => {
    databaseUrl = await createDatabase()
  })

  /** Stores the keys unencrypted, as an earlier version did. */
  async function unseal(store: Store): Promise<string[]> {
    const { jwks, cookieSecrets } = await loadSigningKeys(store)
    return store.asPlatform(async (tx) => {
      const subjects = await tx.execute<{ subject: string }>(sql`select subject from vault_keys`)
      for (const [subject, key] of await readPersonKeys(
        tx,
        subjects.map((row) => row.subject),
      ))
        await tx.execute(sql`update vault_keys set key = ${key} where subject = ${subject}`)
      await tx.execute(sql`update signing_keys set jwk = ${JSON.stringify(jwks.keys[0])}::jsonb, cookie_secret = ${cookieSecrets[0]!}`)
      const pages = await tx.execute<{ page: string }>(sql`select encode(key, 'hex') as page from vault_keys limit 5`)
      return pages.map(({ page }) => page)
    })
  }

  it('are sealed at the next start; employees can still be decrypted, and users stay signed in', async () => {
    const config = await configOf(databaseUrl)
    const running = await serve(config)
    const finance = await signInAs({ config, origin: config.origin }, 'finance@harbour.example')
    const { organisationId } = await findTrustIds(finance)
    const staff = () => finance.call('POST', '/api/Staff/list', { pageSize: 500, pageNumber: 1 }, { OrganisationId: organisationId })
    const before = await staff()
    expect(before.body.rows[0].surname).not.toBe('')
    const store = openStore(config, 2)
    const bare = await unseal(store)
    await store.close()
    await running.close()
    await prepareData({ ...config, databaseUrl: ownerUrl(databaseUrl), hasYear: false, serverPassword: 'never-used-by-this-test-at-all' })
    const owner = connectAsOwner(databaseUrl)
    const left = await owner`select count(*)::int as count from vault_keys where octet_length(key) = 32`
    expect(left[0]!.count).toBe(0)
    expect(await owner`select 1 from vault_keys where encode(key, 'hex') = any(${bare})`).toHaveLength(0)
    const again = await serve(config)
    expect((await staff()).body).toEqual(before.body)
    await again.close()
  })

  it('are neither opened nor sealed with another secret: start, migrate and server say so', async () => {
    const config = { ...(await configOf(databaseUrl)), dataKey: another }
    await expect(serve(config)).rejects.toThrow(otherSecret)
    await expect(
      prepareData({ ...config, databaseUrl: ownerUrl(databaseUrl), hasYear: false, serverPassword: 'never-used-by-this-test-at-all' }),
    ).rejects.toThrow(otherSecret)
  })

  it('do not make a server restart in a loop: it reports the problem once and waits', async () => {
    const { port, origin } = await configOf(databaseUrl)
    const child = spawn(process.execPath, [findProgram('server')], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, PORT: String(port), PUBLIC_URL: origin, DATABASE_URL: databaseUrl, DATA_KEY: another, LOG_LEVEL: 'info' },
    })
    let written = ''
    child.stdout.on('data', (data) => (written += data))
    await until('the server says what is wrong', () => written.includes('another DATA_KEY'))
    await new Promise((done) => setTimeout(done, 1500))
    expect(child.exitCode).toBe(null)
    expect(written.match(/another DATA_KEY/g)!.length).toBeLessThan(4)
    const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})

describe('the rows of all organisations', () => {
  const everyOrganisation = (store: Store) => store.asPlatform((tx) => tx.execute(sql`select id from organisations`))
  /** Opens a store without the secret, as a server of the previous version does. */
  const asBefore = (databaseUrl: string) => openStore({ databaseUrl, dataKey: null }, 1)

  it('are queried without the secret for a day after an upgrade, for servers of the previous version, and then no more', async () => {
    const url = await createDatabase()
    const owner = connectAsOwner(url)
    await owner.begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      await tx`delete from platform_keys`
    })
    const [before, now] = [asBefore(url), openStore({ databaseUrl: url, dataKey: testDataKey }, 1)]
    const all = await everyOrganisation(before)
    await requirePlatformKey(owner, testDataKey, { from: 'tomorrow' })
    expect(await everyOrganisation(before)).toEqual(all)
    expect(await everyOrganisation(now)).toEqual(all)
    await owner.begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      await tx`update platform_keys set required_from = required_from - interval '1 day'`
    })
    expect(await everyOrganisation(before)).toEqual([])
    expect(await everyOrganisation(now)).toEqual(all)
    await Promise.all([before.close(), now.close()])
  })

  it('are queried with the secret from the start of a new installation', async () => {
    const url = await createDatabase()
    const owner = connectAsOwner(url)
    await owner.begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      await tx`delete from platform_keys`
    })
    await requirePlatformKey(owner, testDataKey, { from: 'now' })
    const before = asBefore(url)
    expect(await everyOrganisation(before)).toEqual([])
    await before.close()
  })
})

describe('another secret for the keys', () => {
  const next = 'the secret that seals the keys from now on'

  it('is refused while a server runs, then seals every key at once: employees can be decrypted, users stay signed in, and the old secret opens nothing', async () => {
    const config = await configOf(await createDatabase())
    const change = async (dataKey: string) => {
      const url = ownerUrl(config.databaseUrl)
      const store = openStore({ databaseUrl: url, dataKey }, 2)
      return changeDataKey(store, url, next).finally(() => store.close())
    }
    const running = await serve(config)
    const finance = await signInByPassword({ origin: config.origin }, 'finance@harbour.example')
    const { organisationId } = await findTrustIds(finance)
    const staff = () => finance.call('POST', '/api/Staff/list', { pageSize: 500, pageNumber: 1 }, { OrganisationId: organisationId })
    const before = await staff()
    expect(before.body.rows[0].surname).not.toBe('')
    const owner = connectAsOwner(config.databaseUrl)
    const keys = () => owner<{ page: string }[]>`select encode(key, 'hex') as page from vault_keys order by subject`
    const old = await keys()
    await expect(change(testDataKey)).rejects.toThrow('Stop them all, then try again.')
    await running.close()
    await expect(change(another)).rejects.toThrow(otherSecret)
    expect(await keys()).toEqual(old)

    expect(await change(testDataKey)).toBe(old.length + 1)
    const left = new Set(old.map((row) => row.page))
    expect((await keys()).filter((row) => left.has(row.page))).toEqual([])
    await expect(serve(config)).rejects.toThrow(otherSecret)
    const again = await serve({ ...config, dataKey: next })
    expect((await staff()).body).toEqual(before.body)
    await again.close()
  })

  it('must be given, must not be guessable, and must differ', () => {
    const sentence = /^Set NEW_DATA_KEY to the new secret, 32 characters or more/
    for (const given of [undefined, 'short']) expect(() => readNewDataKey({ NEW_DATA_KEY: given }, testDataKey)).toThrow(sentence)
    expect(() => readNewDataKey({ NEW_DATA_KEY: testDataKey }, testDataKey)).toThrow('Choose another one.')
    expect(readNewDataKey({ NEW_DATA_KEY: next }, testDataKey)).toBe(next)
  })
})

describe('the secret that seals the keys', () => {
  const env = { NODE_ENV: 'production', DATABASE_URL: 'postgres://bursar_app@db:5432/bursar' }

  it('must be given for a deployment, and must not be guessable', () => {
    expect(() => readConfig(env)).toThrow(/^DATA_KEY is not set\. Choose a secret .* \(openssl rand -hex 32\), and keep a copy apart/)
    expect(() => readConfig({ ...env, DATA_KEY: 'secret' })).toThrow(/^DATA_KEY is too short/)
  })
})
