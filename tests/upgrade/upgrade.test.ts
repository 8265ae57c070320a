import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { restore } from '../../server/backup/restore.ts'
import { verifyRestored } from '../../server/backup/verifyRestored.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { oldestMigration } from '../../server/launch/databaseChecks.ts'
import { migrateDatabase, migrateTo, newestMigration } from '../../server/launch/migrate.ts'
import { serve } from '../../server/serve.ts'
import { emptyDatabase, serverPassword } from '../support/database.ts'
import { testDataKey } from '../support/dataKey.ts'
import { atEnd } from '../support/endings.ts'
import { asUser, type Body, placesOf } from '../support/http.ts'
import { configOf } from '../support/product.ts'
import { type Figures, figuresIn } from './figures.ts'

// Each fills a whole database and folds every log of it.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const password = serverPassword()

async function migrationsOf(url: string): Promise<number[]> {
  const client = postgres(url, { max: 1 })
  const rows = await client<{ at: string }[]>`select created_at as at from drizzle.__drizzle_migrations order by 1`
  await client.end()
  return rows.map(({ at }) => Number(at))
}

const versions = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.backup'))

describe.each(versions)('an installation of %s', (version) => {
  const file = join(import.meta.dirname, version)
  const kept = JSON.parse(readFileSync(file.replace('.backup', '.json'), 'utf8')) as Figures
  const folder = mkdtempSync(join(tmpdir(), 'bursar-upgrade-'))
  let url: string
  let store: Store
  let anchors: string | null

  beforeAll(async () => {
    url = await emptyDatabase()
    const restored = await restore(file, { databaseUrl: url, serverPassword: password, dataKey: testDataKey, folder }, {})
    anchors = restored.anchors
    store = openStore({ databaseUrl: url, dataKey: testDataKey }, 3)
  })
  atEnd(async () => {
    await store?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is brought up to date with every figure where it was', async () => {
    expect((await migrationsOf(url)).at(-1)).toBe(newestMigration())
    expect(await store.asPlatform(figuresIn)).toEqual(kept)
    expect(Object.keys(kept.budgets).length).toBeGreaterThan(5)
  })
  it('has logs that are whole, with the anchors of that day, and every one of its budgets replays to the same pennies', async () => {
    const { findings, replayed } = await verifyRestored(store, anchors, 1000)
    expect(findings).toEqual([])
    expect(replayed).toBe(Object.keys(kept.budgets).length)
  })
  it('goes on: people sign in, read their names, and save', async () => {
    const asServer = new URL(inject('serverUrl'))
    asServer.pathname = new URL(url).pathname
    const config = await configOf(asServer.href)
    const running = await serve(config)
    try {
      const finance = await asUser({ config, origin: config.origin }, 'finance@harbour.example')
      const places = await placesOf(finance)
      const own = { OrganisationId: places.organisationId }
      const staff = await finance.call('POST', '/api/Staff/list', { pageNumber: 1, pageSize: 5 }, own)
      expect(staff.body.rows.every(({ surname }: Body) => /^\p{L}/u.test(surname))).toBe(true)
      const northgate = places.at('Northgate')
      const codes = await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 5000 }, northgate)
      const budgetCodeId = codes.body.rows.find((row: Body) => row.code === '4300').id
      const entry = { description: 'After the upgrade', budgetCodeId, amount: 1, budgetYearName: '2026/27' }
      expect((await finance.call('PUT', '/api/BudgetEntry/save', entry, northgate)).status).toBe(200)
    } finally {
      await running.close()
    }
  })
})

describe('migrations', () => {
  it('that several start at once are carried out once', async () => {
    const url = await emptyDatabase()
    await migrateTo(url, password, oldestMigration)
    const began = await migrationsOf(url)
    expect(await Promise.all([1, 2, 3].map(() => migrateDatabase(url, password)))).toHaveLength(3)
    const ended = await migrationsOf(url)
    expect(ended.length).toBeGreaterThan(began.length)
    expect(new Set(ended).size).toBe(ended.length)
    expect(ended.at(-1)).toBe(newestMigration())
  })
  it('wait for a table that a call is at without standing in front of the calls that follow, and are done when it is free', async () => {
    const url = await emptyDatabase()
    await migrateTo(url, password, oldestMigration)
    const client = postgres(url, { max: 2, onnotice: () => undefined })
    let leave = (): void => undefined
    const call = client.begin(async (tx) => {
      await tx`select count(*) from users`
      await new Promise<void>((done) => (leave = done))
    })
    const migrated = migrateDatabase(url, password)
    const waiting = () => client`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 30_000 })
    // Somebody else asks meanwhile: nobody is at the table for ever, so this comes back.
    expect(await client`select count(*)::integer as people from users`).toHaveLength(1)
    leave()
    await call
    await migrated
    await client.end()
    expect((await migrationsOf(url)).at(-1)).toBe(newestMigration())
  })
  it('leave out no version that was released: each is kept here', () => {
    expect(versions.length).toBeGreaterThan(0)
    expect(versions.every((name) => /^\d{4}-\d{2}-\d{2}\.backup$/.test(name))).toBe(true)
  })
})
