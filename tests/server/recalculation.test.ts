import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type BudgetId, budgetIdOf, type OrganisationId } from '../../domain/ids.ts'
import { onlyRow } from '../../domain/must.ts'
import { beside, openStore } from '../../server/core/database/database.ts'
import { openQueues, openWorker } from '../../server/core/queue/queues.ts'
import { tryToRecalculate } from '../../server/features/calculation/recalculation/commands.ts'
import { unfinished } from '../../server/features/calculation/recalculation/queries.ts'
import { work } from '../../worker/work.ts'
import { type Ids, idsFor, teacherContract } from '../support/contract.ts'
import { asOwner } from '../support/database.ts'
import { asUser, type Caller, type Places, placesOf } from '../support/http.ts'
import { connect, type Heard } from '../support/hub.ts'
import { type Product, startProduct } from '../support/product.ts'
import { killed, until, Workers } from '../support/worker.ts'

/** These run on PostgreSQL's queue, and again on Redis with `REDIS_URL`. */
let product: Product
let finance: Caller
let places: Places
let own: { OrganisationId: OrganisationId }
let ids: Ids
let heard: Heard
const workers = new Workers()
const startWorker = () => workers.start(product)

beforeAll(async () => {
  product = await startProduct()
  finance = await asUser(product, 'finance@harbour.example')
  places = await placesOf(finance)
  own = { OrganisationId: places.organisationId }
  ids = await idsFor(finance, places.at('Northgate'))
  heard = await connect(product, finance, places.organisationId)
})
afterAll(async () => {
  await heard?.connection.stop()
  await workers.killAll()
})

