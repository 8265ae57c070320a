import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BudgetId, LocationId, OrganisationId } from '../../domain/values/ids.ts'
import { staffMembers } from '../../drizzle/schema.ts'
import { readStoredBudgetLog } from '../../server/audit/replay/logSource.ts'
import { replayMonitoringOfLocation } from '../../server/audit/replay/monitoring.ts'
import { replayBudget } from '../../server/audit/replay/replayBudget.ts'
import { verifyAllOnce } from '../../server/audit/verify/verifyAll.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { readPersonKeys } from '../../server/core/database/vault.ts'
import { loadDemo } from '../../server/demo/load.ts'
import { findDemo, removeDemo } from '../../server/demo/remove.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { prepareData } from '../../server/launch/prepareData.ts'
import { decryptStaffMember } from '../../server/streams/budget/people.ts'
import { connectAsOwner, createDatabase, createEmptyDatabase, ownerUrl, readServerPassword } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { atEnd } from '../support/product/endings.ts'

// The demo as loaded at the first start, with a year of work. Other tests use the demo without that year.
let store: Store
let owner: ReturnType<typeof connectAsOwner>
let harbour: OrganisationId

const removed = ['organisation', 'removedOrganisation']

/** Summaries of the year’s work and its figures, by name, because generated ids differ. */
const worked = {
  'the events of budgets': sql`select o.name as trust, l.name as school, b.name as budget, e.type, count(*)::integer as events from budget_events e
    left join budgets b on b.organisation_id = e.organisation_id and b.id = e.budget_id
    left join locations l on l.organisation_id = b.organisation_id and l.id = b.location_id
    join organisations o on o.id = e.organisation_id group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  'the lines of budgets': sql`select o.name as trust, l.name as school, b.name as budget, x.source_kind, x.component, x.year, sum(x.total)::text as pennies,
    sum(x.missing)::integer as missing, count(*)::integer as lines from budget_lines x
    join budgets b on b.organisation_id = x.organisation_id and b.id = x.budget_id join locations l on l.id = b.location_id
    join organisations o on o.id = x.organisation_id group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`,
  'the events of monitoring': sql`select o.name as trust, l.name as school, e.type, count(*)::integer as events from monitoring_events e
    join locations l on l.id = e.location_id join organisations o on o.id = e.organisation_id group by 1, 2, 3 order by 1, 2, 3`,
  'the actuals': sql`select o.name as trust, l.name as school, x.year, x.month, count(*)::integer as lines, sum(x.value)::text as pennies from actual_lines x
    join locations l on l.id = x.location_id join organisations o on o.id = x.organisation_id group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  'the events of payroll': sql`select o.name as trust, e.type, count(*)::integer as events from payroll_events e
    join organisations o on o.id = e.organisation_id group by 1, 2 order by 1, 2`,
  'the changes of records': sql`select o.name as trust, c.resource, c.action, count(*)::integer as changes from reference_changes c
    join organisations o on o.id = c.organisation_id group by 1, 2, 3 order by 1, 2, 3`,
  'the users': sql`select email, forename, surname, position, is_administrator, active from users order by 1`,
}

/** The names of all employees, sorted. */
async function namesIn(of: Store): Promise<string[]> {
  const names = await of.asPlatform(async (tx) => {
    const rows = await tx.select().from(staffMembers)
    const keys = await readPersonKeys(
      tx,
      rows.map(({ subject }) => subject),
    )
    return rows
      .map((row) => decryptStaffMember(row, keys.get(row.subject)))
      .map(({ forename, surname, employeeNumber }) => `${surname} ${forename} ${employeeNumber}`)
  })
  return names.sort()
}

beforeAll(async () => {
  const databaseUrl = await createDatabase()
  owner = connectAsOwner(databaseUrl)
  store = openStore({ databaseUrl: ownerUrl(databaseUrl), dataKey: testDataKey }, 2)
  atEnd(() => store.close())
  await removeDemo(store, new Date())
  // Removes all traces of the demo. Otherwise its removal is in the log, and it is not loaded again.
  await owner`alter table reference_changes disable trigger user`
  await owner`delete from reference_changes where resource in ${owner(removed)}`
  await owner`alter table reference_changes enable trigger user`
  expect(await loadDemo(store, { hasYear: true })).toEqual({ staff: 357, contracts: 400 })
  const [trust] = await owner<{ id: OrganisationId }[]>`select id from organisations where name = 'Harbour Learning Trust'`
  harbour = trust!.id
}, 120_000)

