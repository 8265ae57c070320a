import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { DomainError } from '../../domain/words/errors.ts'
import type { Config } from '../core/config.ts'
import { log } from '../core/log.ts'
import { listSecretFiles } from '../core/secretFiles.ts'
import { createFairLimiter } from '../core/shares.ts'
import { addForwardedCount, type CountedEvent } from '../core/watch/counters.ts'
import type { HttpCall, HttpReply, ThreadOutcome, ThreadStart } from './call.ts'

/** The number of threads, each of which runs one call at a time. An organisation may use two, so that the third is free for others. */
const [threads, threadsPerOrganisation] = [3, 2]

/**
 * How long a read-only call may continue after its caller disconnects. Cancelling a call ends its thread, and a new thread takes seconds to
 * start, so only calls that would run much longer are cancelled.
 */
const graceMs = 5000

/** Heap limit of one thread, in megabytes. A call that needs more fails without harming the other calls. */
const maxHeapMegabytes = 1500

/** How long an idle thread is retained, because starting one takes seconds. */
const idleMs = 10 * 60_000

export interface LongCallThreads {
  /**
   * Answers a call that has been admitted.
   * @param quotaKey the organisation or caller whose quota of threads the call uses
   * @param disconnected aborts when the caller disconnects: a waiting call is dropped, and a read-only one cancelled after a grace period
   * @throws DomainError 503 if too many calls wait or the thread dies; the reason of the signal if it aborts
   */
  answer(call: HttpCall, options: { quotaKey: string; disconnected: AbortSignal; isReadOnly: boolean }): Promise<HttpReply>
  warmUp(): void
  close(): Promise<void>
}

/**
 * Opens the pool of threads for long calls, so that short calls do not wait for them. Threads start on first use, or earlier with `warmUp`.
 * @param program the thread's entry file, if it is bundled elsewhere
 */
export function openLongCallThreads(config: Config, program = new URL('./longCallThread.mjs', import.meta.url)): LongCallThreads {
  const shares = createFairLimiter({
    most: threads,
    each: threadsPerOrganisation,
    mostWaiting: 60,
    longestWaitMs: 120_000,
    sentence: 'Your organisation has asked for too many long calculations, files or comparisons at once. Try again in a moment.',
  })
  let pool: Piscina<HttpCall, ThreadOutcome> | undefined

  function startPool(minThreads: number): Piscina<HttpCall, ThreadOutcome> {
    const started = new Piscina<HttpCall, ThreadOutcome>({
      filename: fileURLToPath(program),
      workerData: { config, secretFiles: listSecretFiles() } satisfies ThreadStart,
      execArgv: [],
      minThreads,
      maxThreads: threads,
      idleTimeout: idleMs,
      // With atomics, idle threads block, so their database connections would time out.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    })
    started.on('message', ({ counted }: { counted: CountedEvent }) => addForwardedCount(counted))
    started.on('error', (error) => log.error({ err: error }, 'a long-call thread ended unexpectedly'))
    return started
  }

  async function answer(call: HttpCall, disconnected: AbortSignal | null): Promise<HttpReply> {
    pool ??= startPool(1)
    const { body } = call
    const transferList = body instanceof Uint8Array && body.buffer instanceof ArrayBuffer ? [body.buffer] : []
    const ending = new AbortController()
    let grace: NodeJS.Timeout | undefined
    const startGracePeriod = (): void => void (grace = setTimeout(() => ending.abort(disconnected?.reason), graceMs))
    disconnected?.addEventListener('abort', startGracePeriod)
    try {
      const { reply, refusal } = await pool.run(call, { transferList, signal: ending.signal }).catch((error) => {
        if (ending.signal.aborted) throw error
        log.error({ err: error }, 'a long-call thread ended unexpectedly')
        throw new DomainError('unavailable', 'ended', 'The server could not finish this. Try again, or use a smaller file if you sent one.')
      })
      if (reply) return reply
      throw refusal ? asDomainError(refusal) : new Error('A long call failed.')
    } finally {
      clearTimeout(grace)
      disconnected?.removeEventListener('abort', startGracePeriod)
    }
  }
  return {
    // A call that writes is never cancelled once it runs, because it must announce its outcome.
    answer: (call, { quotaKey, disconnected, isReadOnly }) =>
      shares.turn(quotaKey, () => answer(call, isReadOnly ? disconnected : null), disconnected),
    warmUp: () => void (pool ??= startPool(threadsPerOrganisation)),
    close: async () => void (await pool?.destroy()),
  }
}

function asDomainError({ kind, code, message, fields, details }: DomainError): DomainError {
  return new DomainError(kind, code, message, { fields, details })
}
