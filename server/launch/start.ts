import { join } from 'node:path'
import { root } from '../core/root.ts'
import { env as environment } from '../core/settings.ts'
import { isClientBuilt } from './buildClient.ts'
import { bundledPrograms } from './bundle.ts'
import { launch } from './launcher.ts'
import { workersOf } from './workers.ts'

/**
 * A recalculation makes and forgets hundreds of megabytes. With more room for new objects a quarter of a worker's time goes into the work
 * instead of collecting garbage. The compose file gives the same.
 */
const roomForNew = '--max-semi-space-size=64'

/** `npm start`: everything, from nothing to a served page. */
await launch(async ({ children, step, prepare }) => {
  const workers = workersOf(environment.WORKERS)
  const programs = step('Programs', () => bundledPrograms(root))
  // In a process of its own, so that a first start loads its data meanwhile; after the programs, since two that bundle at once take far longer.
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
  // Whatever fails first is what is said; the others are ended with it.
  for (const other of [client, programs]) other.catch(() => undefined)
  const { env } = await prepare(programs)
  const folder = await programs
  await client
  await step('Server and workers', async () => {
    // Each answers Prometheus and health checks at a port of its own.
    const { METRICS_PORT: metrics, WORKER_PORT: health } = environment
    const after = (first: string | undefined, number: number) => (first ? String(Number(first) + number) : undefined)
    await Promise.all([
      children.start('server', { script: join(folder, 'server.mjs'), env }),
      ...Array.from({ length: workers }, (_unused, index) =>
        children.start(index ? `worker ${index + 1}` : 'worker', {
          script: join(folder, 'worker.mjs'),
          env: { ...env, METRICS_PORT: after(metrics, 1 + index), WORKER_PORT: after(health, index) },
          nodeOptions: [roomForNew],
        }),
      ),
    ])
  })
})
