import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { allResources } from '../../../domain/resources/all.ts'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { type BudgetId, type LocationId, toBudgetId } from '../../../domain/values/ids.ts'
import { openStore, openStoreWithin, type Store } from '../../../server/core/database/database.ts'
import { listFirstPage, listRecords } from '../../../server/resources/queries.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Caller, findTrustIds, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let store: Store
let harbour: Caller
let meadow: Caller
let ours: TrustIds
let theirs: TrustIds

beforeAll(async () => {
  product = await startProduct()
  store = openStore(product.config, 2)
  harbour = await signInAs(product, 'finance@harbour.example')
  meadow = await signInAs(product, 'finance@meadow.example')
  ours = await findTrustIds(harbour)
  theirs = await findTrustIds(meadow)
  return () => store.close()
})

describe('row-level security', () => {
  it('shows a query without a condition only the rows of its organisation, in every tenant table', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const tenant =
      await owner`select table_name from information_schema.columns where table_schema = 'public' and column_name = 'organisation_id' order by 1`
    let seen = 0
    for (const { table_name: table } of tenant) {
      const rows = await store
        .inOrganisation(ours.organisationId, (tx) =>
          tx.execute<{ organisation_id: number | null }>(sql.raw(`select organisation_id from "${table}"`)),
        )
        .catch((error: Error & { cause?: Error }) => {
          // A table that the role may not read at all is just as safe.
          expect(String(error.cause ?? error)).toContain('permission denied')
          return []
        })
      for (const row of rows)
        expect([ours.organisationId, null], table).toContain(row.organisation_id === null ? null : Number(row.organisation_id))
      seen += rows.length
    }
    expect(tenant.length).toBeGreaterThan(15)
    expect(seen).toBeGreaterThan(500)
  })
  it('shows nothing at all if no organisation is set', async () => {
    const rows = await store.db.execute(sql`select id from staff_contracts`).catch(() => [])
    expect(rows).toHaveLength(0)
  })
  it('shows the rows of all organisations to the server, but not to an injected statement', async () => {
    const everybody = await store.asPlatform((tx) => tx.execute<{ count: number }>(sql`select count(*)::int from organisations`))
    expect(requireSingleRow(everybody).count).toBeGreaterThan(1)
    const guesses = ['*', '**', '* ', `*${'A'.repeat(43)}`, '0', '', "*' or '1'='1"]
    for (const guess of guesses)
      for (const table of ['staff_contracts', 'users', 'signing_keys', 'api_clients']) {
        const smuggled = await store.inOrganisation(ours.organisationId, (tx) =>
          tx.execute<{ others: number }>(sql`
            select count(*)::int as others from ${sql.identifier(table)}
            where (select set_config('app.organisation_id', ${guess}, true)) is not null`),
        )
        expect(requireSingleRow(smuggled).others, `${guess} in ${table}`).toBe(0)
      }
    // Nor can the role add a platform key of its own, or become another role.
    for (const statement of [
      "insert into platform_keys (digest, required_from) values (sha256('*mine'), now())",
      'delete from platform_keys',
      "update platform_keys set required_from = 'infinity'",
      "select set_config('role', 'postgres', true)",
      "set session authorization 'postgres'",
    ])
      await expect(
        store.asPlatform((tx) => tx.execute(sql.raw(statement))),
        statement,
      ).rejects.toThrow()
  })
  it('drops the platform’s access when a transaction returns to one organisation', async () => {
    const seen = await store.inOrganisation(ours.organisationId, async (tx) => {
      const within = openStoreWithin(tx, store, ours.organisationId)
      await within.asPlatform(async (part) => part.execute(sql`select 1`))
      return tx.execute<{ scope: string; organisations: number }>(sql`
        select current_setting('app.organisation_id') as scope, (select count(*)::int from organisations) as organisations`)
    })
    expect(requireSingleRow(seen)).toEqual({ scope: String(ours.organisationId), organisations: 1 })
  })
  it('gives a page read in one statement the same rows, of every kind, whichever organisation was queried before', async () => {
    const alone = openStore(product.config, 1)
    let seen = 0
    for (const resource of allResources)
      for (const { organisationId } of [ours, theirs, ours]) {
        const scope = { organisationId, locationIds: null, isAdministrator: false }
        const request = { pageNumber: 1, pageSize: 500 }
        const page = await listFirstPage(alone, { of: organisationId, resource, scope, request })
        const within = await store.inOrganisation(organisationId, (tx) => listRecords({ tx, scope }, resource, request), 'page')
        expect(page ?? { rows: [], total: 0 }, resource.key).toEqual(within)
        for (const row of page?.rows ?? []) expect([organisationId, null], resource.key).toContain(row.organisationId)
        seen += page?.rows.length ?? 0
      }
    expect(seen).toBeGreaterThan(1000)
    // The setting ends with the transaction: later queries on the same connection see nothing.
    expect(await alone.db.execute(sql`select id from staff_contracts`).catch(() => [])).toHaveLength(0)
    await alone.close()
  })
  it('is set before the first row is read', async () => {
    const text = `explain select id from budget_codes where (select set_config('app.organisation_id', '1', true)) is not null order by code limit 10`
    const plan = (await connectAsOwner(product.config.databaseUrl).unsafe(text)).map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/One-Time Filter: \(\(?InitPlan|One-Time Filter: \(.*IS NOT NULL\)/)
  })
  it('does not let a row be written for another organisation', async () => {
    const write = store.inOrganisation(ours.organisationId, (tx) =>
      tx.execute(sql`insert into cost_centres (organisation_id, code, description) values (${theirs.organisationId}, 'X', 'X')`),
    )
    await expect(write).rejects.toThrow()
  })
  it('applies through views as well: none runs with its owner’s rights, and nothing is written or deleted for others', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const open = await owner`
      select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
        and not coalesce('security_invoker=true' = any(reloptions), false)`
    expect(open).toEqual([])
    const [line] = await owner<
      { budget_id: string }[]
    >`select budget_id from budget_lines where organisation_id = ${theirs.organisationId} limit 1`
    const { count } = requireSingleRow(await owner`select count(*)::int from posted_lines where budget_id = ${line!.budget_id}`)
    const write = store.inOrganisation(ours.organisationId, (tx) =>
      tx.execute(sql`
        insert into budget_lines (organisation_id, budget_id, source_kind, source_id, component, year, amounts)
        values (${theirs.organisationId}, ${line!.budget_id}, 'entry', repeat('f', 24), 'entry', 0, array_fill(1::bigint, array[12]))`),
    )
    await expect(write).rejects.toMatchObject({ cause: { message: expect.stringContaining('row-level security') } })
    await store.inOrganisation(ours.organisationId, (tx) => tx.execute(sql`delete from budget_lines where budget_id = ${line!.budget_id}`))
    expect(requireSingleRow(await owner`select count(*)::int from posted_lines where budget_id = ${line!.budget_id}`).count).toBe(count)
  })
  it('is enabled on every table, for its owner too', async () => {
    const open = await connectAsOwner(
      product.config.databaseUrl,
    )`select relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace where nspname = 'public' and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)`
    expect(open.map((table) => table.relname)).toEqual([])
  })
  it('has in every tenant table a key or an index that begins with the organisation', async () => {
    const without = await connectAsOwner(product.config.databaseUrl)`
      select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'organisation_id'
      where relnamespace = 'public'::regnamespace and relkind = 'r' and not exists (
        select from pg_index where indrelid = pg_class.oid and indkey[0] = attnum
      ) order by 1`
    // Images are found by their number, and a user’s memberships by the user.
    expect(without.map(({ name }) => name)).toEqual(['images', 'memberships'])
  })
  it('limits what a row refers to to its own organisation, through foreign keys, except for national records', async () => {
    const keys = await connectAsOwner(product.config.databaseUrl)<{ from: string; to: string }[]>`
      select distinct conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
      where contype = 'f' and pg_get_constraintdef(oid) not like '%organisation_id%'
        and exists (select from pg_attribute where attrelid = conrelid and attname = 'organisation_id' and not attisdropped)
        and exists (select from pg_attribute where attrelid = confrelid and attname = 'organisation_id' and not attisdropped) order by 1, 2`
    expect(keys.map(({ from, to }) => `${from} names ${to}`)).toEqual(['budget_codes names financial_reporting_codes'])
  })
  it('has the organisation first in every key of every tenant table, so that the data can be divided by it', async () => {
    const rows = await connectAsOwner(product.config.databaseUrl)<{ name: string; others: string[] }[]>`
      select relname as name, array_agg(indexrelid::regclass::text order by 1) as others
      from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'organisation_id'
      join pg_index on indrelid = pg_class.oid and indisunique and indkey[0] <> attnum
      where relnamespace = 'public'::regnamespace and relkind = 'r' group by 1 order by 1`
    // Tables with national records, and those searched before the organisation is known: if organisations were divided over databases,
    // every database would need them.
    const onEveryPart: Record<string, string> = {
      api_clients: 'found by what they sign in with',
      financial_reporting_codes: 'national records stand beside those of organisations',
      flash_messages: 'messages to everybody stand beside those of organisations',
      images: 'pictures of national records stand beside those of organisations',
      memberships: 'people stand outside of organisations',
      news_articles: 'news for everybody stand beside those of organisations',
      pay_scale_points: 'national scales stand beside those of organisations',
      reference_changes: 'the log of national records stands beside those of organisations',
      reminders: 'people stand outside of organisations',
    }
    expect(rows.map(({ name, others }) => `${name}: ${others.join(', ')}`).filter((row) => !onEveryPart[row.split(':')[0]!])).toEqual([])
    expect(Object.keys(onEveryPart)).toEqual(rows.map(({ name }) => name))
  })
  it('cannot be disabled by the server’s role', async () => {
    const [role] = await connectAsOwner(
      product.config.databaseUrl,
    )`select rolsuper, rolbypassrls, (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned from pg_roles where rolname = 'bursar_app'`
    expect(role).toMatchObject({ rolsuper: false, rolbypassrls: false, owned: 0 })
  })
})

