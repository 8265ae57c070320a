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
  encrypterOf,
  endLine,
  endOfRows,
  headLine,
  type Seal,
  tableLine,
  writeBackup,
} from './backupFile.ts'

/** What is true of the moment only: open sign-ins, counts of what is limited, who looks at what; and what belongs to a DATA_KEY. Restored sign-ins could be ones that were ended. */
const leftOut = ['oidc_payloads', 'sign_ins', 'rate_limits', 'presences', 'platform_keys']

export interface Written {
  at: string
  tables: number
  rows: number
  /** Whether the file opens who the staff are without anything else. */
  holdsKey: boolean
}

/** Tells whether a DATA_KEY is the one that a backup needs. */
export function keyMarkOf(dataKey: string): string {
  return createHmac('sha256', dataKey).update('the keys in a backup').digest('hex')
}

/** The files beside a database that prove its logs. */
function anchorsIn(folder: string | null): { files: BackupHead['anchors']; signingKey: string | null } {
  if (!folder || !existsSync(folder)) return { files: [], signingKey: null }
  const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const names = readdirSync(folder).sort()
  return {
    files: names.filter((name) => /\.jsonl$|^public-key\.pem$/.test(name)).map((name) => ({ name, text: textOf(name) })),
    signingKey: names.includes('signing-key.pem') ? textOf('signing-key.pem') : null,
  }
}

/**
 * Writes everything that the database holds at one moment into a file, also while people work.
 * @param databaseUrl as its owner
 * @param anchors the folder where they are kept; null where none is known
 */
export async function backUp(
  file: string,
  { databaseUrl, dataKey, anchors }: { databaseUrl: string; dataKey: string | null; anchors: string | null },
  seal: Seal,
): Promise<Written> {
  const encrypter = encrypterOf(seal)
  const written: Written = { at: '', tables: 0, rows: 0, holdsKey: Boolean(encrypter && dataKey) }
  // Before the moment of the rows: an anchor that was written after it would miss what followed.
  const { files, signingKey } = anchorsIn(anchors)
  const head = {
    bursar: 'backup',
    product: productVersion,
    keyMark: dataKey ? keyMarkOf(dataKey) : null,
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

async function* dump(client: Client, head: Omit<BackupHead, 'at' | 'migration'>, written: Written): AsyncGenerator<Buffer> {
  await client.query('begin isolation level repeatable read read only')
  // Where the owner is no superuser either, the rows of all organisations are to be seen; and moments are to be written in one way.
  await client.query(`set local app.organisation_id = '*'; set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'`)
  const { rows: seen } = await client.query<{ all: boolean }>('select is_platform() as all')
  if (!assertDefined(seen[0]).all)
    throw new Error('A backup needs the rows of all organisations, which servers do not see by this role. Set DATABASE_URL as for migrate.')
  const { rows: moments } = await client.query<{ at: string; migration: number }>(`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, max(created_at)::float8 as migration from drizzle.__drizzle_migrations`)
  yield headLine({ ...head, ...assertDefined(moments[0]) })
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and c.relname <> all ($1)
    group by c.relname order by c.relname`,
    [leftOut],
  )
  const copies = new Map<string, ReturnType<typeof copyTo>>()
  for (const { name, columns } of tables) {
    yield tableLine(name, columns)
    const copied = client.query(copyTo(`copy "${name}" (${listOf(columns)}) to stdout`))
    copies.set(name, copied)
    yield* inBlocks(copied)
    yield endOfRows
  }
  // Numbers that were given out since the moment are not given again.
  const { rows: sequences } = await client.query<{ name: string; last: string | null }>(
    `select sequencename::text as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`,
  )
  await client.query('rollback')
  // How many rows a copy had comes after them, and is sure to be there only once another query was answered.
  const rows: BackupEnd['rows'] = Object.fromEntries([...copies].map(([name, { rowCount }]) => [name, rowCount]))
  yield endLine({ rows, sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])) })
  Object.assign(written, { at: assertDefined(moments[0]).at, tables: tables.length, rows: totalOf(rows) })
}

/** The columns of a COPY. */
export function listOf(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

/** Rows of all tables. */
export function totalOf(rows: BackupEnd['rows']): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0)
}

const blockBytes = 1 << 16

/** Rows come one by one; they travel together. */
async function* inBlocks(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const row of rows) {
    held.push(row)
    bytes += row.length
    if (bytes < blockBytes) continue
    yield Buffer.concat(held)
    held = []
    bytes = 0
  }
  if (bytes) yield Buffer.concat(held)
}
