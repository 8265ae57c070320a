import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import postgres from 'postgres'
import superjson from 'superjson'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createTrpcLinks, IdempotencyKeys } from '../../client/shell/calls/trpcLinks.ts'
import { openStore } from '../../server/core/database/database.ts'
import { loadDemo } from '../../server/demo/load.ts'
import type { AppRouter } from '../../server/features/appRouter.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { findFreePort, type RunningPostgres, startPostgres } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { atEnd } from '../support/product/endings.ts'
import { type Body, type Caller, createCaller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { patience } from '../support/product/patience.ts'
import { startProduct } from '../support/product/product.ts'
import { openTcpProxy } from '../support/running/line.ts'
import { findProgram } from '../support/running/programs.ts'
import { type ServerProcess, startServerProcess } from '../support/running/serverProcess.ts'
import { mayMount, moveToSmallDisk, type SmallDisk } from '../support/running/smallDisk.ts'
import { type Standby, startStandby } from '../support/running/standby.ts'
import { killAndWait, until, Workers } from '../support/running/worker.ts'

const kills = 4
const runningMs = 2000
/** Longer than a worker’s claim on a job lasts, and longer than the timeout of an idle transaction. */
const lastingMs = 35_000

/** A PostgreSQL server of its own with the demo trusts, because these tests kill it. */
async function ownPostgres(): Promise<{ postgres: RunningPostgres; folder: string; kill: () => void; serverUrl: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-killed-'))
  const postgres = await startPostgres(folder)
  const data = realpathSync(join(folder, 'postgres'))
  atEnd(async () => {
    await postgres.stop()
    removeDataFolders(folder)
  })
  const serverUrl = await migrateDatabase(postgres.url)
  const store = openStore({ databaseUrl: postgres.url, dataKey: testDataKey }, 2)
  await loadDemo(store)
  await store.close()
  const kill = () => process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  return { postgres, folder, kill, serverUrl }
}

let database: Awaited<ReturnType<typeof ownPostgres>>

/** Runs a tool as the operator does, without blocking this process. */
async function run(
  words: [name: 'audit' | 'doctor', ...string[]],
  env: Record<string, string> = {},
): Promise<{ failed: boolean; said: string }> {
  const [name, ...more] = words
  const all = { ...process.env, DATABASE_URL: database.postgres.url, DATA_KEY: testDataKey, DEMO: '1', ...env }
  return new Promise((done) =>
    execFile(process.execPath, [findProgram(name), ...more], { env: all }, (error, said) => done({ failed: error !== null, said })),
  )
}
beforeAll(async () => {
  database = await ownPostgres()
}, 240_000)

it('servers and a database that are killed in turn lose nothing acknowledged, and do nothing twice that has an idempotency key', async () => {
  let server = await startServerProcess({ env: { DATABASE_URL: database.serverUrl } })
  const first = server
  const { origin } = first
  const finance = await signInAs(first, 'finance@harbour.example')
  const northgate = (await findTrustIds(finance)).at('Northgate')
  const everything = { pageNumber: 1, pageSize: 5000 }
  const codes = await finance.call('POST', '/api/BudgetCodes/list', everything, northgate)
  const codeId = codes.body.rows.find((row: Body) => row.code === '4300').id
  const entry = (description: string): Body => ({ description, budgetCodeId: codeId, amount: 1, budgetYearName: '2026/27' })
  const headers = {
    ApiVersion: '2',
    Authorization: `Bearer ${finance.token}`,
    ...Object.fromEntries(Object.entries(northgate).map(([name, value]) => [name, String(value)])),
  }
  const acknowledged = new Set<string>()
  const sent = new Set<string>()
  let cut = 0
  let isOver = false
  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
  /** Sends repeatedly until there is a reply, as a caller with an idempotency key may. */
  const untilAnswered = async (names: readonly string[], send: () => Promise<boolean>): Promise<void> => {
    for (const name of names) sent.add(name)
    while (!(await send().catch(() => false))) {
      cut++
      await pause(100)
    }
    for (const name of names) acknowledged.add(name)
  }
  /** Sends only once, and may never learn the result if the server dies. */
  const once = async (names: readonly string[], send: () => Promise<boolean>): Promise<void> => {
    for (const name of names) sent.add(name)
    if (await send().catch(() => false)) for (const name of names) acknowledged.add(name)
    else {
      cut++
      await pause(100)
    }
  }
  const save = async (description: string, key?: string): Promise<boolean> =>
    (await finance.call('PUT', '/api/BudgetEntry/save', entry(description), { ...northgate, ...(key ? { 'Idempotency-Key': key } : {}) }))
      .status === 200
  const browser = () =>
    createTRPCClient<AppRouter>({
      links: createTrpcLinks({ url: `${origin}/trpc`, keys: new IdempotencyKeys(), selection: () => headers, fetch }),
    })
  const [page, other] = [browser(), browser()]
  const batch = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${origin}/trpc`, transformer: superjson, headers })] })
  const saved = (client: typeof page, description: string) => client.entries.save.mutate(entry(description)).then(() => true)

  let n = 0
  const writers: ((name: string) => Promise<void>)[] = [
    (name) => {
      const key = randomUUID()
      return untilAnswered([`keyed ${name}`], () => save(`keyed ${name}`, key))
    },
    (name) => untilAnswered([`browser ${name}`], () => saved(page, `browser ${name}`)),
    // Simultaneous saves travel in one request, each with its own key. Those without a reply are sent again.
    (name) => {
      const names = ['A', 'B', 'C'].map((one) => `together ${name} ${one}`)
      let left = names
      return untilAnswered(names, async () => {
        const saves = await Promise.allSettled(left.map((one) => saved(other, one)))
        left = left.filter((_one, index) => saves[index]!.status === 'rejected')
        return left.length === 0
      })
    },
    (name) => once([`plain ${name}`], () => save(`plain ${name}`)),
    (name) =>
      once([`batch ${name} A`, `batch ${name} B`], async () => {
        await Promise.all(['A', 'B'].map((one) => saved(batch, `batch ${name} ${one}`)))
        return true
      }),
  ]
  const writing = writers.map(async (write) => {
    while (!isOver) await write(String(++n))
  })
  for (let kill = 0; kill < kills; kill++) {
    const before = acknowledged.size
    await pause(runningMs)
    // Some work happens between two kills, however slow the machine is.
    await until('more is saved', () => acknowledged.size > before + 5)
    if (kill % 2) {
      database.kill()
      await vi.waitFor(async () => expect(await database.postgres.isUp()).toBe(false), { timeout: patience * 10_000 })
      await vi.waitFor(() => database.postgres.restart(), { timeout: patience * 20_000, interval: 500 })
      await vi.waitFor(async () => expect((await fetch(`${origin}/readyz`)).status).toBe(200), {
        timeout: patience * 20_000,
        interval: 200,
      })
      expect(await server.isAlive(), server.log()).toBe(true)
    } else {
      await server.stop('SIGKILL')
      const env = { PORT: String(first.config.port), DATABASE_URL: database.serverUrl }
      server = await startServerProcess({ beside: first, env })
    }
  }
  await pause(1000)
  isOver = true
  await Promise.all(writing)

  const { rows } = (await finance.call('POST', '/api/BudgetEntry/paginated', everything, northgate)).body
  const count = new Map<string, number>()
  for (const { description } of rows) count.set(description, (count.get(description) ?? 0) + 1)
  expect(acknowledged.size).toBeGreaterThan(20)
  expect(cut).toBeGreaterThan(0)
  expect([...acknowledged].filter((name) => count.get(name) !== 1)).toEqual([])
  expect([...sent].filter((name) => (count.get(name) ?? 0) > 1)).toEqual([])
}, 240_000)

it('a server and a worker that stand still for longer than their locks lose nothing, do nothing twice, and continue', async () => {
  const env = { DATABASE_URL: database.serverUrl }
  const still = await startServerProcess({ env })
  const other = await startServerProcess({ beside: still, env })
  const workers = new Workers()
  const owner = postgres(database.postgres.url, { max: 2, onnotice: () => undefined })
  atEnd(() => owner.end())
  atEnd(() => workers.killAll())
  const atStill = await signInAs(still, 'finance@harbour.example')
  const finance = createCaller(other, atStill.token)
  const places = await findTrustIds(finance)
  const northgate = places.at('Northgate')
  const own = { OrganisationId: places.organisationId }
  const codes = await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 5000 }, northgate)
  const { id: budgetCodeId } = codes.body.rows.find((row: Body) => row.code === '4300')
  const key = randomUUID()
  const save = (caller: Caller) =>
    caller.call(
      'PUT',
      '/api/BudgetEntry/save',
      { description: 'While one stood still', budgetCodeId, amount: 1, budgetYearName: '2026/27' },
      { ...northgate, 'Idempotency-Key': key },
    )
  const recalculate = async () =>
    expect((await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)).status).toBe(202)
  const isLocked = async () =>
    (await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body.locked

  // The processes stand still while the worker recalculates two budgets and the server saves.
  await recalculate()
  let letGo = (): void => undefined
  let isHeld = false
  const holding = owner.begin(async (tx) => {
    await tx`select id from budgets where organisation_id = ${places.organisationId} for update`
    isHeld = true
    await new Promise<void>((done) => (letGo = done))
  })
  await until('the budgets are held', () => isHeld)
  const stopped = await workers.start(other, env)
  const unanswered = save(atStill).then(
    ({ status }) => status,
    () => 0,
  )
  let waiting: number[] = []
  await until('two budgets and a save wait', async () => {
    waiting = (await owner`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).map(
      ({ pid }) => pid,
    )
    return waiting.length >= 3
  })
  stopped.kill('SIGSTOP')
  process.kill(still.pid, 'SIGSTOP')
  const since = Date.now()
  letGo()
  await holding

  const second = await workers.start(other, env)
  // PostgreSQL does this itself after a minute; `networkLost.test.ts` shows the settings that it gets at sign-in.
  await until('none of the three stands in the middle of a transaction', async () => {
    await owner`select pg_terminate_backend(pid) from pg_stat_activity where pid = any(${waiting}) and state like 'idle in transaction%'`
    return !(await owner`select from pg_stat_activity where pid = any(${waiting}) and state <> 'idle'`).length
  })
  await until('the same save is answered elsewhere', async () => (await save(finance)).status === 200)
  await until('another worker has done all', async () => !(await isLocked()), 90_000)
  await until('every lock of those that stand still has run out', () => Date.now() > since + lastingMs)

  stopped.kill('SIGCONT')
  process.kill(still.pid, 'SIGCONT')
  expect([200, 503]).toContain(await unanswered)
  expect((await save(atStill)).status).toBe(200)
  await killAndWait(second)
  // Only the process that had stood still is running now.
  await recalculate()
  await until('it goes on', async () => !(await isLocked()))
  const { rows } = (await finance.call('POST', '/api/BudgetEntry/paginated', { pageNumber: 1, pageSize: 5000 }, northgate)).body
  expect(rows.filter(({ description }: Body) => description === 'While one stood still')).toHaveLength(1)
  const times = await owner`select count(*)::integer as times from budget_events
    where type = 'StaffContractsRecalculated' and request_id like 'recalculation-%' group by request_id, budget_id`
  expect(times.length).toBeGreaterThanOrEqual(12)
  expect(times.filter((row) => row.times !== 1)).toEqual([])
}, 240_000)

