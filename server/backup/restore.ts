import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client, type DatabaseError } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import { oldestMigration } from '../launch/databaseChecks.ts'
import { createTablesAsOf, migrateDatabase, readNewestMigration } from '../launch/migrate.ts'
import { requirePlatformKey, withOwnerConnection } from '../launch/sealKeys.ts'
import { type BackupEnd, type BackupHead, type BackupReader, type BackupSeal, openBackup } from './backupFile.ts'
import { countRows, createKeyFingerprint, quoteColumns } from './dump.ts'

export interface RestoreResult {
  head: BackupHead
  rows: number
  dataKey: string | null
  /** The folder to which the anchors were restored; null if there were none, or no folder. */
  anchors: string | null
}

export class DatabaseNotEmptyError extends Error {
  constructor() {
    super('This database already contains data. Restore into an empty one: another DATA_DIR, or another database.')
  }
}

/**
 * Restores a backup into an empty database: creates the tables as of its migration, loads the rows, then applies newer migrations. If it
 * fails, the database remains empty.
 * @param databaseUrl address with the owner's role
 * @param serverPassword password of the role used by servers and workers; null leaves the role as it is
 * @param dataKey the secret of this installation; null if it has none yet
 * @param folder the data folder, where anchors are restored
 * @param isUntouched also refuses a database with the reference data that every new installation contains
 * @throws Error with one sentence that says why it is not possible
 */
export async function restoreBackup(
  file: string,
  to: { databaseUrl: string; serverPassword: string | null; dataKey: string | null; folder: string | null; isUntouched?: boolean },
  seal: BackupSeal,
): Promise<RestoreResult> {
  const { head, reader } = await openBackup(file, seal)
  const dataKey = requireMatchingKey(head, to.dataKey)
  if (head.migration > readNewestMigration())
    throw new Error(`This backup was made by a newer version of Bursar (${head.product}). Restore it with that version, or a newer one.`)
  if (head.migration < oldestMigration)
    throw new Error(
      `This backup was made by a version of Bursar from before 24 November 2026 (${head.product}). Restore it with commit 56b0564 of Bursar, then make a new backup.`,
    )
  const client = new Client({ connectionString: to.databaseUrl })
  await client.connect()
  let rows = 0
  try {
    // A concurrent restore waits here, then finds that the database is no longer empty.
    await client.query(`select pg_advisory_lock(${advisoryLocks.filling})`)
    const areTablesReady = await prepareTables(client, head.migration, to.isUntouched ? [...tablesInUse, 'reference_changes'] : tablesInUse)
    if (!areTablesReady) await createTablesAsOf(to.databaseUrl, to.serverPassword, head.migration)
    rows = await loadTables(client, reader)
    // Migrate even if the tables were ready: an earlier restore may have failed after creating them and before the servers got their
    // rights.
    await migrateDatabase(to.databaseUrl, to.serverPassword)
    await client.query('analyze')
  } finally {
    await client.end()
  }
  if (dataKey) await withOwnerConnection(to.databaseUrl, (owner) => requirePlatformKey(owner, dataKey, { from: 'now' }))
  return { head, rows, dataKey, anchors: to.folder && restoreAnchors(head, to.folder) }
}

/**
 * @returns the given key, or that of the backup; null if there is neither and the backup needs none
 * @throws Error if it would not decrypt the keys in the backup
 */
function requireMatchingKey({ keyMark, secrets }: BackupHead, givenKey: string | null): string | null {
  const key = givenKey ?? secrets?.dataKey ?? null
  if (!keyMark || (key && createKeyFingerprint(key) === keyMark)) return key
  throw new Error(
    key
      ? `The keys in this backup were sealed with a different DATA_KEY. Set the DATA_KEY of the installation that made the backup (with compose, put its data_key into secrets/), then restore again.${secrets?.dataKey ? ' If you have no copy, the backup contains it: restore without a DATA_KEY to see it.' : ''}`
      : 'This backup does not include the DATA_KEY, without which nobody can read the names of staff. Set DATA_KEY to that of the installation that made the backup; npm start stores it in secrets.json beside the data.',
  )
}

