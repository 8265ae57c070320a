import { loadSecretFiles, readConfig } from '../server/core/config.ts'
import { runProcess } from '../server/core/process.ts'
import { endTracing, startTracing } from '../server/core/watch/tracing.ts'
import { runWorker } from './runWorker.ts'

await runProcess(async () => {
  loadSecretFiles()
  const config = readConfig()
  await startTracing('worker')
  const worker = await runWorker(config)
  return {
    async close() {
      await worker.close()
      await endTracing()
    },
  }
})
