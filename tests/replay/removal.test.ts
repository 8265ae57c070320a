import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BudgetId } from '../../domain/values/ids.ts'
import { readStoredBudgetLog } from '../../server/audit/replay/logSource.ts'
import { replayBudget } from '../../server/audit/replay/replayBudget.ts'
import { verifyAllOnce } from '../../server/audit/verify/verifyAll.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { type OutsideAnchor, readAnchors } from '../../server/core/stream/anchorFiles.ts'
import { writeOutsideAnchor } from '../../server/core/stream/anchors.ts'
import { loadDemo } from '../../server/demo/load.ts'
import { findDemo, removeDemo } from '../../server/demo/remove.ts'
import { type BuiltTrust, buildTrust } from '../../server/demo/trust.ts'
import { connectAsOwner, ownerUrl } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { type Caller, findTrustIds, setPasswordByLink, signInAs, signInByPassword } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'

// The demo is removed from an installation that a real trust also uses, in which the demo’s administrator has worked.
const folder = mkdtempSync(join(tmpdir(), 'bursar-removal-'))
const now = new Date('2026-11-24T10:00:00Z')
let product: Product
let store: Store
let real: BuiltTrust
let demoAdministrator: Caller
let administrator: Caller
let anchors: OutsideAnchor[]
const demoIds: number[] = []

const findings = async (outside: readonly OutsideAnchor[]): Promise<string[]> =>
  (await store.asPlatform((tx) => verifyAllOnce(tx, {}, outside))).findings.map(({ problem }) => problem)

