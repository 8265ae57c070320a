import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { createDatabase } from '../product/database.ts'
import { testDataKey } from '../product/dataKey.ts'
import { atEnd } from '../product/endings.ts'
import { configOf, type Product } from '../product/product.ts'
import { findProgram } from './programs.ts'

const root = join(import.meta.dirname, '../../..')

/** The server as a process of its own. Tests may kill it, or check that it has not ended. */
export interface ServerProcess extends Product {
  readonly pid: number
  /** Whether its build is older than these tests. */
  readonly isOlder: boolean
  /** The text of its log so far. */
  log(): string
  /** Whether the process that was started still replies. */
  isAlive(): Promise<boolean>
  /** The longest that its event loop was blocked since the last call of this function, in milliseconds. */
  longestHoldMs(): Promise<number>
  stop(signal: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts a server process on a new database, on a given one, or on the same one as another server (`beside`).
 * @param node another version of Node than the tests’
 * @param build the folder of another build of the product
 */
export async function startServerProcess({
  beside,
  env = {},
  databaseUrl = env.DATABASE_URL ?? beside?.config.databaseUrl,
  node = process.execPath,
  build,
}: {
  beside?: Product
  databaseUrl?: string
  env?: NodeJS.ProcessEnv
  node?: string
  build?: string
} = {}): Promise<ServerProcess> {
  const serverConfig = await configOf(databaseUrl ?? (await createDatabase()))
  const config = beside ? { ...serverConfig, origin: beside.config.origin, queuePrefix: beside.config.queuePrefix } : serverConfig
  const child: ChildProcess = fork(findProgram('server', build), {
    cwd: root,
    execPath: node,
    execArgv: ['--import', join(import.meta.dirname, 'watchDelay.mjs')],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      PORT: String(config.port),
      PUBLIC_URL: config.origin,
      DATABASE_URL: config.databaseUrl,
      DATABASE_DIRECT_URL: config.databaseDirectUrl ?? '',
      DATA_KEY: testDataKey,
      QUEUE_PREFIX: config.queuePrefix,
      LOG_LEVEL: 'info',
      ...env,
    },
  })
  let written = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data) => (written += data))
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  await new Promise<void>((done, failed) => {
    child.on('message', (message) => message === 'ready' && done())
    void ended.then(() => failed(new Error(`The server ended before it was ready.\n${written}`)))
  })
  atEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  const origin = `http://localhost:${env.PORT ?? config.port}`
  return {
    config,
    origin,
    pid: child.pid!,
    isOlder: build !== undefined,
    log: () => written,
    async isAlive() {
      const reply = await fetch(`${origin}/healthz`).catch(() => null)
      return child.exitCode === null && child.signalCode === null && reply?.status === 200
    },
    longestHoldMs: () =>
      new Promise((done) => {
        child.on('message', function receive(message: { longestHoldMs?: number }) {
          if (typeof message.longestHoldMs !== 'number') return
          child.off('message', receive)
          done(message.longestHoldMs)
        })
        child.send('longestHoldMs')
      }),
    stop: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}
