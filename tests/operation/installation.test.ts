import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../server/core/config.ts'
import { openStore } from '../../server/core/database/database.ts'
import { loadFoundation } from '../../server/demo/load.ts'
import { awaitDatabase } from '../../server/launch/awaitDatabase.ts'
import { oldestMigration } from '../../server/launch/databaseChecks.ts'
import { prepareDeployment } from '../../server/launch/deployment.ts'
import { createTablesAsOf, migrateDatabase } from '../../server/launch/migrate.ts'
import { findFreePort, type RunningPostgres, startPostgres } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { serve } from '../../server/serve.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { signInByPassword } from '../support/product/http.ts'
import { configOf, type Product } from '../support/product/product.ts'
import { findProgram } from '../support/running/programs.ts'

// Each tool is a separate process that prepares a whole database.
vi.setConfig({ testTimeout: 180_000 })

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'bursar-installation-'))
const serverPassword = 'p@ss/w#rd %41 of servers'
let server: RunningPostgres
let admin: postgres.Sql

/** A PostgreSQL server of its own, because these tests change its roles, which all databases share. */
beforeAll(async () => {
  server = await startPostgres(folder, ['-c', 'fsync=off'])
  admin = postgres(server.url, { max: 1, onnotice: () => undefined })
})
afterAll(async () => {
  await admin?.end()
  await server?.stop()
  removeDataFolders(folder)
})

async function freshDatabase(name: string): Promise<string> {
  await admin.unsafe(`create database ${name}`)
  return server.url.replace(/\/[^/]*$/, `/${name}`)
}

const settings = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://budgets.example',
  DATABASE_APP_PASSWORD: serverPassword,
  DATA_KEY: testDataKey,
}
const migrate = async (env: Record<string, string>): Promise<string> => (await prepareDeployment({ ...settings, ...env })).join('\n')

/** Runs a tool as a deployment does. */
function run(
  name: 'migrate' | 'admin',
  env: Record<string, string>,
  ...words: string[]
): Promise<{ code: number; out: string; problem: string }> {
  const { DEMO: _demo, DATABASE_URL: _url, ...others } = process.env
  return new Promise((done) => {
    execFile(
      process.execPath,
      [findProgram(name), ...words],
      { cwd: root, env: { ...others, ...settings, ...env } },
      (error, out, problem) => done({ code: error ? Number(error.code ?? 1) : 0, out, problem }),
    )
  })
}
const linkIn = (text: string): string | undefined => /https:\/\/budgets\.example(\/first-administrator\/\S+)/.exec(text)?.[1]

