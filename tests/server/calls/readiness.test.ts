import { beforeAll, describe, expect, it, vi } from 'vitest'
import { calculateClockLead } from '../../../server/core/watch/heartbeat.ts'
import { findClockProblem } from '../../../server/core/watch/readiness.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product

beforeAll(async () => {
  product = await startProduct()
})

async function readiness(): Promise<{ status: number; body: { problem?: string; [check: string]: unknown } }> {
  const reply = await fetch(`${product.origin}/readyz`)
  return { status: reply.status, body: (await reply.json()) as { problem?: string } }
}

describe('a save that the database cannot carry out', () => {
  let finance: Caller
  let northgate: Required<Selection>
  const save = async (description: string) => {
    const codes = await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 5000 }, northgate)
    const budgetCodeId = codes.body.rows.find((row: Body) => row.code === '4300').id
    return finance.call('PUT', '/api/BudgetEntry/save', { description, budgetCodeId, amount: 1, budgetYearName: '2026/27' }, northgate)
  }
  beforeAll(async () => {
    finance = await signInAs(product, 'finance@harbour.example')
    northgate = (await findTrustIds(finance)).at('Northgate')
  })

  it.each([
    ['53100', 'The database’s disk is full, so nothing can be saved. Ask the people who run Bursar to free some space, then try again.'],
    ['53300', 'The database is not accepting any more connections at the moment. Try again in a moment.'],
  ])('is refused with a sentence, for %s', async (code, words) => {
    const sql = connectAsOwner(product.config.databaseUrl)
    await sql.unsafe(`create or replace function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '${code}'; end $$`)
    await sql`create trigger no_room before insert on budget_events for each row execute function no_room()`
    const { status, body } = await save(`No room ${code}`)
    await sql`drop trigger no_room on budget_events`
    expect([status, body]).toEqual([503, words])
    expect((await save(`Room again ${code}`)).status).toBe(200)
  })
  it('is refused with a message while the database is read-only, as the readiness check says; later ones reach a new primary', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const [{ name }] = (await sql`select current_database() as name`) as unknown as [{ name: string }]
    const role = new URL(product.config.databaseUrl).username
    // A setting of the role holds for new connections only, as a connection to a replaced primary stays read-only.
    await sql.unsafe(`alter role ${role} in database ${name} set default_transaction_read_only = on`)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = ${role}`
    const entries = () => finance.call('POST', '/api/BudgetEntry/paginated', { pageNumber: 1, pageSize: 5 }, northgate)
    await expect
      .poll(() => save('Read-only'), { timeout: 15_000 })
      .toMatchObject({
        status: 503,
        body: 'The database is not accepting changes at the moment, so nothing was saved. Try again in a minute. If this continues, tell the people who run Bursar.',
      })
    const { status, body } = await readiness()
    expect([status, body]).toEqual([503, expect.objectContaining({ status: 'not ready', database: false })])
    expect(body.problem).toMatch(/^The database is read-only, so nothing can be saved\./)
    expect((await entries()).status).toBe(200)

    await sql.unsafe(`alter role ${role} in database ${name} reset default_transaction_read_only`)
    await expect.poll(async () => (await save('Writable again')).status, { timeout: 30_000, interval: 500 }).toBe(200)
    await expect.poll(async () => (await readiness()).status, { timeout: 15_000 }).toBe(200)
    await expect.poll(async () => (await entries()).status).toBe(200)
  }, 90_000)
  it('is not reported as forbidden if the budget or the location cannot even be looked up', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    for (const table of ['budgets', 'locations']) {
      await sql.unsafe(`alter table ${table} rename to away`)
      const { status } = await finance.call('POST', '/api/BudgetEntry/paginated', {}, northgate)
      await sql.unsafe(`alter table away rename to ${table}`)
      expect(status, table).toBe(500)
    }
    expect((await finance.call('POST', '/api/BudgetEntry/paginated', {}, northgate)).status).toBe(200)
  })
})

describe('the readiness of a server', () => {
  it('is reported without a problem if there is none', async () => {
    expect(await readiness()).toEqual({ status: 200, body: { status: 'ok', database: true, queue: true, migrations: true, clock: true } })
  })
  it('is lost when the database accepts no more connections, and returns when it does', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const [{ name }] = (await sql`select current_database() as name`) as unknown as [{ name: string }]
    await sql.unsafe(`alter database ${name} connection limit 0`)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'bursar_app'`
    // The first request may still meet the connection that was ended.
    await expect
      .poll(async () => (await readiness()).body.problem, { timeout: 15_000 })
      .toMatch(/^The database is not accepting any more connections\./)
    const { status, body } = await readiness()
    expect(status).toBe(503)
    expect(body).toMatchObject({ status: 'not ready', database: false, migrations: false })
    await sql.unsafe(`alter database ${name} connection limit -1`)
    await expect.poll(async () => (await readiness()).status, { timeout: 15_000, interval: 200 }).toBe(200)
  })
  it('is kept, but degraded, while the clock of the machine differs from the database’s, and the message says so', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    try {
      await expect
        .poll(readiness, { timeout: 20_000 })
        .toEqual({ status: 200, body: expect.objectContaining({ status: 'degraded', database: true, clock: false }) })
      expect((await readiness()).body.problem).toMatch(
        /^The clock of this machine is (35\d\d|3600) seconds ahead of the database’s, so sign-ins may be refused\. /,
      )
    } finally {
      vi.useRealTimers()
    }
    await expect.poll(async () => (await readiness()).body.status, { timeout: 20_000 }).toBe('ok')
  }, 60_000)
  it('tells a wrong clock from a slow network', () => {
    const asked = { sentMs: 10_000, answeredMs: 40_000 }
    expect([10_000, 25_000, 40_000].map((at) => calculateClockLead(at, asked))).toEqual([0, 0, 0])
    expect([4000, 46_000].map((at) => calculateClockLead(at, asked))).toEqual([6, -6])
    expect([5, -5].map(findClockProblem)).toEqual([null, null])
    expect(findClockProblem(-6)).toContain('6 seconds behind the database’s')
  })
  it('is shown by a row of the process, which is written every few seconds; old rows are deleted', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    await sql`insert into processes values (gen_random_uuid(), 'worker', '0', now() - interval '2 hours', 0)`
    const rows = () => sql<{ kind: string; at: number }[]>`select kind, extract(epoch from seen_at)::float8 as at from processes`
    await expect.poll(async () => (await rows()).map(({ kind }) => kind), { timeout: 20_000 }).toEqual(['server'])
    const [before] = await rows()
    await expect.poll(async () => (await rows())[0]!.at, { timeout: 20_000, interval: 200 }).toBeGreaterThan(before!.at)
  }, 60_000)
  it('is kept beside a newer version that has already migrated', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of tomorrow', 1)`
    expect((await readiness()).status).toBe(200)
    await sql`delete from drizzle.__drizzle_migrations where hash = 'of tomorrow'`
  })
  it('is lost when the disk of the database is full, which is reported', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    // Simulates PostgreSQL’s error for a full disk where the check reads, because a test cannot fill a disk everywhere.
    await sql`alter table drizzle.__drizzle_migrations rename to kept`
    await sql.unsafe(`create function drizzle.full_disk() returns int language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
    await sql`create view drizzle.__drizzle_migrations as select drizzle.full_disk() as id`
    await sql`grant select on drizzle.__drizzle_migrations to bursar_app`
    const { status, body } = await readiness()
    expect(status).toBe(503)
    expect(body.problem).toBe('The database’s disk is full. Free some space on it.')
  })
})
