import { loadSecretFiles, readConfig } from './core/config.ts'
import { runProcess } from './core/process.ts'
import { endTracing, startTracing } from './core/watch/tracing.ts'
import { serve } from './serve.ts'

await runProcess(async () => {
  loadSecretFiles()
  const config = readConfig()
  await startTracing('server')
  const server = await serve(config).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new Error(`Port ${config.port} is taken. Stop what uses it, or set PORT to another.`) : error
  })
  server.warmUp()
  return {
    async close() {
      await server.close()
      await endTracing()
    },
  }
})