describe('the event log', () => {
  it('can be appended to and read by the server, and nothing else', async () => {
    for (const statement of ['update budget_events set type = type', 'delete from budget_events', 'truncate budget_events'])
      await expect(store.inOrganisation(ours.organisationId, (tx) => tx.execute(sql.raw(statement)))).rejects.toThrow()
  })
  it('refuses change and removal even to the owner of the table', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    for (const statement of ['update budget_events set type = type', 'delete from budget_events', 'truncate budget_events cascade'])
      await expect(owner.unsafe(statement)).rejects.toThrow(/append/i)
  })
  it('contains nobody’s name, number or date of birth', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const staff = (
      await harbour.call('POST', '/api/Staff/list', { pageNumber: 1, pageSize: 5000 }, { OrganisationId: ours.organisationId })
    ).body.rows as { surname: string; employeeNumber: string; email: string; dateOfBirth: string }[]
    const [log] = await owner`select string_agg(data::text, ' ') as text from budget_events`
    const [inputs] = await owner`select string_agg(body, ' ') as text from calculation_inputs`
    for (const member of staff.slice(0, 80))
      for (const secret of [member.email, member.employeeNumber, member.dateOfBirth].filter(Boolean)) {
        expect(log!.text).not.toContain(`"${secret}"`)
        expect(inputs!.text).not.toContain(`"${secret}"`)
      }
  })
})

