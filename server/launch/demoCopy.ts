import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import postgres from 'postgres'
import { requireSingleRow } from '../../domain/values/assertDefined.ts'

/** The files of a database with which a new data folder can start. */
export interface InitialDatabase {
  folder: string
  /** The password of the database's owner. A new data folder replaces it with its own. */
  password: string
}

/**
 * The demo's database is kept beside the programs that loaded it, so that later first starts copy it instead of loading the demo again. It is
 * deleted with those programs. It contains no secret of an installation except the old password of the owner.
 */
const copyFolder = (programs: string): string => join(programs, 'demo')

/** @param programs the folder of the bundled programs */
export function findDemoCopy(programs: string): InitialDatabase | null {
  const file = join(copyFolder(programs), 'password')
  return existsSync(file) ? { folder: join(copyFolder(programs), 'postgres'), password: readFileSync(file, 'utf8') } : null
}

/**
 * Keeps a copy of the running database. It is an optimisation, so a failure, such as a full disk or a folder that may not be written, leaves
 * no copy and has no other effect.
 * @param databaseUrl with the owner's role
 */
export async function saveDemoCopy(databaseUrl: string, programs: string): Promise<void> {
  const fresh = `${copyFolder(programs)}.${process.pid}`
  try {
    mkdirSync(fresh, { mode: 0o700 })
    await copyRunningDatabase(databaseUrl, join(fresh, 'postgres'))
    writeFileSync(join(fresh, 'password'), decodeURIComponent(new URL(databaseUrl).password), { mode: 0o600 })
    renameSync(fresh, copyFolder(programs))
  } catch {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Files of a running PostgreSQL that do not belong in a copy. */
const excludedFiles = /^(postmaster\.(pid|opts)|pg_wal\/.+|pg_(replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\/.+)$/

/** Copies the files of a running database as a base backup: with the part of its log that makes them consistent at the next start. */
async function copyRunningDatabase(databaseUrl: string, to: string): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    // The backup starts and stops in the same session.
    const session = await client.reserve()
    const { from, first } = requireSingleRow(
      await session<{ from: string; first: string }[]>`
        select current_setting('data_directory') as from, pg_walfile_name(pg_backup_start('demo', true)) as first`,
    )
    cpSync(from, to, { recursive: true, filter: (file) => !excludedFiles.test(relative(from, file).replaceAll('\\', '/')) })
    const { last, label } = requireSingleRow(
      await session<{ last: string; label: string }[]>`
        select pg_walfile_name(lsn) as last, labelfile as label from pg_backup_stop(false)`,
    )
    session.release()
    writeFileSync(join(to, 'backup_label'), label, { mode: 0o600 })
    for (const name of readdirSync(join(from, 'pg_wal')))
      if (/^[0-9A-F]{24}$/.test(name) && name >= first && name <= last) cpSync(join(from, 'pg_wal', name), join(to, 'pg_wal', name))
  } finally {
    await client.end({ timeout: 5 })
  }
}
