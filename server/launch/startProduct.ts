import { join } from 'node:path'
import { env as environment } from '../core/settings.ts'
import type { Launcher } from './launcher.ts'
import { chooseWorkerCount } from './workerCount.ts'

/**
 * The V8 option for the size of the young generation. A recalculation allocates hundreds of megabytes; with this size, a worker spends a
 * quarter less time on garbage collection. docker-compose.yml sets the same option.
 */
const youngGenerationOption = '--max-semi-space-size=64'

/**
 * Prepares the database, then starts one server and the workers.
 * @param built resolves to the folder of the bundled programs, and once the client is built
 */
export async function startProduct(
  { children, step, prepare }: Launcher,
  built: { programs: Promise<string>; client: Promise<void> },
): Promise<void> {
  const workers = chooseWorkerCount(environment.WORKERS)
  const { env, ownerEnv } = await prepare(built.programs)
  const folder = await built.programs
  await built.client
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
      ...(environment.BACKUP_DIR
        ? [children.start('backup schedule', { script: join(folder, 'backup.mjs'), words: ['--schedule'], env: ownerEnv })]
        : []),
    ])
  })
}
