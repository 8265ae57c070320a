import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockDataFolder } from '../../server/launch/lock.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { type RunningPostgres, startPostgres } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { withDatabase } from '../../server/launch/toolDatabase.ts'

const folder = mkdtempSync(join(tmpdir(), 'bursar-tool-'))
const copy = `${folder}-copy`
const before = { DATA_DIR: process.env.DATA_DIR, DATABASE_URL: process.env.DATABASE_URL }
let live: RunningPostgres
/** Stands for the `npm start` that uses the data folder: its command line names the launch script. */
let holder: ChildProcess

async function change(url: string, query: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => undefined })
  await client.unsafe(query)
  await client.end({ timeout: 1 })
}

/** Writes a folder’s lock file as another process would have. */
function lockBy(pid: number, data: string, part: object): void {
  const file = join(data, 'bursar.lock')
  rmSync(file, { force: true })
  lockDataFolder(data, 3000)
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), pid, ...part }))
}

/** Reads as a tool does whose DATA_DIR is this folder. @returns the terms it finds */
function readBy(data: string): Promise<string[]> {
  process.env.DATA_DIR = data
  return withDatabase('npm run audit', (store) =>
    store.asPlatform(async (tx) =>
      [...(await tx.execute<{ term: string }>(sql`select term from terms order by 1`))].map(({ term }) => term),
    ),
  )
}

beforeAll(async () => {
  delete process.env.DATABASE_URL
  chmodSync(folder, 0o755)
  holder = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', 'server/launch/start.ts'])
  live = await startPostgres(folder)
  await migrateDatabase(live.url)
  await change(live.url, `insert into terms (organisation_id, term, singular, plural) values (1, 'of both', 'a', 'b')`)
  await change(live.url, 'checkpoint')
  lockBy(holder.pid!, folder, { databaseUrl: live.url })
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  await change(live.url, `insert into terms (organisation_id, term, singular, plural) values (1, 'of the live one', 'a', 'b')`)
})
beforeEach(() => rmSync(join(copy, 'bursar.lock'), { force: true }))
afterAll(async () => {
  holder.kill()
  await live.stop()
  Object.assign(process.env, before)
  if (before.DATA_DIR === undefined) delete process.env.DATA_DIR
  removeDataFolders(folder, copy)
})

/** Whether the database files are in the data folder itself; otherwise a copy of the folder does not contain them. */
const holdsData = (): boolean => realpathSync(join(folder, 'postgres')) === `${realpathSync(folder)}/postgres`

test('a tool uses the database of the running start on its data folder', async () => {
  expect(await readBy(folder)).toEqual(['of both', 'of the live one'])
})

test('a tool on a copied data folder reads the copy, though the copied lock file names the live database', async () => {
  cpSync(join(folder, 'bursar.lock'), join(copy, 'bursar.lock'))
  if (holdsData()) expect(await readBy(copy)).toEqual(['of both'])
  else await expect(readBy(copy)).rejects.toThrow('is a copy without its database')
  expect(await live.isUp()).toBe(true)
})

test('a tool does not use a database in the lock file that serves another folder', async () => {
  if (!holdsData()) return
  lockBy(holder.pid!, copy, { databaseUrl: live.url })
  writeFileSync(join(copy, 'postgres/postmaster.pid'), '')
  await expect(readBy(copy)).rejects.toThrow(`The database that bursar.lock in ${copy} names serves ${realpathSync(folder)}`)
  rmSync(join(copy, 'postgres/postmaster.pid'))
})

test('a tool refuses a folder that another process is starting on or reading, and names it', async () => {
  lockBy(holder.pid!, copy, {})
  await expect(readBy(copy)).rejects.toThrow(`Bursar is just starting on ${copy} (process ${holder.pid}). Try again when it is ready.`)
  lockBy(holder.pid!, copy, { tool: 'npm run audit' })
  await expect(readBy(copy)).rejects.toThrow(`npm run audit is using the data in ${copy} (process ${holder.pid}).`)
})

test('a folder without data is reported as such', async () => {
  await expect(readBy(`${folder}-nothing`)).rejects.toThrow('There is no data in')
})