describe('a deployment on an empty database', () => {
  let url: string
  let link: string

  it('has national reference data and user groups, and nobody with a published password', async () => {
    url = await freshDatabase('deployed')
    const { code, out, problem } = await run('migrate', { DATABASE_URL: url })
    expect({ code, problem }).toEqual({ code: 0, problem: '' })
    const sql = postgres(url, { max: 1 })
    const [count] = await sql`select (select count(*)::int from users) as users, (select count(*)::int from api_clients) as clients,
      (select count(*)::int from organisations) as organisations, (select count(*)::int from budgets) as budgets,
      (select count(*)::int from user_groups) as groups, (select count(*)::int from pay_scale_points) > 100 as points`
    await sql.end()
    expect(count).toEqual({ users: 0, clients: 0, organisations: 0, budgets: 0, groups: 5, points: true })
    link = linkIn(out)!
    expect(link).toMatch(/^\/first-administrator\/[\w-]{40,}$/)
  })
  it('prints the link for its first administrator once; the tool makes a new one and invalidates the former', async () => {
    const again = await migrate({ DATABASE_URL: url })
    expect(linkIn(again)).toBeUndefined()
    expect(again).toContain('npm run admin -- link')
    const { out } = await run('admin', { DATABASE_URL: url }, 'link')
    expect(linkIn(out)).toBeTruthy()
    expect(linkIn(out)).not.toBe(link)
    link = linkIn(out)!
  })
  it('gets its first administrator through that link, once, and logs it', async () => {
    const databaseUrl = await migrateDatabase(url, serverPassword)
    const config = { ...(await configOf(databaseUrl)), production: true, demo: false }
    const running = await serve(config)
    try {
      const product: Product = { config, origin: config.origin }
      const send = (path: string, fields: Record<string, string>) =>
        fetch(config.origin + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
      const person = { forename: 'Ada', surname: 'First', email: 'ada@trust.example' }
      const good = { ...person, password: 'correct horse battery', again: 'correct horse battery' }
      expect((await fetch(`${config.origin}/first-administrator/of-nobody`)).status).toBe(410)
      expect(await (await fetch(config.origin + link)).text()).toContain('first administrator')
      const short = await send(link, { ...good, password: 'short', again: 'short' })
      expect([short.status, await short.text()]).toEqual([400, expect.stringContaining('at least 12 characters')])
      for (const guessed of ['password1234', '123456789012', 'qwertyuiop12', 'ada@trust.example1', 'aaaaaaaaaaaaaaaa']) {
        const common = await send(link, { ...good, password: guessed, again: guessed })
        expect([guessed, common.status], guessed).toEqual([guessed, 400])
      }
      const common = await send(link, { ...good, password: 'Letmein12345', again: 'Letmein12345' })
      expect(await common.text()).toContain('This password is easy to guess.')
      const wrong = await send(link, { ...good, email: 'no address' })
      expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('Email')])
      const both = await Promise.all([send(link, good), send(link, { ...good, email: 'eve@trust.example' })])
      expect(both.map((reply) => reply.status).sort()).toEqual([303, 410])
      const email = both[0].status === 303 ? 'ada@trust.example' : 'eve@trust.example'
      expect((await fetch(config.origin + link)).status).toBe(410)
      const first = await signInByPassword(product, email, 'correct horse battery')
      const users = await first.call('POST', '/api/Users/list', {})
      expect(users.body.rows).toMatchObject([{ email, isAdministrator: true }])
    } finally {
      await running.close()
    }
    const sql = postgres(url, { max: 1 })
    const log = await sql`select resource, action from reference_changes where request_id = 'first-administrator' order by id`
    await sql.end()
    expect(log.map((row) => `${row.resource} ${row.action}`)).toEqual([
      'firstAdministratorLink created',
      'firstAdministratorLink created',
      'firstAdministratorLink deleted',
      'user created',
    ])
    expect(await migrate({ DATABASE_URL: url })).not.toContain('administrator')
  })
  it('reads its secrets from files if they are given, and names an unreadable file', async () => {
    const files = mkdtempSync(join(tmpdir(), 'bursar-secrets-'))
    const file = (name: string, text: string): string => {
      writeFileSync(join(files, name), text)
      return join(files, name)
    }
    const address = new URL(url)
    const password = decodeURIComponent(address.password)
    address.password = ''
    const inFiles = {
      DATABASE_URL: address.href,
      DATABASE_PASSWORD_FILE: file('owner', `${password}\n`),
      DATABASE_APP_PASSWORD: '',
      DATABASE_APP_PASSWORD_FILE: file('server', serverPassword),
      DATA_KEY: '',
      DATA_KEY_FILE: file('key', `${testDataKey}\n`),
    }
    expect(await migrate(inFiles)).toMatch(/^The database is up to date/)
    await expect(migrate({ ...inFiles, DATA_KEY_FILE: join(files, 'gone') })).rejects.toThrow(
      /DATA_KEY_FILE names .*gone, which cannot be read \(ENOENT\)/,
    )
    await expect(migrate({ ...inFiles, DATA_KEY_FILE: file('empty', '\n') })).rejects.toThrow(/DATA_KEY_FILE names .*, which is empty/)
    await expect(migrate({ ...inFiles, DATA_KEY: testDataKey })).rejects.toThrow('DATA_KEY and DATA_KEY_FILE are both set')
    rmSync(files, { recursive: true })
  })
  it('gets demo data only on request, and not again what was deleted', async () => {
    const demo = await freshDatabase('demonstration')
    expect(await migrate({ DATABASE_URL: demo })).not.toContain('demo')
    const asked = await migrate({ DATABASE_URL: demo, DEMO: '1' })
    expect(asked).toMatch(/^The database is ready, with the demo\./)
    expect(linkIn(asked)).toBeUndefined()
    const sql = postgres(demo, { max: 1 })
    // Bypasses the foreign keys of the organisations’ rows.
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`delete from organisations`
    })
    await sql.end()
    expect(await migrate({ DATABASE_URL: demo, DEMO: '1' })).toMatch(/^The database is up to date/)
    await expect(migrate({ DATABASE_URL: demo })).rejects.toThrow(/^The demo people and API clients .* published passwords\./)
    expect((await run('admin', { DATABASE_URL: demo }, 'unlink')).out).toMatch(/^0 people were unlinked from the outside issuer/)
    expect((await run('admin', { DATABASE_URL: demo }, 'end-demo')).out).toMatch(
      /^6 demo users can no longer sign in, and 2 demo API clients are revoked/,
    )
    const after = postgres(demo, { max: 1 })
    const logged =
      await after`select resource, action, (after ->> 'active')::boolean as active from reference_changes where request_id = 'end-demo'`
    const good = await after`select 1 from api_clients where active`
    await after.end()
    expect(logged.filter((row) => row.resource === 'apiClient')).toEqual([
      { resource: 'apiClient', action: 'updated', active: false },
      { resource: 'apiClient', action: 'updated', active: false },
    ])
    expect(good).toHaveLength(0)
    expect(await migrate({ DATABASE_URL: demo })).toContain('There is no administrator yet.')
  })
})

