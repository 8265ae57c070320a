import { setTimeout as wait } from 'node:timers/promises'
import { errorMessage } from '../../domain/words/errors.ts'
import { SettingError } from './config.ts'
import { log } from './log.ts'

/** Calls in flight have this long to be answered when the process is asked to stop; a little less than those who ask wait. */
const stopWithinMs = 25_000

/** How long somebody who asked a server or worker to stop waits before ending it by force. */
export const waitForStopMs = stopWithinMs + 2000

/** How long a process waits that cannot begin for a setting: whoever starts it again at once, over and over, would change nothing. */
const waitForSettingMs = 60_000

/**
 * Runs a server or worker as a process: says when it is ready, ends cleanly when asked to, and ends with one line in the log when it cannot
 * begin. For a setting that is missing or wrong it says so and waits, looking again now and then, instead of being started over and over.
 * Once it is ready nothing but a signal ends it: an error that nobody waited for belongs to one call, one connection or one job, all
 * that counts stands in the database, and ending would take everybody else's calls along. `/readyz` is what says that a server is of no use.
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
  // Promises that are rejected and awaited by nobody arrive here as well.
  process.on('uncaughtException', (error) => {
    // While stopping, the database goes away on purpose.
    if (stopping) return
    log.error({ err: error }, 'an error that nobody waited for')
    if (!running) void stop(1)
  })
  while (!running && !stopping)
    try {
      running = await open()
      log.info('ready')
      process.send?.('ready')
    } catch (error) {
      log.fatal({ err: error }, errorMessage(error))
      // `npm start` says it to the person in front of it and ends.
      if (!(error instanceof SettingError) || process.send) await stop(1)
      else await wait(waitForSettingMs)
    }
}