const recalculate = () => finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)
const locked = async () => (await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body
const event = async () => (await finance.call('GET', '/api/Application/staffcontracts/recalculation/event', undefined, own)).body
const total = async () => (await event()).totals

const recalculatedNotices = () => heard.messages.filter((message) => message.target === 'BudgetsRecalculated').length

describe('recalculating a budget group', () => {
  it('keeps nobody waiting behind another trust: each has its first turn before anybody has a second', async () => {
    const meadow = await asUser(product, 'finance@meadow.example')
    const there = await placesOf(meadow)
    const ask = (caller: Caller, { organisationId, groupId }: Places) =>
      caller.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${groupId}`, undefined, { OrganisationId: organisationId })
    expect((await ask(finance, places)).status).toBe(202)
    expect((await ask(meadow, there)).status).toBe(202)
    await startWorker()
    onTestFinished(async () => {
      await workers.killAll()
      heard.messages.length = 0
    })
    const done = () => asOwner(product.config.databaseUrl)<{ organisation_id: number }[]>`select organisation_id from budget_events
      where type = 'StaffContractsRecalculated' and request_id like 'recalculation-%' order by position`
    const schools = Object.keys(there.locations).length
    await until('all budgets of both are done', async () => (await done()).length === 6 + schools)
    await until('the lock is off', async () => !(await locked()).locked)
    await until('the notice is heard', () => recalculatedNotices() === 1)
    const order = (await done()).map((row) => row.organisation_id)
    expect(order.indexOf(there.organisationId)).toBeLessThan(3)
    expect(order.lastIndexOf(there.organisationId)).toBeLessThan(order.lastIndexOf(places.organisationId))
  })
  it('begins the one budget of a trust after a handful of the 1,200 that another trust asked for before', async () => {
    const meadow = await asUser(product, 'finance@meadow.example')
    const there = await placesOf(meadow)
    // Work that is queued and has nothing to do: a worker takes each, finds nothing left, and goes on.
    const queues = await openQueues(product.config)
    onTestFinished(() => queues.close())
    const id = randomUUID()
    const left = Array.from({ length: 1200 }, () => ({ budgetId: budgetIdOf(randomBytes(12).toString('hex')), attempts: 0 }))
    await queues.wake({ organisationId: places.organisationId, id, left })
    const ask = { OrganisationId: there.organisationId }
    const path = `/api/BudgetGroup/recalculate/staff-contracts/${there.groupId}`
    expect((await meadow.call('POST', path, undefined, ask)).status).toBe(202)
    const schools = Object.keys(there.locations).length
    expect((await queues.state())[0]!.counts.waiting).toBeGreaterThan(schools + 200)
    /** Whose budgets were begun, one after the other: a job does a few. */
    const begun: string[] = []
    const worker = openWorker(product.config, async ({ data }) => void begun.push(...data.budgetIds.map(() => data.recalculationId)), 1)
    await until('each of the others has begun', () => begun.filter((one) => one !== id).length === schools)
    await worker.close()
    expect(begun.findIndex((one) => one !== id)).toBeLessThan(11)
    expect(begun.findLastIndex((one) => one !== id)).toBeLessThan(10 * schools + 1)
  })
  it('B-196 B-197 while nobody works: it is accepted and locked, a second request answers 409, and contracts may not be saved', async () => {
    expect((await recalculate()).status).toBe(202)
    expect(await locked()).toMatchObject({ locked: true, budgetGroupIds: [places.groupId] })
    const second = await recalculate()
    expect(second.status).toBe(409)
    expect(second.body).toContain('being recalculated')
    const saved = await finance.call('PUT', '/api/StaffContract', teacherContract(ids), places.at('Northgate'))
    expect(saved.status).toBe(409)
    expect(saved.body).toContain('being recalculated')
  })
  it('no budget is passed over because somebody looks what is left while its turn comes', async () => {
    const store = openStore(product.config, 3)
    const { recalculation_id: run, budget_id: budget } = onlyRow(
      await asOwner(product.config.databaseUrl)<{ recalculation_id: string; budget_id: BudgetId }[]>`
        select b.recalculation_id, b.budget_id from recalculation_budgets b join recalculations r on r.id = b.recalculation_id
        where r.organisation_id = ${places.organisationId} and r.finished_at is null order by b.budget_id limit 1`,
    )
    const outcome = await store.asPlatform(async (tx) => {
      expect((await unfinished(tx)).find(({ id }) => id === run)!.left).toHaveLength(6)
      const done = tryToRecalculate(beside(store), { organisationId: places.organisationId, recalculationId: run, budgetId: budget })
      expect(await Promise.race([done, new Promise((late) => setTimeout(late, 500, 'waits for the look'))])).toBe('waits for the look')
      return { done }
    })
    expect(await outcome.done).toBe('done')
    await store.close()
  })
  it('B-194 B-201 when a worker comes: every budget is done once, the lock is off and everybody is told without reloading', async () => {
    await startWorker()
    await until('the lock is off', async () => !(await locked()).locked)
    await until('the notice is heard', () => recalculatedNotices() === 1)
    const steps = heard.messages
      .filter((message) => message.target === 'RecalculationProgress')
      .map((message) => message.argument as { done: number; of: number })
    expect(Math.max(...steps.map((step) => step.done))).toBe(6)
    const runs = await asOwner(
      product.config.databaseUrl,
    )`select budget_id, count(*)::int as times from budget_events where type = 'StaffContractsRecalculated' and request_id = ${`recalculation-${(await event()).id}`} group by 1`
    expect(runs.map((run) => run.times)).toEqual([1, 1, 1, 1, 1, 1])
  })
  it('again gives the same pennies', async () => {
    const before = await total()
    expect((await recalculate()).status).toBe(202)
    await until('the second notice', () => recalculatedNotices() === 2)
    expect(await total()).toEqual(before)
  })
  it('records what stands already as it was recorded before, without working it out again', async () => {
    const owner = asOwner(product.config.databaseUrl)
    const recorded = await owner<{ budget_id: BudgetId; version: number; result: string; totals: object }[]>`
      select distinct on (budget_id) budget_id, version, data ->> 'result' as result, data -> 'totals' as totals from budget_events
      where type = 'StaffContractsRecalculated'
        and budget_id in (select budget_id from recalculation_budgets where recalculation_id = ${(await event()).id}) order by budget_id, version desc`
    expect(recorded).toHaveLength(6)
    const written = () => owner`select contract_id, xmin from staff_costs where organisation_id = ${places.organisationId} order by 1`
    const before = await written()
    const notices = recalculatedNotices()
    await recalculate()
    await until('the notice is heard', () => recalculatedNotices() > notices)
    expect(await written()).toEqual(before)
    for (const { budget_id: budget, version, result, totals } of recorded) {
      const [last] = await owner`select data from budget_events where budget_id = ${budget} and type = 'StaffContractsRecalculated'
        and version > ${version}`
      expect(last!.data).toMatchObject({ cause: 'group', contracts: null, result, totals })
    }
  })
  it('writes only what comes to something else than what stands, and puts right a line that something else has touched or taken away', async () => {
    const owner = asOwner(product.config.databaseUrl)
    const sums = () => owner`select budget_id, source_id, count(*)::int as lines, sum(total)::text as total from budget_lines
      where organisation_id = ${places.organisationId} group by 1, 2 order by 1, 2`
    const before = await sums()
    const touched = await owner<{ source_id: string }[]>`select distinct source_id from posted_lines
      where organisation_id = ${places.organisationId} and source_kind = 'contract'
        and budget_id in (select budget_id from recalculation_budgets) order by 1 limit 3`
    const [changed, lost, cost] = touched.map((row) => row.source_id)
    await owner`update posted_lines set amounts[1] = amounts[1] + 100 where source_id = ${changed!}`
    await owner`delete from posted_lines where ctid = (select min(ctid) from posted_lines where source_id = ${lost!})`
    await owner`update staff_costs set year_totals = '[1, 2, 3, 4, 5]' where contract_id = ${cost!}`
    expect(await sums()).not.toEqual(before)
    const notices = recalculatedNotices()
    expect((await recalculate()).status).toBe(202)
    await until('the notice is heard', () => recalculatedNotices() > notices)
    expect(await sums()).toEqual(before)
    const written = await owner<
      { contract_id: string }[]
    >`select contract_id from staff_costs c where organisation_id = ${places.organisationId} and version = (
      select max(version) from budget_events e where e.budget_id = c.budget_id and type = 'StaffContractsRecalculated') order by 1`
    expect(written.map((row) => row.contract_id)).toEqual([changed, lost, cost].sort())
  })
  it('says in a notice of the hub what came of it, without names or pay of anybody', async () => {
    const last = heard.messages.filter((message) => message.target === 'BudgetsRecalculated').at(-1)!.argument as Record<string, unknown>
    expect(last).toMatchObject({ budgetGroupId: places.groupId, failed: false })
    expect(last.budgetIds).toHaveLength(6)
    expect(JSON.stringify(last)).not.toMatch(/name|employee/i)
  })
  it('survives workers that are killed in the middle: nothing is lost, nothing is done twice, the lock does not stay', async () => {
    const before = await total()
    const notices = recalculatedNotices()
    await workers.killAll()
    const first = await startWorker()
    expect((await recalculate()).status).toBe(202)
    await until(
      'some budget is done',
      () => heard.messages.some((message) => message.target === 'RecalculationProgress' && (message.argument as { done: number }).done > 0),
      20_000,
    )
    await killed(first)
    const run = await event()
    await startWorker()
    await until('the lock is off', async () => !(await locked()).locked, 60_000)
    await until('the notice is heard', () => recalculatedNotices() > notices)
    expect(await total()).toEqual(before)
    const times = await asOwner(
      product.config.databaseUrl,
    )`select budget_id, count(*)::int as times from budget_events where request_id = ${`recalculation-${run.id}`} group by 1`
    expect(times.map((row) => row.times)).toEqual([1, 1, 1, 1, 1, 1])
  }, 120_000)
  it('B-194 B-200 is asked for when something shared by calculations changes, and the hub says so', async () => {
    const type = (await finance.call('GET', `/api/ContractTypes/${ids.teacher}`, undefined, own)).body
    expect((await finance.call('PUT', '/api/ContractTypes', { ...type, incrementMonth: 10 }, own)).status).toBe(200)
    const required = await finance.call('GET', `/api/BudgetGroup/recalculate/staff-contracts/required/${places.groupId}`, undefined, own)
    expect(required.body).toMatchObject({ required: true })
    await until('the hub says so', () => heard.messages.some((message) => message.target === 'BudgetGroupsRequireContractRecalculation'))
    const before = await total()
    await recalculate()
    await until('it is done', async () => !(await locked()).locked)
    expect(await total()).not.toEqual(before)
    expect(
      (await finance.call('GET', `/api/BudgetGroup/recalculate/staff-contracts/required/${places.groupId}`, undefined, own)).body.required,
    ).toBe(false)
  }, 60_000)
})

describe('a server and a worker whose clock stands still', () => {
  it('let people sign in and save, do what they ask for and tell of it, and go on once it goes', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const worker = await work(product.config)
    onTestFinished(async () => {
      vi.useRealTimers()
      await worker.close()
    })
    const stood = Date.now()
    const again = await asUser(product, 'finance@harbour.example')
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
