import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { thrown } from '../core/thrown.ts'

interface Held {
  pid: number
  port: number
  /** Which folder this file was written in; a copy of it says nothing about the folder it was copied to. */
  folder?: string
  /** What holds the folder, where that is not a start: a tool that reads it. */
  tool?: string
  /** Of the embedded PostgreSQL, once it runs: how the tools of the same folder reach it. */
  databaseUrl?: string
}

export interface Lock {
  /** Says where the database is, for the tools. */
  publish(databaseUrl: string): void
  release(): void
}

function read(file: string): Held | null {
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** What tells a folder from its copies: it keeps both numbers when it is renamed, and no copy has them. */
function identityOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true })
  return `${dev}:${ino}`
}

/** The start or tool that holds a data folder now, if one does. A lock file that came with a copy of another folder holds nothing. */
export function runningOn(dataFolder: string): Held | null {
  const held = read(join(dataFolder, 'bursar.lock'))
  if (!held || (held.folder !== undefined && held.folder !== identityOf(dataFolder))) return null
  return runs(held) ? held : null
}

/** Whether a process is one of ours and still runs; a number that another program took over since is not. */
function runs({ pid }: Held): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Somebody else's process runs, and may not be asked.
    if (thrown(error).code !== 'EPERM') return false
  }
  const file = `/proc/${pid}/cmdline`
  return !existsSync(file) || /launch|server.tools/.test(readFileSync(file, 'utf8'))
}

/**
 * Keeps a second start or tool off the same data folder. A lock left behind by a killed start is taken over.
 * @param tool what holds it, where that is not a start
 * @throws Error naming the one that runs
 */
export function holdLock(dataFolder: string, port: number, tool?: string): Lock {
  const file = join(dataFolder, 'bursar.lock')
  const held = runningOn(dataFolder)
  if (held && held.pid !== process.pid) throw new Error(refusal(held, dataFolder))
  const folder = identityOf(dataFolder)
  const write = (part: Partial<Held>): void =>
    writeFileSync(file, JSON.stringify({ pid: process.pid, port, folder, ...(tool && { tool }), ...part } satisfies Held), { mode: 0o600 })
  write({})
  return { publish: (databaseUrl) => write({ databaseUrl }), release: () => rmSync(file, { force: true }) }
}

/** Why a folder cannot be had now, in one sentence. */
export function refusal({ pid, port, tool }: Held, dataFolder: string): string {
  if (tool) return `${tool} is reading the data of ${dataFolder} (process ${pid}). Wait until it has ended.`
  return `Bursar already runs on this data at http://localhost:${port} (process ${pid}). Stop it, or set PORT and DATA_DIR for a second copy.`
}
