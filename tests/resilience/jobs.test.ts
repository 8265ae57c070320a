import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OrganisationId, toBudgetId } from '../../domain/values/ids.ts'
import { openStore } from '../../server/core/database/database.ts'
import { openFanOut, openQueues } from '../../server/core/queue/queues.ts'
import { openHeartbeat } from '../../server/core/watch/heartbeat.ts'
import { openMetrics } from '../../server/core/watch/metrics.ts'
import { findFreePort } from '../../server/launch/postgres.ts'
import { createBudgetFiller } from '../../worker/fill.ts'
import { createRecalculator } from '../../worker/recalculate.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { type Body, type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { connect, type HubListener } from '../support/product/hub.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { until, Workers } from '../support/running/worker.ts'

/** Work left to workers: no job stays for ever, and none is given up only because it waited. */
let product: Product
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let heard: HubListener
let sql: ReturnType<typeof connectAsOwner>
let sources: string[]
const workers = new Workers()

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  heard = await connect(product, finance, places.organisationId)
  sql = connectAsOwner(product.config.databaseUrl)
  const group = await finance.call('GET', `/api/BudgetGroup/edit/id/${places.groupId}`, undefined, own)
  sources = group.body.items.map((item: Body) => item.budgetId)
})
afterAll(async () => {
  await heard?.connection.stop()
  await workers.killAll()
})

const budget = async (id: string): Promise<Body> => (await finance.call('GET', `/api/Budget/id/${id}`, undefined, own)).body
const copies = async (name: string): Promise<string[]> => {
  const selection = { state: { selectAll: false, toggledNodes: sources }, name }
  return (await finance.call('POST', '/api/Budget/duplicate', selection, own)).body.map((one: Body) => one.mongoId)
}
const messages = (target: string) => heard.messages.filter((message) => message.target === target).map((one) => one.argument as Body)

/** The parts of a worker without its queue, so that queued jobs stay waiting. */
async function withoutQueue<T>(
  work: (parts: { fill: ReturnType<typeof createBudgetFiller>; recalculate: ReturnType<typeof createRecalculator> }) => Promise<T>,
) {
  const store = openStore(product.config, 2)
  const [queues, fanOut] = await Promise.all([openQueues(product.config), openFanOut(product.config, 'test')])
  try {
    return await work({ fill: createBudgetFiller({ store, queues, fanOut }), recalculate: createRecalculator({ store, queues, fanOut }) })
  } finally {
    await Promise.all([queues.close(), fanOut.close()])
    await store.close()
  }
}

describe('a budget made from another', () => {
  it('is rolled forward with the results of three calculations in it', async () => {
    const made = await finance.call('POST', `/api/Budget/duplicate/${sources[0]}`, { name: 'With three results' }, own)
    const where = { ...own, LocationId: made.body.locationId, BudgetId: made.body.mongoId }
    const list = (await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 5000 }, where)).body.rows
    const budgetCodeId = list.find((code: Body) => code.code === '4300').id
    const rows = [
      { kind: 5, description: 'Number', value: 10 },
      { kind: 1, description: 'Each', value: 2 },
      { kind: 7, description: 'Total' },
    ]
    for (const name of ['One', 'Two', 'Three']) {
      const saved = await finance.call('PUT', '/api/IncomeExpenditureCalculator/save', { name, budgetCodeId, rows }, where)
      const processed = await finance.call('PUT', '/api/IncomeExpenditureCalculator/process', { id: saved.body.id }, where)
      expect(processed.status).toBe(200)
    }
    const [next] = (await finance.call('POST', '/api/Budget/rollforward', { ids: [made.body.mongoId] }, own)).body
    expect(next).toMatchObject({ isBeingMade: false, notMade: null })
    const entries = (
      await finance.call('POST', '/api/BudgetEntry/paginated', { pageNumber: 1, pageSize: 5000 }, { ...where, BudgetId: next.mongoId })
    ).body.rows
    const results = entries.filter((entry: Body) => ['One', 'Two', 'Three'].includes(entry.description))
    expect(results.map((entry: Body) => entry.years.map((year: Body) => year.worked.amount))).toEqual(
      results.map(() => [20, 20, 20, 20, 20]),
    )
    expect(results).toHaveLength(3)
  })
  it('is not given up for waiting, however often workers look for it', async () => {
    const made = await copies('Waits')
    await withoutQueue(async ({ fill }) => {
      for (let look = 0; look < 30; look++) await fill.sweep()
    })
    for (const id of made) expect(await budget(id)).toMatchObject({ isBeingMade: true, notMade: null })
    await workers.start(product)
    await until('all are filled', async () => (await Promise.all(made.map(budget))).every((one) => !one.isBeingMade), 90_000)
    for (const id of made) expect((await budget(id)).notMade).toBe(null)
    await workers.killAll()
  }, 120_000)
  it('that fails twice in the same way is given up with a sentence, can be retried, and can be deleted', async () => {
    const [first, second, ...others] = await copies('Fails')
    const before = await sql`select budget_id, source_id from budget_job_items where budget_id in ${sql([first!, second!])}`
    await sql`update budget_job_items set source_id = 'ffffffffffffffffffffffff' where budget_id in ${sql([first!, second!])}`
    await workers.start(product)
    await until('those two are given up', async () => Boolean((await budget(first!)).notMade && (await budget(second!)).notMade), 60_000)
    await until('the others are filled', async () => (await Promise.all(others.map(budget))).every((one) => !one.isBeingMade), 60_000)
    await until('it was told', () => messages('BudgetsMade').some((one) => one.done === 6 && one.failed === 2))
    const tries = await sql`select attempts from budget_job_items where budget_id in ${sql([first!, second!])}`
    expect(tries.map((one) => one.attempts)).toEqual([2, 2])
    const { locationId, notMade } = await budget(first!)
    expect(notMade).toBe('Its figures could not be copied from the source budget.')
    const where = { ...own, LocationId: locationId, BudgetId: toBudgetId(first!) }
    const saved = await finance.call('PUT', '/api/OpeningBalance', { description: 'Any', type: 1, value: 1 }, where)
    expect([saved.status, saved.body]).toEqual([409, `${notMade} Try again in the list of budgets, or delete it.`])
    expect((await finance.call('DELETE', `/api/Budget/${second}`, undefined, own)).status).toBe(204)
    await sql`update budget_job_items set source_id = ${before.find((one) => one.budget_id === first)!.source_id} where budget_id = ${first!}`
    const again = await finance.call('POST', `/api/Budget/fill/${first}`, undefined, own)
    expect([again.status, again.body.isBeingMade, again.body.notMade]).toEqual([200, false, null])
    expect((await finance.call('POST', `/api/Budget/fill/${first}`, undefined, own)).status).toBe(409)
    await workers.killAll()
  }, 150_000)
})

