import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Held {
  pid: number
  port: number
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
 * @returns what gives the lock back
 * @throws Error naming the address of the one that runs
 */
export function holdLock(dataFolder: string, port: number): () => void {
  const file = join(dataFolder, 'bursar.lock')
  if (existsSync(file)) {
    try {
      const held = JSON.parse(readFileSync(file, 'utf8')) as Held
      if (held.pid !== process.pid && runs(held)) throw new Error(`Bursar already runs on this data at http://localhost:${held.port} (process ${held.pid}). Stop it, or set PORT and DATA_DIR for a second copy.`)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  writeFileSync(file, JSON.stringify({ pid: process.pid, port } satisfies Held))
  return () => rmSync(file, { force: true })
}
