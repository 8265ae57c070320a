import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { expect, it, vi } from 'vitest'
import { openStore } from '../../server/core/database/database.ts'
import { createKeySeal } from '../../server/core/database/keySeal.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { findFreePort, startPostgres } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { resealKeysWithFirstSecret } from '../../server/launch/sealKeys.ts'
import { connectAsOwner, ownerUrl } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { atEnd } from '../support/product/endings.ts'
import { findTrustIds, signInAs, signInByPassword } from '../support/product/http.ts'
import { patience } from '../support/product/patience.ts'
import { isInstalled } from '../support/running/installed.ts'
import { startRedisOn } from '../support/running/redis.ts'
import { startServerProcess } from '../support/running/serverProcess.ts'
import { killAndWait } from '../support/running/worker.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Waits until a question is answered as expected. */
const eventually = (expected: () => Promise<void>): Promise<void> => vi.waitFor(expected, { timeout: patience * 30_000, interval: 200 })

it('a server goes on after the password of its database role is changed in the database and in its file, and so do its queues', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-password-'))
  const database = await startPostgres(folder)
  atEnd(async () => {
    await database.stop()
    removeDataFolders(folder)
  })
  const url = new URL(await migrateDatabase(database.url, 'the first password'))
  url.password = ''
  const file = join(folder, 'password')
  writeFileSync(file, 'the first password\n')
  const server = await startServerProcess({ databaseUrl: url.href, env: { DATABASE_PASSWORD_FILE: file } })
  const isReady = async (): Promise<{ status: number; text: string }> => {
    const reply = await fetch(`${server.origin}/readyz`)
    return { status: reply.status, text: await reply.text() }
  }
  expect(await isReady()).toMatchObject({ status: 200 })

  const owner = postgres(database.url, { max: 1 })
  /** The connections on which the queue waits for jobs and live messages. */
  const countListeners = async (): Promise<number> =>
    (await owner`select from pg_stat_activity where usename = 'bursar_app' and query ~* 'listen'`).length
  await vi.waitFor(async () => expect(await countListeners()).toBeGreaterThan(0), 20_000)
  await owner`alter role bursar_app password 'the second password'`
  await owner`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'bursar_app'`
  await vi.waitFor(
    async () => expect(await isReady()).toEqual({ status: 503, text: expect.stringContaining('The database rejected the password.') }),
    20_000,
  )

  writeFileSync(file, 'the second password\n')
  await vi.waitFor(async () => expect(await isReady()).toMatchObject({ status: 200 }), 20_000)
  await vi.waitFor(async () => expect(await countListeners()).toBeGreaterThan(0), 30_000)
  await owner.end()
})

it.runIf(isInstalled('redis-server'))('a server goes on after the password of Redis is changed in Redis and in its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-redis-password-'))
  const port = await findFreePort()
  const redis = await startRedisOn(port, '--requirepass', 'the first password')
  const admin = new Redis({ port, password: 'the first password' })
  atEnd(async () => {
    admin.disconnect()
    await killAndWait(redis)
    removeDataFolders(folder)
  })
  const file = join(folder, 'password')
  writeFileSync(file, 'the first password\n')
  const server = await startServerProcess({ env: { REDIS_URL: `redis://127.0.0.1:${port}`, REDIS_PASSWORD_FILE: file } })
  const isReady = async (status: string) => expect(await (await fetch(`${server.origin}/readyz`)).json()).toMatchObject({ status })
  const countsCalls = async () => {
    await admin.flushall()
    const finance = await signInAs(server, 'finance@harbour.example')
    await findTrustIds(finance)
    expect(await admin.keys('*-limit-calls:*')).not.toEqual([])
  }
  await isReady('ok')
  await countsCalls()

  await admin.config('SET', 'requirepass', 'the second password')
  await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  await eventually(() => isReady('degraded'))
  writeFileSync(file, 'the second password\n')
  await eventually(() => isReady('ok'))
  await eventually(countsCalls)
})