/** A digest of each table’s rows that belong to the real trust or are national data. */
async function restOf(): Promise<Record<string, string>> {
  const owner = connectAsOwner(product.config.databaseUrl)
  const tables = await owner<{ name: string; owned: boolean }[]>`select c.relname as name, bool_or(a.attname = 'organisation_id') as owned
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public' join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relname not in ('users', 'sign_ins', 'rate_limits', 'processes') group by 1 order by 1`
  const digests: Record<string, string> = {}
  for (const { name, owned } of tables) {
    // The platform’s own chain is left out, because the removal itself is logged there.
    const which = owned
      ? `where coalesce(organisation_id, 0) = ${real.organisationId}`
      : name === 'organisations'
        ? `where id = ${real.organisationId}`
        : ''
    const [row] = await owner.unsafe(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest from ${name} t ${which}`,
    )
    digests[name] = row!.digest as string
  }
  return digests
}

beforeAll(async () => {
  product = await startProduct()
  store = openStore({ databaseUrl: ownerUrl(product.config.databaseUrl), dataKey: testDataKey }, 3)
  demoAdministrator = await signInAs(product, 'admin@bursar.example')
  const finance = await findTrustIds(await signInAs(product, 'finance@harbour.example'))
  demoIds.push(finance.organisationId)
  const school = { name: 'Oak Primary', alias: 'Oak', authority: 'Kent', region: 4, dfe: '886/2999', contracts: 6 }
  real = await store.asPlatform((tx) =>
    buildTrust({ tx, actor: { userId: null, requestId: 'scale of ours', now } }, { name: 'Oak Trust', schools: [school], seed: 5 }),
  )
  const person = { email: 'ada@oak.example', forename: 'Ada', surname: 'Oak', active: true, isAdministrator: true, organisationIds: [] }
  const made = await demoAdministrator.call('POST', '/api/Users', { ...person, locationIds: [], userGroupIds: [] })
  expect(made.status, made.body).toBe(201)
  administrator = await signInByPassword(product, person.email, await setPasswordByLink(product, demoAdministrator, made.body.id))
  // A user of the demo changes a record of the real trust.
  const location = [...real.locations.values()][0]
  const renamed = await demoAdministrator.call('GET', `/api/Locations/${location}`, undefined, { OrganisationId: real.organisationId })
  const changed = await demoAdministrator.call(
    'PUT',
    '/api/Locations',
    { ...renamed.body, website: 'https://oak.example' },
    { OrganisationId: real.organisationId },
  )
  expect(changed.status, changed.body).toBe(200)
  await writeOutsideAnchor(store, { config: { mail: null }, to: { folder, mailTo: null }, reason: 'command', now })
  anchors = readAnchors(folder, null).anchors
})
afterAll(async () => {
  await store?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('removing the demo', () => {
  it('is announced beforehand: two trusts, six users of whom one has changed a remaining record, and one remaining organisation', async () => {
    const found = await store.asPlatform(findDemo)
    expect(found.trusts.map(({ name, clients }) => [name, clients])).toEqual([
      ['Harbour Learning Trust', 1],
      ['Meadow Schools Trust', 1],
    ])
    expect(found.people.filter(({ isKept }) => isKept).map(({ email }) => email)).toEqual(['admin@bursar.example'])
    expect([found.people.length, found.others]).toEqual([6, 1])
    demoIds.splice(0, 1, ...found.trusts.map(({ id }) => id))
  })
  it('leaves nothing of it, and national data and the real trust exactly as they were', async () => {
    const before = await restOf()
    await removeDemo(store, now)
    expect(await restOf()).toEqual(before)
    const owner = connectAsOwner(product.config.databaseUrl)
    const tables = await owner<{ name: string }[]>`select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'organisation_id'`
    expect(tables.length).toBeGreaterThan(50)
    const left: string[] = []
    for (const { name } of tables) {
      const [row] = await owner.unsafe(`select count(*)::integer as rows from ${name} where organisation_id in (${demoIds.join(',')})`)
      if (row!.rows) left.push(`${name}: ${row!.rows}`)
    }
    expect(left).toEqual([])
    const people =
      await owner`select email, active, is_administrator as administrator, password_hash is null as without from users order by id`
    expect(people).toEqual([
      { email: 'admin@bursar.example', active: false, administrator: false, without: true },
      { email: 'ada@oak.example', active: true, administrator: true, without: false },
    ])
  })
  it('passes every verification, with earlier anchors: the platform’s chain records what was removed', async () => {
    expect(await findings(anchors)).toEqual([])
    const { removed } = await store.asPlatform((tx) => verifyAllOnce(tx, {}, anchors))
    expect(removed.map(({ organisationId, name }) => [organisationId, name])).toEqual([
      [demoIds[0], 'Harbour Learning Trust'],
      [demoIds[1], 'Meadow Schools Trust'],
    ])
    const [budget] = await connectAsOwner(product.config.databaseUrl)<{ id: BudgetId }[]>`select id from budgets limit 1`
    const replayed = await store.asPlatform(async (tx) =>
      replayBudget(await readStoredBudgetLog(tx, real.organisationId, budget!.id), tx, Number.POSITIVE_INFINITY),
    )
    expect(replayed.findings).toEqual([])
  })
  it('leaves the logs append-only for everybody again', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    for (const table of ['budget_events', 'reference_changes', 'log_chain', 'calculation_inputs'])
      await expect(owner.unsafe(`delete from ${table}`), table).rejects.toThrow(/append only/)
    const [resting] = await owner`select count(*)::integer as count from pg_trigger where tgenabled = 'D'`
    expect(resting!.count).toBe(0)
  })
  it('ends its users’ access at once, and the real administrator continues', async () => {
    await expect(signInByPassword(product, 'finance@harbour.example')).rejects.toThrow('Sign-in refused')
    const organisations = await administrator.call('POST', '/api/Organisations/list', { pageNumber: 1, pageSize: 50 })
    expect(organisations.body.rows.map(({ name }: { name: string }) => name)).toEqual(['Oak Trust'])
  })
  it('is permanent: the next start does not load the demo again, and a second removal finds nothing', async () => {
    expect(await loadDemo(store)).toBeNull()
    expect((await store.asPlatform(findDemo)).trusts).toEqual([])
  })
})

describe('a removed organisation', () => {
  it('is reported missing if its removal was not logged, or if an anchor has more of it than the log says', async () => {
    const { chains } = anchors.at(-1)!
    const longer = chains.map((chain) => (chain.organisationId === demoIds[0] ? { ...chain, sequence: chain.sequence + 1 } : chain))
    expect(await findings([{ ...anchors.at(-1)!, chains: longer }])).toEqual([
      expect.stringMatching(
        /Organisation \d+ \(Harbour Learning Trust\) was removed on .* but the anchor of .* outside the database records link/,
      ),
    ])
    const other = chains.map((chain) => (chain.organisationId === demoIds[0] ? { ...chain, hash: 'another' } : chain))
    expect(await findings([{ ...anchors.at(-1)!, chains: other }])).toEqual([expect.stringContaining('has a different last link')])
  })
  it('is found if something of it was put back, and so is a changed record of its removal', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    await owner`insert into monitoring_events (organisation_id, location_id, version, type, data, request_id, occurred_at, previous_hash, hash)
      values (${demoIds[0]!}, 1, 1, 'Invented', '{}', 'x', now(), repeat('0', 64), repeat('1', 64))`
    expect(await findings(anchors)).toEqual([
      expect.stringContaining('monitoring_events still has 1 of its rows: they were added afterwards.'),
    ])
    await owner.begin(async (tx) => {
      await tx`alter table monitoring_events disable trigger append_only`
      await tx`delete from monitoring_events where organisation_id = ${demoIds[0]!}`
      await tx`alter table monitoring_events enable trigger append_only`
    })
    expect(await findings(anchors)).toEqual([])
    await owner.begin(async (tx) => {
      await tx`alter table reference_changes disable trigger append_only`
      await tx`delete from reference_changes where resource = 'removedOrganisation' and record_id = ${String(demoIds[1]!)}`
      await tx`alter table reference_changes enable trigger append_only`
    })
    expect(await findings(anchors)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/Change \d+ of the platform is in its chain but not in the change log\./),
        expect.stringMatching(new RegExp(`chain of organisation ${demoIds[1]}, which ends at 0: it has since been cut`)),
      ]),
    )
  })
})
