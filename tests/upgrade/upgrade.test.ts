import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { rebuildProjections } from '../../server/audit/rebuild/rebuild.ts'
import { openBackup } from '../../server/backup/backupFile.ts'
import { restoreBackup } from '../../server/backup/restore.ts'
import { verifyRestoredDatabase } from '../../server/backup/verifyRestored.ts'
import { productVersion } from '../../server/core/config.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { loadFoundation } from '../../server/demo/load.ts'
import { oldestMigration } from '../../server/launch/databaseChecks.ts'
import { createTablesAsOf, migrateDatabase, migrationsFolder, readNewestMigration } from '../../server/launch/migrate.ts'
import { sealUserHistory } from '../../server/launch/sealUserHistory.ts'
import { readRecordHistory } from '../../server/resources/referenceLog.ts'
import { serve } from '../../server/serve.ts'
import { markBudgetsOfOlderEngines } from '../../server/streams/budget/marks.ts'
import { listCommonCalls } from '../support/product/commonCalls.ts'
import { createEmptyDatabase, readServerPassword } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { atEnd } from '../support/product/endings.ts'
import { type Body, type Caller, createCaller, findTrustIds, signInAs, signInByPassword, type TrustIds } from '../support/product/http.ts'
import { connect, type HubListener } from '../support/product/hub.ts'
import { configOf, type Product } from '../support/product/product.ts'
import { findProgram } from '../support/running/programs.ts'
import { type ServerProcess, startServerProcess } from '../support/running/serverProcess.ts'
import { until, Workers } from '../support/running/worker.ts'
import { type Figures, readFigures } from './figures.ts'
import { unpackBuild } from './keptBuild.ts'

// Each test fills a whole database and folds every log.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const password = readServerPassword()

async function migrationsOf(url: string): Promise<number[]> {
  const client = postgres(url, { max: 1 })
  const rows = await client<{ at: string }[]>`select created_at as at from drizzle.__drizzle_migrations order by 1`
  await client.end()
  return rows.map(({ at }) => Number(at))
}

/** Every released version by its number in package.json, with the day of the backup that `make.ts` stored. */
const released: Record<string, string> = { '0.1.0': '2026-11-25', '1.0.0': '2026-11-28' }
const versions = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.backup'))
  .sort()

