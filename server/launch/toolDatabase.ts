import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openStore, type Store } from '../store/database.ts'
import { runningOn } from './lock.ts'
import { startPostgres } from './postgres.ts'

const root = resolve(import.meta.dirname, '../..')

/**
 * Opens the database for a tool: `DATABASE_URL`, else the one of the start that runs, else the embedded one for as long as the tool needs it.
 * @throws Error when there is no data yet
 */
export async function withDatabase<T>(work: (store: Store, databaseUrl: string) => Promise<T>): Promise<T> {
  const folder = resolve(process.env.DATA_DIR ?? join(root, '.data'))
  const given = process.env.DATABASE_URL ?? runningOn(folder)?.databaseUrl
  if (!given && !existsSync(join(folder, 'postgres'))) throw new Error('There is no data yet. Run npm start first, or set DATABASE_URL.')
  const postgres = given ? null : await startPostgres(folder)
  const url = given ?? postgres!.url
  const store = openStore(url, 4)
  try {
    return await work(store, url)
  } finally {
    await store.close()
    await postgres?.stop()
  }
}
