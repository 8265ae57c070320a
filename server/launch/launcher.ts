import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { loadSecretFiles, readDatabaseUrl, readDataKey, readOrigin } from '../core/config.ts'
import { root } from '../core/root.ts'
import { type Env, env as environment } from '../core/settings.ts'
import { getThrownDetails } from '../core/thrownDetails.ts'
import { ChildPrograms } from './children.ts'
import { findDemoCopy, type InitialDatabase, saveDemoCopy } from './demoCopy.ts'
import { type FolderLock, lockDataFolder } from './lock.ts'
import { hasDatabase, type RunningPostgres, startPostgres } from './postgres.ts'
import { ensureSecret } from './secrets.ts'

export interface Launcher {
  readonly port: number
  readonly children: ChildPrograms
  step<T>(name: string, work: () => Promise<T>): Promise<T>
  /**
   * Starts the database, migrates it and loads the initial data.
   * @param programs the folder of bundled programs
   */
  prepare(programs: Promise<string>): Promise<PreparedDatabase>
  atStop(end: () => Promise<unknown>): void
}

export interface PreparedDatabase {
  env: Env
  /** The environment of tools, which connect as the owner of the database. */
  ownerEnv: Env
  prepareAgain(): Promise<void>
}

const dataFolder = resolve(environment.DATA_DIR || join(root, '.data'))
const port = Number(environment.PORT || 3000)
const children = new ChildPrograms()
const endTasks: (() => Promise<unknown>)[] = []
let postgres: RunningPostgres | undefined
let lock: FolderLock | undefined
let stopping = false
/** Lines to print when everything runs: the demo's sign-ins, or the link for the first administrator. */
const closingLines: string[] = []

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work()
  console.log(`${name.padEnd(24)} ${((performance.now() - began) / 1000).toFixed(2)} s`)
  return result
}

function portIsFree(): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(port, () => probe.close(() => done(true)))
  })
}

async function stop(code: number): Promise<never> {
  if (!stopping) {
    stopping = true
    await Promise.all([children.endAll(), ...endTasks.map((end) => end().catch(() => undefined))])
    await postgres?.stop().catch(() => undefined)
    lock?.release()
    process.exit(code)
  }
  return new Promise(() => undefined)
}

/**
 * Restarts PostgreSQL at the same address whenever it has ended by itself, and retries until it runs. Saved data is on disk, and servers
 * and workers reconnect by themselves.
 */
async function watchPostgres({ isUp, restart }: RunningPostgres): Promise<void> {
  let lastError = ''
  while (!stopping) {
    await wait(lastError ? 5000 : 500, undefined, { ref: false })
    if (stopping || (await isUp()) || stopping) continue
    if (!lastError) console.error('PostgreSQL stopped unexpectedly. All saved data is safe; restarting it ...')
    try {
      await restart()
      console.error('PostgreSQL is running again.')
      lastError = ''
    } catch (error) {
      const message = getThrownDetails(error).message ?? String(error)
      if (message !== lastError) console.error(`${message} Trying again every few seconds.`)
      lastError = message
    }
  }
}

/** @param initial a database with which a new data folder starts */
async function startOwnPostgres(initial: InitialDatabase | null): Promise<string> {
  postgres = await startPostgres(dataFolder, [], initial)
  void watchPostgres(postgres)
  return postgres.url
}

