import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { expect, it, vi } from 'vitest'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { startPostgres } from '../../server/launch/postgres.ts'
import { removeData } from '../../server/launch/removeData.ts'
import { atEnd } from '../support/product/endings.ts'
import { startServerProcess } from '../support/running/serverProcess.ts'

vi.setConfig({ testTimeout: 120_000 })

it('a server goes on after the password of its database role is changed in the database and in its file, and so do its queues', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-password-'))
  const database = await startPostgres(folder)
  atEnd(async () => {
    await database.stop()
    removeData(folder)
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
    async () => expect(await isReady()).toEqual({ status: 503, text: expect.stringContaining('The database refuses the password.') }),
    20_000,
  )

  writeFileSync(file, 'the second password\n')
  await vi.waitFor(async () => expect(await isReady()).toMatchObject({ status: 200 }), 20_000)
  await vi.waitFor(async () => expect(await countListeners()).toBeGreaterThan(0), 30_000)
  await owner.end()
})
