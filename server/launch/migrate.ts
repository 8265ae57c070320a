import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { allResources } from '../../domain/resources/all.ts'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import { isTransactionConflict, toDatabaseRefusal } from '../core/database/errors.ts'
import { root } from '../core/root.ts'
import { assertDataVersion, rethrowCertificateError } from './databaseChecks.ts'
import { prepareQueue, prepareServerRole, restoreServerRights } from './roles.ts'
import { generateSecret } from './secrets.ts'

export const migrationsFolder = join(root, 'drizzle/migrations')

interface Journal {
  entries: { when: number; tag: string }[]
}

/**
 * How long a statement of a migration waits for a table lock. Calls that need the table, or one already locked, wait behind it. It is
 * shorter than PostgreSQL’s `deadlock_timeout` (1 s), so that in a deadlock the migration is rolled back rather than a call.
 */
const lockTimeoutMs = 900
/** How often to try a migration that did not get its locks, and the pause between attempts. */
const migrationTries = 60
const retryDelayMs = 1000

const readJournal = (folder = migrationsFolder): Journal => JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'))

const nationalTables = allResources.filter((resource) => resource.scope === 'global').map((resource) => resource.table)

/** The tables whose changes increment the counters in `data_versions`: staff, and all reference data except messages to users. */
const staffTables = ['staff_members', 'vault_keys']
const uncountedResources = ['FlashMessage', 'NewsArticle', 'Assist', 'Reminder', 'StaffMember']
const referenceTables = [
  ...allResources.filter((resource) => !uncountedResources.includes(resource.key)).map((resource) => resource.table),
  'alt_descriptions',
]

/**
 * Migrates a database to the newest version, with the owner's role. Servers that start together wait for each other.
 * @param serverPassword password of the role used by servers and workers; null leaves the role as it is
 * @param from the folder of migrations; by default this version's
 * @returns the address with which servers and workers sign in
 * @throws Error with one sentence if the data was written by a newer version
 */
export async function migrateDatabase(
  url: string,
  serverPassword: string | null = generateSecret(),
  from = migrationsFolder,
): Promise<string> {
  const client = postgres(url, { max: 1, onnotice: () => undefined, connection: { 'app.migrating': 'yes' } })
  try {
    await client`select pg_advisory_lock(${advisoryLocks.migrating})`.catch(rethrowCertificateError)
    await assertDataVersion(client, readNewestMigration(from))
    const serverUrl = await prepareServerRole(client, url, serverPassword)
    await migrateWithRetries(client, from)
    await client`select secure_tables(${nationalTables})`
    await client`select count_changes('reference', ${referenceTables}), count_changes('staff', ${staffTables})`
    await restoreServerRights(client)
    await prepareQueue(url)
    return serverUrl
  } finally {
    await client.end({ timeout: 5 })
  }
}

/**
 * Runs missing migrations in one transaction, while the previous version may still answer calls. It waits a moment for each table
 * lock, then rolls back and tries again. Calls wait for the tables that it has locked, so run long migrations when few people work
 * (docs/operators/upgrades.md).
 */
async function migrateWithRetries(client: postgres.Sql, from: string): Promise<void> {
  await client`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, false)`
  for (let triesLeft = migrationTries; ; triesLeft--)
    try {
      await migrate(drizzle(client), { migrationsFolder: from })
      break
    } catch (error) {
      // 55P03 is `lock_not_available`; deadlocks and similar conflicts can be retried too.
      if (triesLeft <= 1 || !(toDatabaseRefusal(error)?.code === '55P03' || isTransactionConflict(error))) throw error
      await wait(retryDelayMs)
    }
  await client`select set_config('lock_timeout', '0', false)`
}

/**
 * The time of the newest migration, in milliseconds, by which the database identifies it.
 * @param folder the migrations of another version; by default this version's
 */
export function readNewestMigration(folder = migrationsFolder): number {
  return Math.max(...readJournal(folder).entries.map((entry) => entry.when))
}

/**
 * Creates the tables of an empty database as an older version had them.
 * @param last the time of that version's newest migration, as `readNewestMigration` returns it
 */
export async function createTablesAsOf(url: string, serverPassword: string | null, last: number): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => undefined, connection: { 'app.migrating': 'yes' } })
  const until = mkdtempSync(join(tmpdir(), 'bursar-migrations-'))
  try {
    const { entries, ...others } = readJournal()
    const wanted = entries.filter((entry) => entry.when <= last)
    mkdirSync(join(until, 'meta'))
    writeFileSync(join(until, 'meta/_journal.json'), JSON.stringify({ ...others, entries: wanted }))
    for (const { tag } of wanted) cpSync(join(migrationsFolder, `${tag}.sql`), join(until, `${tag}.sql`))
    await prepareServerRole(client, url, serverPassword)
    await migrate(drizzle(client), { migrationsFolder: until })
  } finally {
    rmSync(until, { recursive: true, force: true })
    await client.end({ timeout: 5 })
  }
}
