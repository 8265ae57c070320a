// Plain Node, so that it works before anything is installed: starts over by removing the data folder of this copy.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = resolve(process.env.DATA_DIR || join(dirname(fileURLToPath(import.meta.url)), '../../.data'))
const lock = join(folder, 'bursar.lock')
if (existsSync(lock)) {
  const { pid, port, folder: written } = JSON.parse(readFileSync(lock, 'utf8'))
  const { dev, ino } = statSync(folder, { bigint: true })
  try {
    // A lock file that came with a copy of another folder holds nothing (server/launch/lock.ts).
    if (written !== undefined && written !== `${dev}:${ino}`) throw new Error('copied')
    process.kill(pid, 0)
    console.error(`Bursar runs on this data at http://localhost:${port} (process ${pid}). Stop it first.`)
    process.exit(1)
  } catch {
    // Left behind by a start that was killed, or copied.
  }
}
if (process.env.DATABASE_URL) console.log('DATABASE_URL names a server of yours: its data is not touched.')
rmSync(folder, { recursive: true, force: true })
// Where a private folder of root keeps its data (server/launch/postgres.ts).
rmSync(`/var/tmp/bursar-data-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`, { recursive: true, force: true })
console.log(`${folder} is empty. npm start makes a new demo.`)