describe('an encrypted connection to a database', () => {
  const certificates = mkdtempSync(join(tmpdir(), 'bursar-certificates-'))
  const file = (name: string): string => join(certificates, name)
  /** Makes the certificate of a host or of an authority for this test. */
  const certify = (name: string, ...how: string[]): void => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file(`${name}.key`)]
    execFileSync('openssl', ['req', '-x509', ...key, '-out', file(`${name}.crt`), '-days', '2', '-subj', `/CN=${name}`, ...how], {
      stdio: 'pipe',
    })
  }
  const inCipher = (url: string): string => Object.assign(new URL(url), { hostname: 'localhost', search: '?sslmode=verify-full' }).href
  const serverWith = (authority: string) =>
    startServerProcess({ env: { DATABASE_URL: inCipher(database.serverUrl), NODE_EXTRA_CA_CERTS: file(`${authority}.crt`) } })

  beforeAll(async () => {
    atEnd(() => rmSync(certificates, { recursive: true, force: true }))
    certify('ours')
    certify('another')
    const signed = ['-CA', file('ours.crt'), '-CAkey', file('ours.key')]
    certify('localhost', ...signed, '-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=critical,CA:FALSE')
    const data = realpathSync(join(database.folder, 'postgres'))
    for (const kind of ['key', 'crt']) {
      const there = join(data, `server.${kind}`)
      copyFileSync(file(`localhost.${kind}`), there)
      chmodSync(there, 0o600)
      if (process.getuid?.() === 0) execFileSync('chown', ['postgres:postgres', there])
    }
    const owner = postgres(database.postgres.url, { max: 1 })
    await owner`alter system set ssl = on`
    await owner`select pg_reload_conf()`
    await owner.end()
  })

  it('checks the certificate against the named authority, also for the queue', async () => {
    const server = await serverWith('ours')
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200)
    const owner = postgres(database.postgres.url, { max: 1 })
    const spoken = await owner`
      select distinct application_name = 'postgres.js' as "isStore" from pg_stat_ssl join pg_stat_activity using (pid) where ssl`
    await owner.end()
    expect(spoken).toHaveLength(2)
    await server.stop('SIGKILL')
  }, 90_000)
  it('is refused if another authority is named, and server and migrate say so in one sentence', async () => {
    await expect(serverWith('another')).rejects.toThrow(
      /The certificate of the database is not trusted \(\w+\)\. Set NODE_EXTRA_CA_CERTS to the certificate file of the authority that signed it/,
    )
    // The migration tool fails with the same message: it does not know the authority either.
    await expect(migrateDatabase(inCipher(database.postgres.url))).rejects.toThrow(
      /^The certificate of the database is not trusted \(\w+\)\./,
    )
  }, 90_000)
})