describe('a user of one trust', () => {
  it('B-002 gets 403 for the whole other organisation', async () => {
    const reply = await meadow.call('POST', '/api/CostCentres/list', {}, { OrganisationId: ours.organisationId })
    expect(reply.status).toBe(403)
  })
  it('B-004 gets 403 or 404 for every id of the other trust, from within their own', async () => {
    const ids = async (path: string, key = 'id') =>
      (
        (await harbour.call('POST', path, { pageNumber: 1, pageSize: 3 }, { OrganisationId: ours.organisationId })).body.rows as Record<
          string,
          unknown
        >[]
      ).map((row) => row[key])
    const own = { OrganisationId: theirs.organisationId }
    for (const name of [
      'BudgetCodes',
      'CostCentres',
      'FundCodes',
      'ContractTypes',
      'AnalysisTags',
      'ServiceTerms',
      'Allowances',
      'StaffAssumptions',
    ])
      for (const id of await ids(`/api/${name}/list`)) {
        expect([403, 404], `${name} ${id}`).toContain((await meadow.call('GET', `/api/${name}/${id}`, undefined, own)).status)
        expect([403, 404], `${name} ${id}`).toContain((await meadow.call('DELETE', `/api/${name}/${id}`, undefined, own)).status)
        expect([403, 404], `${name} ${id}`).toContain(
          (await meadow.call('PUT', `/api/${name}`, { id, [/Codes|Centres|Terms/.test(name) ? 'code' : 'name']: 'STOLEN' }, own)).status,
        )
      }
    for (const id of await ids('/api/Staff/list'))
      expect([403, 404]).toContain((await meadow.call('GET', `/api/Staff/${id}`, undefined, own)).status)
    for (const id of await ids('/api/Budget/paginated', 'mongoId')) {
      expect([403, 404]).toContain((await meadow.call('GET', `/api/Budget/id/${id}`, undefined, own)).status)
      expect([403, 404]).toContain(
        (
          await meadow.call(
            'POST',
            '/api/StaffContract/paginated',
            {},
            { ...own, LocationId: Object.values(theirs.locations)[0]!, BudgetId: toBudgetId(String(id)) },
          )
        ).status,
      )
    }
    expect([403, 404]).toContain(
      (await meadow.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${ours.groupId}`, undefined, own)).status,
    )
  })
  it('limited to one school sees whether that school’s group needs recalculating, and no other group', async () => {
    const manager = await signInAs(product, 'northgate@harbour.example')
    const own = { OrganisationId: ours.organisationId }
    const other = Object.keys(ours.locations).find((alias) => alias !== 'Northgate')!
    const group = (await harbour.call('GET', `/api/BudgetGroup/edit/id/${ours.groupId}`, undefined, own)).body
    const items = group.items.filter((item: { budgetId: BudgetId }) => item.budgetId !== ours.budgets[other])
    await harbour.call('PATCH', '/api/BudgetGroup/items', { id: ours.groupId, items }, own)
    const made = await harbour.call('POST', '/api/BudgetGroup/create', { name: 'Another', items: [{ budgetId: ours.budgets[other] }] }, own)
    expect((await manager.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${made.body.id}`, undefined, own)).status).toBe(404)
    expect(
      (await manager.call('GET', `/api/BudgetGroup/recalculate/staff-contracts/required/${made.body.id}`, undefined, own)).status,
    ).toBe(404)
    expect(
      (await manager.call('GET', `/api/BudgetGroup/recalculate/staff-contracts/required/${ours.groupId}`, undefined, own)).status,
    ).toBe(200)
  })
  it('B-003 limited to one school gets nothing of the other schools', async () => {
    const manager = await signInAs(product, 'northgate@harbour.example')
    const other = Object.keys(ours.locations).find((alias) => alias !== 'Northgate')!
    expect((await manager.call('POST', '/api/StaffContract/paginated', {}, ours.at('Northgate'))).status).toBe(200)
    expect([403, 404]).toContain((await manager.call('POST', '/api/StaffContract/paginated', {}, ours.at(other))).status)
    expect([403, 404]).toContain(
      (await manager.call('GET', `/api/Budget/id/${ours.budgets[other]}`, undefined, { OrganisationId: ours.organisationId })).status,
    )
    const budgets = await manager.call(
      'POST',
      '/api/Budget/paginated/location',
      { ids: Object.values(ours.locations) },
      { OrganisationId: ours.organisationId },
    )
    expect(budgets.body.rows.map((row: { locationId: LocationId }) => row.locationId)).toEqual([ours.locations.Northgate])
  })
})
