import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { resources } from '../../domain/resources/all.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import type { RowScope } from '../../server/core/calls/scope.ts'
import { type OrganisationTx, openStore } from '../../server/core/database/database.ts'
import { loadDemo } from '../../server/demo/load.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { startPostgres } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { importRows } from '../../server/resources/import/commands.ts'
import * as queries from '../../server/resources/queries.ts'
import { testDataKey } from '../support/product/dataKey.ts'

const { budgetCode } = resources
const rows = 100_000
const turns = 5

/**
 * Measures lists over 100,000 rows of one organisation, compared with a plain count, and an import of 5,000 rows, on the embedded database.
 */
export async function lists(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'))
  const server = await startPostgres(folder)
  try {
    await migrateDatabase(server.url)
    const store = openStore({ databaseUrl: server.url, dataKey: testDataKey }, 4)
    await loadDemo(store)
    const [{ id }] = (await store.asPlatform((tx) =>
      tx.execute<{ id: OrganisationId }>(sql`select min(id) as id from organisations`),
    )) as unknown as [{ id: OrganisationId }]
    const scope: RowScope = { organisationId: id, locationIds: null, isAdministrator: false }
    const inside = <T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> => store.inOrganisation(id, work)
    const actor = { userId: null, requestId: 'bench', now: new Date() }
    const file = Array.from({ length: 5000 }, (_unused, n) => ({
      Type: 'Expenditure',
      Code: `B${n}`,
      Description: `Imported code ${n}`,
      Category: 'Non-staffing',
    }))
    for (const words of ['5,000 budget codes imported', 'imported again, nothing changed']) {
      const began = performance.now()
      await inside((tx) => importRows({ tx, resource: budgetCode, scope, actor }, file))
      console.log(`${words.padEnd(44)} ${(performance.now() - began).toFixed(0).padStart(8)} ms`)
    }
    await store.asPlatform((tx) =>
      tx.execute(sql`insert into budget_codes (organisation_id, code, type, description, category)
        select ${id}, 'L' || n, 1 + n % 2, 'Code number ' || n || ' of a very large chart', 2 from generate_series(1, ${rows}) n`),
    )
    const request = { pageNumber: 1, pageSize: 50, sort: null, sortDirection: 'asc' as const }
    const ways: Record<string, (tx: OrganisationTx) => Promise<unknown>> = {
      'a plain count': (tx) => tx.execute(sql`select count(*) from budget_codes where organisation_id = ${id}`),
      'the first page': (tx) => queries.listRecords({ tx, scope }, budgetCode, request),
      'a page in the middle, sorted by description': (tx) =>
        queries.listRecords({ tx, scope }, budgetCode, { ...request, sort: 'description', pageNumber: 1000 }),
      'a search that few rows meet': (tx) => queries.listRecords({ tx, scope }, budgetCode, { ...request, search: '99999' }),
      'a search that all rows meet': (tx) => queries.listRecords({ tx, scope }, budgetCode, { ...request, search: 'large chart' }),
      'a filter on the type': (tx) =>
        queries.listRecords({ tx, scope }, budgetCode, { ...request, filters: [{ filter: 'type', filterType: 'set', values: [1] }] }),
    }
    const best = new Map<string, number>()
    for (let turn = 0; turn < turns; turn++)
      for (const [name, way] of Object.entries(ways)) {
        const began = performance.now()
        await inside(way)
        best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, performance.now() - began))
      }
    const count = best.get('a plain count')!
    console.log(`\nLists over ${rows.toLocaleString('en-GB')} rows of one organisation, best of ${turns} turns side by side`)
    for (const [name, ms] of best)
      console.log(`${name.padEnd(44)} ${ms.toFixed(1).padStart(8)} ms  ${(ms / count).toFixed(2).padStart(7)} × a plain count`)
    await store.close()
  } finally {
    await server.stop()
    removeDataFolders(folder)
  }
}
