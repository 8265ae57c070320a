import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { openQueues } from '../../../server/core/queue/queues.ts'
import { testDataKey } from '../product/dataKey.ts'
import { atEnd } from '../product/endings.ts'
import { patience } from '../product/patience.ts'
import type { Product } from '../product/product.ts'
import { findProgram } from './programs.ts'

const root = join(import.meta.dirname, '../../..')

/** Worker processes, which tests can kill. */
export class Workers {
  private readonly all: ChildProcess[] = []
  private written = ''

  /** The text of their logs so far. */
  log(): string {
    return this.written
  }

  /** @param build the folder of another build of the product */
  start({ config }: Product, env: Record<string, string> = {}, build?: string): Promise<ChildProcess> {
    return new Promise((done, failed) => {
      const child = fork(findProgram('worker', build), {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: {
          ...process.env,
          DATABASE_URL: config.databaseUrl,
          DATABASE_DIRECT_URL: config.databaseDirectUrl ?? '',
          DATA_KEY: testDataKey,
          QUEUE_PREFIX: config.queuePrefix,
          LOG_LEVEL: 'silent',
          ...env,
        },
      })
      this.all.push(child)
      for (const [from, to] of [[child.stdout, process.stdout] as const, [child.stderr, process.stderr] as const])
        from?.on('data', (data: Buffer) => {
          this.written += data
          if (env.LOG_LEVEL === undefined) to.write(data)
        })
      child.on('message', (message) => message === 'ready' && done(child))
      child.on('exit', () => failed(new Error('The worker ended before it was ready.')))
    })
  }

  /**
   * Kills all workers and waits until they have ended: a dying one may still claim a job, which is free again only when its claim expires.
   */
  async killAll(): Promise<void> {
    await Promise.all(this.all.splice(0).map(killAndWait))
  }
}

/** @returns a function that wakes the workers to look for due exchanges with other systems, which they otherwise do every few seconds */
export async function openOutsideCheckTrigger({ config }: Product): Promise<() => void> {
  const queues = await openQueues(config)
  atEnd(() => queues.close())
  return queues.requestOutsideCheck
}

/** Kills a process and waits until it has ended. */
export function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((done) => {
    child.once('exit', () => done())
    child.kill('SIGKILL')
  })
}

/** Waits until a condition holds. @param timeoutMs on an otherwise idle machine @throws Error after that time */
export async function until(what: string, condition: () => Promise<boolean> | boolean, timeoutMs = 40_000): Promise<void> {
  // A monotonic clock, because tests change the time of day.
  const end = performance.now() + patience * timeoutMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}`)
    await new Promise((done) => setTimeout(done, 100))
  }
}
