import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { allResources } from '../../domain/resources/all.ts'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import { databaseRefusal, mayTryAgain } from '../core/database/errors.ts'
import { root } from '../core/root.ts'
import { certificateInWords, refuseOtherData } from './databaseChecks.ts'
import { prepareQueue, prepareServerRole, restoreRights } from './roles.ts'
import { randomSecret } from './secrets.ts'

/** Where the migrations of this version stand. */
export const migrationsFolder = join(root, 'drizzle/migrations')

interface Journal {
  entries: { when: number; tag: string }[]
}

/** How long a statement of a migration waits for a table that calls are at: whoever comes after it waits behind it. */
const lockTimeoutMs = 3000
/** How often a migration is tried that came to no table in that time, and the rest between two. */
const migrationTries = 30
const betweenTriesMs = 1000

const journal = (): Journal => JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8'))

/** The tables of national reference data: one version for all tenants. */
const nationalTables = allResources.filter((resource) => resource.scope === 'global').map((resource) => resource.table)

/** Who the staff are; and everything else that figures and lists are made of, without what people write to each other. */
const staffTables = ['staff_members', 'vault_keys']
const messages = ['FlashMessage', 'NewsArticle', 'Assist', 'Reminder', 'StaffMember']
const referenceTables = [
  ...allResources.filter((resource) => !messages.includes(resource.key)).map((resource) => resource.table),
  'alt_descriptions',
]

/**
 * Brings a database to the newest migration, as its owner; servers that start together wait for each other.
 * @param serverPassword of the role as which servers and workers sign in
 * @param from the folder of the migrations, where they are those of another version
 * @returns the address with which servers and workers sign in
 * @throws Error with one sentence when the data was written by a newer version, which this one would not understand
 */
export async function migrateDatabase(url: string, serverPassword = randomSecret(), from = migrationsFolder): Promise<string> {
  const client = postgres(url, { max: 1, onnotice: () => undefined, connection: { 'app.migrating': 'yes' } })
  try {
    await client`select pg_advisory_lock(${advisoryLocks.migrating})`.catch(certificateInWords)
    await refuseOtherData(client)
    const serverUrl = await prepareServerRole(client, url, serverPassword)
    await migrateBesideCalls(client, from)
    await client`select secure_tables(${nationalTables})`
    await client`select count_changes('reference', ${referenceTables}), count_changes('staff', ${staffTables})`
    await restoreRights(client)
    await prepareQueue(url)
    return serverUrl
  } finally {
    await client.end({ timeout: 5 })
  }
}

/**
 * Runs the missing migrations in one transaction while the version before goes on answering calls. It waits a few seconds at most for a lock
 * on a table; if it does not get one, it is rolled back as a whole and tried again. Calls that need a table it has locked wait until it ends, so
 * a migration that takes long on large tables needs a quiet hour, as docs/operators/upgrades.md says.
 */
async function migrateBesideCalls(client: postgres.Sql, from: string): Promise<void> {
  await client`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, false)`
  for (let left = migrationTries; ; left--)
    try {
      await migrate(drizzle(client), { migrationsFolder: from })
      break
    } catch (error) {
      // 55P03 is `lock_not_available`, or two stood in each other's way.
      if (left <= 1 || !(databaseRefusal(error)?.code === '55P03' || mayTryAgain(error))) throw error
      await wait(betweenTriesMs)
    }
  await client`select set_config('lock_timeout', '0', false)`
}

/** The newest migration that this version knows, as the database writes it down. */
export function newestMigration(): number {
  return Math.max(...journal().entries.map((entry) => entry.when))
}

/**
 * Makes the tables of an empty database as they were when this migration was the newest.
 * @param last as the database writes migrations down
 */
export async function migrateTo(url: string, serverPassword: string, last: number): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => undefined, connection: { 'app.migrating': 'yes' } })
  const until = mkdtempSync(join(tmpdir(), 'bursar-migrations-'))
  try {
    const { entries, ...others } = journal()
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
