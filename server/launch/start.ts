import { join } from 'node:path'
import { root } from '../core/root.ts'
import { env as environment } from '../core/settings.ts'
import { isClientBuilt } from './buildClient.ts'
import { bundlePrograms } from './bundle.ts'
import { launch } from './launcher.ts'
import { chooseWorkerCount } from './workerCount.ts'

/**
 * The V8 option for the size of the young generation. A recalculation allocates hundreds of megabytes; with this size, a worker spends a
 * quarter less time on garbage collection. docker-compose.yml sets the same option.
 */
const youngGenerationOption = '--max-semi-space-size=64'

/** `npm start`: runs everything, installing and preparing what is missing. */
await launch(async ({ children, step, prepare }) => {
  const workers = chooseWorkerCount(environment.WORKERS)
  const programs = step('Programs', () => bundlePrograms(root))
  // Build the client in a separate process, so that a first start can load its data at the same time. Start it after bundling the programs,
  // because two bundlers at once take far longer.
  const client = programs.then(() =>
    step('Client', async () => {
      if (isClientBuilt(root)) return
      const script = join(root, 'server/launch/clientAlone.ts')
      await children.finish('The pages could not be built; the reason is above.', {
        script,
        env: environment,
        nodeOptions: ['--import', 'tsx'],
      })
    }),
  )
  // The first failure is reported below; without this, a second one would be an unhandled rejection.
  for (const other of [client, programs]) other.catch(() => undefined)
  const { env } = await prepare(programs)
  const folder = await programs
  await client
  await step('Server and workers', async () => {
    // Each process needs its own ports for metrics and health checks.
    const { METRICS_PORT: metrics, WORKER_PORT: health } = environment
    const after = (first: string | undefined, number: number) => (first ? String(Number(first) + number) : undefined)
    await Promise.all([
      children.start('server', { script: join(folder, 'server.mjs'), env }),
      ...Array.from({ length: workers }, (_unused, index) =>
        children.start(index ? `worker ${index + 1}` : 'worker', {
          script: join(folder, 'worker.mjs'),
          env: { ...env, METRICS_PORT: after(metrics, 1 + index), WORKER_PORT: after(health, index) },
          nodeOptions: [youngGenerationOption],
        }),
      ),
    ])
  })
})