/**
 * Prepares the database for loading.
 * @param tablesToBeEmpty tables that must have no rows
 * @returns true if the tables already match this migration; false if there are none, possibly because it dropped unused ones
 * @throws DatabaseNotEmptyError if the database contains data
 */
async function prepareTables(client: Client, migration: number, tablesToBeEmpty: readonly string[]): Promise<boolean> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  if (!tables.length) return false
  if (!(await isUnused(client, new Set(tables.map(({ name }) => name)), tablesToBeEmpty))) throw new DatabaseNotEmptyError()
  const { rows } = await client.query<{ isSameMigration: boolean | null }>(
    'select max(created_at) = $1::bigint as "isSameMigration" from drizzle.__drizzle_migrations',
    [migration],
  )
  if (rows[0]?.isSameMigration) return true
  await client.query('drop schema if exists public, drizzle, bullmq cascade; create schema public; grant usage on schema public to public')
  return false
}

/** Tables that have rows as soon as anyone uses an installation. */
const tablesInUse = ['organisations', 'users', 'budget_events']

/** Whether the database has Bursar's tables, and those in `empty` have no rows. */
async function isUnused(client: Client, tables: ReadonlySet<string>, empty: readonly string[]): Promise<boolean> {
  for (const table of empty) {
    if (!tables.has(table)) return false
    const { rows } = await client.query(`select set_config('app.organisation_id', '*', false) from ${table} limit 1`)
    if (rows.length) return false
  }
  return true
}

/** Loads all tables in one transaction with triggers and foreign keys off. Foreign keys are checked once all rows are there. */
async function loadTables(client: Client, reader: BackupReader): Promise<number> {
  await client.query('begin')
  try {
    const { rows: tables } = await client.query<{ name: string; forced: boolean }>(
      `select relname::text as name, relforcerowsecurity as forced from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
    )
    const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
      `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
    )
    for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
    for (const { name } of tables) await client.query(`alter table "${name}" disable trigger user, no force row level security`)
    await client.query(`truncate ${quoteColumns(tables.map(({ name }) => name))}`)
    const { rows, sequences } = await copyRows(client, reader)
    // Recreate the foreign keys while row-level security is still off, so that the checks see all rows.
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`).catch((error: DatabaseError) => {
        throw error.code === '23503'
          ? new Error(`The backup is inconsistent: rows of ${table} refer to rows that it does not contain (${name}).`)
          : error
      })
    for (const { name, forced } of tables)
      await client.query(`alter table "${name}" enable trigger user${forced ? ', force row level security' : ''}`)
    for (const [name, last] of Object.entries(sequences))
      if (last !== null) await client.query('select setval($1::regclass, $2::bigint)', [`public."${name}"`, last])
    await client.query('commit')
    return countRows(rows)
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** @throws Error if the file has a different number of rows than it declares */
async function copyRows(client: Client, reader: BackupReader): Promise<BackupEnd> {
  const rows = new Map<string, number>()
  for (;;) {
    // The format is trusted: the file was sealed, or the person who restores it vouches for it.
    const line = (await reader.readLine()) as { table: string; columns: string[] } | BackupEnd
    if (!('table' in line)) {
      await reader.readEnd()
      for (const [name, count] of Object.entries(line.rows))
        if (rows.get(name) !== count) throw new Error(`The file contains ${rows.get(name) ?? 0} rows of ${name} but declares ${count}.`)
      return line
    }
    const copied = client.query(copyFrom(`copy "${line.table}" (${quoteColumns(line.columns)}) from stdin`))
    await pipeline(Readable.from(reader.rows(), { objectMode: false }), copied)
    rows.set(line.table, copied.rowCount)
  }
}

/**
 * Restores the anchors. Without their signing key they go to a separate folder, because new anchors will be signed with another key.
 * @returns the folder; null without anchors
 */
function restoreAnchors({ anchors, secrets }: BackupHead, folder: string): string | null {
  if (!anchors.length) return null
  const target = join(folder, secrets?.signingKey ? 'anchors' : 'anchors-before')
  mkdirSync(target, { recursive: true })
  for (const { name, text } of anchors) writeFileSync(join(target, name), text)
  if (secrets?.signingKey) writeFileSync(join(target, 'signing-key.pem'), secrets.signingKey, { mode: 0o600 })
  return target
}
