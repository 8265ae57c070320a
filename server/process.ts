import { log } from './log.ts'

const stopWithinMs = 6000

/**
 * Runs a server or worker as a process: says when it is ready, ends cleanly when asked to, and ends with one line in the log when it fails.
 * Whoever started it starts it again; what it was doing stands in the database.
 */
export async function runProcess(open: () => Promise<{ close(): Promise<void> }>): Promise<void> {
  let running: { close(): Promise<void> } | undefined
  let stopping = false
  const stop = async (code = 0): Promise<void> => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(code), stopWithinMs).unref()
    await running?.close().catch(() => undefined)
    process.exit(code)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
  process.on('disconnect', () => void stop())
  // A database that goes away ends its idle connections with an error that nobody waits for. While stopping it goes away on purpose.
  process.on('uncaughtException', (error) => {
    if (stopping) return
    log.fatal({ err: error }, error.message)
    void stop(1)
  })
  try {
    running = await open()
    log.info('ready')
    process.send?.('ready')
  } catch (error) {
    log.fatal((error as Error).message)
    await stop(1)
  }
}
