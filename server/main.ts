import { readConfig } from './config.ts'
import { log } from './log.ts'
import { type RunningServer, serve } from './serve.ts'

/** The process of a web server. */
let running: RunningServer | undefined
let stopping = false

async function stop(code = 0): Promise<void> {
  if (stopping) return
  stopping = true
  await running?.close()
  process.exit(code)
}
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
process.on('disconnect', () => void stop())

try {
  const config = readConfig()
  running = await serve(config)
  log.info({ port: config.port }, 'server is ready')
  process.send?.('ready')
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  log.fatal(code === 'EADDRINUSE' ? `Port ${process.env.PORT} is taken. Stop what uses it, or set PORT to another.` : message)
  await stop(1)
}
