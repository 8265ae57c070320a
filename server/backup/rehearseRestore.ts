import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, escapeIdentifier } from 'pg'
import { displayCount } from '../../domain/values/format.ts'
import { getErrorMessage } from '../../domain/words/errors.ts'
import { openStore } from '../core/database/database.ts'
import type { BackupSeal } from './backupFile.ts'
import { restoreBackup } from './restore.ts'
import { verifyRestoredDatabase } from './verifyRestored.ts'

/** Days after which the next rehearsal is due. Slightly less than a week, because nightly backups start at slightly different times. */
const rehearsalDays = 6.5

async function withOwner<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The comment on a temporary database, by which a later rehearsal recognises it. */
const rehearsalMark = 'Made by a rehearsal of Bursar'

/**
 * Restores a backup into a temporary database beside the installation's own, verifies it there as `npm run restore` does, and drops it.
 * @param from `databaseUrl`: address of the installation's database with the owner's role
 * @returns what is wrong, in a sentence; null if the backup can be restored
 */
export async function rehearseRestore(
  file: string,
  from: { databaseUrl: string; dataKey: string | null },
  seal: BackupSeal,
): Promise<string | null> {
  const scratch = new URL(from.databaseUrl)
  const name = `${scratch.pathname.slice(1)}_rehearsal`
  scratch.pathname = `/${name}`
  const folder = mkdtempSync(join(tmpdir(), 'bursar-rehearsal-'))
  // Drop the database that an interrupted rehearsal left, but no other database of this name, because it may belong to someone else.
  const drop = async (client: Client): Promise<void> => {
    if (Buffer.byteLength(name) > 63) throw new Error(`${name} is too long for the name of a database.`)
    const { rows } = await client.query(`select shobj_description(oid, 'pg_database') as mark from pg_database where datname = $1`, [name])
    if (rows[0] && rows[0].mark !== rehearsalMark)
      throw new Error(`The database ${name} was not made by a rehearsal. Rename it, or drop it yourself.`)
    await client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`)
  }
  try {
    await withOwner(from.databaseUrl, async (client) => {
      await drop(client)
      await client.query(`create database ${escapeIdentifier(name)} template template0`)
      await client.query(`comment on database ${escapeIdentifier(name)} is '${rehearsalMark}'`)
    })
    const { dataKey, anchors } = await restoreBackup(file, { ...from, databaseUrl: scratch.href, serverPassword: null, folder }, seal)
    const store = openStore({ databaseUrl: scratch.href, dataKey }, 2)
    try {
      const { findings } = await verifyRestoredDatabase(store, anchors)
      const [first] = findings
      return first ? `${displayCount(findings.length, 'finding')}, first: ${first.problem}` : null
    } finally {
      await store.close()
    }
  } catch (error) {
    return getErrorMessage(error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await withOwner(from.databaseUrl, drop).catch(() => undefined)
  }
}

/** Records the result of a rehearsal for the doctor and the metrics. @param problem null if the backup can be restored */
export function recordRehearsal(databaseUrl: string, problem: string | null): Promise<void> {
  return withOwner(databaseUrl, async (client) => {
    await client.query('insert into restore_rehearsals (made_at, problem) values (now(), $1) on conflict do nothing', [problem])
    await client.query(`delete from restore_rehearsals where made_at < now() - interval '1 year'`)
  })
}

/** Whether a rehearsal is due: the last one failed or was almost a week ago, or there was none. */
export function isRehearsalDue(databaseUrl: string): Promise<boolean> {
  return withOwner(databaseUrl, async (client) => {
    const { rowCount } = await client.query(
      `select 1 from (select * from restore_rehearsals order by made_at desc limit 1) last
      where problem is null and made_at > now() - make_interval(secs => $1)`,
      [rehearsalDays * 24 * 3600],
    )
    return rowCount === 0
  })
}
