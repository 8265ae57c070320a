import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { resources } from '../../domain/resources/all.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import type { RowScope } from '../../server/core/calls/scope.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { loadDemo } from '../../server/demo/load.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { startPostgres } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { editRecords } from '../../server/resources/commands.ts'
import { importRows } from '../../server/resources/import/commands.ts'
import * as queries from '../../server/resources/queries.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { readProcessorSeconds } from './processor.ts'

const rows = 20_000
/** The longest that the edit may take. */
const mostSeconds = 5

/**
 * `npm run bench -- bulk`: imports as many records as one call accepts, imports them again with a change, and edits them, each in a
 * committed transaction. Prints the number of statements.
 * @returns whether the edit took less than five seconds
 */
export async function bulk(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'))
  const server = await startPostgres(folder)
  try {
    await migrateDatabase(server.url)
    const store = openStore({ databaseUrl: server.url, dataKey: testDataKey }, 4)
    await loadDemo(store)
    const [first] = await store.asPlatform((tx) => tx.execute<{ id: OrganisationId }>(sql`select min(id) as id from organisations`))
    const edited = await bulkWork(store, first!.id)
    await store.close()
    if (edited >= mostSeconds) console.log(`The edit took more than ${mostSeconds} s.`)
    return edited < mostSeconds
  } finally {
    await server.stop()
    removeDataFolders(folder)
  }
}

/** @returns the seconds that the edit took */
async function bulkWork(store: Store, organisationId: OrganisationId): Promise<number> {
  const scope: RowScope = { organisationId, locationIds: null, isAdministrator: false }
  const actor = { userId: null, requestId: 'bench', now: new Date() }
  const file = (words: string) =>
    Array.from({ length: rows }, (_unused, n) => ({
      Type: 'Expenditure',
      Code: `B${n}`,
      Description: `${words} ${n}`,
      Category: 'Non-staffing',
    }))
  let statements = 0
  store.client.options.debug = () => {
    statements++
  }
  const processor = await readProcessorSeconds(store.client)
  const timed = async (what: string, work: (tx: Parameters<Parameters<Store['inOrganisation']>[1]>[0]) => Promise<unknown>) => {
    statements = 0
    const [began, used] = [performance.now(), processor()]
    await store.inOrganisation(organisationId, work)
    const seconds = (performance.now() - began) / 1000
    const busy = (processor() - used).toFixed(1)
    console.log(
      `${what.padEnd(58)} ${seconds.toFixed(1).padStart(7)} s, ${busy} s of processor, ${String(statements).padStart(4)} statements`,
    )
    return seconds
  }
  const codes = resources.budgetCode
  await timed('20,000 budget codes imported', (tx) => importRows({ tx, resource: codes, scope, actor }, file('Code')))
  await timed('imported again, each with another description', (tx) =>
    importRows({ tx, resource: codes, scope, actor }, file('Other code')),
  )
  const ids = await store.inOrganisation(organisationId, (tx) =>
    queries.resolveRecordIds({ tx, scope }, codes, { state: { selectAll: true, toggledNodes: [] }, search: 'Other code' }),
  )
  return timed(`${ids.length.toLocaleString('en-GB')} of them edited at once`, (tx) =>
    editRecords({ tx, resource: codes, scope, actor }, ids, { description: 'One description' }),
  )
}