describe('a read replica', () => {
  let standby: Standby
  /** The connection from the product to it, which the test can interrupt. */
  let line: Awaited<ReturnType<typeof openTcpProxy>>
  let there: postgres.Sql
  let finance: Caller
  let places: TrustIds
  let metricsPort: number

  /** One metric of the product from its Prometheus endpoint; 0 if it has no value yet. */
  const figure = async (name: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    )
  }
  const readFrom = (from: string) => figure(`bursar_reports_read_total{from="${from}"}`)
  /** The expenditure of the group in its first year. */
  const spent = async (): Promise<number> => {
    const own = { OrganisationId: places.organisationId }
    const { status, body } = await finance.call('POST', '/api/Reporting/BudgetAnalysis', { budgetGroupId: places.groupId }, own)
    expect(status).toBe(200)
    return body.rows.find((row: Body) => row.label === 'Total expenditure').values[0]
  }
  const spend = async (amount: number): Promise<void> => {
    const northgate = places.at('Northgate')
    const codes = await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 5000 }, northgate)
    const { id: budgetCodeId } = codes.body.rows.find((row: Body) => row.code === '4300')
    const entry = { description: 'Saved just now', budgetCodeId, amount, budgetYearName: '2026/27' }
    expect((await finance.call('PUT', '/api/BudgetEntry/save', entry, northgate)).status).toBe(200)
  }

  beforeAll(async () => {
    const owner = postgres(database.postgres.url, { max: 1, onnotice: () => undefined })
    standby = await startStandby(async (statement) => owner.unsafe(statement), database.postgres.url, database.folder)
    await owner.end()
    there = postgres(standby.at(database.postgres.url), { max: 1, onnotice: () => undefined })
    atEnd(() => there.end({ timeout: 1 }))
    metricsPort = await findFreePort()
    const { hostname, port } = new URL(standby.at(database.serverUrl))
    line = await openTcpProxy(hostname, Number(port))
    atEnd(line.close)
    const { href: databaseReadUrl } = Object.assign(new URL(database.serverUrl), { hostname: '127.0.0.1', port: String(line.port) })
    const product = await startProduct({
      databaseUrl: database.serverUrl,
      databaseReadUrl,
      metrics: { port: metricsPort, token: null },
    })
    finance = await signInAs(product, 'finance@harbour.example')
    places = await findTrustIds(finance)
  }, 120_000)

  it('serves reports, with the caller’s rights', async () => {
    await vi.waitFor(
      async () => {
        await spent()
        expect(await readFrom('replica')).toBeGreaterThan(0)
      },
      { timeout: patience * 20_000, interval: 600 },
    )
    expect(await figure('bursar_up{part="replica"}')).toBe(1)
    const { said } = await run(['doctor'], { DATABASE_READ_URL: standby.at(database.serverUrl) })
    expect(said).toMatch(/well {2}Replica +reports are read from 127\.0\.0\.1:\d+/)
  }, 90_000)
  it('never hides what was saved a moment ago: while it lags, the primary is read', async () => {
    const before = await spent()
    await there`select pg_wal_replay_pause()`
    await vi.waitFor(
      async () => expect(await there`select pg_get_wal_replay_pause_state() as state`).toEqual([{ state: 'paused' }]),
      20_000,
    )
    const [lagging, readThere] = [await readFrom('behind'), await readFrom('replica')]
    await spend(1234)
    // A replica found lagging is not asked again for a moment, so the metric does not grow with every report.
    await vi.waitFor(
      async () => {
        expect(await spent()).toBe(before + 1234)
        expect(await readFrom('behind')).toBeGreaterThan(lagging)
      },
      { timeout: patience * 20_000, interval: 600 },
    )
    expect(await readFrom('replica')).toBe(readThere)
    expect(await figure('bursar_replica_lag_bytes')).toBeGreaterThan(0)

    await there`select pg_wal_replay_resume()`
    const read = await readFrom('replica')
    await vi.waitFor(
      async () => {
        expect(await spent()).toBe(before + 1234)
        expect(await readFrom('replica')).toBeGreaterThan(read)
      },
      { timeout: patience * 20_000, interval: 600 },
    )
  })
  it('keeps nobody waiting if it accepts connections and does not reply', async () => {
    const seconds = async (work: () => Promise<unknown>): Promise<number> => {
      const began = performance.now()
      await work()
      return (performance.now() - began) / 1000
    }
    const before = await spent()
    // The replica has caught up and serves reads.
    await vi.waitFor(
      async () => {
        const known = await readFrom('replica')
        await spent()
        expect(await readFrom('replica')).toBeGreaterThan(known)
      },
      { timeout: patience * 40_000, interval: 600 },
    )
    const [read, away, resting] = [await readFrom('replica'), await readFrom('away'), await readFrom('resting')]
    line.lose()
    try {
      // More simultaneous reads than the pool has connections, and a health check.
      const waited = await Promise.all([
        ...Array.from({ length: 12 }, () => seconds(async () => expect(await spent()).toBe(before))),
        seconds(async () => expect(await figure('bursar_up{part="replica"}')).toBe(0)),
      ])
      expect(Math.max(...waited)).toBeLessThan(patience * 5)
      expect(await readFrom('away')).toBe(away + 12)
      // The replica is then not asked for a while.
      expect(await seconds(spent)).toBeLessThan(patience * 1)
      expect(await readFrom('resting')).toBe(resting + 1)
    } finally {
      line.restore()
    }
    await vi.waitFor(
      async () => {
        expect(await spent()).toBe(before)
        expect(await readFrom('replica')).toBeGreaterThan(read)
      },
      { timeout: patience * 40_000, interval: 600 },
    )
  }, 120_000)
  it('is not used as a replica if it follows no primary', async () => {
    const store = openStore({ databaseUrl: database.serverUrl, databaseReadUrl: database.serverUrl, dataKey: testDataKey }, 1)
    expect((await store.replica?.readState())?.notUsed).toBe('other')
    const name = await store.report(places.organisationId, (tx) => tx.execute('select name from organisations'))
    expect(name).toHaveLength(1)
    // A connection that is still being returned must be waited for.
    await store.client`select 1`
    await store.close()
  })
  it('causes no failure when it is lost', async () => {
    const before = await spent()
    standby.kill()
    await spend(1)
    expect(await spent()).toBe(before + 1)
    expect(await figure('bursar_up{part="replica"}')).toBe(0)
  })
})

