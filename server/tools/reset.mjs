// Deletes the data folder of this copy of Bursar. It is plain JavaScript, so that it works before packages are installed.
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
    // A lock copied from another folder does not count (server/launch/lock.ts).
    if (written !== undefined && written !== `${dev}:${ino}`) throw new Error('copied')
    process.kill(pid, 0)
    console.error(`Bursar runs on this data at http://localhost:${port} (process ${pid}). Stop it first.`)
    process.exit(1)
  } catch {
    // The lock was left by a killed start, or copied.
  }
}
if (process.env.DATABASE_URL) console.log('DATABASE_URL is set: the data in that database is not touched.')
rmSync(folder, { recursive: true, force: true })
// The folder of the database if root runs Bursar in a folder that other users cannot enter (server/launch/postgres.ts).
rmSync(`/var/tmp/bursar-data-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`, { recursive: true, force: true })
console.log(`${folder} is empty. npm start creates a new demo.`)
