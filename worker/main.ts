import { readConfig, takeSecretFiles } from '../server/core/config.ts'
import { runProcess } from '../server/core/process.ts'
import { endTracing, startTracing } from '../server/core/watch/tracing.ts'
import { work } from './work.ts'

/** The process of a worker. */
await runProcess(async () => {
  takeSecretFiles()
  const config = readConfig()
  await startTracing('worker')
  const worker = await work(config)
  return {
    async close() {
      await worker.close()
      await endTracing()
    },
  }
})