describe('a recalculation', () => {
  const recalculate = () => finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)
  const group = async (): Promise<Body> => (await finance.call('GET', `/api/BudgetGroup/edit/id/${places.groupId}`, undefined, own)).body
  it('of many budgets is queued as a few jobs, and one of a few as one job each', async () => {
    const queues = await openQueues(product.config)
    const waiting = async () => (await queues.state())[0]!.counts.waiting!
    const jobsOf = async (budgets: number) => {
      const before = await waiting()
      const left = Array.from({ length: budgets }, (_unused, place) => ({
        budgetId: toBudgetId(`${place}`.padStart(24, '0')),
        attempts: 0,
      }))
      await queues.wake({ organisationId: places.organisationId, id: randomUUID(), left })
      return (await waiting()) - before
    }
    // There is no unfinished recalculation, so a worker that took these jobs would find nothing to do.
    expect([await jobsOf(6), await jobsOf(100)]).toEqual([6, 20])
    await queues.close()
  })
  it('that fails twice in the same way ends, names the budget, and can be requested again', async () => {
    expect((await recalculate()).status).toBe(202)
    const [run] = await sql`select id, inputs from recalculations where finished_at is null`
    await sql`update recalculations set inputs = ${'0'.repeat(64)} where id = ${run!.id}`
    await workers.start(product)
    await until('it has ended', async () => (await group()).recalculationState === 4, 60_000)
    await until('it was told', () => messages('BudgetsRecalculated').some((one) => one.failed))
    expect(messages('BudgetsRecalculated').find((one) => one.failed)!.failure).toMatch(/: 2026\/27 Working could not be recalculated\.$/)
    expect((await recalculate()).status).toBe(202)
    await until('it is up to date', async () => (await group()).recalculationState === 1, 60_000)
    await workers.killAll()
  }, 150_000)
  it('whose end was not announced is announced at the next look', async () => {
    const ends = messages('BudgetsRecalculated').length
    await sql`update recalculations set announced_at = null where status = 'done'`
    await withoutQueue(({ recalculate }) => recalculate.sweep())
    await until('it was told', () => messages('BudgetsRecalculated').length > ends)
    await withoutQueue(({ recalculate }) => recalculate.sweep())
    expect((await sql`select 1 from recalculations where announced_at is null`).length).toBe(0)
  })
})

describe('the metrics of a process', () => {
  it('show in numbers what it did and what is waiting, only with the token, and nothing about anybody', async () => {
    const store = openStore(product.config, 2)
    const queues = await openQueues(product.config)
    const metrics = { port: await findFreePort(), token: 'a token of more than 24 characters' }
    const heartbeat = openHeartbeat(store, 'server')
    const watch = await openMetrics({ config: { ...product.config, metrics }, store, queues, heartbeat, liveConnections: () => 7 })
    const ask = (authorization?: string) =>
      fetch(`http://127.0.0.1:${metrics.port}/metrics`, { headers: authorization ? { authorization } : {} })
    try {
      await finance.call('GET', `/api/Budget/id/${'0'.repeat(24)}`, undefined, own)
      expect([(await ask()).status, (await ask('Bearer another')).status]).toEqual([401, 401])
      const text = await (await ask(`Bearer ${metrics.token}`)).text()
      expect(text).toMatch(/^bursar_calls_total\{procedure="budgets.get",outcome="NOT_FOUND"\} [1-9]\d*$/m)
      expect(text).toMatch(/^bursar_calls_total\{procedure="budgets.get",outcome="ok"\} \d+$/m)
      expect(text).toContain('bursar_up{part="queue"} 1')
      expect(text).toContain('bursar_up{part="database"} 1')
      expect(text).toContain('bursar_up{part="saving"} 1')
      expect(text).toMatch(/^bursar_log_links [1-9]\d*$/m)
      expect(text).toMatch(/^bursar_database_connections\{state="idle"\} [1-9]/m)
      expect(text).toContain('bursar_live_connections 7')
      expect(text).not.toMatch(/@|harbour|northgate/i)
    } finally {
      await watch?.close()
      await heartbeat.close()
      await queues.close()
      await store.close()
    }
  })
})
