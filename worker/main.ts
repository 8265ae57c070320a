import { readConfig } from '../server/config.ts'
import { log } from '../server/log.ts'
import { type RunningWorker, work } from './work.ts'

/** The process of a worker. */
let running: RunningWorker | undefined
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
  running = await work(readConfig())
  log.info('worker is ready')
  process.send?.('ready')
} catch (error) {
  log.fatal((error as Error).message)
  await stop(1)
}
