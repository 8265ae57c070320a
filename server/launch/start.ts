import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { demoClients, demoPassword, demoUsers } from '../demo/access.ts'
import { loadDemo } from '../demo/load.ts'
import { openStore } from '../store/database.ts'
import { buildClient } from './buildClient.ts'
import { holdLock, type Lock } from './lock.ts'
import { migrateDatabase } from './migrate.ts'
import { type RunningPostgres, startPostgres } from './postgres.ts'

/** `npm start`: everything, from nothing to a served page. Each step says how long it took. */
const root = resolve(import.meta.dirname, '../..')
const dataFolder = resolve(process.env.DATA_DIR ?? join(root, '.data'))
const port = Number(process.env.PORT ?? 3000)
const children: ChildProcess[] = []
let postgres: RunningPostgres | undefined
let lock: Lock | undefined
let stopping = false

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

function run(name: string, script: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((done, failed) => {
    const child = fork(join(root, script), { cwd: root, env: { ...env, BURSAR_PROCESS: name }, execArgv: ['--import', 'tsx'] })
    children.push(child)
    child.on('message', (message) => message === 'ready' && done())
    child.on('exit', (code) => {
      children.splice(children.indexOf(child), 1)
      failed(new Error(`The ${name} ended before it was ready.`))
      if (stopping) return
      // A process that dies is started again; what it was doing stands in the database.
      console.error(`The ${name} ended (${code}); starting it again.`)
      setTimeout(() => stopping || void run(name, script, env).catch(() => undefined), 1000)
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
            setTimeout(() => child.kill('SIGKILL'), 8000).unref()
          }),
      ),
    )
    await postgres?.stop().catch(() => undefined)
    lock?.release()
    process.exit(code)
  }
  return new Promise(() => undefined)
}

/** Without its database nothing works: says so and ends, so that the next start can recover. */
function watchPostgres(): void {
  const { isUp } = postgres ?? {}
  if (!isUp) return
  setInterval(async () => {
    if (stopping || (await isUp()) || stopping) return
    console.error('PostgreSQL ended by itself. Nothing that was saved is lost: start again.')
    await stop(1)
  }, 3000).unref()
}

process.on('SIGINT', () => {
  console.log('\nStopping ...')
  void stop(0)
})
process.on('SIGTERM', () => void stop(0))

try {
  mkdirSync(dataFolder, { recursive: true })
  lock = holdLock(dataFolder, port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT is ${process.env.PORT}: it must be a number from 1 to 65535.`)
  if (!(await portIsFree())) throw new Error(`Port ${port} is taken. Stop what uses it, or set PORT to another.`)
  const began = performance.now()
  let databaseUrl = process.env.DATABASE_URL
  if (!databaseUrl) {
    postgres = await step('PostgreSQL', () => startPostgres(dataFolder))
    databaseUrl = postgres.url
  }
  lock.publish(databaseUrl)
  const env = { ...process.env, DATABASE_URL: databaseUrl, PORT: String(port), LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' }
  await step('Migrations', () => migrateDatabase(databaseUrl))
  await step('Reference and demo data', async () => {
    const store = openStore(databaseUrl, 2)
    await loadDemo(store).finally(() => store.close())
  })
  await step('Client', () => buildClient(root))
  await step('Server and worker', async () => {
    await Promise.all([run('server', 'server/main.ts', env), run('worker', 'worker/main.ts', env)])
  })
  console.log(
    `\nBursar is ready after ${((performance.now() - began) / 1000).toFixed(1)} s at ${process.env.PUBLIC_URL ?? `http://localhost:${port}`}\n`,
  )
  console.log(`Sign in with the password ${demoPassword}`)
  for (const user of demoUsers)
    console.log(`  ${user.email.padEnd(28)} ${user.position}${user.trust === 'meadow' ? ' of another trust' : ''}`)
  console.log('\nAPI clients (client-credentials grant)')
  for (const client of demoClients) console.log(`  ${client.clientId.padEnd(28)} ${client.secret}`)
  console.log('\nCtrl-C stops everything.')
  watchPostgres()
} catch (error) {
  const failure = ((error as Error).cause ?? error) as NodeJS.ErrnoException
  console.error(`\n${failure.code === 'ENOSPC' ? 'The disk is full: free some space and start again.' : failure.message}`)
  await stop(1)
}
