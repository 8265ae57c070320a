import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { DomainError } from '../../domain/words/errors.ts'
import type { Config } from '../core/config.ts'
import { log } from '../core/log.ts'
import { openShares } from '../core/shares.ts'
import { type Counted, countHanded } from '../core/watch/counted.ts'
import type { Call, Outcome, Reply } from './call.ts'

/** Threads, each of which works on one call at a time. One organisation may use two: the third is for the others. */
const [threads, threadsEach] = [3, 2]

/**
 * How long a call that only looks works on after its caller has gone. To end it ends its thread, and a new one takes seconds to begin, so only
 * what would still work for long is worth that.
 */
const graceMs = 5000

/** Megabytes that one thread may hold in memory; whatever needs more fails alone. */
const mostMegabytes = 1500

/** How long a thread without work is kept, for starting one takes seconds. */
const idleMs = 10 * 60_000

export interface HeavyCalls {
  /**
   * Answers a call whose caller may make it.
   * @param share whose share of the threads it takes
   * @param gone its caller has gone: it does not begin, and one that only looks is ended where it still works after a while
   * @throws DomainError 503 when too many wait, or the thread ended meanwhile; the reason of the signal
   */
  answer(call: Call, how: { share: string; gone: AbortSignal; onlyLooks: boolean }): Promise<Reply>
  /** Begins threads now, which takes seconds, so that the first long calls do not wait for them. */
  warmUp(): void
  close(): Promise<void>
}

/**
 * Threads for the calls that work long, so that everybody else's are answered meanwhile. Each begins when it is first needed, or before when
 * they are warmed up.
 * @param program where a thread begins: beside this file, unless it stands built elsewhere
 */
export function openHeavyCalls(config: Config, program = new URL('./heavyThread.mjs', import.meta.url)): HeavyCalls {
  const shares = openShares({
    most: threads,
    each: threadsEach,
    mostWaiting: 60,
    longestWaitMs: 120_000,
    sentence: 'Your organisation has asked for too many long calculations, files or comparisons at once. Try again in a moment.',
  })
  let pool: Piscina<Call, Outcome> | undefined

  function begin(minThreads: number): Piscina<Call, Outcome> {
    const begun = new Piscina<Call, Outcome>({
      filename: fileURLToPath(program),
      workerData: config,
      execArgv: [],
      minThreads,
      maxThreads: threads,
      idleTimeout: idleMs,
      // A thread that slept between calls would lose its connections.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
    })
    begun.on('message', ({ counted }: { counted: Counted }) => countHanded(counted))
    begun.on('error', (error) => log.error({ err: error }, 'a thread of long calls ended'))
    return begun
  }

  async function answer(call: Call, gone: AbortSignal | null): Promise<Reply> {
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
        log.error({ err: error }, 'a thread of long calls ended')
        throw new DomainError('unavailable', 'ended', 'The server could not finish this. Try it again, with a smaller file if it has one.')
      })
      if (reply) return reply
      throw refusal ? refused(refusal) : new Error('A long call failed.')
    } finally {
      clearTimeout(grace)
      gone?.removeEventListener('abort', endLater)
    }
  }
  return {
    // One that changes something and has begun is finished: others are still to be told what came of it.
    answer: (call, { share, gone, onlyLooks }) => shares.turn(share, () => answer(call, onlyLooks ? gone : null), gone),
    warmUp: () => void (pool ??= begin(threadsEach)),
    close: async () => void (await pool?.destroy()),
  }
}

function refused({ kind, code, message, fields, details }: DomainError): DomainError {
  return new DomainError(kind, code, message, { fields, details })
}
