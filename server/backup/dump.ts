import { createHmac } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { productVersion } from '../core/config.ts'
import {
  type BackupEnd,
  type BackupHead,
  type BackupSeal,
  createEncrypter,
  endOfRowsLine,
  formatEndLine,
  formatHeadLine,
  formatTableLine,
  writeBackup,
} from './backupFile.ts'

/**
 * Tables that are not backed up: transient state (sign-ins, rate limits, presence, running processes), keys tied to a DATA_KEY, and the
 * times of backups and rehearsals, which say nothing about the restored database. Restoring sign-ins could make ended sign-ins valid again.
 */
const excludedTables = [
  'oidc_payloads',
  'sign_ins',
  'rate_limits',
  'presences',
  'platform_keys',
  'processes',
  'backups',
  'restore_rehearsals',
]

export interface BackupSummary {
  at: string
  tables: number
  rows: number
  /** Whether the file contains everything needed to decrypt the names of staff. */
  holdsKey: boolean
}

/** Derives a fingerprint that identifies a DATA_KEY without revealing it. */
export function createKeyFingerprint(dataKey: string): string {
  return createHmac('sha256', dataKey).update('the keys in a backup').digest('hex')
}

function readAnchorFiles(folder: string | null): { files: BackupHead['anchors']; signingKey: string | null } {
  if (!folder || !existsSync(folder)) return { files: [], signingKey: null }
  const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const names = readdirSync(folder).sort()
  return {
    files: names.filter((name) => /\.jsonl$|^public-key\.pem$/.test(name)).map((name) => ({ name, text: textOf(name) })),
    signingKey: names.includes('signing-key.pem') ? textOf('signing-key.pem') : null,
  }
}

/**
 * Writes a consistent snapshot of the database to a file. It can run while people work.
 * @param databaseUrl address with the owner's role
 * @param anchors the folder of anchors; null if none is known
 */
export async function writeDatabaseBackup(
  file: string,
  { databaseUrl, dataKey, anchors }: { databaseUrl: string; dataKey: string | null; anchors: string | null },
  seal: BackupSeal,
): Promise<BackupSummary> {
  const encrypter = createEncrypter(seal)
  const written: BackupSummary = { at: '', tables: 0, rows: 0, holdsKey: Boolean(encrypter && dataKey) }
  // Read before the snapshot: an anchor written after it would refer to events that the snapshot lacks.
  const { files, signingKey } = readAnchorFiles(anchors)
  const head = {
    bursar: 'backup',
    product: productVersion,
    keyMark: dataKey ? createKeyFingerprint(dataKey) : null,
    secrets: encrypter ? { dataKey, signingKey } : null,
    anchors: files,
  } as const
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await writeBackup(file, dump(client, head, written), encrypter)
  } finally {
    await client.end()
  }
  return written
}

async function* dump(client: Client, head: Omit<BackupHead, 'at' | 'migration'>, written: BackupSummary): AsyncGenerator<Buffer> {
  await client.query('begin isolation level repeatable read read only')
  // Make the rows of all organisations visible even if the owner is not a superuser, and fix the formats of dates and times.
  await client.query(`set local app.organisation_id = '*'; set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'`)
  const { rows: visibility } = await client.query<{ all: boolean }>('select is_platform() as all')
  if (!assertDefined(visibility[0]).all)
    throw new Error('A backup needs the rows of all organisations, which this database role cannot see. Set DATABASE_URL as for migrate.')
  const { rows: moments } = await client.query<{ at: string; migration: number }>(`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, max(created_at)::float8 as migration from drizzle.__drizzle_migrations`)
  yield formatHeadLine({ ...head, ...assertDefined(moments[0]) })
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and c.relname <> all ($1)
    group by c.relname order by c.relname`,
    [excludedTables],
  )
  const copies = new Map<string, ReturnType<typeof copyTo>>()
  for (const { name, columns } of tables) {
    yield formatTableLine(name, columns)
    const copied = client.query(copyTo(`copy "${name}" (${quoteColumns(columns)}) to stdout`))
    copies.set(name, copied)
    yield* joinIntoBlocks(copied)
    yield endOfRowsLine
  }
  // Sequences have their current values, not those of the snapshot, so that no number is used twice.
  const { rows: sequences } = await client.query<{ name: string; last: string | null }>(
    `select sequencename::text as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`,
  )
  await client.query('rollback')
  // The row count of a COPY is set after its stream ends, and is reliable only after a later query has been answered.
  const rows: BackupEnd['rows'] = Object.fromEntries([...copies].map(([name, { rowCount }]) => [name, rowCount]))
  yield formatEndLine({ rows, sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])) })
  Object.assign(written, { at: assertDefined(moments[0]).at, tables: tables.length, rows: countRows(rows) })
}

export function quoteColumns(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

export function countRows(rows: BackupEnd['rows']): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0)
}

const blockBytes = 1 << 16

/** Joins single rows into blocks, which are written faster. */
async function* joinIntoBlocks(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let buffered: Buffer[] = []
  let bytes = 0
  for await (const row of rows) {
    buffered.push(row)
    bytes += row.length
    if (bytes < blockBytes) continue
    yield Buffer.concat(buffered)
    buffered = []
    bytes = 0
  }
  if (bytes) yield Buffer.concat(buffered)
}

/** Records that a backup has been made, by Bursar or by other means. */
export async function recordBackup(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`insert into backups (made_at) values (now()) on conflict do nothing`)
    await client.query(`delete from backups where made_at < now() - interval '1 year'`)
  } finally {
    await client.end()
  }
}
