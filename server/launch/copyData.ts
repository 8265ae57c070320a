import { cpSync, existsSync, lstatSync, type MakeDirectoryOptions, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'

/** What a running PostgreSQL makes anew at its start, or keeps for its own process only (PostgreSQL manual, "Making a base backup"). */
const leftOut = new Set(['postmaster.pid', 'postmaster.opts', 'backup_label', 'tablespace_map'])
const emptied = new Set(['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'])
const ownOnly: MakeDirectoryOptions = { recursive: true, mode: 0o700 }

/** Copies a folder; a file that PostgreSQL removes meanwhile was of no use to it. */
async function copyFolder(from: string, to: string, isEmptied: (name: string) => boolean = () => false): Promise<void> {
  await mkdir(to, ownOnly)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (leftOut.has(entry.name) || entry.name.startsWith('pgsql_tmp')) continue
    if (entry.isDirectory()) await (isEmptied(entry.name) ? mkdir(target, ownOnly) : copyFolder(source, target))
    else
      await copyFile(source, target).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
  }
}

/**
 * Copies the data of a running embedded PostgreSQL while it is being written to. The copy holds everything that was saved until the moment
 * the copying ended; PostgreSQL brings it to that moment when it is started on it.
 * @param url of the owner of the data
 * @throws Error when so much was written meanwhile that the copy cannot be brought to one moment
 */
export async function copyRunningDatabase(url: string, target: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const [place] = await client<{ folder: string }[]>`select setting as folder from pg_settings where name = 'data_directory'`
    const { folder } = place!
    const [began] = await client<{ segment: string }[]>`select pg_walfile_name(pg_backup_start('bursar', fast => true)) as segment`
    await copyFolder(folder, target, (name) => emptied.has(name))
    const [ended] = await client<{ labelfile: string; spcmapfile: string }[]>`select labelfile, spcmapfile from pg_backup_stop(false)`
    writeFileSync(join(target, 'backup_label'), ended!.labelfile)
    if (ended!.spcmapfile.trim()) writeFileSync(join(target, 'tablespace_map'), ended!.spcmapfile)
    await copyFolder(join(folder, 'pg_wal'), join(target, 'pg_wal'))
    if (!existsSync(join(target, 'pg_wal', began!.segment)))
      throw new Error('More was written than can be kept while the data was copied. Try again when less is going on.')
  } finally {
    await client.end({ timeout: 5 })
  }
}

/** Copies what stands beside the database in a data folder: keys, anchors, marks; not the lock of who runs it. */
export function copyBeside(dataFolder: string, target: string): void {
  mkdirSync(target, ownOnly)
  for (const name of readdirSync(dataFolder)) {
    if (name === 'bursar.lock' || name === 'postgres') continue
    cpSync(join(dataFolder, name), join(target, name), { recursive: true, dereference: !lstatSync(join(dataFolder, name)).isFile() })
  }
}
