import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { databaseUrlOf, dataKeyOf, originOf, takeSecretFiles } from '../core/config.ts'
import { waitForStopMs } from '../core/process.ts'
import { root } from '../core/root.ts'
import { thrown } from '../core/thrown.ts'
import { isClientBuilt } from './buildClient.ts'
import { bundledPrograms } from './bundle.ts'
import { holdLock, type Lock } from './lock.ts'
import { type RunningPostgres, startPostgres } from './postgres.ts'
import { secretOf } from './secrets.ts'
import { workersOf } from './workers.ts'

/** `npm start`: everything, from nothing to a served page. Each step says how long it took. */
const dataFolder = resolve(process.env.DATA_DIR ?? join(root, '.data'))
const port = Number(process.env.PORT ?? 3000)
const children: ChildProcess[] = []
let postgres: RunningPostgres | undefined
let lock: Lock | undefined
let stopping = false
/**
 * A recalculation makes and forgets hundreds of megabytes: with more room for what is new, a quarter of a worker's processor that went into
 * clearing up is left for the work. The compose file says the same.
 */
const roomForNew = '--max-semi-space-size=64'

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

function run(name: string, script: string, { env, words = [] }: { env: NodeJS.ProcessEnv; words?: readonly string[] }): Promise<void> {
  return new Promise((done, failed) => {
    const child = fork(script, { cwd: root, env: { ...env, BURSAR_PROCESS: name }, execArgv: [...words] })
    children.push(child)
    child.on('message', (message) => message === 'ready' && done())
    child.on('exit', (code) => {
      children.splice(children.indexOf(child), 1)
      failed(new Error(`The ${name} ended before it was ready.`))
      if (stopping) return
      // A process that dies is started again; what it was doing stands in the database.
      console.error(`The ${name} ended (${code}); starting it again.`)
      setTimeout(() => stopping || void run(name, script, { env, words }).catch(() => undefined), 1000)
    })
  })
}

/** Builds the client where it is not built yet, beside everything else. */
function clientBuilt(): Promise<void> {
  if (isClientBuilt(root)) return Promise.resolve()
  return new Promise((done, failed) => {
    const child = fork(join(root, 'server/launch/clientAlone.ts'), { cwd: root, execArgv: ['--import', 'tsx'] })
    children.push(child)
    child.on('exit', (code) => {
      children.splice(children.indexOf(child), 1)
      if (code === 0) done()
      else failed(new Error('The pages could not be built; why is said above.'))
    })
  })
}

async function stop(code: number): Promise<never> {
  if (!stopping) {
    stopping = true
    await Promise.all(
      children.map(
        (child) =>
          new Promise<void>((done) => {
            child.once('exit', () => done())
            child.kill('SIGTERM')
            setTimeout(() => child.kill('SIGKILL'), waitForStopMs).unref()
          }),
      ),
    )
    await postgres?.stop().catch(() => undefined)
    lock?.release()
    process.exit(code)
  }
  return new Promise(() => undefined)
}

/**
 * Without its database nothing works: a PostgreSQL that ended by itself is started again at the same address, for as long as it takes. What
 * was saved is on the disk, and servers and workers connect again by themselves.
 */
async function watchPostgres({ isUp, restart }: RunningPostgres): Promise<void> {
  let said = ''
  while (!stopping) {
    await wait(said ? 5000 : 500, undefined, { ref: false })
    if (stopping || (await isUp()) || stopping) continue
    if (!said) console.error('PostgreSQL ended by itself. Nothing that was saved is lost; starting it again ...')
    try {
      await restart()
      console.error('PostgreSQL runs again.')
      said = ''
    } catch (error) {
      const message = thrown(error).message ?? String(error)
      if (message !== said) console.error(`${message} It is tried again every few seconds.`)
      said = message
    }
  }
}

