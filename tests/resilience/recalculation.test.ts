import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { requireSingleRow } from '../../domain/values/assertDefined.ts'
import { type BudgetId, toBudgetId } from '../../domain/values/ids.ts'
import { openSeparateStore, openStore } from '../../server/core/database/database.ts'
import { openQueues, openRecalculationWorker } from '../../server/core/queue/queues.ts'
import { tryToRecalculateBudget } from '../../server/shared/recalculation/commands.ts'
import { listUnfinishedRuns } from '../../server/shared/recalculation/queries.ts'
import { runWorker } from '../../worker/runWorker.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Recalculating, startRecalculating } from '../support/product/recalculating.ts'
import { killAndWait, until } from '../support/running/worker.ts'
import { teacherContract } from '../support/samples/contract.ts'

/** Runs with PostgreSQL’s queue, and again with Redis if `REDIS_URL` is set. */
let { product, finance, places, ids, hub, workers, recalculate, locked, event, recalculatedNotices } = {} as Recalculating

beforeAll(async () => {
  ;({ product, finance, places, ids, hub, workers, recalculate, locked, event, recalculatedNotices } = await startRecalculating())
})
const total = async () => (await event()).totals

describe('recalculating a budget group', () => {
  it('keeps nobody waiting behind another trust: each gets a first turn before anybody gets a second', async () => {
    const meadow = await signInAs(product, 'finance@meadow.example')
    const there = await findTrustIds(meadow)
    const ask = (caller: Caller, { organisationId, groupId }: TrustIds) =>
      caller.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${groupId}`, undefined, { OrganisationId: organisationId })
    expect((await ask(finance, places)).status).toBe(202)
    expect((await ask(meadow, there)).status).toBe(202)
    await workers.start(product)
    onTestFinished(async () => {
      await workers.killAll()
      hub.messages.length = 0
    })
    const done = () => connectAsOwner(product.config.databaseUrl)<{ organisation_id: number }[]>`select organisation_id from budget_events
      where type = 'StaffContractsRecalculated' and request_id like 'recalculation-%' order by position`
    const schools = Object.keys(there.locations).length
    await until('all budgets of both are done', async () => (await done()).length === 6 + schools)
    await until('the lock is off', async () => !(await locked()).locked)
    await until('the notice is heard', () => recalculatedNotices() === 1)
    const order = (await done()).map((row) => row.organisation_id)
    expect(order.indexOf(there.organisationId)).toBeLessThan(3)
    expect(order.lastIndexOf(there.organisationId)).toBeLessThan(order.lastIndexOf(places.organisationId))
  })
  it('begins one trust’s only budget after a handful of the 1,200 that another trust requested before', async () => {
    const meadow = await signInAs(product, 'finance@meadow.example')
    const there = await findTrustIds(meadow)
    // Queued jobs of a finished recalculation: a worker takes each, finds nothing to do, and continues.
    const queues = await openQueues(product.config)
    onTestFinished(() => queues.close())
    const id = randomUUID()
    const left = Array.from({ length: 1200 }, () => ({ budgetId: toBudgetId(randomBytes(12).toString('hex')), attempts: 0 }))
    await queues.wake({ organisationId: places.organisationId, id, left })
    const ask = { OrganisationId: there.organisationId }
    const path = `/api/BudgetGroup/recalculate/staff-contracts/${there.groupId}`
    expect((await meadow.call('POST', path, undefined, ask)).status).toBe(202)
    const schools = Object.keys(there.locations).length
    expect((await queues.state())[0]!.counts.waiting).toBeGreaterThan(schools + 200)
    /** The recalculation of each budget in the order in which work started; one job covers a few budgets. */
    const begun: string[] = []
    const worker = openRecalculationWorker(
      product.config,
      async ({ data }) => void begun.push(...data.budgetIds.map(() => data.recalculationId)),
      1,
    )
    await until('each of the others has begun', () => begun.filter((one) => one !== id).length === schools)
    await worker.close()
    expect(begun.findIndex((one) => one !== id)).toBeLessThan(11)
    expect(begun.findLastIndex((one) => one !== id)).toBeLessThan(10 * schools + 1)
  })
  it('skips no budget because another process looks at the remaining ones at that moment', async () => {
    expect((await recalculate()).status).toBe(202)
    const store = openStore(product.config, 3)
    const { recalculation_id: run, budget_id: budget } = requireSingleRow(
      await connectAsOwner(product.config.databaseUrl)<{ recalculation_id: string; budget_id: BudgetId }[]>`
        select b.recalculation_id, b.budget_id from recalculation_budgets b join recalculations r on r.id = b.recalculation_id
        where r.organisation_id = ${places.organisationId} and r.finished_at is null order by b.budget_id limit 1`,
    )
    const outcome = await store.asPlatform(async (tx) => {
      expect((await listUnfinishedRuns(tx)).find(({ id }) => id === run)!.left).toHaveLength(6)
      const done = tryToRecalculateBudget(openSeparateStore(store), {
        organisationId: places.organisationId,
        recalculationId: run,
        budgetId: budget,
      })
      expect(await Promise.race([done, new Promise((late) => setTimeout(late, 500, 'waits for the look'))])).toBe('waits for the look')
      return { done }
    })
    expect(await outcome.done).toBe('done')
    await store.close()
  })
  it('continues after a worker is killed: nothing is lost, nothing is done twice, the lock is released', async () => {
    // Finishes what the previous test left undone.
    const begun = await workers.start(product)
    await until('the lock is off', async () => !(await locked()).locked)
    await killAndWait(begun)
    const before = await total()
    const notices = recalculatedNotices()
    const first = await workers.start(product)
    expect((await recalculate()).status).toBe(202)
    await until(
      'some budget is done',
      () => hub.messages.some((message) => message.target === 'RecalculationProgress' && (message.argument as { done: number }).done > 0),
      20_000,
    )
    await killAndWait(first)
    const run = await event()
    await workers.start(product)
    await until('the lock is off', async () => !(await locked()).locked, 60_000)
    await until('the notice is heard', () => recalculatedNotices() > notices)
    expect(await total()).toEqual(before)
    const times = await connectAsOwner(
      product.config.databaseUrl,
    )`select budget_id, count(*)::int as times from budget_events where request_id = ${`recalculation-${run.id}`} group by 1`
    expect(times.map((row) => row.times)).toEqual([1, 1, 1, 1, 1, 1])
  }, 120_000)
})

describe('a server and a worker whose clock stands still', () => {
  it('let people sign in and save, do requested work and announce it, and continue once the clock runs', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const worker = await runWorker(product.config)
    onTestFinished(async () => {
      vi.useRealTimers()
      await worker.close()
    })
    const stood = Date.now()
    const again = await signInAs(product, 'finance@harbour.example')
    const save = async (contractName: string): Promise<number> =>
      (await again.call('PUT', '/api/StaffContract', teacherContract(ids, { contractName }), places.at('Northgate'))).status
    for (const turn of [1, 2, 3]) expect(await save(`While the clock stood ${turn}`)).toBe(200)
    const before = recalculatedNotices()
    expect((await recalculate()).status).toBe(202)
    await until('it is done and told', async () => recalculatedNotices() > before && !(await locked()).locked, 20_000)
    expect(await save('While the clock stood, after the recalculation')).toBe(200)
    expect(Date.now()).toBe(stood)
    vi.useRealTimers()
    expect(await save('Once it went on')).toBe(200)
  })
})
