import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getThrownDetails } from '../core/thrownDetails.ts'

interface LockHolder {
  pid: number
  port: number
  /** Identifies the folder in which the lock was written; a lock in a copied folder is ignored. */
  folder?: string
  /** The name of the tool that holds the folder; missing if `npm start` or `npm run dev` does. */
  tool?: string
  databaseUrl?: string
}

export interface FolderLock {
  publish(databaseUrl: string): void
  release(): void
}

function read(file: string): LockHolder | null {
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** Identifies a folder by device and inode, which survive renaming but differ in a copy. */
function folderIdentity(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true })
  return `${dev}:${ino}`
}

/** The launcher or tool that holds a data folder; null if none does. A lock file copied from another folder does not count. */
export function findLockHolder(dataFolder: string): LockHolder | null {
  const holder = read(join(dataFolder, 'bursar.lock'))
  if (!holder || (holder.folder !== undefined && holder.folder !== folderIdentity(dataFolder))) return null
  return isRunning(holder) ? holder : null
}

/** Whether the process still runs and is a launcher or tool of Bursar: the process id may have been reused. */
function isRunning({ pid }: LockHolder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, but belongs to another user.
    if (getThrownDetails(error).code !== 'EPERM') return false
  }
  const file = `/proc/${pid}/cmdline`
  // In a release and in an image, the programs are in the folder `run`.
  return !existsSync(file) || /launch|server.tools|run.\w+\.mjs/.test(readFileSync(file, 'utf8'))
}

/**
 * Locks a data folder against other launchers and tools. The lock of a process that was killed is taken over.
 * @param tool the name of the tool; omitted by a launcher
 * @throws Error that names the process that holds the lock
 */
export function lockDataFolder(dataFolder: string, port: number, tool?: string): FolderLock {
  const file = join(dataFolder, 'bursar.lock')
  const holder = findLockHolder(dataFolder)
  if (holder && holder.pid !== process.pid) throw new Error(describeLockHolder(holder, dataFolder))
  const folder = folderIdentity(dataFolder)
  const write = (part: Partial<LockHolder>): void =>
    writeFileSync(file, JSON.stringify({ pid: process.pid, port, folder, ...(tool && { tool }), ...part } satisfies LockHolder), {
      mode: 0o600,
    })
  write({})
  return { publish: (databaseUrl) => write({ databaseUrl }), release: () => rmSync(file, { force: true }) }
}

export function describeLockHolder({ pid, port, tool }: LockHolder, dataFolder: string): string {
  if (tool) return `${tool} is using the data in ${dataFolder} (process ${pid}). Wait until it has finished.`
  return `Bursar is already running on this data at http://localhost:${port} (process ${pid}). Stop it, or set PORT and DATA_DIR for a second copy.`
}
