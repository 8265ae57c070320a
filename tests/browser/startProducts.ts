import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../server/core/root.ts'
import { buildClient } from '../../server/launch/buildClient.ts'
import { products } from './products.ts'

const startMs = 240_000
/** More than what `npm start` waits for server and worker, and then for PostgreSQL. */
const stopMs = 40_000

async function isReady(origin: string): Promise<boolean> {
  return fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5000) })
    .then(({ ok }) => ok)
    .catch(() => false)
}

/** Ends a copy as Ctrl C does, and by force where it does not listen. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const killed = setTimeout(() => child.kill('SIGKILL'), stopMs)
  await gone
  clearTimeout(killed)
}

/** Starts all copies of the product at once, as `npm start` does, each on data of its own, and gives what ends them. */
export default async function startProducts(): Promise<() => Promise<void>> {
  const children: ChildProcess[] = []
  const stopAll = async (): Promise<void> => void (await Promise.all(children.map(stop)))
  // Of one client, which two copies would build at once.
  await buildClient(root, 'quickly')
  const until = Date.now() + startMs
  try {
    await Promise.all(
      products.map(async ({ origin, port, data }) => {
        if (await isReady(origin)) throw new Error(`${origin} is taken: stop what runs there, or name another port in BROWSER_TEST_PORT.`)
        const child = fork(join(root, 'server/launch/start.ts'), {
          cwd: root,
          execArgv: ['--import', 'tsx'],
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
          // Where the receivers of messages listen that the journeys bring along; everything else of this machine stays closed.
          // Journeys make what they need of the trusts themselves; what a year leaves behind, tests of the server look at.
          // Two copies share this machine: a second worker of each would only be in the way.
          env: {
            ...process.env,
            PORT: port,
            DATA_DIR: data,
            DEMO: 'fresh',
            WORKERS: '1',
            LOG_LEVEL: 'warn',
            OUTBOUND_NETWORKS: '127.7.7.7/32',
          },
        })
        children.push(child)
        while (!(await isReady(origin))) {
          if (child.exitCode !== null) throw new Error('The product ended before it was ready; why is said above.')
          if (Date.now() > until) throw new Error(`The product at ${origin} was not ready in time.`)
          await wait(200)
        }
      }),
    )
  } catch (error) {
    await stopAll()
    throw error
  }
  return stopAll
}
