import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { findFreePort } from '../../server/launch/postgres.ts'
import { createLedgerConnection } from '../support/outside/ledgerConnection.ts'
import { asOwner } from '../support/product/database.ts'
import { asUser, type Caller, type Places, placesOf } from '../support/product/http.ts'
import { patience } from '../support/product/patience.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { killAndWait, until, Workers } from '../support/running/worker.ts'

/** A Redis of its own that disappears and comes back empty. Runs only if `REDIS_URL` is set. */
describe.runIf(process.env.REDIS_URL)('while Redis is away', () => {
  const workers = new Workers()
  let port: number
  let redis: ChildProcess
  let product: Product
  let finance: Caller
  let places: Places
  let own: { OrganisationId: OrganisationId }

  const startRedis = () =>
    new Promise<void>((done, failed) => {
      redis = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no', '--daemonize', 'no'])
      redis.stdout?.on('data', (said) => String(said).includes('Ready to accept') && done())
      redis.on('error', failed)
    })

  beforeAll(async () => {
    port = await findFreePort()
    await startRedis()
    product = await startProduct({ redisUrl: `redis://127.0.0.1:${port}` })
    finance = await asUser(product, 'finance@harbour.example')
    places = await placesOf(finance)
    own = { OrganisationId: places.organisationId }
  })
  afterAll(async () => {
    await workers.killAll()
    redis.kill('SIGKILL')
  })

  it('a command is answered within two seconds, and its work is done once when Redis is back', async () => {
    await killAndWait(redis)
    const answered = finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)
    const late = new Promise<null>((done) => setTimeout(done, patience * 2000, null))
    expect((await Promise.race([answered, late]))?.status).toBe(202)
    expect((await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body.locked).toBe(true)

    await startRedis()
    await workers.start(product, { REDIS_URL: `redis://127.0.0.1:${port}` })
    const isLocked = async () =>
      (await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body.locked
    await until('the lock is off', async () => !(await isLocked()), 60_000)
    const done = await asOwner(product.config.databaseUrl)<{ times: number }[]>`select count(*)::integer as times from budget_events
      where type = 'StaffContractsRecalculated' and request_id like 'recalculation-%' group by budget_id`
    expect(done.map((row) => row.times)).toEqual([1, 1, 1, 1, 1, 1])
  }, 120_000)
  it('due and requested exchanges with other systems are done once when Redis is back', async () => {
    const [due, asked] = [await createLedgerConnection(finance), await createLedgerConnection(finance)]
    workers.killAll()
    await workers.start(product, { REDIS_URL: `redis://127.0.0.1:${port}`, OUTBOUND_NETWORKS: '127.0.0.1/32' })
    await killAndWait(redis)
    await asOwner(product.config.databaseUrl)`update connections set due_at = now() where id = ${due.id}`
    const late = new Promise<null>((done) => setTimeout(done, patience * 2000, null))
    expect((await Promise.race([asked.run(), late]))?.status).toBe(200)
    await new Promise((done) => setTimeout(done, 8000))
    expect([due.sent(), asked.sent()]).toEqual([0, 0])
    await startRedis()
    await until('both have run', async () => (await Promise.all([due, asked].map((one) => one.outcomes()))).every((runs) => runs.length))
    await new Promise((done) => setTimeout(done, 8000))
    expect([due.sent(), asked.sent()]).toEqual([1, 1])
    expect([await due.outcomes(), await asked.outcomes()]).toEqual([['done'], ['done']])
  }, 120_000)
})
