import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { openStore } from '../../server/core/database/database.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { type Caller, findTrustIds, signInAs } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { poolerConnections } from '../support/running/pgBouncer.ts'
import { startServerProcess } from '../support/running/serverProcess.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Runs in the project `pooler` only, which starts PgBouncer in front of the test databases. */
describe.runIf(process.env.POOLER)('behind PgBouncer in transaction mode', () => {
  let product: Product
  let callers: { caller: Caller; organisationId: OrganisationId; staff: string }[]

  const listStaff = (caller: Caller, organisationId: OrganisationId) =>
    caller.call('POST', '/api/Staff/list', { pageSize: 20, pageNumber: 1 }, { OrganisationId: organisationId })

  beforeAll(async () => {
    product = await startProduct()
    const beside = await startServerProcess({ beside: product })
    const people = [
      { server: product, email: 'finance@harbour.example' },
      { server: beside, email: 'finance@meadow.example' },
    ]
    callers = await Promise.all(
      people.map(async ({ server, email }) => {
        const caller = await signInAs(server, email)
        const { organisationId } = await findTrustIds(caller)
        return { caller, organisationId, staff: JSON.stringify((await listStaff(caller, organisationId)).body.rows) }
      }),
    )
    expect(callers[0]!.staff).not.toBe(callers[1]!.staff)
  })

  it('two servers share fewer connections than either opens, and no transaction sees the scope of another', async () => {
    const { databaseUrl, databaseDirectUrl } = product.config
    expect(databaseDirectUrl).not.toBe(null)
    expect(new URL(databaseUrl).host).not.toBe(new URL(databaseDirectUrl!).host)
    const owner = connectAsOwner(databaseUrl)
    const calls = Array.from({ length: 120 }, async (_unused, index) => {
      const [mine, other] = [callers[index % 2]!, callers[1 - (index % 2)]!]
      const [seen, refused] = await Promise.all([listStaff(mine.caller, mine.organisationId), listStaff(mine.caller, other.organisationId)])
      return [seen.status, JSON.stringify(seen.body.rows) === mine.staff, refused.status]
    })
    expect(new Set((await Promise.all(calls)).map(String))).toEqual(new Set(['200,true,403']))
    const [open] = await owner<{ shared: number }[]>`select count(*)::integer as shared from pg_stat_activity
      where datname = current_database() and usename = 'bursar_app' and application_name = 'postgres.js'`
    expect(open!.shared).toBeGreaterThan(0)
    expect(open!.shared).toBeLessThanOrEqual(poolerConnections)
  })

  it('a connection that is given back keeps neither an organisation nor a time limit', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const [limit] = await owner<{ most: string }[]>`show statement_timeout`
    const store = openStore(product.config, 2, 'jobs')
    const read = () =>
      store.client<{ scope: string | null; most: string }[]>`select current_setting('app.organisation_id', true) as scope,
      current_setting('statement_timeout') as most`
    const within = await store.asPlatform(async (tx) => tx.execute<{ most: string }>("select current_setting('statement_timeout') as most"))
    expect(within[0]?.most).toBe('10min')
    for (const row of (await Promise.all(Array.from({ length: 10 }, read))).flat())
      expect([row.scope || null, row.most]).toEqual([null, Object.values(limit!)[0]])
    await store.close()
  })
})