describe('the demo’s year of work', () => {
  it('was written by the product’s own commands: every chain is intact', async () => {
    const found = await store.asPlatform((tx) => verifyAllOnce(tx, { organisation: harbour }, []))
    expect(found.findings).toEqual([])
  })
  it('replays to the pennies in the tables, budget by budget and school by school', async () => {
    const budgets = await owner<{ id: BudgetId }[]>`select id from budgets where organisation_id = ${harbour}`
    expect(budgets.length).toBeGreaterThan(18)
    for (const { id } of budgets) {
      const { findings } = await store.asPlatform(async (tx) => replayBudget(await readStoredBudgetLog(tx, harbour, id), tx))
      expect(findings).toEqual([])
    }
    const logs = await owner<{ id: LocationId }[]>`select location_id as id from monitoring_logs where organisation_id = ${harbour}`
    for (const { id } of logs)
      expect(
        (await store.asPlatform((tx) => replayMonitoringOfLocation({ tx, organisationId: harbour, locationId: id }, null))).findings,
      ).toEqual([])
  })
  it('is in order: no event has an earlier time than the one before, and none is in the future', async () => {
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
  it('has approved and locked budgets, a returned one and a submitted one, and every month of last year closed', async () => {
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
  it('leaves the open budgets of one trust up to date, and a group of the other needing a recalculation', async () => {
    const groups = await owner`select g.name, g.required_since is not null as "isRequired" from budget_groups g order by 1`
    expect([...groups]).toEqual([
      { name: 'Harbour Learning Trust 2025/26', isRequired: false },
      { name: 'Harbour Learning Trust 2026/27', isRequired: false },
      { name: 'Harbour Learning Trust 2026/27 approved', isRequired: false },
      { name: 'Meadow Schools Trust 2026/27', isRequired: true },
    ])
  })
  it('is stored for first starts exactly as it is made: the same work and the same pennies, under keys that the start seals', async () => {
    const databaseUrl = await createEmptyDatabase()
    await migrateDatabase(databaseUrl, readServerPassword())
    const kept = openStore({ databaseUrl, dataKey: testDataKey }, 2)
    atEnd(() => kept.close())
    const config = {
      databaseUrl,
      dataKey: testDataKey,
      origin: 'http://localhost',
      production: false,
      serverPassword: readServerPassword(),
    }
    // Of two servers that start at the same moment, one loads the demo.
    const started = await Promise.all([1, 2].map(() => prepareData({ ...config, demo: true, hasYear: true })))
    expect(started.filter(({ hasNewDemo }) => hasNewDemo)).toHaveLength(1)
    // If this fails after a change of the demo, store it again: npm run demo -- --keep
    for (const [what, query] of Object.entries(worked)) {
      const [inFile, made] = await Promise.all([kept, store].map((one) => one.asPlatform((tx) => tx.execute(query))))
      expect([...inFile!], what).toEqual([...made!])
    }
    const { findings, ...verified } = await kept.asPlatform((tx) => verifyAllOnce(tx, {}, []))
    expect(findings).toEqual([])
    expect(verified.budgets).toBeGreaterThan(18)
    const [bare] = await kept.asPlatform((tx) =>
      tx.execute(sql`select count(*)::integer as keys from vault_keys where octet_length(key) = 32`),
    )
    expect(bare).toEqual({ keys: 0 })
    expect(await namesIn(kept)).toEqual(await namesIn(store))
    expect((await prepareData({ ...config, demo: true, hasYear: true })).hasNewDemo).toBe(false)
  })
  it('is removed completely with the demo', async () => {
    await removeDemo(store, new Date())
    expect((await store.asPlatform(findDemo)).trusts).toEqual([])
    const [left] =
      await owner`select (select count(*) from budget_events)::integer + (select count(*) from monitoring_events)::integer as events`
    expect(left!.events).toBe(0)
  })
})
