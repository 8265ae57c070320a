import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import postgresClient from 'postgres'
import { readDatabaseUrl, readDataKey, SettingError } from '../core/config.ts'
import { openStore, type Store } from '../core/database/database.ts'
import { root } from '../core/root.ts'
import { env } from '../core/settings.ts'
import { readRowVisibility } from './databaseChecks.ts'
import { describeLockHolder, findLockHolder, lockDataFolder } from './lock.ts'
import { startPostgres } from './postgres.ts'
import { ensureSecret, findSecret } from './secrets.ts'

/** The data folder: `DATA_DIR`, or `.data` beside the program. */
export function findDataFolder(): string {
  return resolve(env.DATA_DIR || join(root, '.data'))
}

/** The folder of anchors; null if `DATABASE_URL` is set but `DATA_DIR` is not. */
export function findAnchorsFolder(): string | null {
  return env.DATABASE_URL && !env.DATA_DIR ? null : join(findDataFolder(), 'anchors')
}

/**
 * Opens the database for a tool that must see all organisations.
 * @param tool the tool's command, for messages
 * @throws Error as `withDatabase`; SettingError if the database would hide all organisations
 */
export function withWholeDatabase<T>(tool: string, work: (store: Store, databaseUrl: string) => Promise<T>): Promise<T> {
  return withDatabase(tool, async (store, databaseUrl) => {
    await assertSeesAll(store)
    return work(store, databaseUrl)
  })
}

/**
 * Opens the database for a tool: that of `DATABASE_URL`, otherwise that of the data folder. If Bursar runs on the folder, the tool uses the
 * running database; if not, the embedded PostgreSQL runs for as long as the tool needs it.
 * @param tool the tool's command, for messages
 * @throws Error if there is no data yet, or another process holds the folder
 */
export function withDatabase<T>(tool: string, work: (store: Store, databaseUrl: string) => Promise<T>): Promise<T> {
  return withDatabaseUrl(tool, (url) => withStore(url, readToolDataKey(), (store) => work(store, url)))
}

/** Like `withDatabase`, but passes only the database's address with the owner's role. */
export async function withDatabaseUrl<T>(tool: string, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const configuredUrl = readDatabaseUrl(env)
  if (configuredUrl) return work(configuredUrl)
  const folder = findDataFolder()
  const holder = existsSync(folder) ? findLockHolder(folder) : null
  if (!holder && !existsSync(join(folder, 'postgres')))
    throw new Error(`There is no data in ${folder} yet. Run npm start first, set DATA_DIR, or set DATABASE_URL.`)
  if (holder?.databaseUrl && !holder.tool) {
    await assertServesFolder(holder.databaseUrl, folder)
    return work(holder.databaseUrl)
  }
  if (holder && !holder.tool) throw new Error(`Bursar is just starting on ${folder} (process ${holder.pid}). Try again when it is ready.`)
  if (holder) throw new Error(describeLockHolder(holder, folder))
  return withEmbeddedDatabase(tool, folder, work)
}

/**
 * Provides a database for a tool that fills an empty one: that of `DATABASE_URL`, otherwise that of the data folder, which is created if it
 * is missing.
 * @throws Error if a process holds the folder
 */
export async function withDatabaseToFill<T>(tool: string, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const configuredUrl = readDatabaseUrl(env)
  if (configuredUrl) return work(configuredUrl)
  const folder = findDataFolder()
  mkdirSync(folder, { recursive: true })
  return withEmbeddedDatabase(tool, folder, work)
}

/** @throws Error if a process holds the folder */
async function withEmbeddedDatabase<T>(tool: string, folder: string, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const lock = lockDataFolder(folder, 0, tool)
  try {
    const postgres = await startPostgres(folder)
    try {
      return await work(postgres.url)
    } finally {
      await postgres.stop()
    }
  } finally {
    lock.release()
  }
}

/** Reads the secret that decrypts the keys in the database; null if it is not set, which most tools accept. */
export function readToolDataKey(): string | null {
  if (env.DATA_KEY) return readDataKey(env)
  return findSecret(findDataFolder(), 'dataKey')
}

/** Returns the password of the role of servers and workers. @throws Error if it is not set, but `DATABASE_URL` is */
export function readServerPassword(folder: string): string {
  const { DATABASE_APP_PASSWORD: password, DATABASE_URL: url } = env
  if (password) return password
  if (url) throw new Error('DATABASE_APP_PASSWORD is not set. Choose the password with which servers and workers sign in to the database.')
  return ensureSecret(folder, 'databaseServer')
}

export async function withStore<T>(databaseUrl: string, dataKey: string | null, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore({ databaseUrl, dataKey }, 4)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** @throws SettingError if the tool may not see the rows of all organisations: it would report that everything was deleted */
async function assertSeesAll(store: Store): Promise<void> {
  const { seesAll, isOlder } = await readRowVisibility(store)
  if (seesAll) return
  throw new SettingError(
    isOlder
      ? 'The data is from an earlier version. Run the migrations first: npm start does so, as does the migrate service of a deployment.'
      : 'This tool cannot see any organisation, because it does not have the DATA_KEY of the servers. Set it, or set DATABASE_URL as for migrate.',
  )
}

/** @throws Error if the database that a lock file names serves another folder */
async function assertServesFolder(databaseUrl: string, folder: string): Promise<void> {
  const data = join(folder, 'postgres')
  if (!existsSync(join(data, 'postmaster.pid'))) return
  const client = postgresClient(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    // Only the owner may read this setting.
    const [row] = await client<{ served: string }[]>`select setting as served from pg_settings where name = 'data_directory'`
    if (row && existsSync(row.served) && realpathSync(row.served) !== realpathSync(data))
      throw new Error(`The database that bursar.lock in ${folder} names serves ${row.served}. Stop what runs there, or set DATABASE_URL.`)
  } finally {
    await client.end({ timeout: 5 })
  }
}
