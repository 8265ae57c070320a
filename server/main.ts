import { readConfig, takeSecretFiles } from './core/config.ts'
import { runProcess } from './core/process.ts'
import { serve } from './serve.ts'

/** The process of a web server. */
await runProcess(async () => {
  takeSecretFiles()
  const config = readConfig()
  const server = await serve(config).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new Error(`Port ${config.port} is taken. Stop what uses it, or set PORT to another.`) : error
  })
  server.warmUp()
  return server
})