process.on('SIGINT', () => {
  console.log('\nStopping ...')
  void stop(0)
})
process.on('SIGTERM', () => void stop(0))
// The process that handed over to this one is gone, by force: nobody is left to end what it started.
process.on('disconnect', () => void stop(0))

try {
  takeSecretFiles()
  mkdirSync(dataFolder, { recursive: true })
  lock = holdLock(dataFolder, port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT is ${process.env.PORT}: it must be a number from 1 to 65535.`)
  const workers = workersOf(process.env.WORKERS)
  if (!(await portIsFree())) throw new Error(`Port ${port} is taken. Stop what uses it, or set PORT to another.`)
  const began = performance.now()
  const programs = step('Programs', () => bundledPrograms(root))
  // Everything waits for the programs, and two that bundle at once take far longer than one after the other.
  const client = programs.then(() => step('Client', clientBuilt))
  // Whatever fails first is what is said; the others are ended with it.
  for (const beside of [client, programs]) beside.catch(() => undefined)
  let databaseUrl = databaseUrlOf(process.env)
  if (!databaseUrl) {
    postgres = await step('PostgreSQL', () => startPostgres(dataFolder))
    databaseUrl = postgres.url
  }
  lock.publish(databaseUrl)
  const folder = await programs
  const bundled = (name: string) => import(pathToFileURL(join(folder, `${name}.mjs`)).href)
  const { migrateDatabase }: typeof import('./migrate.ts') = await bundled('migrate')
  const { prepareData, demoSignIns }: typeof import('./prepareData.ts') = await bundled('prepareData')
  const serverPassword = process.env.DATABASE_APP_PASSWORD || secretOf(dataFolder, 'databaseServer')
  const serverUrl = await step('Migrations', () => migrateDatabase(databaseUrl, serverPassword))
  // Servers and workers see the address of their own role only.
  const { DATABASE_PASSWORD: _owner, DATABASE_APP_PASSWORD: _server, POSTGRES_PASSWORD: _first, ...others } = process.env
  const demo = process.env.DEMO !== '0'
  const dataKey = process.env.DATA_KEY ? dataKeyOf(process.env) : secretOf(dataFolder, 'dataKey')
  const env = {
    ...others,
    DATA_DIR: dataFolder,
    DATABASE_URL: serverUrl,
    DATA_KEY: dataKey,
    PORT: String(port),
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    DEMO: demo ? '1' : '0',
  }
  const origin = originOf({ ...process.env, PORT: String(port) })
  const { link, published } = await step(demo ? 'Reference and demo data' : 'Reference data', () =>
    prepareData({
      databaseUrl,
      dataKey,
      serverPassword,
      demo,
      hasYear: process.env.DEMO !== 'fresh',
      production: process.env.NODE_ENV === 'production',
      origin,
    }),
  )
  await client
  await step('Server and workers', async () => {
    // Each answers Prometheus, and whoever asks whether it is well, at a port of its own.
    const { METRICS_PORT: metrics, WORKER_PORT: health } = process.env
    const after = (first: string | undefined, number: number) => (first ? String(Number(first) + number) : undefined)
    await Promise.all([
      run('server', join(folder, 'server.mjs'), { env }),
      ...Array.from({ length: workers }, (_unused, index) =>
        run(index ? `worker ${index + 1}` : 'worker', join(folder, 'worker.mjs'), {
          env: { ...env, METRICS_PORT: after(metrics, 1 + index), WORKER_PORT: after(health, index) },
          words: [roomForNew],
        }),
      ),
    ])
  })
  console.log(`\nBursar is ready after ${((performance.now() - began) / 1000).toFixed(1)} s at ${origin}\n`)
  if (published) console.log(demoSignIns())
  if (link) console.log(link)
  console.log('\nCtrl-C stops everything.')
  if (postgres) void watchPostgres(postgres)
} catch (error) {
  const { code, message } = thrown(thrown(error).cause ?? error)
  console.error(`\n${code === 'ENOSPC' ? 'The disk is full: free some space and start again.' : message}`)
  await stop(1)
}
