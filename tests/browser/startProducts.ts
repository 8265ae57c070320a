import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../server/core/root.ts'
import { buildClient } from '../../server/launch/buildClient.ts'
import { bundlePrograms } from '../../server/launch/bundle.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { copyTemplate } from '../support/product/template.ts'
import { installChromium } from '../support/running/installed.ts'
import { dataFolder, products } from './products.ts'

const startMs = 240_000
/** Longer than `npm start` waits for the server and worker to stop, and then for PostgreSQL. */
const stopMs = 40_000

async function isReady(origin: string): Promise<boolean> {
  return fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5000) })
    .then(({ ok }) => ok)
    .catch(() => false)
}

/** Stops a copy as Ctrl C does, and kills it if it does not stop in time. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const killed = setTimeout(() => child.kill('SIGKILL'), stopMs)
  await gone
  clearTimeout(killed)
}

/**
 * Starts all copies of the product at once, as `npm start` does, each on a copy of the demo trusts without the year of work.
 * @returns a function that stops them
 */
export default async function startProducts(): Promise<() => Promise<void>> {
  const children: ChildProcess[] = []
  const stopAll = async (): Promise<void> => {
    await Promise.all(children.map(stop))
    removeDataFolders(...products.map(({ data }) => data), dataFolder)
  }
  await installChromium()
  // Built once here, so that the copies need not each build it.
  await buildClient(root)
  await bundlePrograms(root)
  const until = Date.now() + startMs
  try {
    await Promise.all(
      products.map(async ({ origin, port, data }) => {
        copyTemplate(data)
        const child = fork(join(root, 'server/launch/start.ts'), {
          cwd: root,
          execArgv: ['--import', 'tsx'],
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
          // The journeys’ own receivers of webhooks listen at 127.7.7.7; no other local address is allowed. Each copy runs one worker,
          // since they share this machine.
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
          if (child.exitCode !== null) throw new Error('The product ended before it was ready; the reason is above.')
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