describe.each(versions)('an installation of %s', (version) => {
  const file = join(import.meta.dirname, version)
  const kept = JSON.parse(readFileSync(file.replace('.backup', '.json'), 'utf8')) as Figures
  const folder = mkdtempSync(join(tmpdir(), 'bursar-upgrade-'))
  let url: string
  let store: Store
  let anchors: string | null

  beforeAll(async () => {
    url = await createEmptyDatabase()
    const restored = await restoreBackup(file, { databaseUrl: url, serverPassword: password, dataKey: testDataKey, folder }, {})
    anchors = restored.anchors
    store = openStore({ databaseUrl: url, dataKey: testDataKey }, 3)
  })
  atEnd(async () => {
    await store?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is migrated with every figure unchanged', async () => {
    expect((await migrationsOf(url)).at(-1)).toBe(readNewestMigration())
    expect(await store.asPlatform(readFigures)).toEqual(kept)
    expect(Object.keys(kept.budgets).length).toBeGreaterThan(5)
  })
  it('has intact logs, with the anchors of that day, and every one of its budgets replays to the same pennies', async () => {
    const { findings, replayed } = await verifyRestoredDatabase(store, anchors, 1000)
    expect(findings).toEqual([])
    expect(replayed).toBe(Object.keys(kept.budgets).length)
  })
  it('has tables that are rebuilt from its logs, to the penny', async () => {
    const damage = [
      'update posted_lines set amounts[1] = coalesce(amounts[1], 0) + 1',
      'delete from budget_items',
      'delete from actual_sums',
    ]
    for (const statement of damage) await store.asPlatform((tx) => tx.execute(statement))
    const { differences, notRebuilt } = await rebuildProjections(store, { isDryRun: false, outside: { anchors: [], problems: [] } })
    expect(notRebuilt).toEqual([])
    expect(new Set(differences.map(({ projection }) => projection))).toEqual(new Set(['posted_lines', 'budget_items', 'actual_sums']))
    expect(await store.asPlatform(readFigures)).toEqual(kept)
    expect((await verifyRestoredDatabase(store, anchors, 1000)).findings).toEqual([])
  })
  it('no longer has unencrypted users in any log, once it is started, and the logs and anchors are as intact as before', async () => {
    const clear = () =>
      store.asPlatform((tx) =>
        tx.execute(sql`select distinct log.id from reference_changes log, users
          where log.resource = 'user' and position(users.email in concat(log.before::text, log.after::text)) > 0`),
      )
    expect((await clear()).length).toBeGreaterThan(5)
    expect(await sealUserHistory(store, url)).toBeGreaterThan(5)
    expect([...(await clear())]).toEqual([])
    expect(await sealUserHistory(store, url)).toBe(0)
    expect((await verifyRestoredDatabase(store, anchors, 0)).findings).toEqual([])
    const history = await store.asPlatform(async (tx) => {
      const [user] = await tx.execute<{ id: number; email: string }>(
        sql`select id, email from users where email = 'finance@harbour.example'`,
      )
      return { user: assertDefined(user), entries: await readRecordHistory(tx, { name: 'user' }, assertDefined(user).id) }
    })
    expect(history.entries.map(({ after }) => after?.email)).toContain(history.user.email)
  })
  it('gets, once, the limits, leaves and moved points that its national tables lacked, and needs recalculating by the new rules', async () => {
    const national = () =>
      store.asPlatform((tx) =>
        tx.execute<{ floors: string[]; sickness: number; moved: number }>(sql`select
          (select array_agg(distinct coalesce(earnings_floor::text, 'none') order by coalesce(earnings_floor::text, 'none')) from extended_leave_types where name = 'Maternity') as floors,
          (select count(*)::int from extended_leave_types where name = 'Sickness') as sickness,
          (select count(*)::int from pay_scale_points where point = 'SCP3' and replaces_increment = 1) as moved`),
      )
    const now = { floors: ['123.00', '125.00', '129.00'], sickness: 3, moved: 1 }
    await loadFoundation(store)
    expect([...(await national())]).toEqual([now])
    await store.asPlatform((tx) => tx.execute(sql`update extended_leave_types set earnings_floor = null where rate = 187.18`))
    await loadFoundation(store)
    expect([...(await national())]).toEqual([{ ...now, floors: ['123.00', '129.00', 'none'] }])
    await store.asPlatform((tx) => markBudgetsOfOlderEngines({ tx, now: new Date() }))
    const [left] = await store.asPlatform((tx) =>
      tx.execute<{ open: number; marked: number }>(sql`select count(*)::int as open, count(m.budget_id)::int as marked
        from budgets b left join recalculation_marks m on m.organisation_id = b.organisation_id and m.budget_id = b.id
        where not coalesce((b.head ->> 'locked')::boolean, false) and b.recalculated is not null`),
    )
    expect(left!.open).toBeGreaterThan(3)
    expect(left!.marked).toBe(left!.open)
  })
  it('no longer has the rates of the rest of England in the London columns of support staff, except those typed since', async () => {
    const london = () =>
      store.asPlatform((tx) =>
        tx.execute(sql`select count(*)::int as points, count(inner_rate)::int as "inner", count(outer_rate)::int as "outer", count(fringe_rate)::int as fringe
          from pay_scale_points where scale = 'NJC' and organisation_id is null`),
      )
    await loadFoundation(store)
    expect([...(await london())]).toEqual([{ points: 125, inner: 0, outer: 0, fringe: 0 }])
    await store.asPlatform((tx) =>
      tx.execute(sql`update pay_scale_points set inner_rate = main_rate where scale = 'NJC' and point = 'SCP5'`),
    )
    await loadFoundation(store)
    expect([...(await london())]).toEqual([{ points: 125, inner: 3, outer: 0, fringe: 0 }])
  })
  it('gets the Employment Allowance, once, and keeps an administrator’s changes of it', async () => {
    const amounts = () =>
      store.asPlatform((tx) => tx.execute(sql`select effective_date::text as since, amount::float8 as amount from employment_allowances`))
    await loadFoundation(store)
    expect([...(await amounts())]).toEqual([{ since: '2025-04-06', amount: 10_500 }])
    await store.asPlatform((tx) => tx.execute(sql`delete from employment_allowances`))
    await loadFoundation(store)
    expect([...(await amounts())]).toEqual([])
  })
  it('works: users sign in, see their names, and save', async () => {
    const asServer = new URL(inject('serverUrl'))
    asServer.pathname = new URL(url).pathname
    const config = await configOf(asServer.href)
    const running = await serve(config)
    try {
      const finance = await signInAs({ config, origin: config.origin }, 'finance@harbour.example')
      const places = await findTrustIds(finance)
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

/** How many next versions were simulated: a test that is repeated finds the tables of the one before. */
let nextVersions = 0

/** Simulates the next version’s migrations: every table gets unknown columns, and one table is new. */
function nextVersion(): string {
  const number = ++nextVersions
  const folder = mkdtempSync(join(tmpdir(), 'bursar-next-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(migrationsFolder, folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const { entries, ...others } = JSON.parse(readFileSync(file, 'utf8')) as { entries: { idx: number; when: number; tag: string }[] }
  const next = { ...entries.at(-1)!, idx: entries.length, when: readNewestMigration() + number, tag: 'next_version' }
  writeFileSync(file, JSON.stringify({ ...others, entries: [...entries, next] }))
  writeFileSync(
    join(folder, 'next_version.sql'),
    `DO $$ DECLARE t record; BEGIN
      FOR t IN SELECT c.oid::regclass AS name FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1 LOOP
        EXECUTE format('ALTER TABLE %s ADD COLUMN next_text_${number} text, ADD COLUMN next_count_${number} integer DEFAULT 0 NOT NULL', t.name);
      END LOOP;
    END $$;
    --> statement-breakpoint
    CREATE TABLE next_records_${number} (organisation_id integer NOT NULL REFERENCES organisations (id), id integer NOT NULL, PRIMARY KEY (organisation_id, id));
    --> statement-breakpoint
    CREATE INDEX next_lines_${number} ON posted_lines (organisation_id, budget_id, next_count_${number})`,
  )
  return folder
}

describe('migrations', () => {
  it('that several processes start at once are carried out once', async () => {
    const url = await createEmptyDatabase()
    await createTablesAsOf(url, password, oldestMigration)
    const began = await migrationsOf(url)
    expect(await Promise.all([1, 2, 3].map(() => migrateDatabase(url, password)))).toHaveLength(3)
    const ended = await migrationsOf(url)
    expect(ended.length).toBeGreaterThan(began.length)
    expect(new Set(ended).size).toBe(ended.length)
    expect(ended.at(-1)).toBe(readNewestMigration())
  })
  it('wait for a table in use without holding up later calls, and run when it is free', async () => {
    const url = await createEmptyDatabase()
    await createTablesAsOf(url, password, oldestMigration)
    const client = postgres(url, { max: 2, onnotice: () => undefined })
    let leave = (): void => undefined
    const call = client.begin(async (tx) => {
      await tx`select count(*) from users`
      await new Promise<void>((done) => (leave = done))
    })
    const migrated = migrateDatabase(url, password)
    const waiting = () => client`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 30_000 })
    // Another caller asks meanwhile: the table is never locked for long, so this query returns.
    expect(await client`select count(*)::integer as people from users`).toHaveLength(1)
    leave()
    await call
    await migrated
    await client.end()
    expect((await migrationsOf(url)).at(-1)).toBe(readNewestMigration())
  })
  it('join the years of a line that follow each other, but not years with a gap of zeros between them nor two lines of one year', async () => {
    const url = await createEmptyDatabase()
    const { entries } = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
      entries: { when: number; tag: string }[]
    }
    const joining = entries.findIndex(({ tag }) => tag === '0025_posted_lines')
    await createTablesAsOf(url, password, assertDefined(entries[joining - 1]).when)
    const client = postgres(url, { max: 1, onnotice: () => undefined })
    const post = (source: string, { year, fund, amount }: { year: number; fund: number | null; amount: number | null }) => client`
      insert into budget_lines (organisation_id, budget_id, source_kind, source_id, component, year, budget_code_id, fund_code_id, amounts)
      values (1, repeat('b', 24), 'entry', repeat(${source}, 24), 'entry', ${year}, 7, ${fund}, array_fill(${amount}::bigint, array[12]))`
    await client`select set_config('app.organisation_id', '*', false)`
    // In random order: the years of one line, a line of another fund, a line with a gap, and two lines of one year.
    for (const year of [2, 0, 1]) await post('a', { year, fund: null, amount: year === 1 ? null : 100 + year })
    await post('a', { year: 1, fund: 3, amount: 5 })
    for (const year of [4, 0, 3]) await post('c', { year, fund: null, amount: year })
    for (const amount of [8, 8]) await post('d', { year: 1, fund: null, amount })
    const by = 'order by source_id, fund_code_id nulls first, year, amounts'
    const before = await client.unsafe(`select source_id, fund_code_id, year, amounts, total, missing from budget_lines ${by}`)
    await migrateDatabase(url, password)
    expect(await client.unsafe(`select source_id, fund_code_id, year, amounts, total, missing from budget_lines ${by}`)).toEqual(before)
    const rows = await client<{ source: string; first: number; years: number }[]>`
      select left(source_id, 1) as source, first_year as first, cardinality(amounts) / 12 as years from posted_lines order by source_id, fund_code_id nulls first, 2`
    expect(rows.map(({ source, first, years }) => `${source} ${first} ${years}`)).toEqual([
      'a 0 3',
      'a 1 1',
      'c 0 1',
      'c 3 2',
      'd 1 1',
      'd 1 1',
    ])
    await client.end()
  })
  it('are tested from every released version: each is stored here, including the present number', async () => {
    expect(Object.keys(released), 'a version is released with a backup of its own: tests/upgrade/make.ts').toContain(productVersion)
    expect(Object.values(released).map((day) => `${day}.backup`)).toEqual(versions)
    for (const [number, day] of Object.entries(released)) {
      const { head, reader } = await openBackup(join(import.meta.dirname, `${day}.backup`), {})
      await reader.close()
      expect(head.product, day).toBe(number)
    }
  })
})

/** Time between two calls of one caller: the four callers, who are one user, stay below the 1,200 calls a minute of a user. */
const betweenCallsMs = 250

/** Builds of earlier versions, stored by `make.ts`. */
const builds = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.build'))

describe.each(builds)('the version of %s', (build) => {
  const workers = new Workers()
  let folder: string
  let url: string
  let old: ServerProcess
  let newer: ServerProcess
  let finance: Caller
  let places: TrustIds
  let live: HubListener

  /** Makes every common call on the servers in turn, over connections that have prepared each statement, while the tables change. */
  async function beside(servers: readonly Product[], change: () => Promise<unknown>): Promise<void> {
    const failed: string[] = []
    let rounds = 0
    let isOver = false
    const work = async (product: Product, alias: string): Promise<void> => {
      const calls = await listCommonCalls(product, finance, places, alias)
      while (!isOver) {
        for (const { name, make } of calls) {
          await make().catch((error: Error) => failed.push(`${name}: ${error.message}`))
          await pause(betweenCallsMs)
        }
        rounds++
      }
    }
    const watch = async ({ origin }: Product): Promise<void> => {
      while (!isOver) {
        const { status } = await fetch(`${origin}/readyz`)
        if (status !== 200) failed.push(`not ready: ${status}`)
        await pause(20)
      }
    }
    const more = async (): Promise<void> => {
      const before = rounds
      await vi.waitFor(() => expect(rounds).toBeGreaterThan(before + 2), { timeout: 60_000 })
    }
    const working = servers.flatMap((product) => [work(product, 'Northgate'), work(product, 'Riverside'), watch(product)])
    try {
      await more()
      await change()
      await more()
    } finally {
      isOver = true
      await Promise.all(working)
    }
    expect(failed, failed.join('; ')).toEqual([])
  }
  /** A worker of the earlier version recalculates, and a page open there is notified. */
  async function recalculated(by: Caller): Promise<void> {
    live.messages.length = 0
    const own = { OrganisationId: places.organisationId }
    const asked = await by.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)
    expect(asked.status).toBe(202)
    await until('a page hears that it is done', () => live.messages.some(({ target }) => target === 'BudgetsRecalculated'))
    const isLocked = async () => (await by.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body.locked
    await until('the lock is off', async () => !(await isLocked()))
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bursar-before-'))
    unpackBuild(join(import.meta.dirname, build), folder)
    url = await createEmptyDatabase()
    const env = { ...process.env, DATABASE_URL: url, DATABASE_APP_PASSWORD: password, DATA_KEY: testDataKey }
    const ofItsTime = assertDefined(versions.findLast((name) => name.slice(0, 10) <= build.slice(0, 10)))
    const backup = join(import.meta.dirname, ofItsTime)
    await promisify(execFile)(process.execPath, [findProgram('restore', folder), backup], { env })
    const databaseUrl = new URL(inject('serverUrl'))
    databaseUrl.pathname = new URL(url).pathname
    old = await startServerProcess({ databaseUrl: databaseUrl.href, build: folder, env: { DEMO: '1' } })
    await workers.start(old, { DEMO: '1' }, folder)
    // Sign in at the older server: it does not know the keys of the newer version.
    finance = await signInByPassword(old, 'finance@harbour.example')
    places = await findTrustIds(finance)
    live = await connect(old, finance, places.organisationId)
  })
  atEnd(async () => {
    await live?.connection.stop()
    await workers.killAll()
    rmSync(folder, { recursive: true, force: true })
  })

  it('answers every call and stays ready during the migrations since then, and continues with its worker on the new tables', async () => {
    await beside([old], () => migrateDatabase(url, password))
    expect((await migrationsOf(url)).at(-1)).toBe(readNewestMigration())
    await recalculated(finance)
  })
  it('then works beside this one: a sign-in at one is valid at the other, which reads what was saved and announces what is done', async () => {
    newer = await startServerProcess({ beside: old, env: { DEMO: '1' } })
    const there = createCaller(newer, finance.token)
    const northgate = places.at('Northgate')
    const everything = { pageNumber: 1, pageSize: 5000 }
    const codes = await finance.call('POST', '/api/BudgetCodes/list', everything, northgate)
    const budgetCodeId = codes.body.rows.find((row: Body) => row.code === '4300').id
    for (const [description, by, to] of [
      ['Saved at the older', finance, there],
      ['Saved at the newer', there, finance],
    ] as const) {
      const entry = { description, budgetCodeId, amount: 1, budgetYearName: '2026/27' }
      expect((await by.call('PUT', '/api/BudgetEntry/save', entry, northgate)).status).toBe(200)
      const { body } = await to.call('POST', '/api/BudgetEntry/paginated', everything, northgate)
      expect(body.rows.map((row: Body) => row.description)).toContain(description)
    }
    await recalculated(there)
    // Whichever version wrote the events, everything replays to the pennies on the screens.
    const store = openStore({ databaseUrl: url, dataKey: testDataKey }, 3)
    try {
      expect((await verifyRestoredDatabase(store, null, 1000)).findings).toEqual([])
    } finally {
      await store.close()
    }
  })
  it('and this one continue during the next version’s migrations, after which no older one can be started', async () => {
    await beside([old, newer], () => migrateDatabase(url, password, nextVersion()))
    expect(live.connection.state).toBe('Connected')
    await recalculated(finance)
    await expect(migrateDatabase(url, password)).rejects.toThrow('written by a newer version of Bursar')
  })
})
