import { beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../support/database.ts'
import { type Product, startProduct } from '../support/product.ts'

let product: Product

beforeAll(async () => {
  product = await startProduct()
})

async function readiness(): Promise<{ status: number; body: { problem?: string; [check: string]: unknown } }> {
  const reply = await fetch(`${product.origin}/readyz`)
  return { status: reply.status, body: (await reply.json()) as { problem?: string } }
}

describe('whether a server is ready', () => {
  it('is answered with no problem as long as there is none', async () => {
    expect(await readiness()).toEqual({ status: 200, body: { status: 'ok', database: true, queue: true, migrations: true } })
  })
  it('says when the database takes no more connections, and when it does again', async () => {
    const sql = asOwner(product.config.databaseUrl)
    const [{ name }] = (await sql`select current_database() as name`) as unknown as [{ name: string }]
    await sql.unsafe(`alter database ${name} connection limit 0`)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'bursar_app'`
    // The first to ask may still learn that the connection it had was ended.
    await expect
      .poll(async () => (await readiness()).body.problem, { timeout: 15_000 })
      .toMatch(/^The database takes no more connections\./)
    const { status, body } = await readiness()
    expect(status).toBe(503)
    expect(body).toMatchObject({ status: 'not ready', database: false, migrations: false })
    await sql.unsafe(`alter database ${name} connection limit -1`)
    await expect.poll(async () => (await readiness()).status, { timeout: 15_000, interval: 200 }).toBe(200)
  })
  it('says when the disk of the database is full', async () => {
    const sql = asOwner(product.config.databaseUrl)
    // What PostgreSQL says of a full disk, where the check reads: no test can fill a disk of its own everywhere.
    await sql`alter table drizzle.__drizzle_migrations rename to kept`
    await sql.unsafe(`create function drizzle.full_disk() returns int language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
    await sql`create view drizzle.__drizzle_migrations as select drizzle.full_disk() as id`
    await sql`grant select on drizzle.__drizzle_migrations to bursar_app`
    const { status, body } = await readiness()
    expect(status).toBe(503)
    expect(body.problem).toBe('The disk of the database is full. Free some space there.')
  })
})
