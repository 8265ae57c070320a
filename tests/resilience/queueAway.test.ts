import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { findFreePort } from '../../server/launch/postgres.ts'
import { createLedgerConnection } from '../support/outside/ledgerConnection.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { connect } from '../support/product/hub.ts'
import { patience } from '../support/product/patience.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { startRedisOn } from '../support/running/redis.ts'
import { startServerProcess } from '../support/running/serverProcess.ts'
import { killAndWait, until, Workers } from '../support/running/worker.ts'

const readiness = async ({ origin }: { origin: string }) => {
  const reply = await fetch(`${origin}/readyz`)
  return { status: reply.status, body: (await reply.json()) as { status: string; problem?: string } }
}

/** A Redis of its own that disappears and comes back empty. Runs only if `REDIS_URL` is set. */
describe.runIf(process.env.REDIS_URL)('while Redis is away', () => {
  const workers = new Workers()
  let port: number
  let redis: ChildProcess
  let product: Product
  let finance: Caller
  let places: TrustIds
  let own: { OrganisationId: OrganisationId }

  const startRedis = async () => {
    redis = await startRedisOn(port)
  }

  beforeAll(async () => {
    port = await findFreePort()
    await startRedis()
    product = await startProduct({ redisUrl: `redis://127.0.0.1:${port}` })
    finance = await signInAs(product, 'finance@harbour.example')
    places = await findTrustIds(finance)
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
    const done = await connectAsOwner(product.config.databaseUrl)<{ times: number }[]>`select count(*)::integer as times from budget_events
      where type = 'StaffContractsRecalculated' and request_id like 'recalculation-%' group by budget_id`
    expect(done.map((row) => row.times)).toEqual([1, 1, 1, 1, 1, 1])
  }, 120_000)
  it('due and requested exchanges with other systems are done once when Redis is back', async () => {
    const [due, asked] = [await createLedgerConnection(finance), await createLedgerConnection(finance)]
    workers.killAll()
    await workers.start(product, { REDIS_URL: `redis://127.0.0.1:${port}`, OUTBOUND_NETWORKS: '127.0.0.1/32' })
    await killAndWait(redis)
    await connectAsOwner(product.config.databaseUrl)`update connections set due_at = now() where id = ${due.id}`
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
  it('servers are ready but degraded; one that starts meanwhile listens, says so, and uses Redis as soon as it is back', async () => {
    await killAndWait(redis)
    await until('it is said', async () => (await readiness(product)).body.status === 'degraded')
    const { status, body } = await readiness(product)
    expect([status, body.problem]).toEqual([
      200,
      expect.stringMatching(/^Redis does not respond \(ECONNREFUSED\)\. Changes are saved, but /),
    ])
    const beside = await startServerProcess({ beside: product, env: { REDIS_URL: `redis://127.0.0.1:${port}` } })
    expect(await readiness(beside)).toMatchObject({ status: 200, body: { status: 'degraded' } })
    expect(beside.log()).toContain('Redis does not respond')
    const other = await signInAs(beside, 'finance@harbour.example')
    const live = await connect(beside, other, places.organisationId)
    await startRedis()
    await until('both are well', async () =>
      [await readiness(product), await readiness(beside)].every(({ body: is }) => is.status === 'ok'),
    )
    await until(
      'a page of the second server hears of a change through the first',
      async () => {
        const asked = await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)
        expect([202, 409, 423]).toContain(asked.status)
        await new Promise((done) => setTimeout(done, 1000))
        return live.messages.length > 0
      },
      60_000,
    )
    await live.connection.stop()
  }, 180_000)
})

/** Redis that accepts TLS only, with a certificate of its own authority. */
describe.runIf(process.env.REDIS_URL)('with a Redis that requires TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-redis-tls-'))
  const at = (name: string) => join(folder, name)
  const workers = new Workers()
  let redis: ChildProcess
  let url: string

  beforeAll(async () => {
    const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' })
    const key = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', at(`${name}.key`)]
    openssl('req', '-x509', ...key('authority'), '-out', at('authority.pem'), '-days', '2', '-subj', '/CN=Authority')
    openssl('req', ...key('redis'), '-out', at('redis.csr'), '-subj', '/CN=localhost')
    writeFileSync(at('names'), 'subjectAltName=DNS:localhost')
    const signing = ['-CA', at('authority.pem'), '-CAkey', at('authority.key'), '-CAcreateserial', '-days', '2', '-extfile', at('names')]
    openssl('x509', '-req', '-in', at('redis.csr'), ...signing, '-out', at('redis.pem'))
    const port = await findFreePort()
    const files = ['--tls-cert-file', at('redis.pem'), '--tls-key-file', at('redis.key'), '--tls-ca-cert-file', at('authority.pem')]
    redis = await startRedisOn(0, '--tls-port', String(port), '--tls-auth-clients', 'no', ...files)
    url = `rediss://localhost:${port}`
  })
  afterAll(async () => {
    await workers.killAll()
    redis.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  it('work is queued and done over it, if its certificate is trusted; otherwise the readiness check says what is wrong', async () => {
    const trusting = { REDIS_URL: url, NODE_EXTRA_CA_CERTS: at('authority.pem') }
    const server = await startServerProcess({ env: trusting })
    await workers.start(server, trusting)
    expect(await readiness(server)).toMatchObject({ status: 200, body: { status: 'ok' } })
    const finance = await signInAs(server, 'finance@harbour.example')
    const { groupId, organisationId } = await findTrustIds(finance)
    const live = await connect(server, finance, organisationId)
    const own = { OrganisationId: organisationId }
    expect((await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${groupId}`, undefined, own)).status).toBe(202)
    await until('the page hears that it is done', () => live.messages.some(({ target }) => target === 'BudgetsRecalculated'), 60_000)
    await live.connection.stop()

    const distrusting = await startServerProcess({ beside: server, env: { REDIS_URL: url } })
    expect(await readiness(distrusting)).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        problem: expect.stringMatching(/^Redis does not respond \((UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN)\)/),
      },
    })
  }, 180_000)
})