async function prepare(programs: Promise<string>): Promise<PreparedDatabase> {
  const demo = environment.DEMO !== '0'
  // Not in production: the keys of the copied demo are public, so a production installation generates its own.
  const isCopyWanted = demo && environment.DEMO !== 'fresh' && environment.NODE_ENV !== 'production' && !hasDatabase(dataFolder)
  const databaseUrl =
    readDatabaseUrl(environment) ??
    (await step('PostgreSQL', async () => startOwnPostgres(isCopyWanted ? findDemoCopy(await programs) : null)))
  lock?.publish(databaseUrl)
  const folder = await programs
  // Without a new query string, Node would return the module from its cache instead of the rebuilt one.
  const bundled = (name: string) => import(`${pathToFileURL(join(folder, `${name}.mjs`)).href}?${Date.now()}`)
  const serverPassword = environment.DATABASE_APP_PASSWORD || ensureSecret(dataFolder, 'databaseServer')
  async function migrate(): Promise<string> {
    const { migrateDatabase }: typeof import('./migrate.ts') = await bundled('migrateDatabase')
    return migrateDatabase(databaseUrl, serverPassword)
  }
  const serverUrl = await step('Migrations', migrate)
  const dataKey = environment.DATA_KEY ? readDataKey(environment) : ensureSecret(dataFolder, 'dataKey')
  async function fill(): Promise<string[]> {
    const { prepareData, describeDemoSignIns }: typeof import('./prepareData.ts') = await bundled('prepareData')
    const { link, published } = await prepareData({
      databaseUrl,
      dataKey,
      serverPassword,
      demo,
      hasYear: environment.DEMO !== 'fresh',
      production: environment.NODE_ENV === 'production',
      origin: readOrigin({ ...environment, PORT: String(port) }),
      isDemoCopied: postgres?.isCopied ?? false,
      ...(postgres && { onRestored: () => saveDemoCopy(databaseUrl, folder) }),
    })
    return [...(published ? [describeDemoSignIns()] : []), ...(link ? [link] : [])]
  }
  closingLines.push(...(await step(demo ? 'Reference and demo data' : 'Reference data', fill)))
  // Servers and workers must not see the owner's credentials, nor the key to backups.
  const {
    DATABASE_PASSWORD: _owner,
    DATABASE_APP_PASSWORD: _server,
    POSTGRES_PASSWORD: _first,
    BACKUP_PASSPHRASE,
    BACKUP_IDENTITY,
    ...others
  } = environment
  const env = {
    ...others,
    DATA_DIR: dataFolder,
    DATABASE_URL: serverUrl,
    DATA_KEY: dataKey,
    PORT: String(port),
    LOG_LEVEL: environment.LOG_LEVEL || 'warn',
    DEMO: demo ? '1' : '0',
  }
  async function prepareAgain(): Promise<void> {
    await migrate()
    await fill()
  }
  const ownerEnv = { ...env, DATABASE_URL: databaseUrl, DATABASE_APP_PASSWORD: serverPassword, BACKUP_PASSPHRASE, BACKUP_IDENTITY }
  return { env, ownerEnv, prepareAgain }
}

/**
 * Runs a launcher until it is stopped. Only one can run for each data folder and port. If `start` fails, the error is printed in one
 * sentence and everything that was started is ended.
 * @param start starts the product
 */
export async function launch(start: (launcher: Launcher) => Promise<void>): Promise<void> {
  process.on('SIGINT', () => {
    console.log('\nStopping ...')
    void stop(0)
  })
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
  // The parent process (start.mjs) was killed, so nothing else would end the processes started here.
  process.on('disconnect', () => void stop(0))
  const began = performance.now()
  try {
    loadSecretFiles()
    mkdirSync(dataFolder, { recursive: true })
    lock = lockDataFolder(dataFolder, port)
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new Error(`PORT is ${environment.PORT}. It must be a number from 1 to 65535.`)
    if (!(await portIsFree())) throw new Error(`Port ${port} is taken. Stop what uses it, or set PORT to another.`)
    await start({ port, children, step, prepare, atStop: (end) => void endTasks.push(end) })
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    console.log(`\nBursar is ready after ${seconds} s at ${readOrigin({ ...environment, PORT: String(port) })}\n`)
    for (const words of closingLines) console.log(words)
    console.log('\nCtrl-C stops everything.')
  } catch (error) {
    const { code, message } = getThrownDetails(getThrownDetails(error).cause ?? error)
    console.error(`\n${code === 'ENOSPC' ? 'The disk is full: free some space and start again.' : message}`)
    await stop(1)
  }
}
