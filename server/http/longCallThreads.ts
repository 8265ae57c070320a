import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { DomainError } from '../../domain/words/errors.ts'
import type { Config } from '../core/config.ts'
import { log } from '../core/log.ts'
import { openShares } from '../core/shares.ts'
import { type Counted, countForwarded } from '../core/watch/counters.ts'
import type { HttpCall, HttpReply, ThreadOutcome } from './call.ts'

/** Each thread runs one call at a time. One organisation may use two threads, so that the third is free for others. */
const [threads, threadsEach] = [3, 2]

/**
 * Milliseconds that a read-only call may continue after its caller disconnects. Cancelling it ends its thread, and a new thread takes
 * seconds to start, so only calls that would run much longer are cancelled.
 */
const graceMs = 5000

/** Heap limit of one thread, in megabytes. A call that needs more fails without harming the others. */
const maxHeapMegabytes = 1500

/** How long an idle thread is retained, because starting one takes seconds. */
const idleMs = 10 * 60_000

export interface LongCallThreads {
  /**
   * Answers a call that has been admitted.
   * @param quotaKey the organisation or caller whose quota of threads the call uses
   * @param gone aborts when the caller disconnects: a waiting call is dropped, and a read-only one is cancelled after a grace period
   * @throws DomainError 503 if too many calls wait or the thread dies; the reason of the signal
   */
  answer(call: HttpCall, how: { quotaKey: string; gone: AbortSignal; isReadOnly: boolean }): Promise<HttpReply>
  warmUp(): void
  close(): Promise<void>
}

/**
 * Opens the pool of threads for long calls, so that short calls do not wait for them. Threads start on first use, or earlier with `warmUp`.
 * @param program the thread's entry file, if it is bundled elsewhere
 */
export function openLongCallThreads(config: Config, program = new URL('./longCallThread.mjs', import.meta.url)): LongCallThreads {
  const shares = openShares({
    most: threads,
    each: threadsEach,
    mostWaiting: 60,
    longestWaitMs: 120_000,
    sentence: 'Your organisation has asked for too many long calculations, files or comparisons at once. Try again in a moment.',
  })
  let pool: Piscina<HttpCall, ThreadOutcome> | undefined

  function begin(minThreads: number): Piscina<HttpCall, ThreadOutcome> {
    const begun = new Piscina<HttpCall, ThreadOutcome>({
      filename: fileURLToPath(program),
      workerData: config,
      execArgv: [],
      minThreads,
      maxThreads: threads,
      idleTimeout: idleMs,
      // With atomics, idle threads sleep and their database connections time out.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    })
    begun.on('message', ({ counted }: { counted: Counted }) => countForwarded(counted))
    begun.on('error', (error) => log.error({ err: error }, 'a long-call thread ended unexpectedly'))
    return begun
  }

  async function answer(call: HttpCall, gone: AbortSignal | null): Promise<HttpReply> {
    pool ??= begin(1)
    const { body } = call
    const transferList = body instanceof Uint8Array && body.buffer instanceof ArrayBuffer ? [body.buffer] : []
    const ending = new AbortController()
    let grace: NodeJS.Timeout | undefined
    const endLater = (): void => void (grace = setTimeout(() => ending.abort(gone?.reason), graceMs))
    gone?.addEventListener('abort', endLater)
    try {
      const { reply, refusal } = await pool.run(call, { transferList, signal: ending.signal }).catch((error) => {
        if (ending.signal.aborted) throw error
        log.error({ err: error }, 'a long-call thread ended unexpectedly')
        throw new DomainError('unavailable', 'ended', 'The server could not finish this. Try again, with a smaller file if there is one.')
      })
      if (reply) return reply
      throw refusal ? asDomainError(refusal) : new Error('A long call failed.')
    } finally {
      clearTimeout(grace)
      gone?.removeEventListener('abort', endLater)
    }
  }
  return {
    // A call that writes is never cancelled once it has begun, because it must still announce its outcome.
    answer: (call, { quotaKey, gone, isReadOnly }) => shares.turn(quotaKey, () => answer(call, isReadOnly ? gone : null), gone),
    warmUp: () => void (pool ??= begin(threadsEach)),
    close: async () => void (await pool?.destroy()),
  }
}

function asDomainError({ kind, code, message, fields, details }: DomainError): DomainError {
  return new DomainError(kind, code, message, { fields, details })
}
