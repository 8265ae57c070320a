import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { chooseWorkerCount } from '../../server/launch/workerCount.ts'
import { until } from '../support/running/worker.ts'

/** The product as started by `npm start`, on its own data. Processes are killed, and the others must go on or end. */
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'bursar-started-'))
const lock = join(folder, 'bursar.lock')
let port: number
let start: ChildProcess
let ended: Promise<number | null>
let said = ''

async function isReady(): Promise<boolean> {
  const reply = await fetch(`http://localhost:${port}/readyz`).catch(() => null)
  return reply?.status === 200
}

async function begin(): Promise<void> {
  // The environment of a user’s shell: the tests’ own variables would build another client or name another database.
  const { PATH, HOME } = process.env
  start = spawn(process.execPath, [join(root, 'server/launch/start.mjs')], {
    cwd: root,
    env: { PATH, HOME, PORT: String(port), DATA_DIR: folder, DEMO: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, as a terminal makes.
    detached: true,
  })
  for (const stream of [start.stdout!, start.stderr!]) stream.on('data', (data) => (said += data))
  ended = new Promise((done) => start.once('exit', (code) => done(code)))
  await until('Bursar is ready', async () => said.includes('Ctrl-C stops everything.') && isReady(), 240_000).catch((error) => {
    throw new Error(`${error.message}\n${said}`)
  })
}

/** The process id of the database; 0 if there is none. */
function postmaster(): number {
  const file = join(realpathSync(join(folder, 'postgres')), 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
}

/** The ids of a process’s children and their descendants. */
function below(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const own = rows.filter(([, parent]) => parent === pid).map(([one]) => one!)
  return [...own, ...own.flatMap(below)]
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A zombie has ended, although its parent has not yet collected its exit code.
  const status = `/proc/${pid}/stat`
  return !existsSync(status) || !/^\d+ \(.*\) Z/.test(readFileSync(status, 'utf8'))
}

/** The command line of a process; empty if it has ended. */
function wordsOf(pid: number): string {
  return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout
}

beforeAll(async () => {
  chmodSync(folder, 0o755)
  port = await findFreePort()
  await begin()
}, 270_000)

afterAll(async () => {
  start.kill('SIGTERM')
  await ended
  removeDataFolders(folder)
})

test('Node prints no warning in the server, the workers or the start', () => {
  expect(said.split('\n').filter((line) => /warning:|deprecat/i.test(line))).toEqual([])
})

test('a database that dies is restarted automatically, and the product replies again', async () => {
  const [before, all] = [postmaster(), below(start.pid!)]
  process.kill(before, 'SIGKILL')
  await until('another database runs', () => ![0, before].includes(postmaster()))
  await until('it is said', () => said.includes('PostgreSQL is running again.'))
  await until('the server is ready again', isReady)
  // The server and workers are the same processes as before.
  const servers = all.filter((pid) => wordsOf(pid).match(/(server|worker)\.mjs/))
  expect(servers).toHaveLength(1 + chooseWorkerCount(undefined))
})

test('a killed start leaves no process behind and no lock on the data', async () => {
  const all = below(start.pid!)
  expect(all.length).toBeGreaterThan(3)
  start.kill('SIGKILL')
  await ended
  await until('everything has ended', () => all.every((pid) => !isAlive(pid)))
  expect(existsSync(lock)).toBe(false)
})

test('the next start on the same data succeeds; Ctrl-C ends it in order, the database last, and releases the data', async () => {
  said = ''
  await begin()
  const all = below(start.pid!)
  expect(existsSync(lock)).toBe(true)
  // Ctrl C in a terminal sends the signal to every process of the group.
  process.kill(-start.pid!, 'SIGINT')
  expect(await ended).toBe(0)
  expect(said).toContain('Stopping ...')
  expect(said).not.toMatch(/ECONNREFUSED|"level":[56]0/)
  expect(all.filter(isAlive)).toEqual([])
  expect(existsSync(lock)).toBe(false)
}, 270_000)