describe.skipIf(!mayMount())('a full disk', () => {
  const env = (): Record<string, string> => ({ DATABASE_URL: database.serverUrl })
  const workers = new Workers()
  let disk: SmallDisk
  let server: ServerProcess
  let finance: Caller
  let places: TrustIds
  let budgetCodeId: number
  const taken: string[] = []

  const save = (description: string) =>
    finance.call(
      'PUT',
      '/api/BudgetEntry/save',
      { description, budgetCodeId, amount: 1, budgetYearName: '2026/27' },
      places.at('Northgate'),
    )
  const saved = async (): Promise<string[]> => {
    const everything = { pageNumber: 1, pageSize: 5000 }
    const { status, body } = await finance.call('POST', '/api/BudgetEntry/paginated', everything, places.at('Northgate'))
    expect(status).toBe(200)
    return body.rows.map(({ description }: Body) => description).filter((one: string) => one.startsWith('On a full disk'))
  }
  const isLocked = async () => {
    const own = { OrganisationId: places.organisationId }
    return (await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body.locked
  }
  const readiness = async () => {
    const reply = await fetch(`${server.origin}/readyz`)
    return { status: reply.status, body: (await reply.json()) as Body }
  }
  /** Saves until the disk is full: a row that fits in an existing page is rightly accepted. */
  const refused = async (): Promise<{ status: number; body: Body }> => {
    for (let n = 0; n < 200; n++) {
      disk.fill()
      const description = `On a full disk ${taken.length}`
      const { status, body } = await save(description)
      if (status !== 200) return { status, body }
      taken.push(description)
    }
    throw new Error('A full disk took everything.')
  }

  beforeAll(async () => {
    await database.postgres.stop()
    disk = moveToSmallDisk(realpathSync(join(database.folder, 'postgres')))
    // The database must end before its disk is removed.
    atEnd(() => database.postgres.stop())
    atEnd(() => workers.killAll())
    await database.postgres.restart()
    server = await startServerProcess({ env: env() })
    finance = await signInAs(server, 'finance@harbour.example')
    places = await findTrustIds(finance)
    const codes = await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 5000 }, places.at('Northgate'))
    budgetCodeId = codes.body.rows.find((row: Body) => row.code === '4300').id
  })

  it('refuses saves with a sentence and stores nothing of them, while reads go on and the operator is told', async () => {
    const own = { OrganisationId: places.organisationId }
    const asked = await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)
    expect(asked.status).toBe(202)
    expect(await refused()).toEqual({
      status: 503,
      body: 'The database’s disk is full, so nothing can be saved. Ask the people who run Bursar to free some space, then try again.',
    })
    expect((await saved()).sort()).toEqual([...taken].sort())
    const told = 'The database’s disk is full. Free some space on it.'
    expect(await readiness()).toMatchObject({ status: 503, body: { database: false, problem: told } })
    expect((await run(['doctor'])).said).toMatch(new RegExp(`LOOK {2}Room .*\n *${told}`))
    expect(await server.isAlive()).toBe(true)
  })
  it('makes work wait, which is retried now and then, and done once there is space', async () => {
    await workers.start(server, { ...env(), LOG_LEVEL: 'info' })
    const attempts = () => workers.log().match(/"queue: .*No space left on device"/g)?.length ?? 0
    await until('work was asked for', () => {
      disk.fill()
      return attempts() > 0
    })
    const [before, since] = [attempts(), Date.now()]
    while (Date.now() < since + 3000) {
      disk.fill()
      await new Promise((done) => setTimeout(done, 100))
    }
    // Two jobs are retried. Hundreds of retries a second would fill the disk with log lines.
    expect(attempts() - before).toBeLessThan((Date.now() - since) / 250)
    disk.free()
    await until('the work is done', async () => !(await isLocked()))
    expect((await readiness()).status).toBe(200)
    expect((await save('On a full disk no more')).status).toBe(200)
    taken.push('On a full disk no more')
  })
  it('stops the database when there is no space for its log either; everything saved is there again afterwards, and every chain is intact', async () => {
    const owner = postgres(database.postgres.url, { max: 1, onnotice: () => undefined })
    await expect(
      (async () => {
        for (;;) {
          disk.fill()
          await owner`select pg_logical_emit_message(false, 'ballast', repeat('x', 8000000))`
        }
      })(),
    ).rejects.toThrow()
    await owner.end({ timeout: 1 })
    expect((await save('On a full disk, without a database')).status).toBe(503)
    disk.free()
    await until('the database is back', async () => {
      if (!(await database.postgres.isUp())) await database.postgres.restart().catch(() => undefined)
      return (await readiness()).status === 200
    })
    expect(await server.isAlive()).toBe(true)
    expect((await save('On a full disk at last')).status).toBe(200)
    expect((await saved()).sort()).toEqual([...taken, 'On a full disk at last'].sort())
    const { failed, said } = await run(['audit', 'verify'])
    expect(failed, said).toBe(false)
  })
})
