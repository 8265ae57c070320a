import { setTimeout as wait } from 'node:timers/promises'
import { getErrorMessage } from '../../domain/words/errors.ts'
import { SettingError } from './config.ts'
import { log } from './log.ts'

/** Milliseconds for running calls to finish when the process is asked to stop; a little less than supervisors wait. */
const stopWithinMs = 25_000

/** How long a supervisor waits after asking a server or worker to stop, before it kills it. */
export const stopTimeoutMs = stopWithinMs + 2000

/** How long a process that cannot start because of a setting waits before it tries again. */
const waitForSettingMs = 60_000

/**
 * Runs a server or worker as a process: reports when it is ready, stops cleanly on request, and ends with one log line if it cannot start.
 * If a setting is missing or wrong, it logs that and tries again every minute, so that its supervisor does not restart it over and over.
 * Once ready, only a signal ends it: an unhandled error belongs to one call, connection or job, all important state is in the database, and
 * ending would break everyone else's calls. `/readyz` shows when a server is unusable.
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
  // Unhandled promise rejections arrive here too.
  process.on('uncaughtException', (error) => {
    // While stopping, losing the database is expected.
    if (stopping) return
    log.error({ err: error }, 'a rejected promise was not handled')
    if (!running) void stop(1)
  })
  while (!running && !stopping)
    try {
      running = await open()
      log.info('ready')
      process.send?.('ready')
    } catch (error) {
      log.fatal({ err: error }, getErrorMessage(error))
      // `npm start` shows the error to the user and ends.
      if (!(error instanceof SettingError) || process.send) await stop(1)
      else await wait(waitForSettingMs)
    }
}