describe('a database that is still starting', () => {
  it('is waited for while it says so or nothing listens, up to a time limit', async () => {
    const url = new URL(await freshDatabase('late'))
    const { port: real } = url
    url.port = String(await findFreePort())
    await expect(awaitDatabase(url.href, 0)).rejects.toThrow(
      `The database at ${url.host} could not be reached within 0 seconds (ECONNREFUSED).`,
    )
    const listen = (take: (from: Socket) => void) =>
      new Promise<ReturnType<typeof createServer>>((done) => {
        const gate = createServer(take)
        gate.listen(Number(url.port), '127.0.0.1', () => done(gate))
      })
    // First a server that says that it is starting up, then none, then the database.
    let opened: ReturnType<typeof createServer> | undefined
    const fields = 'SFATAL\0C57P03\0Mthe database system is starting up\0\0'
    const length = Buffer.alloc(4)
    length.writeUInt32BE(4 + fields.length)
    const starting = await listen((from) => {
      from.once('data', () => from.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)])))
      starting.close()
      from.once('close', () =>
        setTimeout(async () => {
          opened = await listen((late) => late.pipe(connect(Number(real), '127.0.0.1')).pipe(late))
        }, 600),
      )
    })
    expect(await migrate({ DATABASE_URL: url.href })).toMatch(/^The database is up to date/)
    expect(starting.listening).toBe(false)
    opened?.close()
  })
})

describe('a password copied from an example', () => {
  it('is refused by migrate, servers and workers with one sentence that names the setting', async () => {
    const given = { ...settings, DATABASE_URL: 'postgres://postgres@localhost:1/none' }
    for (const [setting, value] of [
      ['DATABASE_PASSWORD', 'change-me'],
      ['DATABASE_URL', 'postgres://postgres:bursar@localhost:1/none'],
      ['POSTGRES_PASSWORD', 'bursar'],
      ['DATABASE_APP_PASSWORD', 'change-me'],
    ] as const) {
      const said = /^[A-Z_]+ uses the password (bursar|change-me), which is published in examples\. Choose another\.$/
      await expect(migrate({ ...given, [setting]: value }), setting).rejects.toThrow(said)
      expect(() => readConfig({ ...given, [setting]: value }), setting).toThrow(said)
    }
    await expect(migrate({ ...given, DATABASE_APP_PASSWORD: '' })).rejects.toThrow(/^DATABASE_APP_PASSWORD is not set/)
  })
  it('may contain any character if it is set separately from the URL', () => {
    const { databaseUrl, databaseReadUrl } = readConfig({
      ...settings,
      DATABASE_URL: 'postgres://bursar_app@db:5432/bursar',
      DATABASE_PASSWORD: serverPassword,
      DATABASE_READ_URL: 'postgres://bursar_app@replica:5432/bursar',
    })
    expect(decodeURIComponent(new URL(databaseUrl).password)).toBe(serverPassword)
    expect(new URL(databaseUrl).hostname).toBe('db')
    expect(new URL(databaseReadUrl ?? '')).toMatchObject({ hostname: 'replica', password: new URL(databaseUrl).password })
  })
  it('and only the role with row-level security may sign in to the replica', () => {
    const given = { ...settings, DATABASE_URL: 'postgres://bursar_app@db:5432/bursar', DATABASE_PASSWORD: serverPassword }
    expect(() => readConfig({ ...given, DATABASE_READ_URL: 'postgres://postgres@replica:5432/bursar' })).toThrow(
      'DATABASE_READ_URL must sign in as bursar_app',
    )
  })
})

