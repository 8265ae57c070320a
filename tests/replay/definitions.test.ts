import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readDatabaseDefinitions, verifyDatabaseDefinitions } from '../../server/audit/verify/definitions.ts'
import { checkDueChain } from '../../server/audit/verify/selfCheck.ts'
import { verifyOrganisations } from '../../server/audit/verify/verifyAll.ts'
import { type OrganisationTx, openStore, type Store } from '../../server/core/database/database.ts'
import { connectAsOwner, createDatabase, ownerUrl } from '../support/product/database.ts'
import { configOf } from '../support/product/product.ts'

// Reading every log takes time on a shared machine.
vi.setConfig({ testTimeout: 120_000 })

let store: Store
let databaseUrl: string
let owner: postgres.Sql

beforeAll(async () => {
  databaseUrl = await createDatabase()
  store = openStore(await configOf(databaseUrl), 4)
  owner = postgres(ownerUrl(databaseUrl), { max: 1, onnotice: () => undefined })
})
afterAll(async () => {
  await store?.close()
  await owner?.end()
})

const none = () => ({ anchors: [], problems: [] })

it('the definitions made by the migrations are recorded, so that a redefinition is detected', async () => {
  const now = await store.snapshot(readDatabaseDefinitions)
  const sorted = Object.fromEntries([...now].sort(([a], [b]) => (a < b ? -1 : 1)))
  // After a migration: npx vitest run --project whole tests/replay/definitions.test.ts -u
  await expect(`${JSON.stringify(sorted, null, 2)}\n`).toMatchFileSnapshot('../../drizzle/definitions.json')
  const { compared, findings } = await store.snapshot(verifyDatabaseDefinitions)
  expect(findings).toEqual([])
  expect(compared).toBeGreaterThan(1500)
})

/** Runs statements as the owner of the tables in a transaction that is rolled back. @returns the problems that verify finds */
async function problemsAfter(...statements: string[]): Promise<string[]> {
  const undo = new Error('undo')
  let problems: string[] = []
  await drizzle(owner)
    .transaction(async (tx) => {
      for (const statement of statements) await tx.execute(statement)
      problems = (await verifyDatabaseDefinitions(tx as unknown as OrganisationTx)).findings.map(({ problem }) => problem)
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  return problems
}

const changed = (name: string): string[] => [`The definition of the ${name} differs from this version of Bursar: someone changed it.`]
const missing = (name: string): string[] => [`The ${name} is missing from the database: someone removed it.`]
const added = (name: string): string[] => [`The ${name} does not belong to this version of Bursar: someone added it.`]

it.each<[string, string[], string[]]>([
  [
    'a function that answers otherwise',
    [`create or replace function is_platform() returns boolean language sql stable as 'select true'`],
    changed('function is_platform()'),
  ],
  [
    'a function of the same name that takes something else',
    [`create function salary_most(contract json, field text) returns numeric language sql as 'select 1'`],
    added('function salary_most(contract json, field text)'),
  ],
  ['a policy that shows the rows of others', ['alter policy own on posted_lines using (true)'], changed('policy own of posted_lines')],
  ['a policy beside ours', ['create policy mine on posted_lines using (true)'], added('policy mine of posted_lines')],
  ['row-level security that is off', ['alter table budgets disable row level security'], changed('table budgets')],
  ['row-level security that its owner passes', ['alter table budgets no force row level security'], changed('table budgets')],
  ['a trigger that sleeps', ['alter table budget_events disable trigger append_only'], changed('trigger append_only of budget_events')],
  ['a trigger that is gone', ['drop trigger append_only on budget_events'], missing('trigger append_only of budget_events')],
  [
    'a trigger that writes other figures',
    ['create trigger mine before insert on posted_lines for each row execute function write_budget_line()'],
    added('trigger mine of posted_lines'),
  ],
  [
    'a rule that throws rows away',
    ['create rule mine as on insert to posted_lines do instead nothing'],
    added('rule mine of posted_lines'),
  ],
  [
    'a sum that is no longer worked out',
    ['drop view budget_lines', 'alter table posted_lines alter totals drop expression'],
    [...changed('column posted_lines.totals'), ...missing('trigger write_budget_line of budget_lines'), ...missing('view budget_lines')],
  ],
  [
    'a constraint that is gone',
    ['alter table posted_lines drop constraint posted_lines_years'],
    missing('constraint posted_lines_years of posted_lines'),
  ],
  ['a unique index that is gone', ['drop index list_views_name'], missing('index list_views_name of list_views')],
  [
    'a table that is read in place of ours',
    ['create schema aside', 'create table aside.posted_lines ()', 'set local search_path = aside, public'],
    ['Another posted_lines comes before Bursar’s in the search path of its database role and is read instead.'],
  ],
])('%s is found by name', async (_what, statements, problems) => {
  expect((await problemsAfter(...statements)).sort()).toEqual([...problems].sort())
})

it('a table and a view of another system beside the product’s are ignored', async () => {
  expect(
    await problemsAfter('create table notes_of_mine (id integer primary key)', 'create view mine as select * from notes_of_mine'),
  ).toEqual([])
})

it('a view changed to add 100,000 to each total is found by name, by verify and by the daily check', async () => {
  const sql = connectAsOwner(databaseUrl)
  const [{ text }] = (await sql`select pg_get_viewdef('budget_lines'::regclass) as text`) as unknown as [{ text: string }]
  const redefine = (body: string): Promise<unknown> =>
    sql.unsafe(`create or replace view budget_lines with (security_invoker = true) as ${body}`)
  const more = text.replace(/(l\.totals\[[^\]]+\]) AS total\b/, '($1 + 100000) AS total')
  expect(more).not.toBe(text)
  await redefine(more)
  const { findings } = await verifyOrganisations(store, {}, none)
  expect(findings.map(({ problem }) => problem)).toEqual(changed('view budget_lines'))
  const days = [1, 2].map((day) => new Date(Date.now() + day * 86_400_000))
  const checked = async (now: Date): Promise<string[]> => {
    const said: string[] = []
    for (;;) {
      const result = await checkDueChain(store, now)
      if (result === 'none') return said
      said.push(result)
    }
  }
  expect(await checked(days[0]!)).toContain('broken')
  await redefine(text)
  expect((await verifyOrganisations(store, {}, none)).findings).toEqual([])
  expect(await checked(days[1]!)).not.toContain('broken')
})
