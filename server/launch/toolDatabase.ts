import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import postgresClient from 'postgres'
import { databaseUrlOf, dataKeyOf } from '../core/config.ts'
import { openStore, type Store } from '../core/database/database.ts'
import { holdLock, refusal, runningOn } from './lock.ts'
import { startPostgres } from './postgres.ts'
import { keptSecret } from './secrets.ts'

const root = resolve(import.meta.dirname, '../..')

/** The data folder of this copy: `DATA_DIR`, else `.data` beside the program. */
export function dataFolderOf(): string {
  return resolve(process.env.DATA_DIR ?? join(root, '.data'))
}

/**
 * Opens the database for a tool: `DATABASE_URL`, else that of the data folder and no other. Where a start serves the folder, its database is
 * asked; else the embedded PostgreSQL is started on it, on a port of its own, for as long as the tool needs it.
 * @param tool what people call it
 * @throws Error when there is no data yet, or when the folder is held by something that cannot be asked
 */
export async function withDatabase<T>(tool: string, work: (store: Store, databaseUrl: string) => Promise<T>): Promise<T> {
  const given = databaseUrlOf(process.env)
  if (given) return withStore(given, work)
  const folder = dataFolderOf()
  const held = existsSync(folder) ? runningOn(folder) : null
  if (!held && !existsSync(join(folder, 'postgres')))
    throw new Error(`There is no data in ${folder} yet. Run npm start first, set DATA_DIR, or set DATABASE_URL.`)
  if (held?.databaseUrl && !held.tool) {
    await refuseOtherData(held.databaseUrl, folder)
    return withStore(held.databaseUrl, work)
  }
  if (held && !held.tool) throw new Error(`Bursar is just starting on ${folder} (process ${held.pid}). Try again when it is ready.`)
  if (held) throw new Error(refusal(held, folder))
  const lock = holdLock(folder, 0, tool)
  try {
    const postgres = await startPostgres(folder)
    try {
      return await withStore(postgres.url, work)
    } finally {
      await postgres.stop()
    }
  } finally {
    lock.release()
  }
}

/** The secret that opens the keys of a data folder; null where a tool was given none, and none is needed for most. */
function dataKeyIn(folder: string): string | null {
  if (process.env.DATA_KEY) return dataKeyOf(process.env)
  return keptSecret(folder, 'dataKey')
}

async function withStore<T>(url: string, work: (store: Store, databaseUrl: string) => Promise<T>): Promise<T> {
  const store = openStore({ databaseUrl: url, dataKey: dataKeyIn(dataFolderOf()) }, 4)
  try {
    return await work(store, url)
  } finally {
    await store.close()
  }
}

/** What a tool says of a folder must be true of that folder: an embedded database that serves another is not asked. @throws Error when it does */
async function refuseOtherData(databaseUrl: string, folder: string): Promise<void> {
  const data = join(folder, 'postgres')
  if (!existsSync(join(data, 'postmaster.pid'))) return
  const client = postgresClient(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    // Only the owner of a server is told where its data lie.
    const [row] = await client<{ served: string }[]>`select setting as served from pg_settings where name = 'data_directory'`
    if (row && existsSync(row.served) && realpathSync(row.served) !== realpathSync(data))
      throw new Error(`The database that bursar.lock in ${folder} names serves ${row.served}. Stop what runs there, or set DATABASE_URL.`)
  } finally {
    await client.end({ timeout: 5 })
  }
}
