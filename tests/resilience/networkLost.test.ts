import { beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../server/core/database/database.ts'
import { isHostAnswering } from '../../server/core/database/lostNetwork.ts'
import { createDatabase } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { atEnd } from '../support/product/endings.ts'
import { type Body, type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { patience } from '../support/product/patience.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { openTcpProxy } from '../support/running/line.ts'
import { until, Workers } from '../support/running/worker.ts'

/**
 * A cable is pulled between the product and its database: neither side gets an error, and the operating system would wait for a quarter of
 * an hour.
 */
// The queue makes no difference to these tests, so they run only with PostgreSQL’s.
describe.skipIf(process.env.REDIS_URL)('while the network to the database is lost', () => {
  let line: Awaited<ReturnType<typeof openTcpProxy>>
  let url: URL
  let product: Product
  let finance: Caller
  let places: TrustIds

  beforeAll(async () => {
    url = new URL(await createDatabase())
    line = await openTcpProxy(url.hostname, Number(url.port))
    // Started before the product, so it is closed after it.
    atEnd(line.close)
    const { href: databaseUrl } = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(line.port) })
    product = await startProduct({ databaseUrl, worker: true })
    finance = await signInAs(product, 'finance@harbour.example')
    places = await findTrustIds(finance)
  })

  const entries = () => finance.call('POST', '/api/BudgetEntry/paginated', { pageNumber: 1, pageSize: 5000 }, places.at('Northgate'))
  const save = async (description: string, budgetCodeId: number) =>
    finance.call(
      'PUT',
      '/api/BudgetEntry/save',
      { description, budgetCodeId, amount: 1, budgetYearName: '2026/27' },
      places.at('Northgate'),
    )
  const ready = async () => (await fetch(`${product.origin}/readyz`)).status

  it('waiting callers and new ones get a sentence instead of hanging; afterwards the same processes continue', async () => {
    const codes = await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 5000 }, places.at('Northgate'))
    const { id } = codes.body.rows.find((row: Body) => row.code === '4300')
    expect((await save('Before', id)).status).toBe(200)

    line.lose()
    const answers = await Promise.all([save('Meanwhile', id), entries(), ready()])
    const words = 'The database was unavailable for a moment. Check whether your change was saved, then try again.'
    expect(answers).toMatchObject([{ status: 503, body: words }, { status: 503, body: words }, 503])
    expect(await save('Meanwhile', id)).toMatchObject({ status: 503, body: words })

    line.restore()
    await until('it is ready', async () => (await ready()) === 200, 20_000)
    expect((await save('After', id)).status).toBe(200)
    const named = (await entries()).body.rows.map(({ description }: Body) => description)
    expect(named.filter((one: string) => /^(Before|Meanwhile|After)$/.test(one)).sort()).toEqual(['After', 'Before'])
    const own = { OrganisationId: places.organisationId }
    await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)
    const isLocked = async () =>
      (await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body.locked
    await until('the recalculation is done', async () => !(await isLocked()), 60_000)
  }, 150_000)

  it('the database rolls back within a minute the transactions of a server that it no longer hears from, or that stands still', async () => {
    const store = openStore({ databaseUrl: url.href, dataKey: testDataKey }, 1)
    const names = ['tcp_keepalives_idle', 'tcp_user_timeout', 'idle_in_transaction_session_timeout']
    const kept = await store.client`select name, setting::integer as set from pg_settings where name = any(${names}) order by name`
    await store.close()
    expect(kept.map(({ set }) => set)).toEqual([60_000, 10, 30_000])
  })
})

describe.skipIf(process.env.REDIS_URL)('the check whether a database responds', () => {
  it('is not falsified by a process that itself stood still meanwhile', async () => {
    const { hostname, port } = new URL(await createDatabase())
    const asked = isHostAnswering(hostname, Number(port))
    // Blocks the event loop as a long calculation does: the reply has arrived, but is handled only afterwards.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000)
    expect(await asked).toBe(true)
  })
  it('fails if there is no reply', async () => {
    const { hostname, port } = new URL(await createDatabase())
    const line = await openTcpProxy(hostname, Number(port))
    atEnd(line.close)
    line.lose()
    expect(await isHostAnswering('127.0.0.1', line.port)).toBe(false)
  })
})

/** The same between the product and Redis. */
describe.runIf(process.env.REDIS_URL)('while the network to the store of the queue is lost', () => {
  const workers = new Workers()

  it('a command is answered within two seconds, every call still works, and the work is done once Redis is back', async () => {
    const redis = new URL(String(process.env.REDIS_URL))
    const line = await openTcpProxy(redis.hostname, Number(redis.port))
    atEnd(line.close)
    const redisUrl = `redis://127.0.0.1:${line.port}`
    const product = await startProduct({ redisUrl })
    const finance = await signInAs(product, 'finance@harbour.example')
    const { groupId, organisationId } = await findTrustIds(finance)
    const own = { OrganisationId: organisationId }
    atEnd(() => workers.killAll())
    await workers.start(product, { REDIS_URL: redisUrl })

    line.lose()
    const answered = finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${groupId}`, undefined, own)
    const late = new Promise<null>((done) => setTimeout(done, patience * 2000, null))
    expect((await Promise.race([answered, late]))?.status).toBe(202)
    const isLocked = async () =>
      (await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body.locked
    // Calls are answered meanwhile, although the rate limits count in Redis too.
    const end = Date.now() + 20_000
    while (Date.now() < end) {
      expect(await isLocked()).toBe(true)
      await new Promise((done) => setTimeout(done, 200))
    }

    line.restore()
    await until('the lock is off', async () => !(await isLocked()), 60_000)
  }, 150_000)
})