describe('a missing database role', () => {
  const dropRole = async (): Promise<void> => {
    for (const { name } of await admin`select datname as name from pg_database where not datistemplate`) {
      const sql = postgres(server.url.replace(/\/[^/]*$/, `/${name}`), { max: 1, onnotice: () => undefined })
      await sql.unsafe('drop owned by bursar_app')
      await sql.end()
    }
    await admin.unsafe('drop role bursar_app')
  }

  it('is made again at the next start, with its rights and no more', async () => {
    const url = await freshDatabase('restored')
    await migrateDatabase(url, serverPassword)
    const store = openStore({ databaseUrl: url, dataKey: testDataKey }, 1)
    await loadFoundation(store)
    await store.close()
    await dropRole()
    const again = openStore({ databaseUrl: await migrateDatabase(url, serverPassword), dataKey: testDataKey }, 1)
    const [count] = await again.asPlatform((tx) => tx.execute<{ count: number }>('select count(*)::int as count from user_groups'))
    expect(count!.count).toBe(5)
    for (const statement of [
      'update budget_events set type = type',
      'delete from reference_changes',
      'update chain_anchors set version = 1',
    ])
      await expect(again.client.unsafe(statement)).rejects.toThrow(/permission denied/)
    await again.close()
    const running = await serve(await configOf(await migrateDatabase(url, serverPassword)))
    await running.close()
  })
  it('is made by an owner who is no superuser but may make roles', async () => {
    await admin.unsafe(`create role dba login createrole password 'a password of its own'`)
    await admin.unsafe('create database theirs owner dba')
    const url = new URL(server.url.replace(/\/[^/]*$/, '/theirs'))
    url.username = 'dba'
    url.password = 'a%20password%20of%20its%20own'
    await dropRole()
    expect(await migrate({ DATABASE_URL: url.href })).toMatch(/^The database is up to date/)
    const running = await serve(await configOf(await migrateDatabase(url.href, serverPassword)))
    await running.close()
  })
})

describe('data of a newer version', () => {
  it('are not touched: migrate and server say so and end', async () => {
    const url = await freshDatabase('newer')
    const databaseUrl = await migrateDatabase(url, serverPassword)
    const sql = postgres(url, { max: 1 })
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of tomorrow', 9999999999999)`
    await sql.end()
    const said = 'This data was written by a newer version of Bursar. Start that version, or a newer one.'
    await expect(migrate({ DATABASE_URL: url })).rejects.toThrow(said)
    await expect(serve(await configOf(databaseUrl))).rejects.toThrow(said)
  })
})

describe('data of a version from before the present baseline', () => {
  it('are not touched, with a sentence that names the version to migrate with first, and are then migrated', async () => {
    const url = await freshDatabase('older')
    await createTablesAsOf(url, serverPassword, oldestMigration)
    const sql = postgres(url, { max: 1 })
    await sql`delete from drizzle.__drizzle_migrations`
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of an earlier day', ${oldestMigration - 1000})`
    const said = /from before 24 November 2026.*Start commit 56b0564 of Bursar on it once, then this version\./
    await expect(migrate({ DATABASE_URL: url })).rejects.toThrow(said)
    // A database of that version had every migration that the present baseline replaces, so only later ones run.
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of that day', ${oldestMigration})`
    await sql.end()
    expect(await migrate({ DATABASE_URL: url })).toMatch(/^The database is up to date/)
  })
})

describe('the embedded database', () => {
  it('has its own passwords, which only its owner can read', async () => {
    const file = join(folder, 'secrets.json')
    expect(statSync(file).mode & 0o077).toBe(0)
    const { databaseOwner } = JSON.parse(readFileSync(file, 'utf8')) as { databaseOwner: string }
    expect(databaseOwner.length).toBeGreaterThan(30)
    expect(decodeURIComponent(new URL(server.url).password)).toBe(databaseOwner)
    const known = postgres({ host: '127.0.0.1', port: Number(new URL(server.url).port), user: 'postgres', password: 'bursar', max: 1 })
    await expect(known`select 1`).rejects.toThrow(/password authentication failed/)
    await known.end()
  })
  it('takes over data of an earlier version, whose password was known to everybody', async () => {
    const own = mkdtempSync(join(tmpdir(), 'bursar-earlier-'))
    writeFileSync(join(own, 'secrets.json'), JSON.stringify({ databaseOwner: 'bursar' }))
    const earlier = await startPostgres(own)
    await earlier.stop()
    rmSync(join(own, 'secrets.json'))
    const now = await startPostgres(own)
    const sql = postgres(now.url, { max: 1 })
    expect(await sql`select 1 as one`).toMatchObject([{ one: 1 }])
    await sql.end()
    expect(new URL(now.url).password).not.toBe('bursar')
    await now.stop()
    expect(existsSync(join(own, 'secrets.json'))).toBe(true)
    removeDataFolders(own)
  })
})
