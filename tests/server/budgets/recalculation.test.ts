import { beforeAll, describe, expect, it } from 'vitest'
import type { BudgetId } from '../../../domain/values/ids.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Recalculating, startRecalculating } from '../../support/product/recalculating.ts'
import { until } from '../../support/running/worker.ts'
import { teacherContract } from '../../support/samples/contract.ts'

/** Runs with PostgreSQL’s queue, and again with Redis if `REDIS_URL` is set. */
let { product, finance, places, own, ids, hub, workers, recalculate, locked, event, recalculatedNotices } = {} as Recalculating

beforeAll(async () => {
  ;({ product, finance, places, own, ids, hub, workers, recalculate, locked, event, recalculatedNotices } = await startRecalculating())
})
const total = async () => (await event()).totals

describe('recalculating a budget group', () => {
  it('B-196 B-197 without a worker: it is accepted and locks, a second request returns 409, and contracts cannot be saved', async () => {
    expect((await recalculate()).status).toBe(202)
    expect(await locked()).toMatchObject({ locked: true, budgetGroupIds: [places.groupId] })
    const second = await recalculate()
    expect(second.status).toBe(409)
    expect(second.body).toContain('being recalculated')
    const saved = await finance.call('PUT', '/api/StaffContract', teacherContract(ids), places.at('Northgate'))
    expect(saved.status).toBe(409)
    expect(saved.body).toContain('being recalculated')
  })
  it('B-194 B-201 with a worker: every budget is recalculated once, the lock is released and everybody is notified without reloading', async () => {
    await workers.start(product)
    await until('the lock is off', async () => !(await locked()).locked)
    await until('the notice is heard', () => recalculatedNotices() === 1)
    const steps = hub.messages
      .filter((message) => message.target === 'RecalculationProgress')
      .map((message) => message.argument as { done: number; of: number })
    expect(Math.max(...steps.map((step) => step.done))).toBe(6)
    const runs = await connectAsOwner(
      product.config.databaseUrl,
    )`select budget_id, count(*)::int as times from budget_events where type = 'StaffContractsRecalculated' and request_id = ${`recalculation-${(await event()).id}`} group by 1`
    expect(runs.map((run) => run.times)).toEqual([1, 1, 1, 1, 1, 1])
  })
  it('a second time gives the same pennies', async () => {
    const before = await total()
    expect((await recalculate()).status).toBe(202)
    await until('the second notice', () => recalculatedNotices() === 2)
    expect(await total()).toEqual(before)
  })
  it('records unchanged results as before, without calculating them again', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
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
  it('writes only changed results, and corrects a line that something else has changed or removed', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
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
  it('announces its result on the hub, without names or pay of anybody', async () => {
    const last = hub.messages.filter((message) => message.target === 'BudgetsRecalculated').at(-1)!.argument as Record<string, unknown>
    expect(last).toMatchObject({ budgetGroupId: places.groupId, failed: false })
    expect(last.budgetIds).toHaveLength(6)
    expect(JSON.stringify(last)).not.toMatch(/name|employee/i)
  })
  it('B-194 B-200 is required when a shared input of calculations changes, and the hub says so', async () => {
    const type = (await finance.call('GET', `/api/ContractTypes/${ids.teacher}`, undefined, own)).body
    expect((await finance.call('PUT', '/api/ContractTypes', { ...type, incrementMonth: 10 }, own)).status).toBe(200)
    const required = await finance.call('GET', `/api/BudgetGroup/recalculate/staff-contracts/required/${places.groupId}`, undefined, own)
    expect(required.body).toMatchObject({ required: true })
    await until('the hub says so', () => hub.messages.some((message) => message.target === 'BudgetGroupsRequireContractRecalculation'))
    const before = await total()
    await recalculate()
    await until('it is done', async () => !(await locked()).locked)
    expect(await total()).not.toEqual(before)
    expect(
      (await finance.call('GET', `/api/BudgetGroup/recalculate/staff-contracts/required/${places.groupId}`, undefined, own)).body.required,
    ).toBe(false)
  }, 60_000)
  it('of one budget keeps the mark of a change that was saved while its inputs were read', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const name = '2026/27 Working, a copy in no group'
    const { BudgetId: northgate, ...atNorthgate } = places.at('Northgate')
    const copied = await finance.call('POST', `/api/Budget/duplicate/${northgate}`, { name }, own)
    const budgetId = copied.body.mongoId as BudgetId
    const marks = () => owner`select reason from recalculation_marks where budget_id = ${budgetId}`
    const at = { ...atNorthgate, BudgetId: budgetId }
    const start = () => finance.call('POST', `/api/Budget/recalculate/staff-contracts/${budgetId}`, undefined, at)
    const type = (await finance.call('GET', `/api/ContractTypes/${ids.teacher}`, undefined, own)).body
    const started = await owner.begin(async (tx) => {
      // The recalculation waits here, once it has read its inputs.
      await tx`lock table recalculations in share mode`
      const starting = start()
      const waiting = () => owner`select from pg_locks where relation = 'recalculations'::regclass and not granted`
      await until('the recalculation waits', async () => (await waiting()).length > 0)
      expect((await finance.call('PUT', '/api/ContractTypes', { ...type, incrementMonth: 11 }, own)).status).toBe(200)
      return { starting }
    })
    expect((await started.starting).status).toBe(202)
    expect(await marks()).toEqual([{ reason: 'Contract types' }])
    await until('it is done', async () => !(await locked()).locked)
    await start()
    await until('the mark is gone', async () => (await marks()).length === 0)
  }, 60_000)
})