it('a server takes a new data key from its file: it seals with it, opens what either key sealed, and needs no restart', async () => {
  const [next, useless] = ['the secret that seals the keys from now on', 'a secret that nothing here was sealed with']
  const folder = mkdtempSync(join(tmpdir(), 'bursar-data-key-'))
  atEnd(() => removeDataFolders(folder))
  const file = join(folder, 'data_key')
  writeFileSync(file, `${testDataKey}\n`)
  const server = await startServerProcess({ env: { DATA_KEY: '', DATA_KEY_FILE: file } })
  const { databaseUrl } = server.config
  const owner = connectAsOwner(databaseUrl)
  const finance = await signInByPassword(server, 'finance@harbour.example')
  const places = await findTrustIds(finance)
  const own = { OrganisationId: places.organisationId }
  /** A long call, which runs in a thread and opens the names of people. */
  const exportContracts = async () => {
    const { status, body } = await finance.call('POST', '/api/StaffContract/Export', {}, places.at('Northgate'))
    expect(status).toBe(200)
    return String(body)
  }
  const listStaff = async () => {
    const { status, body } = await finance.call('POST', '/api/Staff/list', { pageSize: 500, pageNumber: 1 }, own)
    expect(status).toBe(200)
    return body.rows as { surname: string }[]
  }
  let count = 0
  const addPerson = async () => {
    const person = { employeeNumber: `K-${++count}`, forename: 'Ada', surname: `New${count}` }
    expect((await finance.call('POST', '/api/Staff', person, own)).status).toBe(201)
  }
  /** How many keys of people each secret opens. */
  const countOpened = async (dataKey: string): Promise<number> => {
    const seal = createKeySeal(dataKey)
    const rows = await owner<{ subject: string; key: Buffer }[]>`select subject, key from vault_keys`
    return rows.filter(({ subject, key }) => {
      try {
        return seal.open(subject, key)
      } catch {
        return false
      }
    }).length
  }
  const adopt = async (dataKey: string) => {
    const url = ownerUrl(databaseUrl)
    const store = openStore({ databaseUrl: url, dataKey }, 2)
    return resealKeysWithFirstSecret(store, url, dataKey).finally(() => store.close())
  }
  const before = await countOpened(testDataKey)
  expect(before).toBeGreaterThan(100)
  const surnames = (await listStaff()).map(({ surname }) => surname)
  const contracts = await exportContracts()

  for (const text of ['', 'short', useless]) {
    writeFileSync(file, text)
    await new Promise((done) => setTimeout(done, 1500))
    await addPerson()
  }
  expect(await countOpened(testDataKey)).toBe(before + count)
  const both = `${next}\n${testDataKey}`
  writeFileSync(file, both)
  await eventually(async () => {
    await addPerson()
    expect(await countOpened(next)).toBeGreaterThan(0)
  })
  expect((await listStaff()).map(({ surname }) => surname)).toEqual(expect.arrayContaining([...surnames, `New${count}`]))

  expect(await adopt(both)).toMatchObject({ hasEnded: false })
  expect([await countOpened(next), await countOpened(testDataKey)]).toEqual([before + count, 0])
  expect((await listStaff()).map(({ surname }) => surname)).toEqual(expect.arrayContaining([...surnames, `New${count}`]))
  await signInByPassword(server, 'finance@harbour.example')

  writeFileSync(file, next)
  await new Promise((done) => setTimeout(done, 1500))
  expect(await adopt(next)).toMatchObject({ hasEnded: true })
  const [left] = await owner<{ count: number }[]>`select count(*)::integer as count from platform_keys`
  expect(left?.count).toBe(1)
  await addPerson()
  expect(await exportContracts()).toEqual(contracts)
  await signInByPassword(server, 'finance@harbour.example')
  await expect(adopt(testDataKey)).rejects.toThrow('The keys in this database were sealed with another DATA_KEY.')
})
