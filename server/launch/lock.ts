import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Held {
  pid: number
  port: number
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
    return JSON.parse(readFileSync(file, 'utf8')) as Held
  } catch {
    return null
  }
}

/** The start that holds a data folder now, if one does. */
export function runningOn(dataFolder: string): Held | null {
  const held = read(join(dataFolder, 'bursar.lock'))
  return held && runs(held) ? held : null
}

/** Whether a process is one of ours and still runs; a number that another program took over since is not. */
function runs({ pid }: Held): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const file = `/proc/${pid}/cmdline`
  return !existsSync(file) || readFileSync(file, 'utf8').includes('launch')
}

/**
 * Keeps a second start off the same data folder. A lock left behind by a killed start is taken over.
 * @throws Error naming the address of the one that runs
 */
export function holdLock(dataFolder: string, port: number): Lock {
  const file = join(dataFolder, 'bursar.lock')
  const held = runningOn(dataFolder)
  if (held && held.pid !== process.pid)
    throw new Error(
      `Bursar already runs on this data at http://localhost:${held.port} (process ${held.pid}). Stop it, or set PORT and DATA_DIR for a second copy.`,
    )
  const write = (part: Partial<Held>): void =>
    writeFileSync(file, JSON.stringify({ pid: process.pid, port, ...part } satisfies Held), { mode: 0o600 })
  write({})
  return { publish: (databaseUrl) => write({ databaseUrl }), release: () => rmSync(file, { force: true }) }
}
