import { beforeAll, describe, expect, it } from 'vitest'
import type { BudgetId, OrganisationId } from '../../domain/ids.ts'
import { replayLocation } from '../../server/audit/monitoring.ts'
import { replayBudget } from '../../server/audit/replayBudget.ts'
import { sourceOf } from '../../server/audit/source.ts'
import { verifyAll } from '../../server/audit/verifyAll.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { loadDemo } from '../../server/demo/load.ts'
import { demoIn, removeDemo } from '../../server/demo/remove.ts'
import { asOwner, ownDatabase, ownerUrl } from '../support/database.ts'
import { testDataKey } from '../support/dataKey.ts'
import { atEnd } from '../support/endings.ts'

// The demo as a first start loads it, with a year behind it. Other tests work in one that has none.
let store: Store
let owner: ReturnType<typeof asOwner>
let harbour: OrganisationId

const removed = ['organisation', 'removedOrganisation']

beforeAll(async () => {
  const databaseUrl = await ownDatabase()
  owner = asOwner(databaseUrl)
  store = openStore({ databaseUrl: ownerUrl(databaseUrl), dataKey: testDataKey }, 2)
  atEnd(() => store.close())
  await removeDemo(store, new Date())
  // As if there had never been one: else the log says that it was taken away, and it does not come back.
  await owner`alter table reference_changes disable trigger user`
  await owner`delete from reference_changes where resource in ${owner(removed)}`
  await owner`alter table reference_changes enable trigger user`
  expect(await loadDemo(store, { hasYear: true })).toEqual({ staff: 357, contracts: 400 })
  const [trust] = await owner<{ id: OrganisationId }[]>`select id from organisations where name = 'Harbour Learning Trust'`
  harbour = trust!.id
}, 120_000)

describe('the year behind the demo', () => {
  it('was written by the product’s own commands: every chain is whole', async () => {
    const found = await store.asPlatform((tx) => verifyAll(tx, { organisation: harbour }, []))
    expect(found.findings).toEqual([])
  })
  it('replays to the pennies that the tables hold, budget by budget and school by school', async () => {
    const budgets = await owner<{ id: BudgetId }[]>`select id from budgets where organisation_id = ${harbour}`
    expect(budgets.length).toBeGreaterThan(18)
    for (const { id } of budgets) {
      const { findings } = await store.asPlatform(async (tx) => replayBudget(await sourceOf(tx, harbour, id), tx))
      expect(findings).toEqual([])
    }
    const logs = await owner<{ id: number }[]>`select location_id as id from monitoring_logs where organisation_id = ${harbour}`
    for (const { id } of logs)
      expect((await store.asPlatform((tx) => replayLocation({ tx, organisationId: harbour, locationId: id }, null))).findings).toEqual([])
  })
  it('goes forward: nothing in a log was done before what stands before it, and nothing in the future', async () => {
    for (const [log, key] of [
      ['budget_events', 'budget_id'],
      ['monitoring_events', 'location_id'],
      ['payroll_events', 'location_id'],
    ] as const) {
      const [late] = await owner.unsafe(`select count(*)::integer as count from (
        select occurred_at as at, lag(occurred_at) over (partition by organisation_id, ${key} order by version) as before from ${log}) as event
        where at < before or at > now()`)
      expect(late!.count, log).toBe(0)
    }
  })
  it('is the work of several people on many days', async () => {
    const [worked] = await owner`select count(distinct actor_id)::integer as people, count(distinct occurred_at::date)::integer as days
      from (select actor_id, occurred_at from budget_events where organisation_id = ${harbour}
        union all select actor_id, occurred_at from monitoring_events where organisation_id = ${harbour}) as work`
    expect(worked!.people).toBeGreaterThanOrEqual(3)
    expect(worked!.days).toBeGreaterThan(50)
  })
  it('has approved and locked budgets, one that was returned and one that waits, and every month of last year closed', async () => {
    const states =
      await owner`select head #>> '{approval,state}' as state, (head ->> 'locked')::boolean as locked, count(*)::integer as count
      from budgets where organisation_id = ${harbour} and head ->> 'approval' is not null group by 1, 2 order by 1`
    expect([...states]).toEqual([
      { state: 'approved', locked: true, count: 12 },
      { state: 'returned', locked: false, count: 1 },
      { state: 'submitted', locked: false, count: 1 },
    ])
    const [closed] = await owner`select count(*)::integer as count from monitoring_items where organisation_id = ${harbour}
      and kind = 'monthEnd' and item -> 'closed' <> 'null'::jsonb and (year, month) between (2025, 9) and (2026, 8)`
    expect(closed!.count).toBe(6 * 12)
  })
  it('leaves the open budgets of the trust up to date, and a group of the other trust to be recalculated', async () => {
    const groups = await owner`select g.name, g.required_since is not null as "isRequired" from budget_groups g order by 1`
    expect([...groups]).toEqual([
      { name: 'Harbour Learning Trust 2025/26', isRequired: false },
      { name: 'Harbour Learning Trust 2026/27', isRequired: false },
      { name: 'Meadow Schools Trust 2026/27', isRequired: true },
    ])
  })
  it('goes away whole with the demo', async () => {
    await removeDemo(store, new Date())
    expect((await store.asPlatform(demoIn)).trusts).toEqual([])
    const [left] =
      await owner`select (select count(*) from budget_events)::integer + (select count(*) from monitoring_events)::integer as events`
    expect(left!.events).toBe(0)
  })
})
